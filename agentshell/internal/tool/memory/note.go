// Package memory holds notes that outlive a session: Markdown files, one a note, in a folder of the
// person's and in one of the workspace.
//
// A person writes, reads and removes them with any editor. Notes of the workspace have no authority
// until the person has said yes to their text. Numbers and sizes are bounded, and values of keys
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

// Scheme begins the address of a note: memory://person/NAME.
const Scheme = "memory"

// Scope is whose folder a note is in.
type Scope string

// The scopes.
const (
	Person    Scope = "person"    // notes of the person, for all workspaces
	Workspace Scope = "workspace" // notes in the workspace
)

// Bounds of a folder.
const (
	MaxNotes = 200      // notes
	MaxNote  = 16 << 10 // bytes of one note
)

// Note is a note as it was read.
type Note struct {
	Scope   Scope
	Name    string    // of its file, without .md
	Type    string    // what kind of note it is, "" if it does not say
	Date    time.Time // from the note, or else of its file
	Text    string    // without the front matter
	Foreign bool      // it is the workspace's, and the person has not said yes to it
}

// ID returns what stands in the note's address behind memory://.
func (n Note) ID() string { return string(n.Scope) + "/" + n.Name }

var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// ParseID returns the folder and the name of a note from its address, or from what stands behind
// memory:// there.
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

const day = "2006-01-02"

// parse returns the note in a file. Keys of the front matter that it does not know are left out.
func parse(scope Scope, name, text string, modified time.Time) Note {
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
			if at, err := time.Parse(day, value); err == nil {
				n.Date = at
			}
		}
	}
	return n
}

// cutHead cuts a text behind its front matter, the lines between two lines of ---.
func cutHead(text string) (head, body string, ok bool) {
	after, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return "", text, false
	}
	head, body, ok = strings.Cut("\n"+after, "\n---\n")
	return strings.TrimPrefix(head, "\n"), body, ok
}

// Prepare returns the bytes of a note's file for a text: with a date, if the text has no front
// matter, and a newline at its end. An error says why the text can be no note.
func Prepare(text string, secrets secret.Set, now time.Time) ([]byte, error) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), " \n\t") + "\n"
	if _, _, has := cutHead(text); !has {
		text = "---\ndate: " + now.UTC().Format(day) + "\n---\n" + strings.TrimLeft(text, "\n")
	}
	switch _, body, _ := cutHead(text); {
	case strings.TrimSpace(body) == "":
		return nil, errors.New("the note is empty")
	case check([]byte(text)) != nil:
		return nil, check([]byte(text))
	case secrets.Contains([]byte(text)) || secret.LooksSecret(text):
		return nil, errors.New("the note holds a key, and notes are read by later sessions: leave it out")
	}
	return []byte(text), nil
}

// check returns why bytes can be no note.
func check(data []byte) error {
	switch {
	case len(data) > MaxNote:
		return fmt.Errorf("the note is longer than %d KiB", MaxNote>>10)
	case !utf8.Valid(data) || strings.ContainsRune(string(data), 0):
		return errors.New("it is no text")
	}
	return nil
}
