package diff

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pmezard/go-difflib/difflib"
)

// Span is a range of bytes in Line.Text.
type Span struct{ From, To int }

const (
	maxWordLineBytes = 2000 // maxWordLineBytes is the number of bytes of a line that is compared word by word.
	maxTokens        = 400
	maxWordCost      = 1_000_000 // maxWordCost limits the equal pairs times the tokens; more takes longer than 25 ms.
)

// ChangedSpans returns the changed ranges of each line of the hunk. It is nil for an unchanged
// line, and for one that has changed too much for highlighting. In a group of removed and added
// lines the first removed line is compared with the first added one, and so on.
func (h Hunk) ChangedSpans() [][]Span {
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
			spans[i+k], spans[ins+k] = ChangedWords(h.Lines[i+k].Text, h.Lines[ins+k].Text)
		}
		i = end
	}
	return spans
}

// ChangedWords compares two lines word by word and returns the changed ranges of each. Both are nil
// if a line is too long, or if the lines have less than a third of the longer one in common.
func ChangedWords(before, after string) (a, b []Span) {
	if len(before) > maxWordLineBytes || len(after) > maxWordLineBytes || before == after {
		return nil, nil
	}
	ta, tb := splitTokens(before), splitTokens(after)
	if len(ta) > maxTokens || len(tb) > maxTokens || countEqualPairs(ta, tb)*min(len(ta), len(tb)) > maxWordCost {
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
		a = appendSpan(a, from, i)
		from = j
		for ; ib < m.B; ib++ {
			j += len(tb[ib])
		}
		b = appendSpan(b, from, j)
		for k := 0; k < m.Size; k++ {
			n := len(ta[ia])
			i, j, ia, ib = i+n, j+n, ia+1, ib+1
			if ta[ia-1] != " " {
				common += n
			}
		}
	}
	if common*3 < max(countNonSpaces(before), countNonSpaces(after)) {
		return nil, nil
	}
	return a, b
}

// countNonSpaces returns the number of bytes that are not spaces.
func countNonSpaces(s string) int { return len(s) - strings.Count(s, " ") }

// countEqualPairs returns the number of pairs of equal tokens, with one token from each side.
func countEqualPairs(a, b []string) int {
	counts := map[string]int{}
	for _, t := range a {
		counts[t]++
	}
	n := 0
	for _, t := range b {
		n += counts[t]
	}
	return n
}

func appendSpan(s []Span, from, to int) []Span {
	if from == to {
		return s
	}
	return append(s, Span{from, to})
}

// splitTokens splits a line into words, single spaces and other single characters.
func splitTokens(s string) []string {
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

// Similarity returns how similar two lines are, from 0 to 1, by the characters that they have in
// common in the same order. It compares the first 300 bytes of each. If that is too expensive, it
// returns [SimilarityBound].
func Similarity(a, b string) float64 {
	la, lb := firstCharacters(a), firstCharacters(b)
	if countEqualPairs(la, lb)*min(len(la), len(lb)) > maxWordCost {
		return SimilarityBound(a, b)
	}
	return difflib.NewMatcherWithJunk(la, lb, false, nil).Ratio()
}

// SimilarityBound returns an upper bound of [Similarity] for ASCII lines that is cheap to compute:
// it ignores the order of the bytes.
func SimilarityBound(a, b string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	var counts [256]int
	for i := range len(a) {
		counts[a[i]]++
	}
	common := 0
	for i := range len(b) {
		if counts[b[i]] > 0 {
			counts[b[i]]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}

func firstCharacters(s string) []string {
	var out []string
	for i, r := range s {
		if i >= 300 {
			break
		}
		out = append(out, string(r))
	}
	return out
}
