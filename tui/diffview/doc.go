// Package diffview shows a text that the user has to review, such as a diff. It scrolls, searches,
// and jumps between hunks.
//
// A [Body] is a tui component that shows rows with markers and line numbers. It knows nothing about
// agents and asks no questions. The program that embeds it draws the title and the keys, and gives
// it its height.
//
// Everything in a [Row] is untrusted. Control characters, and characters that change or hide
// others, are shown as tokens in a style of their own. Trailing blanks of a changed line are drawn
// as marks, and so are all blanks and tabs of a line that differs only in them. A row that is
// longer than the width is wrapped. With wrapping off it ends in a mark and can be scrolled
// sideways.
package diffview
