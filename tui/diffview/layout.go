package diffview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Minimum widths in columns at which both columns of line numbers, or one of them, are shown. The
// markers are always shown.
const (
	minColsBothNumbers = 60
	minColsOneNumber   = 36
)

// tabStop is the number of columns between tab stops. It is small, because code is deeply indented
// and screens are narrow.
const tabStop = 4

// runLook is a set of flags that say how a part of a row is highlighted.
type runLook uint8

const (
	lookEmph         runLook = 1 << iota // differs from the other side
	lookMatch                            // a match of the search
	lookCurrentMatch                     // the current match
	lookBlank                            // a blank that is drawn as a mark
	lookToken                            // a token for a character that cannot be shown as it is
	lookNote                             // a note that does not belong to the text
)

// run is a part of a row with one look.
type run struct {
	text      string
	sourceEnd int // offset in Row.Text at which its source ends
	look      runLook
	class     uint8 // syntax class, see Body.Style
}

// rowHighlights describes the highlights of a row.
type rowHighlights struct {
	blanksFrom int     // offset from which on blanks are drawn as marks
	emph       []Range // parts that differ from the other side
	// matches of the search
	matches      []Range
	currentMatch int // index in matches of the current match; -1: none
	tints        []Tint
}

// painter lays out rows. It is a plain value: the same painter and row always give the same result.
type painter struct {
	width       int    // number of columns for a row
	digits      [2]int // digits of the largest old and new line number; 0: no column for them
	wrap        bool
	leftCols    int // number of columns that the row is scrolled to the left, if wrap is false
	theme       *tui.Theme
	model       width.Model
	splitsSides bool                                    // the two sides are shown side by side
	tint        func(*tui.Theme, Kind, uint8) tui.Style // the Style function of the body
}

// equals reports whether p and q lay out rows in the same way. It ignores tint.
func (p painter) equals(q painter) bool {
	return p.width == q.width && p.digits == q.digits && p.wrap == q.wrap && p.leftCols == q.leftCols &&
		p.theme == q.theme &&
		p.model == q.model && p.splitsSides == q.splitsSides
}

// gutter returns the line numbers and the marker of a row, and the number of columns that they
// take. more says that the terminal row continues a row.
func (p painter) gutter(r Row, more bool) ([]tui.Span, int) {
	var (
		numbers string
		style   = p.rowStyle(r)
	)
	num := func(side, n int) string {
		digits := p.digits[side]
		switch {
		case digits == 0:
			return ""
		case n == 0 || more:
			return strings.Repeat(" ", digits+2)
		}
		return fmt.Sprintf("%*d  ", digits, n)
	}
	switch both := p.digits[0] > 0 && p.digits[1] > 0; {
	case p.width < minColsOneNumber:
	case !both || p.width >= minColsBothNumbers:
		numbers = num(0, r.Old) + num(1, r.New)
	case r.Kind == Removed:
		numbers = strings.TrimSuffix(fmt.Sprintf("%*s", max(p.digits[0], p.digits[1])+2, num(0, r.Old)), " ")
	default:
		numbers = strings.TrimSuffix(fmt.Sprintf("%*s", max(p.digits[0], p.digits[1])+2, num(1, r.New)), " ")
	}
	mark := r.Kind.marker()
	if more {
		mark += "~" // the same line goes on
	} else {
		mark += " "
	}
	spans := []tui.Span{{Text: numbers, Style: p.theme.Dim}, {Text: mark, Style: style}}
	if numbers == "" {
		spans = spans[1:]
	}
	return spans, len(numbers) + len(mark)
}

func (p painter) style(k Kind) tui.Style {
	switch k {
	case Added:
		return p.theme.Added
	case Removed:
		return p.theme.Removed
	case Hunk:
		return p.theme.Accent
	case File, Lead:
		return p.theme.Strong
	case Note:
		return p.theme.Dim
	}
	return tui.Style{}
}

