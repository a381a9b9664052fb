package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pmezard/go-difflib/difflib"
)

// Span is a stretch of bytes of a line's Text.
type Span struct{ From, To int }

const (
	maxWordLine = 2000 // bytes of a line that is compared by words
	maxTokens   = 400
	maxWordCost = 1_000_000 // pairs times tokens: 25 ms at most
)

// Spans returns the changed stretches of each line of the hunk, in the order of its lines; nil for
// a line that is unchanged, or changed so much that marking words helps nobody. In a run of removed
// and then added lines the n-th is compared with the n-th.
func (h Hunk) Spans() [][]Span {
	spans := make([][]Span, len(h.Lines))
	for i := 0; i < len(h.Lines); {
		if h.Lines[i].Op != Delete {
			i++
			continue
		}
		ins := i
		for ins < len(h.Lines) && h.Lines[ins].Op == Delete {
			ins++
		}
		end := ins
		for end < len(h.Lines) && h.Lines[end].Op == Insert {
			end++
		}
		for k := 0; i+k < ins && ins+k < end; k++ {
			spans[i+k], spans[ins+k] = Words(h.Lines[i+k].Text, h.Lines[ins+k].Text)
		}
		i = end
	}
	return spans
}

// Words compares two lines by words and gives the changed stretches of each; nil both if less than
// a third of the longer line is common, or if a line is too long for it.
func Words(before, after string) (a, b []Span) {
	if len(before) > maxWordLine || len(after) > maxWordLine || before == after {
		return nil, nil
	}
	ta, tb := tokens(before), tokens(after)
	if len(ta) > maxTokens || len(tb) > maxTokens || pairs(ta, tb)*min(len(ta), len(tb)) > maxWordCost {
		return nil, nil
	}
	common := 0
	i, j := 0, 0 // bytes
	ia, ib := 0, 0
	for _, m := range difflib.NewMatcherWithJunk(ta, tb, false, nil).GetMatchingBlocks() {
		from := i
		for ; ia < m.A; ia++ {
			i += len(ta[ia])
		}
		a = add(a, from, i)
		from = j
		for ; ib < m.B; ib++ {
			j += len(tb[ib])
		}
		b = add(b, from, j)
		for k := 0; k < m.Size; k++ {
			n := len(ta[ia])
			i, j, ia, ib = i+n, j+n, ia+1, ib+1
			if ta[ia-1] != " " {
				common += n
			}
		}
	}
	if common*3 < max(solid(before), solid(after)) {
		return nil, nil
	}
	return a, b
}

// solid counts the bytes that are not spaces.
func solid(s string) int { return len(s) - strings.Count(s, " ") }

// pairs counts the equal pairs of tokens.
func pairs(a, b []string) int {
	in := map[string]int{}
	for _, t := range a {
		in[t]++
	}
	n := 0
	for _, t := range b {
		n += in[t]
	}
	return n
}

func add(s []Span, from, to int) []Span {
	if from == to {
		return s
	}
	return append(s, Span{from, to})
}

// tokens returns words, single spaces and single other characters; together they are the line.
func tokens(s string) []string {
	var ts []string
	for s != "" {
		n := 0
		for n < len(s) {
			r, size := utf8.DecodeRuneInString(s[n:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && !unicode.IsMark(r) {
				break
			}
			n += size
		}
		if n == 0 {
			_, n = utf8.DecodeRuneInString(s)
		}
		ts = append(ts, s[:n])
		s = s[n:]
	}
	return ts
}

// Similar tells how alike two lines are, from 0 to 1, by the characters that they have in common in
// order. At most the first 300 bytes of each are compared, and lines that would be costly by
// [Alike] alone.
func Similar(a, b string) float64 {
	la, lb := letters(a), letters(b)
	if pairs(la, lb)*min(len(la), len(lb)) > maxWordCost {
		return Alike(a, b)
	}
	return difflib.NewMatcherWithJunk(la, lb, false, nil).Ratio()
}

// Alike is never less than [Similar] for lines of ASCII and costs next to nothing: it ignores the
// order of the bytes.
func Alike(a, b string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	var bag [256]int
	for i := range len(a) {
		bag[a[i]]++
	}
	common := 0
	for i := range len(b) {
		if bag[b[i]] > 0 {
			bag[b[i]]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

func letters(s string) []string {
	var out []string
	for i, r := range s {
		if i >= 300 {
			break
		}
		out = append(out, string(r))
	}
	return out
}
