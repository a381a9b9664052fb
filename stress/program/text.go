package program

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal/ansi"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Block is a source of rows: one row, a paragraph that the terminal wraps by itself, or the rows of
// a picture.
type Block struct {
	Spans   []renderer.Span
	Soft    bool
	Picture int // number of rows of a picture, which has no text; 0: no picture
}

// words lists the words of ordinary rows. All terminals agree about their width. The last three
// have combining marks.
var words = []string{
	"alpha", "be", "gamma-ray", "wörter", "漢字", "x", "0123456789", "日本", "-", "The quick", "(a)", "│─┐", "한글",
	"cafe\u0301", "n\u0303a\u0323\u0302", "\u0e01\u0e34\u0e19",
}

// randomWord returns a random word. For a terminal of one column it has no combining marks, which
// ghostty does not draw there.
func randomWord(rng *rand.Rand, cols int) string {
	if cols == 1 {
		return words[rng.IntN(len(words)-3)]
	}
	return words[rng.IntN(len(words))]
}

// Doubts lists clusters to which terminals give different widths: they differ by one column, or a
// terminal without grapheme clusters measures each part by itself.
var Doubts = []string{
	"\u2764\ufe0f", "\u3131", "\u2630", "\U0001fae8", "\ue0b0", "\u2460", "#\ufe0f\u20e3",
	"\U0001f1e9\U0001f1ea", "\U0001f468\u200d\U0001f469\u200d\U0001f467",
	"\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\U0001f44d\U0001f3fd",
	"\U0001f3f3\ufe0f\u200d\U0001f308",
}

// Scripts lists more clusters of doubtful width, for terminals that measure as kitty does:
// conjuncts, signs next to their letter, jamo.
var Scripts = []string{"\u0915\u094d\u0937\u093f", "\u0928\u093e", "\u0e04\u0e33", "\u1112\u1161\u11ab", "\u261d",
	"\u0938\u094d\u0924\u0947"}

// doubtfulCluster returns a random cluster of doubtful width.
func doubtfulCluster(rng *rand.Rand, m width.Model) string {
	if m.Method == width.Leading && rng.IntN(2) == 0 {
		return Scripts[rng.IntN(len(Scripts))]
	}
	return Doubts[rng.IntN(len(Doubts))]
}

// NewBlock returns block i of an operation with the given seed, in one of the looks such as
// [Plain], for cols columns. It begins with an id that no other block has. The same arguments
// return the same block.
func NewBlock(seed uint32, i, look, cols int, m width.Model) Block {
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)<<8|uint64(look)))
	var b Block
	used := 0
	add := func(s string, st renderer.Style, link string) {
		b.Spans = append(b.Spans, renderer.Span{Text: s, Style: st, Link: link})
		used += m.String(s)
	}
	id := strconv.FormatInt(int64(seed), 36)
	if i > 0 {
		id += "." + strconv.FormatInt(int64(i), 36)
	}
	some := func(limit int, styled bool) {
		for used < limit {
			w := " " + randomWord(rng, cols)
			if used+m.String(w) > limit {
				break
			}
			st, link := renderer.Style{}, ""
			if styled {
				st, link = randomPen(rng)
			}
			add(w, st, link)
			if rng.IntN(8) == 0 {
				break
			}
		}
	}
	switch look {
	case Empty:
		return b
	case Short:
		add(id, renderer.Style{}, "")
		some(min(8, cols-1), false)
	case Full:
		add(id, renderer.Style{}, "")
		some(cols, rng.IntN(2) == 0)
		if rest := cols - used; rest > 0 {
			add(strings.Repeat("=", rest), renderer.Style{}, "")
		}
	case OverWide:
		add(id, renderer.Style{}, "")
		some(cols, false)
		add(strings.Repeat("ab漢", cols/4+1), renderer.Style{}, "")
	case Doubtful:
		add(id, renderer.Style{}, "")
		some(cols/2, false)
		for range 1 + rng.IntN(3) {
			st, _ := randomPen(rng)
			add(" "+doubtfulCluster(rng, m)+"y", st, "")
		}
		some(cols, false)
		b.Spans = beforeOverhang(Cut(b.Spans, cols, m), cols, m)
	case Coloured:
		st := renderer.Style{Bg: ansi.Indexed(uint8(1 + rng.IntN(7)))}
		add(id, st, "")
		some(cols*2/3, false)
		add(strings.Repeat(" ", max(0, cols-used)), st, "")
	case SoftWrapped, SoftDoubtful:
		b.Soft = true
		add(id+".", renderer.Style{}, "")
		for n := cols * (1 + rng.IntN(4)); used < n; {
			st, link := renderer.Style{}, ""
			if rng.IntN(3) == 0 {
				st, link = randomPen(rng)
			}
			if look == SoftDoubtful && rng.IntN(4) == 0 {
				add(doubtfulCluster(rng, m)+"y ", st, link)
			}
			add(randomWord(rng, cols)+" ", st, link)
		}
		add("end", renderer.Style{}, "")
	default:
		add(id, renderer.Style{}, "")
		some(cols, look == Styled)
	}
	return b
}

