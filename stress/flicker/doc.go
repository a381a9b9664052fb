// Package flicker measures what a reader can see within a frame, on a terminal that shows each
// sequence as it comes: tmux 3.3a knows no synchronized updates (mode 2026), and a reader's eye may
// fall between any two sequences.
//
// # What is counted
//
// A frame is one Write. After each of its sequences, and after each run of text, the grid is
// compared with what it was before the frame and what it is after it. Two rows are the same one if
// the terminal has moved one to the place of the other: by scrolling, by IL or DL.
//
// Two counts are of text that is on the screen before and after and not in between. Lost: a cell of
// one row, which has the same text and pen before and after, and others in between. Gone: the text
// of a row that stood in another one before, and in none for a while. Flashed is the opposite: a
// cell that is blank before and after, and not in between. All are avoidable by whoever writes over
// what stands there and erases only what is left of it, but for three reasons: a wrap is to be
// ended, the width of a character is in doubt, or text must leave the screen in order that stands
// above it nowhere. What is lost in rows without such characters is Needless, unless there are
// wraps.
//
// Moved is a row that stands above or below both its places for a while. Where text scrolls above
// rows that stay, that cannot be avoided without a scroll region, which the rendering contract
// forbids: line feeds lift all rows, then those that stay are pushed down again. Nothing is missing
// meanwhile.
//
// Detours are cells that change, and for a while show neither what was nor what will be there, as
// where a row is erased before other text comes.
package flicker
