package tui

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer"
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
