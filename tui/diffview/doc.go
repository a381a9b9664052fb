// Package diffview is a body of text that a person has to judge: it scrolls, searches, jumps
// between hunks and hides nothing.
//
// A [Body] is a tui component of rows that carry markers and line numbers. It knows no agent and
// asks no question; who embeds it draws the title and the keys, and gives it the rows that are
// left.
//
// Everything in a [Row] is untrusted. Controls and characters that change or hide others are drawn
// as tokens in a style of their own; blanks at the end of a changed line, and blanks and tabs in a
// line that changed in nothing else, are drawn as marks. A row that is longer than the width goes
// on in the next one, or, with wrapping off, ends in a mark and can be scrolled sideways.
package diffview
