package profile

import (
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// Kitty returns the profile that fits a version of kitty, such as "0.48.2".
func Kitty(version string) (Profile, error) {
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return Profile{}, fmt.Errorf("profile: version %q of kitty: %w", version, err)
	}
	if major > 0 || minor >= 40 {
		return newKitty(), nil
	}
	return kitty(), nil
}

func kitty() Profile {
	return Profile{Name: "kitty", Is: "kitty", Version: "0.26.5", CellWidth: cellWidth, CellHeight: cellHeight,
		Differs: withoutGhosttyOnly(Differences{
			HoldSync: 2 * time.Second,
			Resizing: Resizing{Layout: LayoutApart, ImagesStay: true},
			Personality: vt.Personality{
				EraseScrollback: vt.ClearBoth, PlusT: vt.PlusTUnscrolls, Wraps: vt.WrapOnNextFeed,
				PromptsByRow: true,
				ImagesScroll: true, DeleteFreesAll: true, NoPlaceholders: true, // placeholders came with 0.28
				Replies: &vt.Replies{
					DA1: "\x1b[?62;c", DA2: "\x1b[>1;4000;26c", Version: "\x1bP>|kitty(0.26.5)\x1b\\",
					Modes:      map[int]int{2026: 2},
					Foreground: "\x1b]10;rgb:dddd/dddd/dddd\x1b\\", Background: "\x1b]11;rgb:0000/0000/0000\x1b\\",
					Palette:    "\x1b]4;%d;rgb:cccc/0404/0303\x1b\\",
					TextPixels: true, CellPixels: true, Cells: true, Capability: "\x1bP0+r%s\x1b\\",
				},
			},
		})}
}

// newKitty returns the profile of kitty since 0.40. That version wraps history and grid anew in one
// go (resize.c), applies a synchronized update at once and only delays its display, and knows
// placeholders. Since 0.42 it measures grapheme clusters even without mode 2027.
func newKitty() Profile {
	p := kitty()
	p.Name, p.Version = "kitty-0.40", "0.48.2"
	d := &p.Differs
	d.Layout = LayoutJoined
	d.Wraps = vt.WrapOnLastCell
	d.LeadingWidths, d.Widths = true, map[string]int{"\u00ad": 0}
	// what takes a skin tone is wide without one, too
	for _, r := range "\u261d\u26f9\u270c\u270d\U0001f3cb\U0001f3cc\U0001f574\U0001f575\U0001f590" {
		d.Widths[string(r)] = 2
	}
	d.HoldSync, d.Erase22Ignored, d.NoPlaceholders = 0, false, false
	r := *d.Replies
	r.DA1, r.DA2, r.Version, r.Modes = "\x1b[?62;52;c", "\x1b[>1;4000;48c", "\x1bP>|kitty(0.48.2)\x1b\\",
		map[int]int{2026: 2, 2031: 2, 2048: 2}
	d.Replies = &r
	return p
}