// NewParagraph returns a soft-wrapped block that takes about the given number of rows. If doubt is
// true, it has clusters of doubtful width.
func NewParagraph(seed uint32, rows, cols int, doubt bool, m width.Model) Block {
	look := SoftWrapped
	if doubt {
		look = SoftDoubtful
	}
	b := NewBlock(seed, 0, look, cols, m)
	// in one column some blocks have no room for anything
	for i := 1; i <= 8*rows && len(b.Layout(cols, m)) < rows; i++ {
		addition := NewBlock(seed, i, look, cols, m) // begins with an id, so that it takes room at any width
		b.Spans = append(b.Spans, addition.Spans...)
	}
	return b
}

func randomPen(rng *rand.Rand) (st renderer.Style, link string) {
	switch rng.IntN(7) {
	case 0:
		st.Attr = ansi.Bold
	case 1:
		st.Fg, st.Attr = ansi.Indexed(2), ansi.Inverse
	case 2:
		st.Fg, st.Bg = ansi.RGB(1, 200, 30), ansi.Indexed(12)
	case 3:
		st.Attr = ansi.Underline | ansi.Italic
	case 4:
		link = "https://example.org/" + words[rng.IntN(2)]
	}
	return st, link
}

// beforeOverhang returns the part of spans before the first cluster of doubtful width that may
// reach over the right edge. Text behind a doubtful cluster is placed by its column, so that it may
// be cut there.
func beforeOverhang(spans []renderer.Span, cols int, m width.Model) []renderer.Span {
	if at, _ := roomBeforeOverhang(spans, cols, m); at < cols {
		return Cut(spans, at, m)
	}
	return spans
}

// roomBeforeOverhang returns the column of the first cluster of doubtful width that may reach over
// the edge of a row of cols columns, or cols if there is none. doubt reports whether another
// doubtful cluster stands before that column.
func roomBeforeOverhang(spans []renderer.Span, cols int, m width.Model) (at int, doubt bool) {
	for _, s := range spans {
		for c, w := range m.Clusters(s.Text) {
			switch d := m.Doubtful(c); {
			case d && at+m.Widest(c) > cols:
				return at, doubt
			case at+w > cols:
				return cols, doubt
			default:
				at, doubt = at+w, doubt || d
			}
		}
	}
	return cols, doubt
}

// Cut returns the beginning of spans that fits into cols columns.
func Cut(spans []renderer.Span, cols int, m width.Model) []renderer.Span {
	head, _ := split(spans, cols, m)
	return head
}

// split cuts spans in two before the first cluster that does not fit into cols columns.
func split(spans []renderer.Span, cols int, m width.Model) (head, tail []renderer.Span) {
	used := 0
	for i, s := range spans {
		for rest := s.Text; rest != ""; {
			_, next, w := m.Next(rest)
			if used += w; used > cols {
				if n := len(s.Text) - len(rest); n > 0 {
					head = append(head, renderer.Span{Text: s.Text[:n], Link: s.Link, Style: s.Style})
				}
				tail = append(tail, renderer.Span{Text: rest, Link: s.Link, Style: s.Style})
				return head, append(tail, spans[i+1:]...)
			}
			rest = next
		}
		head = append(head, s)
	}
	return head, nil
}

