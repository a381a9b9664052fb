package tui

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/renderer"
)

func TestTheVersionSaysWhereTheCursorIsAfterAChangeOfSize(t *testing.T) {
	for _, c := range []struct {
		name, version string
		want          renderer.Follow
	}{
		{"tmux", "3.3a", renderer.FollowLines},
		{"tmux", "3.5a", renderer.FollowLines},
		{"tmux", "3.6", renderer.FollowPads},
		{"tmux", "next-3.8", renderer.FollowPads},
		{"tmux", "openbsd-7.8", renderer.FollowPads},
		{"tmux", "", renderer.FollowPads}, // more may be left behind, nothing is written over
		{"kitty", "0.26.5", renderer.FollowTwice},
		{"kitty", "0.40.0", renderer.FollowLayout},
		{"kitty", "", renderer.FollowUnknown},
		{"nobody", "1", renderer.FollowUnknown},
	} {
		if got := follow(Caps{Name: c.name, Version: c.version}); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.name, c.version, got, c.want)
		}
	}
}
