// Package hashline is the patch language of the tool edit: sections of a file,
// each for the text that a tag names, with hunks that address lines by their numbers.
//
// It is pure: it reads a patch, and applies hunks to a text. Which text a tag stands for is the
// business of its user.
package hashline

import (
	"fmt"
	"slices"
	"strings"
)

// Section is what a patch changes in one file.
type Section struct {
	Path string
	Tag  string // four hexadecimal digits in upper case; "": it was left out
	// Hunks are in the order in which they stand. Line is that of the header in the patch.
	Hunks []Hunk
	Line  int
}

// Verb is what a hunk does.
type Verb uint8

const (
	Replace Verb = iota // lines From to To with Body
	Delete              // lines From to To
	Before              // Body goes before line From
	After               // Body goes after line From
	Head                // Body goes to the beginning of the file
	Tail                // Body goes to its end
)

// Hunk is one change. Lines are counted from 1, in the text that the section's tag names.
type Hunk struct {
	Verb     Verb
	From, To int
	// Block: From opens a block of the file's language, and the hunk is about all of it.
	Block bool
	Body  []string // lines without their ends
	Line  int      // in the patch, from 1
}

// takesBody reports whether the hunk needs lines to put in.
func (h Hunk) takesBody() bool { return h.Verb != Delete }

// Patch is what was read.
type Patch struct {
	Sections []Section
	Warnings []string // whole sentences, for the model
}

// Header returns the first line of a section for a text, as tools that show it print it.
func Header(path, tag string) string { return sigil + path + "#" + tag }

// IsHeader reports whether a line is the header of a text with its tag.
func IsHeader(line string) bool {
	m := header.FindStringSubmatch(line)
	return m != nil && tagged.MatchString(m[1])
}

// Paths returns the paths of the headers in a patch, or in what tools print, each once.
func Paths(text string) (paths []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := header.FindStringSubmatch(line); m != nil {
			if m = tagged.FindStringSubmatch(m[1]); m != nil && !slices.Contains(paths, m[1]) {
				paths = append(paths, m[1])
			}
		}
	}
	return paths
}

// String returns the section as a patch has it.
func (s Section) String() string {
	var b strings.Builder
	b.WriteString(sigil + s.Path)
	if s.Tag != "" {
		b.WriteString("#" + s.Tag)
	}
	b.WriteByte('\n')
	for _, h := range s.Hunks {
		fmt.Fprintln(&b, h.header())
		for _, row := range h.Body {
			fmt.Fprintf(&b, "+%s\n", row)
		}
	}
	return b.String()
}

// header returns the first line of the hunk.
func (h Hunk) header() string {
	switch {
	case h.Verb == Head:
		return "insert head:"
	case h.Verb == Tail:
		return "insert tail:"
	case h.Verb == Before:
		return fmt.Sprintf("insert before %d:", h.From)
	case h.Verb == After && h.Block:
		return fmt.Sprintf("insert after block %d:", h.From)
	case h.Verb == After:
		return fmt.Sprintf("insert after %d:", h.From)
	case h.Verb == Delete && h.Block:
		return fmt.Sprintf("delete block %d", h.From)
	case h.Verb == Delete:
		return fmt.Sprintf("delete %d..%d", h.From, h.To)
	case h.Block:
		return fmt.Sprintf("replace block %d:", h.From)
	}
	return fmt.Sprintf("replace %d..%d:", h.From, h.To)
}

// Resolved says which lines the blocks of hunks were, one line each: hunks as they were written,
// and as they were applied.
func Resolved(written, applied []Hunk) (lines []string) {
	for i, h := range written {
		if h.Block {
			to := applied[i].To
			lines = append(lines, fmt.Sprintf("%s → resolved lines %d-%d (%d lines)",
				strings.TrimSuffix(h.header(), ":"), h.From, to, to-h.From+1))
		}
	}
	return lines
}
