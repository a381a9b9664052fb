package profile

import (
	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// All returns every profile, ghostty first. The versions are those of Debian 12 unless a profile
// says otherwise.
func All() []Profile {
	return []Profile{
		{Name: "ghostty", Is: "ghostty", Version: "core of April 2026 as the application runs it", CellWidth: 8,
			CellHeight: 16, Differs: Differences{Personality: vt.Personality{ReflowCutsCursor: true}}},
		tmux("tmux", vt.ArchiveUsed),
		tmux("tmux-noclear", vt.ArchiveNothing),
		kitty(), xterm(), vte(), xtermjs(), alacritty(), foot(), konsole(), urxvt(), screen(), conhost(), newKitty(),
		newTmux(),
	}
}

// cellWidth and cellHeight are the size of a cell, in pixels, in the terminal windows that were
// measured.
const cellWidth, cellHeight = 8, 17

// withoutGhosttyOnly returns p with the properties that all terminals but ghostty share: no ED 22
// and no grapheme clusters. In these terminals DECAWM does not matter when rows are wrapped anew.
// That was not measured, but no other terminal ties the two together.
func withoutGhosttyOnly(p Differences) Differences {
	p.Erase22Ignored = true
	p.NoGraphemeClusters = true
	if p.Widths == nil {
		p.Widths = map[string]int{}
	}
	// a flag takes 2 columns in tmux, kitty, xterm, VTE, screen and xterm.js, where ghostty without
	// clusters takes 4
	for r := rune(0x1f1e6); r <= 0x1f1ff; r++ {
		p.Widths[string(r)] = 1
	}
	if p.EraseAll == vt.ArchiveDefault {
		p.EraseAll = vt.ArchiveNothing // pushing the screen of a prompt is ghostty's own
	}
	return p
}

func xterm() Profile {
	return Profile{Name: "xterm", Is: "xterm", Version: "379", CellWidth: cellWidth, CellHeight: cellHeight,
		OutputJumps: true, Differs: withoutGhosttyOnly(Differences{
			Resizing: Resizing{Reflow: Cut, ShrinkDropsBelow: true, AltShrinkBlanks: true},
			Personality: vt.Personality{
				DeleteLinesPushes: vt.AtTop, NoKittyKeyboard: true, NoKittyGraphics: true,
				Replies: &vt.Replies{
					DA1: "\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c", DA2: "\x1b[>41;379;0c",
					Version: "\x1bP>|XTerm(379)\x1b\\", Settings: true,
					Foreground: "\x1b]10;rgb:0000/0000/0000\x1b\\", Background: "\x1b]11;rgb:ffff/ffff/ffff\x1b\\",
					Palette: "\x1b]4;%d;rgb:cdcd/0000/0000\x1b\\",
				},
			},
		})}
}

func vte() Profile {
	return Profile{Name: "vte", Is: "vte", Version: "0.70.6", CellWidth: cellWidth, CellHeight: cellHeight,
		Differs: withoutGhosttyOnly(Differences{
			Resizing: Resizing{ShrinkDropsBelow: true, ReflowBlanks: ErasedIsARow},
			Personality: vt.Personality{
				ScrollUpDrops: true, EraseAll: vt.ArchiveScreen, NoKittyKeyboard: true, NoKittyGraphics: true,
				Replies: &vt.Replies{
					DA1: "\x1b[?65;1;9c", DA2: "\x1b[>65;7006;1c", Modes: map[int]int{2026: 4},
					Foreground: "\x1b]10;rgb:c000/c000/c000\x1b\\", Background: "\x1b]11;rgb:0000/0000/0000\x1b\\",
					Palette:    "\x1b]4;%d;rgb:c000/0000/0000\x1b\\",
					TextPixels: true, Cells: true,
				},
			},
		})}
}

// xtermjs returns the profile of xterm.js alone. Products that contain it answer more queries.
func xtermjs() Profile {
	return Profile{Name: "xtermjs", Is: "xterm.js", Version: "6.0.0", Differs: withoutGhosttyOnly(Differences{
		Resizing: Resizing{Reflow: RewrapButCursor, ReflowDrifts: true, ShrinkDropsBelow: true},
		Personality: vt.Personality{
			ScrollUpDrops: true, Wraps: vt.WrapOnNext, NoKittyKeyboard: true, NoKittyGraphics: true,
			Replies: &vt.Replies{DA1: "\x1b[?1;2c", DA2: "\x1b[>0;276;0c", Modes: map[int]int{2026: 2}, Settings: true},
		},
	})}
}

func alacritty() Profile {
	return Profile{Name: "alacritty", Is: "alacritty", Version: "Debian 12", CellWidth: cellWidth,
		CellHeight: cellHeight, Differs: withoutGhosttyOnly(Differences{
			Resizing: Resizing{ShrinkDropsBelow: true, ReflowBlanks: BlankIsARow, BlankEndsLine: true},
			Personality: vt.Personality{
				RegionBelowPushes: true, DeleteLinesPushes: vt.Anywhere, EraseAll: vt.ArchiveUsed,
				NoKittyKeyboard: true, NoKittyGraphics: true,
				Replies: &vt.Replies{
					DA1: "\x1b[?6c", DA2: "\x1b[>0;1700;1c", UnknownMode: -1,
					Foreground: "\x1b]10;rgb:c5c5/c8c8/c6c6\x1b\\", Background: "\x1b]11;rgb:1d1d/1f1f/2121\x1b\\",
					Palette:    "\x1b]4;%d;rgb:cccc/6666/6666\x1b\\",
					TextPixels: true, Cells: true,
				},
			},
		})}
}

func foot() Profile {
	return Profile{Name: "foot", Is: "foot", Version: "1.13.1", CellWidth: cellWidth, CellHeight: cellHeight,
		Differs: withoutGhosttyOnly(Differences{
			Resizing: Resizing{Layout: LayoutByEnds},
			Personality: vt.Personality{
				RegionBelowPushes: true, DeleteLinesPushes: vt.Anywhere, InsertTakes: true,
				Wraps: vt.WrapUntilPrinted, HalvesPart: true, NoKittyGraphics: true,
				Replies: &vt.Replies{
					DA1: "\x1b[?62;4;22c", DA2: "\x1b[>1;011301;0c", Version: "\x1bP>|foot(1.13.1)\x1b\\",
					Modes:      map[int]int{2026: 2},
					Foreground: "\x1b]10;rgb:dcdc/dcdc/cccc\x1b\\", Background: "\x1b]11;rgb:1111/1111/1111\x1b\\",
					Palette:    "\x1b]4;%d;rgb:cccc/9393/9393\x1b\\",
					TextPixels: true, CellPixels: true, Cells: true, Capability: "\x1bP1+r%s=38\x1b\\",
				},
			},
		})}
}

func konsole() Profile {
	return Profile{Name: "konsole", Is: "konsole", Version: "22.12.3", CellWidth: cellWidth, CellHeight: cellHeight,
		Differs: withoutGhosttyOnly(Differences{
			Resizing: Resizing{Reflow: RewrapButCursor, ShrinkDropsBelow: true},
			Personality: vt.Personality{
				ResetKeepsScrollback: true, NoKittyKeyboard: true, NoPlaceholders: true,
				Replies: &vt.Replies{
					DA1: "\x1b[?62;1;4c", DA2: "\x1b[>1;115;0c", Version: "\x1bP>|Konsole 22.12.3\x1b\\",
					UnknownMode: -1,
					Foreground:  "\x1b]10;rgb:fcfc/fcfc/fcfc\x1b\\", Background: "\x1b]11;rgb:2323/2626/2727\x1b\\",
					Palette:    "\x1b]4;%d;rgb:b2b2/1818/1818\a",
					TextPixels: true, CellPixels: true, Cells: true,
				},
			},
		})}
}

func urxvt() Profile {
	return Profile{Name: "urxvt", Is: "urxvt", Version: "Debian 12", CellWidth: 9, CellHeight: cellHeight,
		OutputJumps: true, Differs: withoutGhosttyOnly(Differences{
			Resizing: Resizing{Layout: LayoutTopLine},
			Personality: vt.Personality{
				DeleteLinesPushes: vt.AtTop, PlusT: vt.PlusTScrolls, EraseScrollback: vt.KeepScrollback,
				AltScreen: vt.LeakingAlt, Wraps: vt.WrapMoves, RowsHaveLengths: true, HalvesPart: true,
				MarksWrap: true, NoKittyKeyboard: true,
				NoKittyGraphics: true,
				Replies: &vt.Replies{DA1: "\x1b[?1;2c", DA2: "\x1b[>85;95;0c",
					Palette: "\x1b]4;%d;rgb:cdcd/0000/0000\x1b", TextPixels: true, Cells: true},
			},
		})}
}

func screen() Profile {
	return Profile{Name: "screen", Is: "screen", Version: "4.9.0", Differs: withoutGhosttyOnly(Differences{
		Resizing: Resizing{Layout: LayoutFromEnd},
		Personality: vt.Personality{
			RegionBelowPushes: true, DeleteLinesPushes: vt.AtTop, EraseAll: vt.ArchiveScreen,
			EraseHome: vt.ArchiveScreen, EraseScrollback: vt.KeepScrollback, ResetKeepsScrollback: true,
			AltScreen: vt.NoAlt, Wraps: vt.WrapStays, NoKittyKeyboard: true, NoKittyGraphics: true,
			Replies: &vt.Replies{DA1: "\x1b[?1;2c", DA2: "\x1b[>83;40900;0c", UnknownMode: -1},
		},
	})}
}

// conhost returns the profile of a terminal like the console host of Windows 10 and later. It was
// not measured: its values are from the documentation (VT sequences of the Windows console), and
// from its known resize, which wraps rows anew and keeps the cursor's row on the screen. No program
// recognises it. The harness treats it as alacritty, which wraps in the same way.
func conhost() Profile {
	return Profile{Name: "conhost", Is: "alacritty", Version: "not measured", Differs: withoutGhosttyOnly(Differences{
		Resizing: Resizing{ShrinkDropsBelow: true, ReflowBlanks: BlankIsARow, BlankEndsLine: true},
		Personality: vt.Personality{
			EraseAll: vt.ArchiveUsed, NoKittyKeyboard: true, NoKittyGraphics: true,
			Replies: &vt.Replies{DA1: "\x1b[?61;6;7;21;22;23;24;28;32;42c", DA2: "\x1b[>0;10;1c", UnknownMode: 0,
				Cells: true},
		},
	})}
}
