// Package running tells the sessions of a workspace that run at the same time of each other.
//
// Each session has two files in one directory: a lock that its process holds, and a record that it
// replaces. There is no other process. A session that was killed leaves both, but holds the lock no
// longer; who reads the directory next notices that and removes them.
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

// Bounds of what is kept and read.
const (
	maxChanges  = 200       // changed files in a record
	maxSessions = 100       // records that are read
	maxRecord   = 256 << 10 // bytes of a record
	maxText     = 200       // bytes of a text in a record
)

// The states of a session.
const (
	Idle  = "idle"  // no turn runs
	Works = "works" // a turn runs
	Waits = "waits" // the person has to answer
)

// Record is what a session tells others of itself. To them its texts are untrusted.
type Record struct {
	ID      string    `json:"id"`    // of the session
	PID     int       `json:"pid"`   // of its process
	Front   string    `json:"front"` // where its person is: "terminal", "plain", "-p", "program" or "editor"
	Started time.Time `json:"started"`
	State   string    `json:"state"`
	Asks    string    `json:"asks,omitempty"` // what waits for an answer
	Changes []Change  `json:"changes,omitempty"`

	key string // of its files
}

// Change is the last change of a file in a session.
type Change struct {
	Path string    `json:"path"` // absolute
	At   time.Time `json:"at"`
}

// Directory is where the sessions of one workspace are. "" has none.
type Directory string

// Member is a session in a directory. It is safe for use by several goroutines. A nil one does
// nothing.
type Member struct {
	dir  Directory
	key  string
	lock *os.File

	mu     sync.Mutex
	record Record
	told   map[string]time.Time // changes of others that were told, by session and path
}

// Join adds a session to the directory, until it leaves or its process ends.
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

// The names of a session's files end in these.
const (
	lockSuffix   = ".lock"
	recordSuffix = ".json"
	newSuffix    = ".new" // of a record that is being written
)

func (d Directory) path(key, suffix string) string { return filepath.Join(string(d), key+suffix) }

// Update changes the record by what change does.
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

// write replaces the record. The caller holds m.mu, or is alone.
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

// shorten returns at most maxText bytes of a text.
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

// remove removes the files of a session, the lock last.
func (d Directory) remove(key string) {
	for _, suffix := range []string{newSuffix, recordSuffix, lockSuffix} {
		_ = os.Remove(d.path(key, suffix)) // nobody is told: the next reader tries again
	}
}

// Others returns the other sessions that run.
func (m *Member) Others() []Record {
	if m == nil {
		return nil
	}
	list, _ := m.dir.List()
	return slices.DeleteFunc(list, func(r Record) bool { return r.key == m.key })
}

// List returns the sessions that run, the oldest first, and those that were killed since the
// last look. The files of the latter are removed.
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

// read reads a record.
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

// ChangedBy is a change of a file by another session.
type ChangedBy struct {
	Record
	Change
}

// AlsoChanged returns the last change of a file by another session that runs. ok is false if there
// is none.
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

// NewConflicts returns the changes by other sessions, since this session changed the same file,
// that it has not returned yet.
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

// SetChanged puts a change of a file into a record.
func (r *Record) SetChanged(path string, at time.Time) {
	r.Changes = slices.DeleteFunc(r.Changes, func(c Change) bool { return c.Path == path })
	r.Changes = append(r.Changes, Change{path, at})
}
