package session

import (
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// Record is a session that was read from its file, for instance for an export.
type Record struct {
	ID, Name, Model string
	Began           time.Time
	Spent           Spent
	Messages        []provider.Message // the whole conversation, including messages that were compacted
	Damaged         int                // the number of entries that cannot be read
	changes, denied []undo.Change
	undoDir         string
}

// Read reads a session. It changes nothing, and another process may have the session open.
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

// LoadChanges loads the file changes of the session into h, for reading only.
func (r Record) LoadChanges(h *undo.History) {
	h.Load(readStore{r.undoDir}, r.changes)
	h.LoadDenied(r.denied)
}

// readStore implements undo.Store for reading only: it finds old file contents, and stores nothing.
type readStore struct{ dir string }

// KeepChange returns an error, because the store is read-only.
func (readStore) KeepChange(undo.Change, []byte) error { return errNotKept }

// BeginChange returns an error, because the store is read-only.
func (readStore) BeginChange(*undo.Change, []byte) error { return errNotKept }

// Displaced returns the stored content with that SHA-256 sum.
func (s readStore) Displaced(sum string) ([]byte, error) { return readDisplaced(s.dir, sum) }
