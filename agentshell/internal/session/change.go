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

// Bounds of the content that changes have displaced. It is kept in files in <id>.undo beside the
// log, named by their sums. The bounds hold for all sessions of a workspace together, and the
// newest files are kept.
const (
	displacedAge  = 30 * 24 * time.Hour
	displacedEach = 64 << 20  // bytes of one session
	displacedAll  = 512 << 20 // bytes of all sessions
	// displacedCheckAfter is the number of bytes that are written between two checks of the bounds.
	// Each check reads all names. A session begins with one.
	displacedCheckAfter = 4 << 20
)

var errNotKept = errors.New("the content is not kept")

// KeepChange appends a change of a file, and keeps the displaced content unless it is nil or holds
// a key. It implements [undo.Store]. What the disk does not accept waits in memory.
func (l *Log) KeepChange(c undo.Change, displaced []byte) error {
	return l.keepChange(kindChange, &c, displaced)
}

// BeginChange appends a change that is about to be made; nil: there is none.
func (l *Log) BeginChange(c *undo.Change, displaced []byte) error {
	return l.keepChange(kindBegin, c, displaced)
}

// keepChange stores the content before the entry, so that a reader who finds the entry finds the
// content, too.
func (l *Log) keepChange(kind string, c *undo.Change, displaced []byte) error {
	err := errNotKept
	if displaced != nil {
		err = l.keepContent(displaced)
	}
	return errors.Join(l.appendEntry(entry{Kind: kind, Change: c}), err)
}

// KeepDenied appends a change that was denied, and keeps the contents unless they are nil or hold a
// key.
func (l *Log) KeepDenied(c undo.Change, before, after []byte) error {
	var err error
	for _, data := range [][]byte{before, after} {
		if data != nil {
			err = errors.Join(err, l.keepContent(data))
		}
	}
	return errors.Join(l.appendEntry(entry{Kind: kindDenied, Change: &c}), err)
}

// DeniedChanges returns the changes that were denied in this session, the oldest first.
func (l *Log) DeniedChanges() ([]undo.Change, error) {
	f, err := l.parsedFile()
	return f.deniedChanges(), err
}

func (f file) deniedChanges() (list []undo.Change) {
	for _, e := range f.entries {
		if e.isDenied() {
			list = append(list, *e.Change)
		}
	}
	return list
}

// keepContent keeps content on the disk, or in memory for now. An error says that it is kept
// nowhere.
func (l *Log) keepContent(data []byte) error {
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
	if err == nil || !l.fitsMemory(len(data)) {
		return err
	}
	if b.contents == nil {
		b.contents = map[string][]byte{}
	}
	b.contents[sum] = bytes.Clone(data)
	b.size += len(data)
	return nil
}

// writeContent writes content to a file named by its sum. The caller holds l.mu.
func (l *Log) writeContent(sum string, data []byte) error {
	dir := undoDir(l.Path())
	if err := makePrivate(filepath.Dir(dir), dir); err != nil {
		return err
	}
	name := filepath.Join(dir, sum)
	if existing, err := regular.ReadFile(name); err == nil && bytes.Equal(existing, data) {
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
	if l.displacedBytes += len(data); l.displacedBytes >= displacedCheckAfter {
		l.displacedBytes = 0
		l.trimDisplaced()
	}
	return nil
}

// undoDir returns the directory of displaced content for the session in the file path.
func undoDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".undo" }

// trimDisplaced removes the oldest displaced content until all sessions of the workspace are within
// the bounds.
func (l *Log) trimDisplaced() {
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

// Displaced returns displaced content by its sum.
func (l *Log) Displaced(sum string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if data, waits := l.backlog.contents[sum]; waits {
		return bytes.Clone(data), nil
	}
	return readDisplaced(undoDir(l.Path()), sum)
}

func readDisplaced(dir, sum string) ([]byte, error) {
	if !validSum(sum) {
		return nil, errNotKept
	}
	data, err := regular.ReadFile(filepath.Join(dir, sum))
	if err != nil {
		return nil, errNotKept
	}
	return data, nil
}

// Changes returns the changes of files in this session, on all branches, the oldest first.
func (l *Log) Changes() ([]undo.Change, error) {
	f, err := l.parsedFile()
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

// UnfinishedChange returns the change that was about to be made when the session ended, or nil.
// Only the file tells whether it was made.
func (l *Log) UnfinishedChange() (*undo.Change, error) {
	f, err := l.parsedFile()
	return f.unfinishedChange(), err
}

// unfinishedChange returns the change of the last entry about changes, if that entry begins one.
// Changes are made one after the other.
func (f file) unfinishedChange() *undo.Change {
	for _, e := range slices.Backward(f.entries) {
		if e.isChange() {
			if e.Kind == kindBegin {
				return e.Change
			}
			break
		}
	}
	return nil
}

// copyChange appends a change of another session, with the content that it displaced.
func (l *Log) copyChange(kind string, c undo.Change, displaced func(sum string) ([]byte, error)) error {
	if data, err := displaced(c.Before.Sum); err == nil {
		_ = l.keepContent(data) // what is not kept is told when it is wanted
	}
	return l.appendEntry(entry{Kind: kind, Change: &c})
}
