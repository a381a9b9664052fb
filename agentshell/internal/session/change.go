package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/keep"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// What is kept of the content that changes displaced: files named by their sums in <id>.undo beside
// the log, the newest up to these bounds, for the sessions of one workspace together.
const (
	displacedAge  = 30 * 24 * time.Hour
	displacedEach = 64 << 20  // bytes of one session
	displacedAll  = 512 << 20 // bytes of all
	// displacedSlack is how much is written between two looks at all that is kept. Each reads all
	// names, of a long day thousands. A session begins with one.
	displacedSlack = 4 << 20
)

var errNotKept = errors.New("the content is not kept")

// KeepChange appends a change of a file and keeps what it displaced, if that is not nil and holds
// no key. It is a [undo.Store]. What the disk does not take waits in memory.
func (l *Log) KeepChange(c undo.Change, displaced []byte) error {
	return l.keepChange(kindChange, &c, displaced)
}

// BeginChange does the same for a change that is about to be made; nil: none is.
func (l *Log) BeginChange(c *undo.Change, displaced []byte) error {
	return l.keepChange(kindBegin, c, displaced)
}

// keepChange keeps the content first, so that a reader who finds the entry finds it, too.
func (l *Log) keepChange(kind string, c *undo.Change, displaced []byte) error {
	err := errNotKept
	if displaced != nil {
		err = l.displace(displaced)
	}
	return errors.Join(l.append(entry{Kind: kind, Change: c}), err)
}

// displace keeps content, on the disk or for now in memory. An error: neither.
func (l *Log) displace(data []byte) error {
	if len(data) > displacedEach || l.cfg.Secrets.Contains(data) {
		return errNotKept
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := &l.backlog
	hash := sha256.Sum256(data)
	sum := hex.EncodeToString(hash[:])
	if _, waits := b.contents[sum]; waits {
		return nil
	}
	err := l.writeContent(sum, data)
	if err == nil || !l.fits(len(data)) {
		return err
	}
	if b.contents == nil {
		b.contents = map[string][]byte{}
	}
	b.contents[sum] = bytes.Clone(data)
	b.size += len(data)
	return nil
}

// writeContent writes content under its sum. It wants l.mu.
func (l *Log) writeContent(sum string, data []byte) error {
	dir := undoDir(l.Path())
	if err := makePrivate(filepath.Dir(dir), dir); err != nil {
		return err
	}
	name := filepath.Join(dir, sum)
	if was, err := regular.ReadFile(name); err == nil && bytes.Equal(was, data) {
		return os.Chtimes(name, time.Time{}, l.cfg.Now()) // the same content again is the newest
	}
	os.Remove(name) // a kill has torn it
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(name)
		return err
	}
	if l.kept += len(data); l.kept >= displacedSlack {
		l.kept = 0
		l.trim()
	}
	return nil
}

// undoDir returns where the content lies that changes of the session in the file path displaced.
func undoDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".undo" }

// trim holds all sessions of the workspace within the bounds.
func (l *Log) trim() {
	all := filepath.Join(filepath.Dir(l.Path()), "*.undo")
	keep.Trim(filepath.Join(all, "*"), keep.Bounds{Age: displacedAge, Each: displacedEach, Bytes: displacedAll},
		l.cfg.Now())
	dirs, _ := filepath.Glob(all)
	for _, dir := range dirs {
		os.Remove(dir) // fails unless it is empty
	}
}

// validSum reports whether sum is a SHA-256 sum in lower hexadecimal digits.
func validSum(sum string) bool { return len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == "" }

// Displaced returns content that was kept, by its sum.
func (l *Log) Displaced(sum string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if data, waits := l.backlog.contents[sum]; waits {
		return bytes.Clone(data), nil
	}
	return displaced(undoDir(l.Path()), sum)
}

func displaced(dir, sum string) ([]byte, error) {
	if !validSum(sum) {
		return nil, errNotKept
	}
	data, err := regular.ReadFile(filepath.Join(dir, sum))
	if err != nil {
		return nil, errNotKept
	}
	return data, nil
}

// Changes returns the changes of files that the session made, on every branch of it, the oldest
// first.
func (l *Log) Changes() ([]undo.Change, error) {
	f, err := l.contents()
	return f.changes(), err
}

func (f file) changes() []undo.Change {
	var list []undo.Change
	for _, e := range f.entries {
		if e.Kind == kindChange && e.Change != nil && (len(list) == 0 || e.Change.N > list[len(list)-1].N) {
			list = append(list, *e.Change)
		}
	}
	return list
}

// Begun returns the change that the session was about to make when it ended, or nil: whether it was
// made only the file tells.
func (l *Log) Begun() (*undo.Change, error) {
	f, err := l.contents()
	return f.begun(), err
}

// begun returns the change of the last entry about changes if that is one that begins: they are
// made one after the other.
func (f file) begun() *undo.Change {
	for _, e := range slices.Backward(f.entries) {
		if e.aside() {
			if e.Kind == kindBegin {
				return e.Change
			}
			break
		}
	}
	return nil
}

// inherit takes over a change of another session, and what it displaced.
func (l *Log) inherit(kind string, c undo.Change, displaced func(sum string) ([]byte, error)) error {
	if data, err := displaced(c.Before.Sum); err == nil {
		_ = l.displace(data) // what is not kept is told when it is wanted
	}
	return l.append(entry{Kind: kind, Change: &c})
}
