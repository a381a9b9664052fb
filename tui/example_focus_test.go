package tui_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// group is a pair that may stand within another one: Tab goes through its parts.
type group struct{ pair }

func (g *group) Focusable() bool        { return g.ring.At(g.kids) >= 0 }
func (g *group) EnterFocus(by int) bool { return g.ring.Enter(g.kids, by) }
func (g *group) MoveFocus(by int) bool  { return g.ring.Move(g.kids, by) }

// Tab goes through all buttons; one stands within a group.
func ExampleFocuser() {
	in := &group{pair{kids: []tui.Component{button("yes"), button("no")}}}
	out := &group{pair{kids: []tui.Component{in, button("later")}}}
	for range 4 {
		for _, l := range out.View(tui.Space{Width: 20, Focused: true}).Lines {
			if text := l.Spans[0].Text; strings.HasSuffix(text, " <") {
				fmt.Println(text)
			}
		}
		out.HandleEvent(tui.Key{Code: terminal.KeyTab}, tui.Space{})
	}
	// Output:
	// [yes] <
	// [no] <
	// [later] <
	// [yes] <
}

// horn sounds while Up is held. Where the terminal tells of no release, the next press ends it.
type horn struct{ on bool }

func (h *horn) View(tui.Space) tui.View {
	text := "silence"
	if h.on {
		text = "toot"
	}
	return tui.View{Lines: []tui.Line{{Spans: []tui.Span{{Text: text}}}}, Releases: true}
}

func (h *horn) HandleEvent(ev tui.Event, _ tui.Space) bool {
	switch ev := ev.(type) {
	case tui.Key:
		if ev.Code == terminal.KeyUp {
			h.on = !h.on || ev.Repeat
			return true
		}
	case tui.KeyRelease:
		if ev.Key.Code == terminal.KeyUp {
			h.on = false
			return true
		}
	}
	return false
}

func ExampleKeyRelease() {
	h := &horn{}
	up := tui.Key{Code: terminal.KeyUp}
	for _, ev := range []tui.Event{up, tui.Key{Code: terminal.KeyUp, Repeat: true}, tui.KeyRelease{Key: up}} {
		h.HandleEvent(ev, tui.Space{})
		fmt.Println(h.View(tui.Space{}).Lines[0].Spans[0].Text)
	}
	// Output:
	// toot
	// toot
	// silence
}

// A whole program: here its input has ended, and its output is no terminal.
func ExampleMain() {
	app := &tui.App{Input: strings.NewReader(""), Output: os.Stdout}
	app.Main = func(ctx context.Context) error {
		fmt.Fprintln(app.Transcript(), "hello")
		return nil
	}
	tui.Main(app)
	// Output: hello
}
