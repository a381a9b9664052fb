package profile

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Tmux returns the profile that fits a version of tmux, such as "3.3a", "next-3.7" or "master".
func Tmux(version string) (Profile, error) {
	var major, minor int
	if version == "master" {
		return newTmux(), nil
	}
	if _, err := fmt.Sscanf(strings.TrimPrefix(version, "next-"), "%d.%d", &major, &minor); err != nil {
		return Profile{}, fmt.Errorf("profile: version %q of tmux: %w", version, err)
	}
	if major > 3 || major == 3 && minor >= 6 {
		return newTmux(), nil
	}
	return tmux("tmux", vt.ArchiveUsed), nil
}

// tmux returns the profile of tmux 3.3a, in whatever terminal it runs. onClear says what ED 2
// copies to the history: tmux's option scroll-on-clear, which is on by default.
func tmux(name string, onClear vt.Archive) Profile {
	return Profile{Name: name, Is: "tmux", Version: "3.3a", Differs: withoutGhosttyOnly(Differences{
		Resizing: Resizing{ShrinkDropsBelow: true, ReflowTears: true, GrowPullsAnywhere: true,
			ReflowBlanks: BlankIsARow},
		Personality: vt.Personality{
			RegionBelowPushes: true, EraseAll: onClear, EraseHome: onClear, Wraps: vt.WrapUntilClear,
			ResetKeepsScrollback: true, EraseKeepsLength: true, NoKittyKeyboard: true, NoKittyGraphics: true,
			Widths: tmuxWidths(), JoinAfterZWJ: true,
			Replies: &vt.Replies{
				DA1: "\x1b[?1;2c", DA2: "\x1b[>84;0;0c", Version: "\x1bP>|tmux 3.3a\x1b\\", UnknownMode: -1,
				Cells: true, CellsSwapped: true,
			},
		},
	})}
}

// newTmux returns the profile of tmux since 3.6.
func newTmux() Profile {
	p := tmux("tmux-3.6", vt.ArchiveUsed)
	p.Version = "3.7c"
	p.Differs.ReflowPads = true
	p.Differs.Widths = withoutGhosttyOnly(Differences{}).Widths
	r := *p.Differs.Replies
	r.Version, r.UnknownMode, r.Modes = "\x1bP>|tmux 3.7c\x1b\\", 0, map[int]int{2026: 2, 2031: 2}
	p.Differs.Replies = &r
	return p
}

// tmuxWidths returns the widths of characters that Unicode 15 and 16 have changed, as tmux 3.3a
// knows them from its C library: new emoji are dropped (-1), trigrams and hexagrams take one
// column.
func tmuxWidths() map[string]int {
	widths := map[string]int{}
	for _, r := range "\U0001fae8\U0001fae9\U0001fac6\U0001fabe\U0001fadc\U0001fa89\U0001fa8f\U0001fadf" {
		widths[string(r)] = -1
	}
	for _, block := range [][2]rune{{0x2630, 0x2637}, {0x268a, 0x268f}, {0x4dc0, 0x4dff}} {
		for r := block[0]; r <= block[1]; r++ {
			widths[string(r)] = 1
		}
	}
	return widths
}