// rowStyle returns the style of a row's marker.
func (p painter) rowStyle(r Row) tui.Style {
	if r.Dim {
		return p.theme.Dim
	}
	return p.style(r.Kind)
}

func (p painter) runStyle(row Row, r run) tui.Style {
	s, l := p.rowStyle(row), r.look
	switch {
	case row.Dim:
	case row.Kind == Added:
		s = p.theme.AddedLine
	case row.Kind == Removed:
		s = p.theme.RemovedLine
	}
	if p.tint != nil && !row.Dim && l&(lookToken|lookBlank|lookNote) == 0 {
		s = mergeStyles(s, p.tint(p.theme, row.Kind, r.class))
	}
	switch {
	case l&lookCurrentMatch != 0:
		return s.With(tui.Inverse | tui.Bold)
	case l&lookMatch != 0:
		return s.With(tui.Inverse)
	case l&lookToken != 0:
		return p.theme.Warning.With(tui.Inverse)
	case l&lookBlank != 0:
		return s.With(tui.Underline)
	case l&lookNote != 0: // a line may end in the same words
		return p.theme.Dim.With(tui.Inverse)
	case l&lookEmph != 0 && !row.Dim:
		return s.With(tui.Bold | tui.Underline)
	}
	return s
}

// mergeStyles returns s with the foreground colour and the attributes of t added.
func mergeStyles(s, t tui.Style) tui.Style {
	if t.Fg != 0 {
		s.Fg = t.Fg
	}
	s.Attr |= t.Attr
	return s
}

// paint returns the terminal rows of one row, at least one. Without wrap it returns exactly one.
// End of each is the offset in r.Text at which the next one begins.
func (p painter) paint(r Row, runs []run) []tui.Line {
	head := r.Kind == Hunk || r.Kind == File
	breaksAtWords := head || r.Kind == Note || r.Kind == Prose
	hang := 0 // columns before the rows that go on
	if r.Kind == Prose {
		hang = min(continuationIndent(r.Text), p.width/2)
	}
	gutter, used := p.gutter(r, r.More)
	if breaksAtWords {
		gutter, used = nil, 0
	}
	if p.model.MarksWrap {
		used++ // a letter in the last column would lose its marks
	}
	avail := max(p.width-used, 1)
	if !p.wrap || head { // headers are one line: they only say where the next rows stand
		return []tui.Line{p.cutRow(r, gutter, runs, avail)}
	}
	var (
		lines []tui.Line
		line  = tui.Line{Spans: gutter}
		col   int
		m     = p.model
	)
	for _, run := range runs {
		remaining, style := run.text, p.runStyle(r, run)
		unbroken := run.look&(lookToken|lookBlank|lookNote) != 0
		for remaining != "" {
			head := m.Truncate(remaining, avail-col)
			if unbroken && head != remaining && col > 0 && m.String(remaining) <= avail {
				head = "" // a token is not torn
			}
			if r.Kind == Prose && !unbroken {
				head = wordsThatFit(head, remaining, col > hang && endsWithBlank(line))
			}
			if head == "" && col <= hang { // one cluster that is wider than the row
				head, _, _ = m.Next(remaining)
			}
			if head != "" {
				line.Spans = append(line.Spans, tui.Span{Text: head, Style: style})
				col += m.String(head)
				remaining = remaining[len(head):]
			}
			line.End = run.sourceEnd - len(remaining)
			if unbroken {
				line.End = run.sourceEnd
			}
			if remaining != "" {
				lines = append(lines, line)
				more, _ := p.gutter(r, true)
				if breaksAtWords {
					more = nil
				}
				line, col = tui.Line{Spans: more}, 0
				if r.Kind == Prose {
					remaining = strings.TrimLeft(remaining, " ")
					line.Spans, col = append(line.Spans, tui.Span{Text: strings.Repeat(" ", hang)}), hang
				}
			}
		}
	}
	line.End = len(r.Text)
	lines = append(lines, line)
	for _, l := range lines {
		lendStyle(l.Spans)
	}
	return lines
}

