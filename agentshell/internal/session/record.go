package session

import (
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// Record is a session as its file tells it.
type Record struct {
	ID, Name, Model string
	Began           time.Time
	Spent           Spent
	Messages        []provider.Message // all of the conversation, also those that were compacted
	Damaged         int                // entries that cannot be read
	changes, denied []undo.Change
	undoDir         string
}

// Read returns a session. It changes nothing, and another process may have the session open.
func Read(cfg Config, id string) (Record, error) {
	f, err := readFile(cfg, id)
	if err != nil {
		return Record{}, err
	}
	r := Record{ID: id, Damaged: f.damaged, Spent: lastSpent(f.entries), changes: f.changes(),
		denied: f.deniedChanges()}
	r.Messages, _ = completed(f.fullMessages(len(f.entries)-1), nil)
	for _, e := range f.entries {
		if e.Kind == kindSession {
			r.Model, r.Began = e.Model, e.Time
			break
		}
	}
	if n := len(f.entries); n > 0 {
		r.Name = f.entries[n-1].Name
	}
	path, err := cfg.path(id)
	r.undoDir = undoDir(path)
	return r, err
}

// LoadChanges makes h the history of the changes of files in the session, for reading.
func (r Record) LoadChanges(h *undo.History) {
	h.Load(readStore{r.undoDir}, r.changes)
	h.LoadDenied(r.denied)
}

// readStore finds displaced content and keeps nothing.
type readStore struct{ dir string }

// KeepChange keeps nothing.
func (readStore) KeepChange(undo.Change, []byte) error { return errNotKept }

// BeginChange keeps nothing.
func (readStore) BeginChange(*undo.Change, []byte) error { return errNotKept }

// Displaced returns displaced content by its sum.
func (s readStore) Displaced(sum string) ([]byte, error) { return readDisplaced(s.dir, sum) }
