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

// linesPerStep is the maximum number of lines that a search reads between two frames.
const linesPerStep = 20_000

// lineSearch implements the search in a Viewport: its search field, the pattern, and the matching
// line.
type lineSearch struct {
	fieldOpen bool // the search field has the keys
	pattern   string
	matchLine int  // index of the matching line; valid if hasMatch
	hasMatch  bool // the last search has found a line
	toReveal  bool // the next View must scroll to the match

	// The line to read next, the direction (1 or -1), and the number of lines still to read.
	nextLine, step, linesLeft int
	startPlace                pager.Place // the top of the viewport when the field was opened
}

// isActive reports whether the search field or a search result is to be shown.
func (s *lineSearch) isActive() bool { return s.fieldOpen || s.pattern != "" }

// shiftForDroppedLine adapts the line numbers of the search after the viewport has dropped its
// first line.
func (s *lineSearch) shiftForDroppedLine() {
	s.matchLine, s.nextLine, s.startPlace.Item = max(s.matchLine-1, 0), max(s.nextLine-1, 0),
		max(s.startPlace.Item-1, 0)
}

// findIn returns the ranges of line that match the pattern. A pattern without upper-case letters
// matches either case.
func (s *lineSearch) findIn(line string) (all []byteRange) {
	if s.pattern == "" {
		return nil
	}
	if !strings.ContainsFunc(s.pattern, unicode.IsUpper) {
		if low := strings.ToLower(line); len(low) == len(line) { // else the offsets would not be those of line
			line = low
		}
	}
	for off := 0; ; {
		i := strings.Index(line[off:], s.pattern)
		if i < 0 {
			return all
		}
		all = append(all, byteRange{off + i, off + i + len(s.pattern)})
		off += i + len(s.pattern)
	}
}

// beginSearch starts a search at the line from, in the direction step, 1 or -1. It wraps around at
// the ends.
func (s *lineSearch) beginSearch(v *Viewport, from, step int) {
	s.nextLine, s.step, s.linesLeft, s.hasMatch = from, step, v.lineCount(), false
	if s.pattern == "" {
		s.linesLeft = 0
	}
}

// searchSome continues the search by a limited number of lines. It returns true if there are lines
// left to read.
func (s *lineSearch) searchSome(v *Viewport) (more bool) {
	n := v.lineCount()
	s.linesLeft = min(s.linesLeft, n)
	for range min(s.linesLeft, linesPerStep) {
		i := (s.nextLine%n + n) % n
		s.nextLine, s.linesLeft = i+s.step, s.linesLeft-1
		if len(s.findIn(v.lineText(i))) > 0 {
			s.matchLine, s.hasMatch, s.toReveal, s.linesLeft = i, true, true, 0
			break
		}
	}
	return s.linesLeft > 0
}

// searchRow returns the row of the search: the open field, or the result.
func (s *lineSearch) searchRow(v *Viewport, space tui.Space) tui.Line {
	th := space.Look()
	text := tui.Span{Text: "/" + s.pattern, Style: th.Accent}
	if s.fieldOpen {
		if excess := space.Columns(text.Text) - space.Width + 1; excess > 0 { // its end is where one types
			text.Text, _ = space.Model.Cut(text.Text, excess, excess+space.Width)
		}
	}
	note := ""
	switch {
	case s.linesLeft > 0:
		note = "searching"
	case s.fieldOpen:
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

// handleFieldEvent handles an event while the search field is open.
func (s *lineSearch) handleFieldEvent(v *Viewport, ev tui.Event) bool {
	switch ev := ev.(type) {
	case tui.Paste:
		line, _, _ := strings.Cut(ev.Text, "\n")
		s.setText(v, s.pattern+line)
	case tui.Key:
		switch {
		case ev.Code == terminal.KeyEnter:
			s.fieldOpen = false
		case ev.Code == terminal.KeyEscape:
			v.topPlace, *s = s.startPlace, lineSearch{}
		case ev.Code == terminal.KeyBackspace:
			_, n := utf8.DecodeLastRuneInString(s.pattern)
			s.setText(v, s.pattern[:len(s.pattern)-n])
		case ev.Mods == terminal.Ctrl && ev.Code == 'u':
			s.setText(v, "")
		case ev.Text() != "":
			s.setText(v, s.pattern+ev.Text())
		default:
			return false
		}
	default:
		return false
	}
	return true
}

// setText changes the pattern. It scrolls back to where the field was opened and starts the search
// there.
func (s *lineSearch) setText(v *Viewport, text string) {
	s.pattern = text
	v.topPlace = s.startPlace
	s.beginSearch(v, s.startPlace.Item, 1)
}

// handleKey handles a key while the search field is closed. It returns false if k is no key of the
// search.
func (s *lineSearch) handleKey(v *Viewport, k tui.Key) bool {
	switch {
	case k.Code == '/':
		*s = lineSearch{fieldOpen: true, startPlace: v.topPlace}
		v.followPaused = true
	case s.pattern == "":
		return false
	case k.Code == 'n':
		s.beginSearch(v, s.matchLine+1, 1)
	case k.Code == 'N':
		s.beginSearch(v, s.matchLine-1, -1)
	case k.Code == terminal.KeyEscape:
		*s = lineSearch{}
	default:
		return false
	}
	return true
}