// wordsThatFit returns the longest start of head that ends with a word. head is the part of
// remaining that fits in the row. If there is no such start the word is split and head is returned;
// but if ends is true, which means that the row already ends with a blank, "" is returned.
func wordsThatFit(head, remaining string, ends bool) string {
	if head == remaining || remaining[len(head)] == ' ' {
		return head
	}
	if i := strings.LastIndexByte(head, ' '); i >= 0 {
		return head[:i+1]
	}
	if ends {
		return ""
	}
	return head
}

// endsWithBlank reports whether l ends with a blank.
func endsWithBlank(l tui.Line) bool {
	n := len(l.Spans)
	return n > 0 && strings.HasSuffix(l.Spans[n-1].Text, " ")
}

// continuationIndent returns the column to which the continuation rows of a line of prose are
// indented. It is that of the text behind a list mark, behind the line's own indent, or behind a
// label that is followed by several blanks.
func continuationIndent(line string) int {
	afterSpaces := strings.TrimLeft(line, " ")
	n := len(line) - len(afterSpaces)
	digits := strings.TrimLeft(afterSpaces, "0123456789")
	switch mark := len(afterSpaces) - len(digits); {
	case strings.HasPrefix(afterSpaces, "- ") || strings.HasPrefix(afterSpaces, "* "):
		return n + 2
	case mark > 0 && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")):
		return n + mark + 2
	}
	label, after, _ := strings.Cut(afterSpaces, "  ")
	if text := strings.TrimLeft(after, " "); text != "" && isLabel(label) {
		return len(line) - len(text)
	}
	return n
}

