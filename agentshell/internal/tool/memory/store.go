package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/bm25"
)

// Store gives access to the notes of a session. It reads the files again each time, so the user can
// edit them meanwhile.
type Store struct {
	Person, Workspace Folder  // A nil folder means that there is none.
	Agreed            *Agreed // Agreed holds the confirmed notes of the workspace; nil: none.
	Secrets           secret.Set
	Now               func() time.Time
}

// folderOf returns the folder of a scope, or nil.
func (s *Store) folderOf(scope Scope) Folder {
	if scope == Person {
		return s.Person
	}
	return s.Workspace
}

// Count returns the number of notes with a scope.
func (s *Store) Count(scope Scope) (n int) {
	folder := s.folderOf(scope)
	if folder == nil {
		return 0
	}
	for _, file := range folder.List() {
		if name, ok := strings.CutSuffix(file, ".md"); ok && namePattern().MatchString(name) {
			n++
		}
	}
	return n
}

// Notes returns all notes, the user's first. skipped holds a sentence for each file that is left
// out.
func (s *Store) Notes(ctx context.Context) (notes []Note, skipped []string) {
	agreed := s.Agreed.confirmedHashes()
	for _, scope := range []Scope{Person, Workspace} {
		folder := s.folderOf(scope)
		if folder == nil {
			continue
		}
		count := 0
		for _, file := range folder.List() {
			name, ok := strings.CutSuffix(file, ".md")
			if !ok {
				continue
			}
			n, err := Note{}, error(nil)
			switch count++; {
			case !namePattern().MatchString(name):
				err = errors.New("its name is not small letters, digits, - and _, at most 40")
			case count > MaxNotes:
				err = fmt.Errorf("there are more than %d", MaxNotes)
			default:
				n, err = s.readNote(ctx, scope, name, agreed)
			}
			if err != nil {
				skipped = append(skipped, fmt.Sprintf("%s/%s is not used: %v", scope, file, err))
				continue
			}
			notes = append(notes, n)
		}
	}
	return notes, skipped
}

// readNote reads one note. agreed holds the hashes of the confirmed texts by note name.
func (s *Store) readNote(ctx context.Context, scope Scope, name string, agreed map[string]string) (Note, error) {
	folder := s.folderOf(scope)
	if folder == nil {
		return Note{}, fmt.Errorf("there is no folder for notes of the %s", scope)
	}
	data, modified, err := folder.Read(ctx, name+".md")
	if err == nil {
		err = checkText(data)
	}
	if err != nil {
		return Note{}, err
	}
	n := parseNote(scope, name, strings.ReplaceAll(string(data), "\r\n", "\n"), modified)
	n.Text, n.Type = s.Secrets.Redact(n.Text), s.Secrets.Redact(n.Type)
	n.Foreign = scope == Workspace && agreed[name] != hashOf(data)
	return n, nil
}

// Note returns the note with an id or URL.
func (s *Store) Note(ctx context.Context, id string) (Note, error) {
	scope, name, err := ParseID(id)
	if err != nil {
		return Note{}, err
	}
	n, err := s.readNote(ctx, scope, name, s.Agreed.confirmedHashes())
	if err != nil {
		return Note{}, fmt.Errorf("there is no note %s/%s that can be read: %w", scope, name, err)
	}
	return n, nil
}

// Agree stores that the user has confirmed the present text of a workspace's note.
func (s *Store) Agree(ctx context.Context, name string) error {
	if s.Workspace == nil {
		return errors.New("the workspace has no notes")
	}
	data, _, err := s.Workspace.Read(ctx, name+".md")
	if err != nil {
		return err
	}
	return s.Agreed.Add(name, data)
}

// Found is a note that a search has found.
type Found struct {
	Note
	Score float64 // Score is between 0 and 1; 1 is the best match if it is of today.
}

// halfLife is the age at which a note counts three quarters as much as a new one. With age the
// factor approaches one half.
const halfLife = 90 * 24 * time.Hour

// Search returns at most limit notes that contain words of the query, the best first. The score
// depends on the words first, and then on the age of the note.
func (s *Store) Search(ctx context.Context, query string, limit int) []Found {
	notes, _ := s.Notes(ctx)
	docs := make([][]bm25.Part, len(notes))
	for i, n := range notes {
		docs[i] = []bm25.Part{{Text: n.Name, Weight: 3}, {Text: n.Type, Weight: 1}, {Text: n.Text, Weight: 1}}
	}
	hits := bm25.Rank(docs, query)
	var found []Found
	for _, hit := range hits {
		n := notes[hit.Index]
		age := max(s.Now().Sub(n.Date), 0)
		recency := (1 + math.Exp2(-float64(age)/float64(halfLife))) / 2
		found = append(found, Found{n, hit.Score / hits[0].Score * recency})
	}
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Date.Compare(a.Date))
	})
	return found[:min(limit, len(found))]
}
