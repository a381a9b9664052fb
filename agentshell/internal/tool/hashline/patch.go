// Package hashline is the patch language of the tool edit. A patch has sections for files. Each
// names the text that it is about by a tag, and its hunks name lines by their numbers.
//
// The package is pure: it reads a patch, and applies hunks to a text. The caller knows which text a
// tag stands for.
package hashline

import (
	"fmt"
	"slices"
	"strings"
)

// Section is the part of a patch that changes one file.
type Section struct {
	Path string
	// Tag is the tag of the text that the patch refers to: four hexadecimal digits in upper case;
	// "": it is missing.
	Tag string
	// Hunks are in the order of the patch. Line is the line number of the section's header in the
	// patch.
	Hunks []Hunk
	Line  int
}

// Verb is the kind of change that a hunk makes.
type Verb uint8

const (
	Replace Verb = iota // replaces lines From to To by Body
	Delete              // removes lines From to To
	Before              // puts Body before line From
	After               // puts Body after line From
	Head                // puts Body at the beginning of the file
	Tail                // puts Body at the end of the file
)

// Hunk is one change in a file. Line numbers count from 1 and refer to the text of the section's
// tag.
type Hunk struct {
	Verb     Verb
	From, To int
	// Block says that the hunk means the complete code block that begins on line From.
	Block bool
	Body  []string // Body holds the new lines without line ends.
	Line  int      // Line is the line of the hunk in the patch, from 1.
}

// takesBody reports whether the hunk needs a body.
func (h Hunk) takesBody() bool { return h.Verb != Delete }

// Patch is a parsed patch.
type Patch struct {
	Sections []Section
	Warnings []string // Warnings are sentences for the model.
}

// Header returns the first line of a section for the file path and the tag of its text. Tools print
// it above the text of a file.
func Header(path, tag string) string { return headerSigil + path + "#" + tag }

// IsHeader reports whether a line is a section header with a tag.
func IsHeader(line string) bool {
	m := headerPattern().FindStringSubmatch(line)
	return m != nil && taggedPattern().MatchString(m[1])
}

// Paths returns the paths in the section headers of a text, which may be a patch or the output of a
// tool, without repetitions.
func Paths(text string) (paths []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := headerPattern().FindStringSubmatch(line); m != nil {
			if m = taggedPattern().FindStringSubmatch(m[1]); m != nil && !slices.Contains(paths, m[1]) {
				paths = append(paths, m[1])
			}
		}
	}
	return paths
}

// String returns the section in the syntax of a patch.
func (s Section) String() string {
	var b strings.Builder
	b.WriteString(headerSigil + s.Path)
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

// header returns the first line of the hunk in the syntax of a patch.
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

// Resolved returns a line for each hunk that means a code block; it tells the line numbers of the
// block. written are the hunks of the patch, and applied those that Apply returned.
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
