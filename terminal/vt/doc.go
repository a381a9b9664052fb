// Package vt is a terminal emulator without a window: it keeps the grid, the scrollback and the
// modes that the output of an application leads to, and gives the replies that the application asks
// for. Where emulators differ, it does what ghostty does.
//
//	t := vt.New(vt.Config{Cols: 80, Rows: 24, Scrollback: 1000})
//	io.Copy(t, output)
//	fmt.Println(t)
//
// # The model
//
// A [Terminal] is a value that bytes go into ([Terminal.Write], [Terminal.Resize]) and that can be
// looked at in between: nothing happens on its own, there is no goroutine, and the only clock is
// Config.Now. How output is cut into writes makes no difference. A [Row] is read through its
// terminal and valid until the next Write or Resize.
//
// The rows form one tape. Its last Rows rows are the grid; what scrolled off above it is the
// scrollback, oldest row first ([Terminal.Tape], [Terminal.ScrollbackRow], [Terminal.Row]). A row
// that is soft-wrapped goes on in the next one ([Row.Wrapped]), and a change of the width wraps
// such lines anew, scrollback included. The alternate screen has a grid of its own, no scrollback,
// and is never wrapped anew.
//
// A new terminal is in the state in which the ghostty application starts one, which RIS returns to:
// among others, characters are grouped into grapheme clusters (mode 2027). Widths and cluster
// breaks are ghostty's, from a table of its own. Another terminal is a [Personality]: plain values
// that say where it differs, and a [Relayout] that lays its rows out at a new size.
//
// # Guarantees
//
// No input makes it panic; time is linear in the input and memory is bounded by the size of the
// grid and the scrollback, whatever the input: what an application can make large has a limit with
// a name. One sequence costs at most a fixed number of screens, but for two: REP repeats up to
// 65,535 times, and DECCOLM, once mode 40 allows it, wraps the scrollback anew. In steady state
// output allocates nothing. A row of scrollback takes eight bytes for each column and some forty
// more.
//
// # How a cell is kept
//
// A cell is eight bytes: a code point or the number of a cluster, a width, and the number of a pen,
// which is a style and a link. Pens, links and clusters are interned and swept once many are
// unused. Printing ASCII and characters that cannot join their neighbour fills cells of a row
// directly; everything else goes through one function that follows ghostty step by step, as do the
// others: their comments name its file.
//
// # Differences from ghostty
//
// Judged by stress/oracle against the core of April 2026 (commit 48ccec182a93), the newest that can
// be installed, whose quirks are kept even where they look like oversights. Replies are those of
// the application where it answers and the bare core does not. What ghostty has changed since is in
// the next part. What is left differs on purpose:
//
//   - Ghostty keeps rows in pages of memory. A row that was cut off the end of a page comes back
//     with what was in it; this package does the same, but takes the rows of a page for
//     215*216/(columns+1), and a page that ghostty has to copy in the middle of an action, because
//     its table of links, styles or clusters is full, is nothing special here. In ghostty such a
//     copy loses the mark that is being added to a linked character, and what was left in unused
//     rows: without scrollback, a richly styled screen can come out of a resize differently.
//   - Sequences on which the core crashes or reads beyond a page (a wide character cut by a
//     narrower alternate screen and then moved) do the harmless part here.
//   - The scrollback limit is in rows, not in bytes, and counts rows of the greatest width so
//     far, so that narrowing and widening the window loses nothing. As ghostty does, it keeps up to
//     a page more than it shows.
//   - A cell keeps 2^20 code points, all cells together 2^22 beyond their first; ghostty keeps
//     what fits its memory.
//   - An OSC above 1 MiB is dropped, of which ghostty would take the clipboard's. What is written
//     to the clipboard is kept for [Terminal.Clipboard]; reading it is not answered, which the
//     application leaves to its user. Notifications, pointer shapes, progress reports and tmux
//     control mode are ignored: there is no window that they could concern.
//   - Kitty graphics: pixels are checked and counted, not kept; of a PNG only the header is read.
//     Files and shared memory are an unsupported medium, because an emulator has no business
//     reading what output names; the application reads them. A screen holds 4096 placements. A
//     placed image scrolls at most one screen of rows, which is the bound of later versions; the
//     core scrolls as many as it is told. Animation is unknown, as in the core. [Terminal.Images],
//     [Terminal.Placements] and [Row.Placeholders] together tell what is shown where;
//     [Terminal.Traffic] counts what it cost.
//   - Colours may be set by a few names, not by all of X11's. Only the answers to OSC queries
//     depend on that.
//   - XTVERSION says what Config.Version says.
//   - Mode 2048 and mode 1004 are answered at once when they are set, as in the application; the
//     core reports at the next change.
//
// # Later than the pinned core
//
// What has changed in ghostty's source up to commit 3b9c4e0dd of 22 August 2026, and is followed
// here. Where the pinned core can be told the same in other words, stress/oracle judges it (its
// table Changes).
//
//   - 2026-05-11 (c092b2bcf): DECRQM says of mode 117 (DECECM) that it is permanently reset.
//   - 2026-07-26 (cb2fef390): DECRQSS reports the style of an underline, as 4:2 to 4:5.
//   - 2026-07-28 (6c8c07981): mode 2033 and CSI ? 998 n report whether the window can be seen
//     ([Terminal.SetVisible]).
//   - 2026-08-05 (bfd40c84b): EL 2 ends the soft wrap of its row, as EL 0 does.
//   - 2026-08-05 (f973bd53b): DECRQSS reports an overline, as 53.
//   - 2026-08-18 (bed20eb36): TBC and CTC in a column without a tab stop set none.
//   - 2026-08-21 (07c6fc21b): mode 5522 (paste events) is known, but not enabled: DECRQM does not
//     know it, and it cannot be set.
package vt
