// Package code finds the parts of source text for syntax highlighting: keywords, strings, comments
// and numbers.
//
// It has tables for about thirty languages. It reads a line at a time from left to right, and looks
// at each byte a fixed number of times, so that no text can make it slow. A [Text] remembers the
// state at the start of each line: once the lines above have been read, a line in the middle of a
// file costs only itself. Text that it does not recognize has no class.
//
// A mistake only gives a word the wrong colour. No byte of the text is changed, hidden or moved.
package code
