package hashline

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Error is a message for the model that says what is wrong with a patch.
type Error string

func (e Error) Error() string { return string(e) }

func patchError(format string, args ...any) error { return Error(fmt.Sprintf(format, args...)) }

const (
	useVerbsHint    = "`replace N..M:`, `delete N..M`, or `insert before|after|head|tail:`"
	bareBodyWarning = "Auto-prefixed bare body row(s) with +. Body rows must be +TEXT literal lines."
)

func noHeaderError(got string) error {
	if r := []rune(got); len(r) > 80 {
		got = width.Head(got, len(string(r[:80]))) + "…"
	}
	return patchError("input must begin with \"¶PATH#HASH\" on the first non-blank line for anchored edits; got: %q",
		got)
}

// MissingTagError returns the error for a section without a tag.
func MissingTagError(path string) error {
	return patchError("Missing hashline snapshot tag for anchored edit to %s; use ¶%[1]s#tag from your latest "+
		"read/search output.", path)
}

// NoChangeError returns the error for hunks that change nothing.
func NoChangeError(path string) error {
	return patchError("Edits to %s parsed and applied cleanly, but produced no change: your body row(s) are "+
		"byte-identical to the file at the targeted lines. The bug is somewhere else — re-read the file before "+
		"issuing another edit. Do NOT widen the payload or add lines; verify the anchor first.", path)
}

func emptyBodyError(h Hunk) error {
	switch {
	case h.Verb == Replace && h.Block:
		return patchError("line %d: `replace block N:` needs at least one `+TEXT` body row. To delete a block, use "+
			"`delete N..M` with the block's line range.", h.Line)
	case h.Verb == Replace:
		return patchError("line %d: `replace N..M:` needs at least one `+TEXT` body row. To delete lines, use "+
			"`delete N..M`.", h.Line)
	}
	return patchError("line %d: `insert` needs at least one `+TEXT` body row.", h.Line)
}

func noLineError(n, of int) error {
	return patchError("Line %d does not exist (file has %d lines)", n, of)
}

func overlapError(h Hunk, line int, other Hunk) error {
	return patchError("line %d: anchor line %d is already targeted by another hunk on line %d. Issue ONE hunk "+
		"per range; "+
		"payload is only the final desired content, never a before/after pair.", h.Line, line, other.Line)
}

// noBlockError returns the error for a hunk whose code block was not found.
func noBlockError(h Hunk, lines []textLine) error {
	verb, instead := "replace", fmt.Sprintf("Use `replace %d..M:` with the block's explicit end line instead.", h.From)
	switch h.Verb {
	case Delete:
		verb, instead = "delete", fmt.Sprintf("Use `delete %d..M` with the block's explicit end line instead.", h.From)
	case After:
		verb, instead = "insert after", "Use `insert after M:` with the block's explicit last line instead."
	}
	colon := ":"
	if h.Verb == Delete {
		colon = ""
	}
	return patchError("line %d: `%s block %d%s` could not resolve a syntactic block beginning on line %[3]d. The "+
		"language may be unsupported, the line may be blank or a closing delimiter, or the block may not parse. "+
		"%[5]s\n\n%[6]s",
		h.Line, verb, h.From, colon, instead, linesAround(lines, h.From))
}

// contextLines is the number of lines that an error message shows before and after a line.
const contextLines = 2

// linesAround returns the lines around the line anchor, which is marked by *.
func linesAround(lines []textLine, anchor int) string {
	text := ""
	for n := max(1, anchor-contextLines); n <= min(len(lines), anchor+contextLines); n++ {
		mark := " "
		if n == anchor {
			mark = "*"
		}
		text += fmt.Sprintf("%s%d:%s\n", mark, n, lines[n-1].text)
	}
	return text
}
