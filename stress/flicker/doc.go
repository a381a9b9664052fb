// Package flicker measures the flicker of a frame: what a user can see between two of its escape
// sequences, on a terminal that shows each sequence at once. An example is tmux 3.3a, which knows
// no synchronized updates (mode 2026).
//
// # What is counted
//
// A frame is one Write. After each of its sequences, and after each run of text, the grid is
// compared with its content before the frame and after it. Two rows count as the same one if the
// terminal has moved one to the place of the other: by scrolling, by IL or by DL.
//
// Lost and Gone count text that is on the screen before and after the frame, but not in between.
// Lost counts cells of a row that have the same text and style before and after. Gone counts the
// text of a row that moves to another place and stands in none for a while. Flashed is the
// opposite: cells that are blank before and after, but not in between.
//
// All of these can be avoided by printing over old text and erasing only the rest of it, with three
// exceptions: a soft wrap has to be ended, the width of a character is in doubt, or text leaves the
// screen so that it stands nowhere above. Needless counts what is lost or flashed in rows without
// such characters, unless there are wraps.
//
// Moved counts rows that stand above or below both their old and their new place for a while. Where
// text scrolls above rows that stay, that cannot be avoided without a scroll region, which the
// rendering contract forbids: line feeds lift all rows, then the rows that stay are pushed down
// again. No text is missing meanwhile.
//
// Detours counts cells that change, and for a while show neither their old nor their new content,
// for example if a row is erased before other text is printed.
package flicker
