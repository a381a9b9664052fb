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
func (s *search) active() bool { return s.open || s.text != "" }

// shiftLines follows lines whose first one was dropped.
func (s *search) shiftLines() {
	s.matchLine, s.nextLine, s.startPlace.Item = max(s.matchLine-1, 0), max(s.nextLine-1, 0),
		max(s.startPlace.Item-1, 0)
}

// findIn returns the places of the text in line.
func (s *search) findIn(line string) (all []byteRange) {
	if s.text == "" {
		return nil
	}
	if !strings.ContainsFunc(s.text, unicode.IsUpper) {
		if low := strings.ToLower(line); len(low) == len(line) { // else the offsets would not be those of line
			line = low
		}
	}
	for off := 0; ; {
		i := strings.Index(line[off:], s.text)
		if i < 0 {
			return all
		}
		all = append(all, byteRange{off + i, off + i + len(s.text)})
		off += i + len(s.text)
	}
}

// beginSearch searches the text from a line on, in steps of 1 or -1, past the end.
func (s *search) beginSearch(v *Viewport, from, step int) {
	s.nextLine, s.step, s.remaining, s.hasMatch = from, step, v.lineCount(), false
	if s.text == "" {
		s.remaining = 0
	}
}

// searchSome continues the search. more: it is not done.
func (s *search) searchSome(v *Viewport) (more bool) {
	n := v.lineCount()
	s.remaining = min(s.remaining, n)
	for range min(s.remaining, linesPerStep) {
		i := (s.nextLine%n + n) % n
		s.nextLine, s.remaining = i+s.step, s.remaining-1
		if len(s.findIn(v.lineText(i))) > 0 {
			s.matchLine, s.hasMatch, s.toReveal, s.remaining = i, true, true, 0
			break
		}
	}
	return s.remaining > 0
}

// searchRow returns the field, or the result of the search.
func (s *search) searchRow(v *Viewport, space tui.Space) tui.Line {
	th := space.Look()
	text := tui.Span{Text: "/" + s.text, Style: th.Accent}
	if s.open {
		if excess := space.Columns(text.Text) - space.Width + 1; excess > 0 { // its end is where one types
			text.Text, _ = space.Model.Cut(text.Text, excess, excess+space.Width)
		}
	}
	note := ""
	switch {
	case s.remaining > 0:
		note = "searching"
	case s.open:
	case !s.hasMatch:
		note = "not found"
	default:
		note = "line " + strconv.Itoa(s.matchLine+1) + ", n next, N previous, Esc ends"
	}
	if note == "" {
		return space.Cut(text)
	}
	return space.Cut(text, tui.Span{Text: "  " + note, Style: th.Dim})
}

// handleField handles an event while the field is open.
func (s *search) handleField(v *Viewport, ev tui.Event) bool {
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		s.setText(v, s.text+line)
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			s.open = false
		case ev.Code == terminal.KeyEscape:
			v.topPlace, *s = s.startPlace, search{}
		case ev.Code == terminal.KeyBackspace:
			_, n := utf8.DecodeLastRuneInString(s.text)
			s.setText(v, s.text[:len(s.text)-n])
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			s.setText(v, "")
		case ev.Text() != "":
			s.setText(v, s.text+ev.Text())
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// setText searches another text from the place where the field was opened.
func (s *search) setText(v *Viewport, text string) {
	s.text = text
	v.topPlace = s.startPlace
	s.beginSearch(v, s.startPlace.Item, 1)
}

// handleKey takes the keys of a search while its field is closed.
func (s *search) handleKey(v *Viewport, k tui.Key) bool {
	switch {
	case k.Code == '/':
		*s = search{open: true, startPlace: v.topPlace}
		v.followPaused = true
	case s.text == "":
		return false
	case k.Code == 'n':
		s.beginSearch(v, s.matchLine+1, 1)
	case k.Code == 'N':
		s.beginSearch(v, s.matchLine-1, -1)
	case k.Code == terminal.KeyEscape:
		*s = search{}
	default:
		return false
	}
	return true
}
