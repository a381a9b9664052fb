package tui

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer"
)

func TestQuirksGoByNameAndVersion(t *testing.T) {
	type quirks = renderer.Quirks
	tmux := quirks{Reflow: renderer.ReflowYes, Follow: renderer.FollowLines, Blanks: true, Delete: renderer.DeleteClean}
	pads := tmux
	pads.Pads = true
	kitty := quirks{Reflow: renderer.ReflowYes, Late: true, Delete: renderer.DeleteClean}
	twice, layout := kitty, kitty
	twice.Follow, layout.Follow = renderer.FollowTwice, renderer.FollowLayout
	drifts := quirks{Reflow: renderer.ReflowDrift, Follow: renderer.FollowText, Delete: renderer.DeleteClean}
	for _, c := range []struct {
		caps Caps
		want quirks
	}{
		{Caps{Name: "tmux", Version: "3.3a"}, tmux},
		{Caps{Name: "tmux", Version: "3.5a"}, tmux},
		{Caps{Name: "tmux", Version: "3.6"}, pads},
		{Caps{Name: "tmux", Version: "next-3.8"}, pads},
		{Caps{Name: "tmux", Version: "openbsd-7.8"}, pads},
		{Caps{Name: "tmux"}, pads}, // more may be left behind, nothing is written over
		{Caps{Name: "kitty", Version: "0.26.5"}, twice},
		{Caps{Name: "kitty", Version: "0.40.0"}, layout},
		{Caps{Name: "kitty"}, kitty},
		{Caps{Name: "vscode", XtermJS: true}, drifts},
		{Caps{Name: "xterm.js", XtermJS: true}, drifts},
		{Caps{Name: "vscode"}, quirks{Delete: renderer.DeleteClean}}, // ConPTY, with a grid of its own
		{Caps{Name: "xterm.js"}, quirks{Delete: renderer.DeleteClean}},
		{Caps{Name: "nobody", Version: "1"}, quirks{}},
	} {
		if got := quirksOf(c.caps); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.caps, got, c.want)
		}
	}
}