// isLabel reports whether text consists of one or two words of plain letters.
func isLabel(text string) bool {
	if first, second, two := strings.Cut(text, " "); two {
		return isLabel(first) && !strings.Contains(second, " ") && isLabel(second)
	}
	return text != "" && strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// lendStyle gives spans that consist of blanks the style of the next span if the background is the
// same. A blank shows only its background, and a change of style costs as many bytes as a word.
func lendStyle(spans []tui.Span) {
	shows := tui.Underline | tui.Inverse | tui.Strike
	for i := len(spans) - 2; i >= 0; i-- {
		s, next := &spans[i], spans[i+1].Style
		if s.Style.Bg == next.Bg && (s.Style.Attr|next.Attr)&shows == 0 &&
			strings.Trim(s.Text, " ") == "" {
			s.Style = next
		}
	}
}

// cutRow returns the terminal row of a row that is cut and scrolled sideways. Marks show where
// parts are cut off.
func (p painter) cutRow(r Row, gutter []tui.Span, runs []run, avail int) tui.Line {
	var (
		m     = p.model
		line  = tui.Line{Spans: gutter, End: len(r.Text)}
		total int
	)
	for _, run := range runs {
		total += m.String(run.text)
	}
	from := p.leftCols
	if r.Kind == Hunk || r.Kind == File || r.Kind == Note || r.Kind == Prose {
		from = 0
	}
	to := from + avail
	if total > to {
		to--
	}
	if from > 0 && len(gutter) > 0 && total > 0 {
		last := &gutter[len(gutter)-1]
		last.Text = last.Text[:len(last.Text)-1] + "<"
	}
	col, width := 0, 0
	for _, run := range runs {
		w := m.String(run.text)
		part, lead := m.Cut(run.text, max(from-col, 0), max(to-col, 0))
		if lead > 0 && col+w > from {
			line.Spans = append(line.Spans, tui.Span{Text: strings.Repeat(" ", lead)})
			width += lead
		}
		if part != "" {
			line.Spans = append(line.Spans, tui.Span{Text: part, Style: p.runStyle(r, run)})
			width += m.String(part)
		}
		if col += w; col >= to {
			break
		}
	}
	if total > to {
		line.Spans = append(line.Spans,
			tui.Span{Text: strings.Repeat(" ", max(avail-1-width, 0)) + ">", Style: p.theme.Dim})
	}
	lendStyle(line.Spans)
	return line
}

// expandRow returns the text of a row as it is drawn: tabs as blanks, hidden characters as tokens,
// and blanks behind d.blanksFrom as marks.
func (p painter) expandRow(r Row, d rowHighlights) []run {
	var (
		out   []run
		col   int
		class uint8
		marks = d.blanksFrom
	)
	dot, arrow, glyphs := ".", ">", p.theme.Glyphs
	if glyphs.Dot != "" && glyphs.Dot[0] >= 0x80 {
		dot, arrow = "·", "→"
	}
	add := func(text string, raw int, l runLook) {
		out = append(out, run{text, raw, l, class})
		col += p.model.String(text)
	}
	hide := visible.Options{Tab: true, ASCII: dot == "."}
	at := 0
	for _, part := range splitAtEdges(r.Text, d) {
		l := d.lookAt(at)
		for len(d.tints) > 0 && d.tints[0].To <= at {
			d.tints = d.tints[1:]
		}
		if class = 0; len(d.tints) > 0 && d.tints[0].From <= at {
			class = d.tints[0].Class
		}
		for p := range hide.Pieces(part) {
			if p.Kind != visible.Text {
				at += len(p.Raw)
				add(p.Text, at, l|lookToken)
				continue
			}
			for piece := p.Text; len(piece) > 0; {
				n := 1
				switch {
				case piece[0] == '\t':
					fill := strings.Repeat(" ", tabStop-col%tabStop)
					if at >= marks {
						add(arrow+fill[1:], at+1, l|lookBlank)
					} else {
						add(fill, at+1, l)
					}
				case piece[0] == ' ' && at >= marks:
					n = len(piece) - len(strings.TrimLeft(piece, " "))
					add(strings.Repeat(dot, n), at+n, l|lookBlank)
				default:
					stop := "\t"
					if at >= marks {
						stop = "\t "
					}
					if n = strings.IndexAny(piece, stop); n < 0 {
						n = len(piece)
					}
					add(piece[:n], at+n, l)
				}
				piece, at = piece[n:], at+n
			}
		}
	}
	if r.Mark != "" {
		add(" ["+r.Mark+"]", len(r.Text), lookNote)
	}
	return out
}

// splitAtEdges splits s at all offsets where the highlights of d begin or end.
func splitAtEdges(s string, d rowHighlights) []string {
	cuts := make([]int, 0, 3+2*(len(d.emph)+len(d.matches)+len(d.tints)))
	cuts = append(cuts, 0, d.blanksFrom, len(s))
	for _, list := range [][]Range{d.emph, d.matches} {
		for _, r := range list {
			cuts = append(cuts, r.From, r.To)
		}
	}
	for _, t := range d.tints {
		cuts = append(cuts, t.From, t.To)
	}
	slices.Sort(cuts)
	var out []string
	last := 0
	for _, c := range cuts {
		if c = min(c, len(s)); c > last {
			out, last = append(out, s[last:c]), c
		}
	}
	return out
}

func (d rowHighlights) lookAt(at int) (l runLook) {
	for _, r := range d.emph {
		if at >= r.From && at < r.To {
			l |= lookEmph
		}
	}
	for i, r := range d.matches {
		if at >= r.From && at < r.To {
			l |= lookMatch
			if i == d.currentMatch {
				l |= lookCurrentMatch
			}
		}
	}
	return l
}

// numberDigits returns the number of digits of the largest old and new line number of rows, or 0 if
// there are none.
func numberDigits(rows []Row) (d [2]int) {
	var maxNumbers [2]int
	for _, r := range rows {
		maxNumbers[0], maxNumbers[1] = max(maxNumbers[0], r.Old), max(maxNumbers[1], r.New)
	}
	for i, n := range maxNumbers {
		if n > 0 {
			d[i] = len(strconv.Itoa(n))
		}
	}
	return d
}
