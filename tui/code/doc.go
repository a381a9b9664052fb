// Package code tells the parts of a source text apart: keywords, strings, comments and numbers.
//
// It reads a line at a time from left to right, by tables of about thirty languages, and looks at
// each byte a fixed number of times, whatever the text is: there is nothing to time out, and no
// file is too large. A [Text] remembers in which state each line begins, so that a line in the
// middle of a file costs only itself once those above it have been passed. What it does not
// understand is plain.
//
// A wrong guess colours a word wrongly and does nothing else: no byte of a text is changed, hidden
// or moved.
package code
