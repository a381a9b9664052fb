package widget

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// rowSearch implements the search in the rows of a table or tree. The key "/" opens a search field
// and Enter closes it. The keys n and N go to the next and the previous match, and Esc ends the
// search. A pattern without upper-case letters matches either case. Rows are read in steps between
// frames, so that a long table does not block the loop.
type rowSearch struct {
	fieldOpen bool // the search field has the keys
	pattern   string
	found     bool // the last search has found a row
	startRow  int  // the row that was highlighted when the field was opened

	// The row to read next, the direction (1 or -1), and the number of rows still to read.
	nextRow, step, rowsLeft int
}

// isActive reports whether the search field or a search result is to be shown.
func (r *rowSearch) isActive() bool { return r.fieldOpen || r.pattern != "" }

// begin starts a search at the row from of n rows, in the direction by, 1 or -1. It wraps around at
// the ends.
func (r *rowSearch) begin(from, by, n int) {
	r.nextRow, r.step, r.rowsLeft, r.found = from, by, n, false
	if r.pattern == "" {
		r.rowsLeft = 0
	}
}

// readRows continues the search through n rows by a limited number of steps. It returns the row
// that matches, or -1, and whether there are rows left to read. text returns the text of a row.
func (r *rowSearch) readRows(n int, text func(row int) string) (row int, more bool) {
	r.rowsLeft = min(r.rowsLeft, n)
	fold := !strings.ContainsFunc(r.pattern, unicode.IsUpper)
	for range min(r.rowsLeft, linesPerStep) {
		i := (r.nextRow%n + n) % n
		r.nextRow, r.rowsLeft = i+r.step, r.rowsLeft-1
		have := text(i)
		if fold {
			have = strings.ToLower(have)
		}
		if strings.Contains(have, r.pattern) {
			r.found, r.rowsLeft = true, 0
			return i, false
		}
	}
	return -1, r.rowsLeft > 0
}

// handleFieldEvent handles an event while the search field is open. n is the number of rows. If
// back is true the caller must highlight startRow again, where the search for the changed pattern
// begins.
func (r *rowSearch) handleFieldEvent(ev tui.Event, n int) (handled, back bool) {
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		r.setText(r.pattern+line, n)
		return true, true
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			r.fieldOpen = false
			return true, false
		case ev.Code == terminal.KeyEscape:
			*r = rowSearch{startRow: r.startRow}
		case ev.Code == terminal.KeyBackspace:
			_, size := utf8.DecodeLastRuneInString(r.pattern)
			r.setText(r.pattern[:len(r.pattern)-size], n)
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			r.setText("", n)
		case ev.Text() != "":
			r.setText(r.pattern+ev.Text(), n)
		default:
			return false, false
		}
		return true, true
	}
	return false, false
}

// setText changes the pattern, and searches the n rows again from the row in which the search
// began.
func (r *rowSearch) setText(text string, n int) {
	r.pattern = text
	r.begin(r.startRow, 1, n)
}

// handleKey handles a key while the search field is closed. at is the highlighted row of n rows. It
// returns false if k is no key of the search.
func (r *rowSearch) handleKey(k tui.Key, at, n int) bool {
	switch {
	case k.Mods&^terminal.Shift != 0:
		return false
	case k.Code == '/':
		*r = rowSearch{fieldOpen: true, startRow: at}
	case r.pattern == "":
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

// resultRow returns the row of the search: the open field, or the result. at is the highlighted
// row.
func (r *rowSearch) resultRow(s tui.Space, at int) tui.Line {
	th := s.Look()
	text := tui.Span{Text: "/" + r.pattern, Style: th.Accent}
	if excess := s.Columns(text.Text) - s.Width + 1; r.fieldOpen && excess > 0 { // its end is where one types
		text.Text, _ = s.Model.Cut(text.Text, excess, excess+s.Width)
	}
	note := ""
	switch {
	case r.rowsLeft > 0:
		note = "searching"
	case r.pattern == "":
	case !r.found:
		note = "not found"
	case !r.fieldOpen:
		note = "row " + strconv.Itoa(at+1) + ", n next, N previous, Esc ends"
	}
	if note == "" {
		return s.Cut(text)
	}
	return s.Cut(text, tui.Span{Text: "  " + note, Style: th.Dim})
}

// caretPos returns the position of the caret in the open search field, or nil if the field is not
// open or has no focus. line is the row of the search, and row its index in the view.
func (r *rowSearch) caretPos(s tui.Space, line tui.Line, row int) *tui.Pos {
	if !r.fieldOpen || !s.Focused || len(line.Spans) == 0 {
		return nil
	}
	return &tui.Pos{Col: min(s.Columns(line.Spans[0].Text), max(s.Width-1, 0)), Row: row}
}
