// Package width says how many columns a text takes on a terminal.
//
// # One model
//
// Every part of the engine that measures, cuts or wraps asks this package, so that no two of them
// can disagree. Text is taken in grapheme clusters (uniseg's state machine; its widths are not
// used); the width of a rune comes from go-runewidth through an explicit condition, so that neither
// the locale nor a package variable that some other import has set can reach a result. On top of
// both stand corrections, each of which has a test: marks and format characters are 0, so are the
// conjoining jamo vowels and finals, and with [Grapheme] a cluster is at most 2 columns, VS16 makes
// an emoji of its base (2) and VS15 a text character (1).
//
// # A terminal is another table
//
// No model is the terminal's: tmux 3.3a draws thumb+skin tone in 4 columns, kitty in 2.
// [Model.Doubtful] names the clusters about which terminals differ; who writes one goes to the next
// column with CHA before anything else, so that the damage stays within the cluster.
//
// The rest is meant to be certain. 24,405 single characters that are not doubtful (all below
// U+3400, samples above) were printed in tmux 3.3a, GNU screen 4.9, xterm 379 and kitty 0.26, and
// the cursor's position was asked: what differed is in Doubtful now.
//
// Controls and tabs are 0 columns wide here: they have to be expanded or replaced before. An
// invalid byte counts as U+FFFD.
package width
