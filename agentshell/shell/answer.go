package shell

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// answer is text of a model as it streams, with the marks of markdown drawn as weight. It keeps the model's lines: a line is never joined with
// another one, so that everything but the last line is final, and of that the rows before its last.
//
// Ends ([tui.Line]) count the bytes of the source up to the line, plus the bytes of it that are shown; never more than the line has.
type answer struct {
	gap   bool // a blank row before the text
	dim   bool // thinking
	done  bool
	raw   strings.Builder
	lines []sourceLine // closed ones
	open  string       // what came after the last newline
	at    int          // where open begins in the source
	fence string       // the mark that closes the open code block, "" outside
	blank bool         // blank lines since the last line with text

	// What View has laid out, for one key.
	key  answerKey
	rows []tui.Line
	next int // the first of lines that is not in rows
}

type answerKey struct {
	width, from int
	look        *tui.Theme
	model       width.Model
}

// sourceLine is one line of the source that has rows. Start and End count the source; blank: a blank row stands before it.
type sourceLine struct {
	start, end int
	blank      bool
	text       string
	kind       lineKind
}

type lineKind uint8

const (
	prose lineKind = iota
	code
	language // the info string of a code block
)

// base is the End of the gap row; the source begins there.
const base = 1

// write takes the next piece.
func (a *answer) write(s string) {
	a.raw.WriteString(s)
	for {
		head, rest, found := strings.Cut(s, "\n")
		a.open += head
		if !found {
			return
		}
		a.closeLine()
		s = rest
	}
}

// finish closes the last line.
func (a *answer) finish() {
	if a.open != "" {
		a.closeLine()
	}
	a.done = true
}

func (a *answer) closeLine() {
	l, shown := a.classify(a.open, true)
	l.start, l.end = a.at, a.at+len(a.open)+1
	if shown {
		a.lines = append(a.lines, l)
		a.blank = false
	}
	a.at, a.open = l.end, ""
}

// classify says what the line text is; not shown: it has no row. With close the state moves on.
func (a *answer) classify(text string, close bool) (l sourceLine, shown bool) {
	text = strings.TrimSuffix(text, "\r")
	trimmed := strings.TrimSpace(text)
	blank := a.blank && len(a.lines) > 0
	switch {
	case a.fence != "":
		if strings.HasPrefix(trimmed, a.fence) && strings.Trim(trimmed, a.fence[:1]) == "" {
			if close {
				a.fence = ""
			}
			return l, false
		}
		return sourceLine{text: text, kind: code, blank: blank}, true
	case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
		info := strings.TrimLeft(trimmed, trimmed[:1])
		if strings.Contains(info, "`") { // code within a line
			break
		}
		if close {
			a.fence = trimmed[:len(trimmed)-len(info)]
		}
		info = strings.TrimSpace(info)
		return sourceLine{text: info, kind: language, blank: blank}, info != ""
	case trimmed == "":
		if close {
			a.blank = true
		}
		return l, false
	}
	return sourceLine{text: text, blank: blank}, true
}

// View lays out what is new. All rows but those that the open line may still change are stable.
func (a *answer) View(s tui.Space) tui.View {
	key := answerKey{s.Width, s.From, s.Look(), s.Model}
	if key != a.key || a.rows == nil {
		a.key, a.rows, a.next = key, make([]tui.Line, 0, 16), 0
		if a.gap && s.From < base {
			a.rows = append(a.rows, tui.Line{End: base})
		}
	}
	for ; a.next < len(a.lines); a.next++ {
		a.rows, _ = a.layout(a.rows, a.lines[a.next], s, true)
	}
	v := tui.View{Lines: a.rows, Stable: len(a.rows)}
	if a.open == "" || a.done {
		return v
	}
	l, shown := a.classify(a.open, false)
	if !shown {
		return v
	}
	l.start, l.end = a.at, a.at+len(a.open)+1
	v.Lines, v.Stable = a.layout(a.rows[:len(a.rows):len(a.rows)], l, s, false)
	return v
}

// layout appends the rows of l that lie behind s.From. stable is how many of all rows cannot change any more: of an open line those that the
// part which is sure fills, but for its last row, where a word may become longer.
func (a *answer) layout(dst []tui.Line, l sourceLine, s tui.Space, closed bool) (rows []tui.Line, stable int) {
	from, before := s.From-base, len(dst)
	if l.blank && from < l.start {
		dst = append(dst, tui.Line{End: base + l.start})
	}
	if from >= l.end {
		return dst, len(dst)
	}
	var (
		t     = s.Look()
		lay   = tui.Layout{Width: s.Width, Model: s.Model}
		spans []tui.Span
		sure  int
	)
	switch l.kind {
	case language:
		spans, lay.Native = []tui.Span{{Text: l.text, Style: t.Dim}}, true
	case code:
		spans, lay.Native = []tui.Span{{Text: l.text, Style: t.Code}}, true
		if strings.Trim(l.text, " "+a.fence) != "" { // else it may become the end of the block
			sure = len(l.text)
		}
	case prose:
		var p shape
		p, spans, sure = inline(l.text, t, closed)
		lay.Native = p.native
		if len(p.first) > s.Width/2 { // an indent that leaves no room
			p.first, p.rest = strings.TrimLeft(p.first, " "), ""
		}
		if p.first != "" || p.rest != "" {
			lay.First, lay.Rest = []tui.Span{{Text: p.first, Style: p.style}}, []tui.Span{{Text: p.rest, Style: p.style}}
		}
	}
	if a.dim {
		for i := range spans {
			spans[i].Style = t.Dim.With(spans[i].Style.Attr)
		}
	}
	cut := max(from-l.start, 0)
	if cut > 0 {
		spans = after(spans, cut)
		lay.First = lay.Rest
	}
	first := len(dst)
	if !closed {
		if stable = before; sure > cut {
			stable = max(len(lay.Append(dst, 0, butLast(until(spans, sure-cut))...))-1, before)
		}
	}
	dst = lay.Append(dst, base+l.start+cut, spans...)
	if len(dst) == first && cut == 0 { // an empty line of code
		dst = append(dst, tui.Line{})
	}
	if len(dst) > first && closed {
		dst[len(dst)-1].End = base + l.end
	}
	if closed {
		stable = len(dst)
	}
	return dst, stable
}

const zwj = "\u200d"

// butLast is spans without the last cluster, which a mark or a joiner may still change.
func butLast(spans []tui.Span) []tui.Span {
	for len(spans) > 0 {
		last := &spans[len(spans)-1]
		for last.Text != "" {
			r, n := utf8.DecodeLastRuneInString(last.Text)
			last.Text = last.Text[:len(last.Text)-n]
			if !unicode.In(r, unicode.M, unicode.Cf) && !(r >= 0x1f1e6 && r <= 0x1f1ff) && !(r >= 0x1f3fb && r <= 0x1f3ff) && !strings.HasSuffix(last.Text, zwj) {
				return spans
			}
		}
		spans = spans[:len(spans)-1]
	}
	return nil
}

// until is the first n bytes of spans.
func until(spans []tui.Span, n int) []tui.Span {
	var out []tui.Span
	for _, s := range spans {
		if s.Text = s.Text[:min(n, len(s.Text))]; s.Text == "" {
			break
		}
		n -= len(s.Text)
		out = append(out, s)
	}
	return out
}

// after is spans without their first n bytes.
func after(spans []tui.Span, n int) []tui.Span {
	var out []tui.Span
	for _, s := range spans {
		if n >= len(s.Text) {
			n -= len(s.Text)
			continue
		}
		s.Text, n = s.Text[n:], 0
		out = append(out, s)
	}
	return out
}
