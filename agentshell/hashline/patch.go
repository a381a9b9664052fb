// Package hashline is the patch language of the tool edit (seed 002, edit.md): sections of a file,
// each for the text that a tag names, with hunks that address lines by their numbers.
//
// It is pure: it reads a patch, and applies hunks to a text. Which text a tag stands for is the
// business of its user.
package hashline

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

// Header is the first line of a section for a text, as tools that show it print it.
func Header(path, tag string) string { return sigil + path + "#" + tag }
