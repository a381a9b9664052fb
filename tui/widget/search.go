package widget

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/internal/pager"
)

// linesPerStep is the most lines that a search reads between two frames.
const linesPerStep = 20_000

// search is the searched text of a Viewport, and the line where it was found.
type search struct {
	open      bool // the field is open
	text      string
	matchLine int  // the line of the match
	hasMatch  bool // there is a match
	toReveal  bool // the match has to be brought into sight

	// The line to read next, the direction, and the number of lines that were not read.
	nextLine, step, remaining int
	startPlace                pager.Place // the top of the viewport when the field was opened
}

// active reports whether the search has something to show.
func (q *search) active() bool { return q.open || q.text != "" }

// shiftLines follows lines whose first one was dropped.
func (q *search) shiftLines() {
	q.matchLine, q.nextLine, q.startPlace.Item = max(q.matchLine-1, 0), max(q.nextLine-1, 0),
		max(q.startPlace.Item-1, 0)
}

// findIn returns the places of the text in line.
func (q *search) findIn(line string) (all []byteRange) {
	if q.text == "" {
		return nil
	}
	if !strings.ContainsFunc(q.text, unicode.IsUpper) {
		if low := strings.ToLower(line); len(low) == len(line) { // else the offsets would not be those of line
			line = low
		}
	}
	for off := 0; ; {
		i := strings.Index(line[off:], q.text)
		if i < 0 {
			return all
		}
		all = append(all, byteRange{off + i, off + i + len(q.text)})
		off += i + len(q.text)
	}
}

// beginSearch searches the text from a line on, in steps of 1 or -1, past the end.
func (q *search) beginSearch(v *Viewport, from, step int) {
	q.nextLine, q.step, q.remaining, q.hasMatch = from, step, v.lineCount(), false
	if q.text == "" {
		q.remaining = 0
	}
}

// searchSome continues the search. more: it is not done.
func (q *search) searchSome(v *Viewport) (more bool) {
	n := v.lineCount()
	q.remaining = min(q.remaining, n)
	for range min(q.remaining, linesPerStep) {
		i := (q.nextLine%n + n) % n
		q.nextLine, q.remaining = i+q.step, q.remaining-1
		if len(q.findIn(v.lineText(i))) > 0 {
			q.matchLine, q.hasMatch, q.toReveal, q.remaining = i, true, true, 0
			break
		}
	}
	return q.remaining > 0
}

// searchRow returns the field, or the result of the search.
func (q *search) searchRow(v *Viewport, s tui.Space) tui.Line {
	th := s.Look()
	text := tui.Span{Text: "/" + q.text, Style: th.Accent}
	if q.open {
		if excess := s.Columns(text.Text) - s.Width + 1; excess > 0 { // its end is where one types
			text.Text, _ = s.Model.Cut(text.Text, excess, excess+s.Width)
		}
	}
	note := ""
	switch {
	case q.remaining > 0:
		note = "searching"
	case q.open:
	case !q.hasMatch:
		note = "not found"
	default:
		note = "line " + strconv.Itoa(q.matchLine+1) + ", n next, N previous, Esc ends"
	}
	if note == "" {
		return s.Cut(text)
	}
	return s.Cut(text, tui.Span{Text: "  " + note, Style: th.Dim})
}

// handleField handles an event while the field is open.
func (q *search) handleField(v *Viewport, ev tui.Event) bool {
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		q.setText(v, q.text+line)
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			q.open = false
		case ev.Code == terminal.KeyEscape:
			v.topPlace, *q = q.startPlace, search{}
		case ev.Code == terminal.KeyBackspace:
			_, n := utf8.DecodeLastRuneInString(q.text)
			q.setText(v, q.text[:len(q.text)-n])
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			q.setText(v, "")
		case ev.Text() != "":
			q.setText(v, q.text+ev.Text())
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// setText searches another text from the place where the field was opened.
func (q *search) setText(v *Viewport, text string) {
	q.text = text
	v.topPlace = q.startPlace
	q.beginSearch(v, q.startPlace.Item, 1)
}

// handleKey takes the keys of a search while its field is closed.
func (q *search) handleKey(v *Viewport, k tui.Key) bool {
	switch {
	case k.Code == '/':
		*q = search{open: true, startPlace: v.topPlace}
		v.followPaused = true
	case q.text == "":
		return false
	case k.Code == 'n':
		q.beginSearch(v, q.matchLine+1, 1)
	case k.Code == 'N':
		q.beginSearch(v, q.matchLine-1, -1)
	case k.Code == terminal.KeyEscape:
		*q = search{}
	default:
		return false
	}
	return true
}
