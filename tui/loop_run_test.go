package tui

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scrollkeep/scrollkeep/renderer"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

func TestQuirksGoByName(t *testing.T) {
	type quirks = renderer.Quirks
	clean := quirks{Delete: renderer.DeleteClean}
	for _, c := range []struct {
		caps Caps
		want quirks
	}{
		{Caps{Name: "tmux", Version: "3.3a"}, quirks{CountsLines: true, KeepsErased: true,
			Delete: renderer.DeleteClean}},
		{Caps{Name: "kitty", Version: "0.26.5"}, quirks{RedrawsPrompt: true, ResizeOvertakes: true,
			Delete: renderer.DeleteClean}},
		{Caps{Name: "vscode", XtermJS: true}, clean},
		{Caps{Name: "vscode"}, clean}, // ConPTY, with a grid of its own
		{Caps{Name: "xterm.js"}, clean},
		{Caps{Name: "nobody", Version: "1"}, quirks{}},
	} {
		if got := quirksOf(c.caps); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.caps, got, c.want)
		}
	}
}

// What was measured holds where the terminal does not measure clusters, and marks wrap by name.
func TestWidthsGoByNameAndByMeasurement(t *testing.T) {
	parts := width.Parts{Joiner: 6}
	measured := measurement{model: width.Model{Parts: parts}, succeeded: true}
	for _, c := range []struct {
		caps        Caps
		measurement measurement
		want        width.Model
	}{
		{Caps{Name: "emacs"}, measurement{}, width.Model{MarksWrap: true}},
		{Caps{Name: "emacs"}, measured, width.Model{MarksWrap: true, Parts: parts}},
		{Caps{Name: "st"}, measurement{}, width.Model{MarksWrap: true}},
		{Caps{Name: "urxvt"}, measurement{}, width.Model{MarksWrap: true}},
		{Caps{Name: "vim"}, measured, width.Model{Parts: parts}},
		{Caps{Name: "vterm"}, measurement{}, width.Model{}},
		{Caps{Name: "nobody", Grapheme: true}, measured, width.Model{Method: width.Grapheme}},
		{Caps{Name: "kitty", Grapheme: true}, measurement{}, width.Model{Method: width.Leading}},
	} {
		l := loop{caps: c.caps, measurement: c.measurement}
		if got := l.widthModel(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.caps.Name, got, c.want)
		}
	}
}

// Frames are in brackets from the report on that says that the terminal knows them, and until one
// that says that it does not.
func TestSyncFollowsTheReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		app := &App{Footer: NewText("f")}
		r := start(t, app, 40, 6)
		for _, on := range []bool{false, true, false} {
			r.d.mu.Lock()
			r.d.caps.Sync = on
			r.d.mu.Unlock()
			r.d.events <- terminal.Changed{}
			r.settle()
			r.bytes()
			app.Transcript().Print(Line{Spans: []Span{{Text: "a row that is not so short"}}})
			r.settle()
			if b := string(r.bytes()); strings.Contains(b, "\x1b[?2026h") != on {
				t.Errorf("reported %v: %q", on, b)
			}
		}
		r.quit()
	})
}
