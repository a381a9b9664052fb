// Package memory holds notes that outlive a session: Markdown files, one a note, in a folder of the
// user's and in one of the workspace.
//
// A user writes, reads and removes them with any editor. Notes of the workspace have no authority
// until the user has said yes to their text. Numbers and sizes are bounded, and values of keys
// are removed from all texts.
package memory

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Scheme is the scheme of a note's URL, memory://person/NAME.
const Scheme = "memory"

// Scope tells whose note it is: the user's or the workspace's.
type Scope string

// These are the scopes of notes.
const (
	Person    Scope = "person"    // Person is for notes of the user, which are read in all workspaces.
	Workspace Scope = "workspace" // Workspace is for notes that are files of the workspace.
)

// These constants limit a folder of notes.
const (
	MaxNotes = 200      // MaxNotes is the number of notes.
	MaxNote  = 16 << 10 // MaxNote is the number of bytes of one note.
)

// Note is a note that was read from its file.
type Note struct {
	Scope   Scope
	Name    string    // Name is the name of its file without .md.
	Type    string    // Type is the kind of note that the front matter names, or "".
	Date    time.Time // Date is the date in the front matter, or the modification time of the file.
	Text    string    // Text is the note without its front matter.
	Foreign bool      // Foreign says that it is a note of the workspace that the user has not confirmed.
}

// ID returns the part of the note's URL after memory://.
func (n Note) ID() string { return string(n.Scope) + "/" + n.Name }

var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// ParseID parses the URL of a note, with or without memory://.
func ParseID(id string) (scope Scope, name string, err error) {
	folder, name, _ := strings.Cut(strings.TrimPrefix(id, Scheme+"://"), "/")
	scope, name = Scope(folder), strings.TrimSuffix(name, ".md")
	switch {
	case scope != Person && scope != Workspace:
		return "", "", fmt.Errorf("the address of a note is memory://%s/NAME or memory://%s/NAME", Person, Workspace)
	case !namePattern().MatchString(name):
		return "", "", errors.New("the name of a note is small letters, digits, - and _, at most 40")
	}
	return scope, name, nil
}

const dateLayout = "2006-01-02"

// parseNote parses the file of a note. It ignores unknown keys of the front matter.
func parseNote(scope Scope, name, text string, modified time.Time) Note {
	n := Note{Scope: scope, Name: name, Date: modified, Text: text}
	head, body, ok := cutHead(text)
	if !ok {
		return n
	}
	n.Text = strings.TrimLeft(body, "\n")
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(line, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch key {
		case "type":
			if len(value) <= 40 && !strings.ContainsAny(value, "[]()") {
				n.Type = value
			}
		case "date":
			if at, err := time.Parse(dateLayout, value); err == nil {
				n.Date = at
			}
		}
	}
	return n
}

// cutHead splits a text into its front matter, the lines between two lines of ---, and the rest. ok
// is false if it has no front matter.
func cutHead(text string) (head, body string, ok bool) {
	after, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, false
	}
	head, body, ok = strings.Cut("\n"+after, "\n---\n")
	return strings.TrimPrefix(head, "\n"), body, ok
}

// Prepare returns the file content for the text of a note. It adds a date if the text has no front
// matter, and a final newline. It returns an error if the text is not valid as a note, for example
// because it contains a secret.
func Prepare(text string, secrets secret.Set, now time.Time) ([]byte, error) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \n\t") + "\n"
	if _, _, has := cutHead(text); !has {
		text = "---\ndate: " + now.UTC().Format(dateLayout) + "\n---\n" + strings.TrimLeft(text, "\n")
	}
	switch _, body, _ := cutHead(text); {
	case strings.TrimSpace(body) == "":
		return nil, errors.New("the note is empty")
	case checkText([]byte(text)) != nil:
		return nil, checkText([]byte(text))
	case secrets.Contains([]byte(text)) || secret.LooksSecret(text):
		return nil, errors.New("the note holds a key, and notes are read by later sessions: leave it out")
	}
	return []byte(text), nil
}

// checkText returns an error if data is too long or no text.
func checkText(data []byte) error {
	switch {
	case len(data) > MaxNote:
		return fmt.Errorf("the note is longer than %d KiB", MaxNote>>10)
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		return errors.New("it is no text")
	}
	return nil
}
