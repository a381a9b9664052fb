package widget

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// rowSearch searches the rows of a widget. "/" opens its field, Enter closes it, n and N go on, Esc
// ends it. Text without an upper-case letter matches either case. It reads some rows at a time.
type rowSearch struct {
	open  bool // the field is open
	text  string
	found bool
	start int // the row that was chosen when the field was opened

	// The row to read next, the direction, and the number of rows that were not read.
	next, by, remaining int
}

// active reports whether the search has something to show.
func (r *rowSearch) active() bool { return r.open || r.text != "" }

// begin searches from a row of n on, past the ends.
func (r *rowSearch) begin(from, by, n int) {
	r.next, r.by, r.remaining, r.found = from, by, n, false
	if r.text == "" {
		r.remaining = 0
	}
}

// readOn reads some rows of n. row is the one that matches, -1 while there is none. more: not all
// were read.
func (r *rowSearch) readOn(n int, text func(row int) string) (row int, more bool) {
	r.remaining = min(r.remaining, n)
	fold := !strings.ContainsFunc(r.text, unicode.IsUpper)
	for range min(r.remaining, linesPerStep) {
		i := (r.next%n + n) % n
		r.next, r.remaining = i+r.by, r.remaining-1
		have := text(i)
		if fold {
			have = strings.ToLower(have)
		}
		if strings.Contains(have, r.text) {
			r.found, r.remaining = true, 0
			return i, false
		}
	}
	return -1, r.remaining > 0
}

// handleField takes an event while the field is open. back: the chosen row is to be start again,
// from which another text is searched.
func (r *rowSearch) handleField(ev tui.Event, n int) (handled, back bool) {
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		r.setText(r.text+line, n)
		return true, true
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			r.open = false
			return true, false
		case ev.Code == terminal.KeyEscape:
			*r = rowSearch{start: r.start}
		case ev.Code == terminal.KeyBackspace:
			_, size := utf8.DecodeLastRuneInString(r.text)
			r.setText(r.text[:len(r.text)-size], n)
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			r.setText("", n)
		case ev.Text() != "":
			r.setText(r.text+ev.Text(), n)
		default:
			return false, false
		}
		return true, true
	}
	return false, false
}

// setText searches another text from the row where the field was opened.
func (r *rowSearch) setText(text string, n int) {
	r.text = text
	r.begin(r.start, 1, n)
}

// handleKey takes the keys of a search while its field is closed. at is the chosen row of n.
func (r *rowSearch) handleKey(k tui.Key, at, n int) bool {
	switch {
	case k.Mods&^terminal.Shift != 0:
		return false
	case k.Code == '/':
		*r = rowSearch{open: true, start: at}
	case r.text == "":
		return false
	case k.Code == 'n':
		r.begin(at+1, 1, n)
	case k.Code == 'N':
		r.begin(at-1, -1, n)
	case k.Code == terminal.KeyEscape:
		*r = rowSearch{}
	default:
		return false
	}
	return true
}

// row returns the field, or the result of the search. at is the chosen row.
func (r *rowSearch) row(s tui.Space, at int) tui.Line {
	th := s.Look()
	text := tui.Span{Text: "/" + r.text, Style: th.Accent}
	if excess := s.Columns(text.Text) - s.Width + 1; r.open && excess > 0 { // its end is where one types
		text.Text, _ = s.Model.Cut(text.Text, excess, excess+s.Width)
	}
	note := ""
	switch {
	case r.remaining > 0:
		note = "searching"
	case r.text == "":
	case !r.found:
		note = "not found"
	case !r.open:
		note = "row " + strconv.Itoa(at+1) + ", n next, N previous, Esc ends"
	}
	if note == "" {
		return s.Cut(text)
	}
	return s.Cut(text, tui.Span{Text: "  " + note, Style: th.Dim})
}

// caret returns where the caret stands in line, which is row of the view.
func (r *rowSearch) caret(s tui.Space, line tui.Line, row int) *tui.Pos {
	if !r.open || !s.Focused || len(line.Spans) == 0 {
		return nil
	}
	return &tui.Pos{Col: min(s.Columns(line.Spans[0].Text), max(s.Width-1, 0)), Row: row}
}
