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
//     reading what output names; the application reads them. So S, the bytes of a file, has no
//     effect. A screen holds 4096 placements, an image 65,536 frames. Animations are kept, and not
//     played: [Image] says which frame is shown. [Terminal.Images], [Terminal.Placements] and
//     [Row.Placeholders] together tell what is shown where; [Terminal.Traffic] counts what it cost.
//   - Colours may be set by a few names, not by all of X11's. Only the answers to OSC queries
//     depend on that.
//   - XTVERSION says what Config.Version says.
//   - Mode 2048 and mode 1004 are answered at once when they are set, as in the application; the
//     core reports at the next change.
//
// # Later than the pinned core
//
// What has changed in ghostty's source up to commit 3b9c4e0dd of 22 August 2026, and is followed
// here. stress/oracle has a table of it (Changes), where each is told to the pinned core in
// other words, or left out of what is judged.
//
//   - 2026-05-04 (c20fcfa1b): without mode 2027, a mark behind a full row joins its last character.
//   - 2026-05-06 (3f11e695d): a variation selector looks at the character before it in a cluster,
//     not at the first one.
//   - 2026-05-06 (c44afa625): the cursor stays behind its text when that wraps anew. The pinned
//     core cuts the blanks there ([Personality.ReflowCutsCursor]).
//   - 2026-05-11 (c092b2bcf): DECRQM says of mode 117 (DECECM) that it is permanently reset.
//   - 2026-07-26 (cb2fef390): DECRQSS reports the style of an underline, as 4:2 to 4:5.
//   - 2026-07-28 (6c8c07981): mode 2033 and CSI ? 998 n report whether the window can be seen
//     ([Terminal.SetVisible]).
//   - 2026-08-05 (bfd40c84b): EL 2 ends the soft wrap of its row, as EL 0 does.
//   - 2026-08-05 (f973bd53b): DECRQSS reports an overline, as 53.
//   - 2026-08-18 (bed20eb36): TBC and CTC in a column without a tab stop set none.
//   - 2026-08-21 (07c6fc21b): mode 5522 (paste events) is known, but not enabled: DECRQM does
//     not know it, and it cannot be set.
//
// And of kitty's graphics:
//
//   - 2026-07-19 (a65e11cc9): of two pictures that are not shown, a transient one (N=1) goes
//     first.
//   - 2026-08-05 (d866fa455), 2026-08-20 (f7d29b19e): a delete by range deletes that range, and
//     an empty one nothing.
//   - 2026-08-05 (8524cb593): a delete at a cell looks at its column in every row.
//   - 2026-08-05 (e5840bb9b), 2026-08-18 (52190a5d8): sides do not overflow, and the source is
//     the part of it that is in the picture.
//   - 2026-08-09 (b8222f4a8): an id that is used again deletes the picture and its placements,
//     with the first piece of the new one.
//   - 2026-08-18 (f8b40a023): ED 2, ED 22 and a=d delete what is on the grid; above it, it
//     stays.
//   - 2026-08-18 (306a16903): d=I and d=N free nothing if they name a placement that is not
//     there.
//   - 2026-08-18 (86d94f150, e5747cf0b): the answer to the last piece has the names of the
//     first, and a delete ends what is incomplete.
//   - 2026-08-18 (cfc5a9650): a query is answered by what the data would have been.
//   - 2026-08-18 (c5a3c7e2e): an offset (X, Y) ends within its cell, and counts in a side that
//     is given.
//   - 2026-08-18 (83145c0a3): an id and a number exclude each other in all commands, and this is
//     said.
//   - 2026-08-18 (afb61e1b6): the cursor goes to the right of the last row of a picture, at the
//     edge to the next one, and at most one screen beyond the margin.
//   - 2026-08-18 (abd77067d): S is exact. It is about files, see above.
//   - 2026-08-20 (6b23c584c): a picture with a number gets the lowest free id.
//   - 2026-08-20 (242723223): unknown formats are answered, other values of q, C and U are taken
//     as kitty takes them.
//   - 2026-08-20 (90bce0d2d): IND, RI, SU and SD within margins move the pictures that are
//     entirely there, and cut them at a margin. IL and DL move none.
//   - 2026-08-20 (cd5f9eef0, 33ca9e5dd): placements relative to others (P, Q, H, V), eight deep.
//   - 2026-08-21 (4b915e3bc, d8b920e50, d2ffeb5ba): frames of animations, their control and
//     composition.
//
// Not followed is what needs a window: the glyph protocol (d3775d1ed), kitty's clipboard and
// notifications (6959fd46c, c67a1db99).
package vt
