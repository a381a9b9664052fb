package widget

import (
	"errors"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Confirm asks a yes-or-no question. The keys y and n answer. Left, Right and Space highlight the
// other answer, and Enter gives the highlighted one. Esc and Ctrl+C leave. If the Space has no
// height, the question is text that [Confirm.Submit] answers. Access the fields only on the App's
// loop; callbacks may change them.
type Confirm struct {
	Title    string
	Yes      bool       // yes is highlighted, otherwise no; the initial value is the default answer
	Bare     bool       // shows only the answers, for use inside another component
	Mouse    bool       // a click gives an answer
	OnAnswer func(bool) // called on y, n and Enter; the argument is true for yes
	OnLeave  func()     // called on Esc and Ctrl+C

	answerRow int // row of the answers in the last View
}

// View returns the title, the two answers and the keys that can be used.
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

// HandleEvent handles the keys and clicks that answer. It returns false for other events, so that
// other components can handle them.
func (c *Confirm) HandleEvent(ev tui.Event, _ tui.Space) bool {
	m, ok := ev.(tui.Mouse)
	if ok && c.Mouse && isClick(m) && m.Row == c.answerRow && m.Col < len("  yes    no") {
		c.giveAnswer(m.Col < len("  yes "))
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
		c.giveAnswer(true)
	case k.Code == 'n', k.Code == 'N':
		c.giveAnswer(false)
	case k.Code == terminal.KeyEnter:
		c.giveAnswer(c.Yes)
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

func (c *Confirm) giveAnswer(yes bool) {
	if c.Yes = yes; c.OnAnswer != nil {
		c.OnAnswer(yes)
	}
}

// Submit answers the question without a terminal. It ignores a line that [Confirm.Find] does not
// accept.
func (c *Confirm) Submit(line string) {
	if yes, err := c.Find(line); err == nil {
		c.giveAnswer(yes)
	}
}

// Find parses an answer: y, yes, n or no. An empty line gives the highlighted answer. The error
// says what the user should type.
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
