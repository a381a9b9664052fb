package widget

import (
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Confirm is a question for a yes or a no. y and n answer, Left, Right and Space move the mark, and
// Enter takes the marked answer. Esc and Ctrl+C leave. In a space without a height it is text, for
// [Confirm.Submit]. Fields are for the loop and may be changed in a callback.
type Confirm struct {
	Title    string
	Yes      bool       // the marked answer; at first the one that Enter alone gives
	Bare     bool       // only the answers: for a component around it
	Mouse    bool       // a click answers
	OnAnswer func(bool) // y, n, Enter
	OnLeave  func()     // Esc, Ctrl+C

	answerRow int // the row of the answers
}

// View returns the title, the two answers with a mark before one, and the keys.
func (c *Confirm) View(s tui.Space) tui.View {
	th := s.Look()
	if s.Height <= 0 {
		keys := "[y/N]"
		if c.Yes {
			keys = "[Y/n]"
		}
		if c.Title != "" && !c.Bare {
			keys = c.Title + " " + keys
		}
		return tui.View{Lines: s.Wrap(tui.Span{Text: keys})}
	}
	answer := func(text string, marked bool) []tui.Span {
		if !marked {
			return []tui.Span{{Text: "  " + text}}
		}
		return []tui.Span{{Text: th.Glyphs.Prompt + " ", Style: th.Accent}, {Text: text, Style: th.Strong}}
	}
	row := append(answer("yes", c.Yes), tui.Span{Text: "  "})
	row = append(row, answer("no", !c.Yes)...)
	if c.answerRow = 0; c.Bare {
		return tui.View{Lines: []tui.Line{s.Cut(row...)}, Mouse: c.Mouse}
	}
	rows := s.Wrap(tui.Span{Text: c.Title, Style: th.Strong})
	c.answerRow = len(rows)
	hint := s
	hint.Width = max(s.Width-2, 1)
	rows = append(rows, s.Cut(row...), hint.Cut(tui.Span{Text: "y or n answers, Esc leaves", Style: th.Dim}))
	return tui.View{Lines: rows, Mouse: c.Mouse}
}

// HandleEvent takes the keys of an answer. Other keys are not handled, so that others can use them.
func (c *Confirm) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m, ok := ev.(tui.Mouse)
	if ok && c.Mouse && isClick(m) && m.Row == c.answerRow && m.Col < len("  yes    no") {
		c.answer(m.Col < len("  yes "))
		return true
	}
	k, ok := ev.(tui.Key)
	switch {
	case !ok:
		return false
	case k.Code == 'c' && k.Mods == terminal.Ctrl, k.Code == terminal.KeyEscape && k.Mods == 0:
		if c.OnLeave == nil {
			return false
		}
		c.OnLeave()
	case k.Mods&^terminal.Shift != 0:
		return false
	case k.Code == 'y', k.Code == 'Y':
		c.answer(true)
	case k.Code == 'n', k.Code == 'N':
		c.answer(false)
	case k.Code == terminal.KeyEnter:
		c.answer(c.Yes)
	case k.Code == terminal.KeyLeft:
		c.Yes = true
	case k.Code == terminal.KeyRight:
		c.Yes = false
	case k.Code == terminal.KeySpace:
		c.Yes = !c.Yes
	default:
		return false
	}
	return true
}

func (c *Confirm) answer(yes bool) {
	if c.Yes = yes; c.OnAnswer != nil {
		c.OnAnswer(yes)
	}
}

// Submit answers without a terminal. A line that is neither a yes nor a no does nothing.
func (c *Confirm) Submit(line string) {
	if yes, err := c.Find(line); err == nil {
		c.answer(yes)
	}
}

// Find returns the answer of a line: y, yes, n or no; an empty line is the marked answer. The error
// tells what is wrong with the line.
func (c *Confirm) Find(line string) (yes bool, err error) {
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "":
		return c.Yes, nil
	case "y", "yes":
		return true, nil
	case "n", "no":
		return false, nil
	}
	return false, errors.New("answer y or n")
}