// withoutTooWide returns spans without the clusters that do not fit a row of cols columns.
func withoutTooWide(spans []renderer.Span, cols int, m width.Model) []renderer.Span {
	var out []renderer.Span
	for _, s := range spans {
		var b strings.Builder
		for c, w := range m.Clusters(s.Text) {
			if cols > 1 && !m.Doubtful(c) || w == 1 && cols == 1 || cols > 1 && m.Widest(c) <= cols {
				b.WriteString(c)
			}
		}
		if s.Text = b.String(); s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

// Layout returns the block as rows of a terminal with cols columns. Only soft-wrapped blocks and
// pictures take more than one row. The first row of a picture has a [renderer.Picture] without a
// drawing function.
func (b Block) Layout(cols int, m width.Model) []renderer.Line {
	if b.Picture > 0 {
		rows := make([]renderer.Line, b.Picture)
		rows[0].Picture = &renderer.Picture{Rows: b.Picture}
		return rows
	}
	if !b.Soft {
		return []renderer.Line{{Spans: b.Spans}}
	}
	var rows []renderer.Line
	for rest := withoutTooWide(b.Spans, cols, m); ; {
		at, doubt := roomBeforeOverhang(rest, cols, m)
		head, tail := split(rest, at, m)
		if len(head) == 0 || len(tail) == 0 {
			return append(rows, renderer.Line{Spans: head})
		}
		// with a doubtful cluster nobody knows where the terminal would wrap
		rows = append(rows, renderer.Line{Spans: head, Wrapped: !doubt && at >= cols-1})
		rest = tail
	}
}

// After returns the rest of a soft-wrapped block without its first n rows at cols columns.
func (b Block) After(n, cols int, m width.Model) Block {
	rest := withoutTooWide(b.Spans, cols, m)
	for range n {
		at, _ := roomBeforeOverhang(rest, cols, m)
		_, rest = split(rest, at, m)
	}
	return Block{Spans: rest, Soft: true}
}

// Changed returns a copy of b with a small difference. how modulo 8 selects the kind of difference,
// seed its text.
func (b Block) Changed(seed uint32, how, cols int, m width.Model) Block {
	spans := append([]renderer.Span(nil), b.Spans...)
	id := strconv.FormatInt(int64(seed), 36)
	if b.Picture > 0 {
		return b
	}
	if len(spans) == 0 {
		return NewBlock(seed, 0, Short, cols, m)
	}
	last := &spans[len(spans)-1]
	switch how % 8 {
	case 0: // a word grows, as in a stream
		last.Text += id
	case 1: // the end goes
		spans = Cut(spans, max(1, m.String(text(spans))-3), m)
	case 2: // another look
		i := int(seed) % len(spans)
		spans[i].Style.Attr ^= ansi.Inverse
	case 3: // one letter in the middle
		if t := spans[0].Text; t != "" && t[0] < 0x80 {
			spans[0].Text = string('A'+rune(seed%26)) + t[1:]
		}
	case 4:
		return NewBlock(seed, 1, Full, cols, m)
	case 5:
		return NewBlock(seed, 1, Styled, cols, m)
	case 6:
		return NewBlock(seed, 1, Short, cols, m)
	case 7: // blanks in the middle, as from a cleared field
		if i := len(spans) / 2; i > 0 {
			spans[i].Text = strings.Repeat(" ", m.String(spans[i].Text))
		}
	}
	if !b.Soft {
		spans = beforeOverhang(Cut(spans, cols, m), cols, m)
	}
	return Block{Spans: spans, Soft: b.Soft}
}

// Said reports whether l counts as a row of the user's words. It is true for about a third of all
// rows, by a checksum of their text.
func Said(l renderer.Line) bool {
	sum := 0
	for _, b := range []byte(text(l.Spans)) {
		sum += int(b)
	}
	return sum%3 == 0
}

func text(spans []renderer.Span) string {
	var s strings.Builder
	for i := range spans {
		s.WriteString(spans[i].Text)
	}
	return s.String()
}
