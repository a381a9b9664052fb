// Package running lets sessions that run in the same workspace at the same time know of each other.
//
// Each session has two files in one directory: a lock file, which its process keeps locked, and a
// record with facts about the session. There is no further process. If a session is killed, both
// files stay, but the lock is released; the next process that reads the directory notices this and
// deletes the files.
package running

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Limits on the records of running sessions.
const (
	maxChanges  = 200       // the number of changed files in one record
	maxSessions = 100       // the number of records that are read from a directory
	maxRecord   = 256 << 10 // the number of bytes of one record that are read
	maxText     = 200       // the number of bytes to which a text in a record is cut
)

// The states of a running session.
const (
	Idle  = "idle"  // no turn of the session runs
	Works = "works" // a turn of the session runs
	Waits = "waits" // the session waits for the user's answer to a question
)

// Record holds the facts about a running session that other sessions can read. Its texts are
// untrusted for them.
type Record struct {
	ID      string    `json:"id"`    // the id of the session
	PID     int       `json:"pid"`   // the id of its process
	Front   string    `json:"front"` // its front end: "terminal", "plain", "-p", "program" or "editor"
	Started time.Time `json:"started"`
	State   string    `json:"state"`
	Asks    string    `json:"asks,omitempty"` // the question that waits for an answer
	Changes []Change  `json:"changes,omitempty"`

	key string // the name of its files without their suffix
}

// Change is the last change that a session has made to a file.
type Change struct {
	Path string    `json:"path"` // the absolute path of the file
	At   time.Time `json:"at"`
}

// Directory is the directory with the files of all running sessions of a workspace. If it is "",
// nothing is stored or found.
type Directory string

// Member is this process's session in a Directory. It is safe for use by several goroutines. The
// methods of a nil Member do nothing.
type Member struct {
	dir  Directory
	key  string
	lock *os.File

	mu     sync.Mutex
	record Record
	// the times of other sessions' changes that were returned already, by session and path
	told map[string]time.Time
}

// Join adds a session to the directory. It stays there until Leave is called or its process ends.
func (d Directory) Join(r Record) (*Member, error) {
	if d == "" {
		return nil, errors.New("there is no directory for running sessions")
	}
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return nil, err
	}
	m := &Member{dir: d, key: rand.Text(), record: r, told: map[string]time.Time{}}
	var err error
	if m.lock, err = createLocked(d.path(m.key, lockSuffix)); err != nil {
		return nil, err
	}
	if err := m.write(); err != nil {
		return nil, errors.Join(err, m.Leave())
	}
	return m, nil
}

// The suffixes of the files of a session.
const (
	lockSuffix   = ".lock"
	recordSuffix = ".json"
	newSuffix    = ".new" // the suffix of a record while it is being written
)

func (d Directory) path(key, suffix string) string { return filepath.Join(string(d), key+suffix) }

// Update calls change with the session's record, and stores the record if it has changed.
func (m *Member) Update(change func(*Record)) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	before, _ := json.Marshal(m.record)
	change(&m.record)
	if after, _ := json.Marshal(m.record); slices.Equal(before, after) {
		return nil
	}
	return m.write()
}

// write writes the record to its file. The caller holds m.mu, or is the only user of m.
func (m *Member) write() error {
	m.record.Asks = shorten(m.record.Asks)
	m.record.Changes = m.record.Changes[max(0, len(m.record.Changes)-maxChanges):]
	data, err := json.Marshal(m.record)
	if err != nil {
		return err
	}
	temp := m.dir.path(m.key, newSuffix)
	if err := os.WriteFile(temp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temp, m.dir.path(m.key, recordSuffix))
}

// shorten returns text, cut to about maxText bytes.
func shorten(text string) string {
	if len(text) <= maxText {
		return text
	}
	return strings.ToValidUTF8(width.Head(text, maxText), "") + "..."
}

// Leave removes the session from the directory.
func (m *Member) Leave() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lock == nil {
		return nil
	}
	m.dir.remove(m.key)
	err := m.lock.Close()
	m.lock = nil
	return err
}

// remove deletes the files of a session, the lock last.
func (d Directory) remove(key string) {
	for _, suffix := range []string{newSuffix, recordSuffix, lockSuffix} {
		_ = os.Remove(d.path(key, suffix)) // nobody is told: the next reader tries again
	}
}

// Others returns the records of the other running sessions.
func (m *Member) Others() []Record {
	if m == nil {
		return nil
	}
	list, _ := m.dir.List()
	return slices.DeleteFunc(list, func(r Record) bool { return r.key == m.key })
}

// List returns the running sessions, oldest first, and the sessions that were killed since the last
// call in any process. It deletes the files of the latter.
func (d Directory) List() (runs, killed []Record) {
	if d == "" {
		return nil, nil
	}
	dir, err := regular.OpenDir(string(d))
	if err != nil {
		return nil, nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(10 * maxSessions) // what was read is enough
	slices.Sort(names)
	for _, name := range names {
		key, ok := strings.CutSuffix(name, lockSuffix)
		if !ok || len(runs)+len(killed) == maxSessions {
			continue
		}
		free, err := tryLock(d.path(key, lockSuffix))
		if err != nil {
			continue // it has just left
		}
		r, readErr := d.read(key)
		if free != nil {
			if readErr == nil {
				killed = append(killed, r)
			}
			d.remove(key)
			free.Close()
		} else if readErr == nil {
			runs = append(runs, r)
		}
	}
	for _, list := range [][]Record{runs, killed} {
		slices.SortFunc(list, func(a, b Record) int {
			return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.key, b.key))
		})
	}
	return runs, killed
}

// read reads the record of a session.
func (d Directory) read(key string) (r Record, err error) {
	f, err := regular.Open(d.path(key, recordSuffix))
	if err != nil {
		return r, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxRecord))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	r.key = key
	r.Asks = shorten(r.Asks)
	return r, err
}

// ChangedBy is a change of a file, and the session that made it.
type ChangedBy struct {
	Record
	Change
}

// AlsoChanged returns the latest change of the file by another running session. ok is false if
// there is none.
func (m *Member) AlsoChanged(path string) (last ChangedBy, ok bool) {
	for _, r := range m.Others() {
		for _, c := range r.Changes {
			if c.Path == path && (!ok || c.At.After(last.At)) {
				last, ok = ChangedBy{r, c}, true
			}
		}
	}
	return last, ok
}

// NewConflicts returns changes that other sessions have made to a file after this session changed
// it. It returns each change only once.
func (m *Member) NewConflicts() (list []ChangedBy) {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	own := slices.Clone(m.record.Changes)
	m.mu.Unlock()
	if len(own) == 0 {
		return nil
	}
	others := m.Others()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, mine := range own {
		for _, r := range others {
			for _, c := range r.Changes {
				id := r.key + " " + c.Path
				if c.Path == mine.Path && c.At.After(mine.At) && c.At.After(m.told[id]) {
					m.told[id] = c.At
					list = append(list, ChangedBy{r, c})
				}
			}
		}
	}
	return list
}

// SetChanged records a change of a file, in place of an earlier one of the same file.
func (r *Record) SetChanged(path string, at time.Time) {
	r.Changes = slices.DeleteFunc(r.Changes, func(c Change) bool { return c.Path == path })
	r.Changes = append(r.Changes, Change{path, at})
}
