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

// Limits on the old contents of changed files, which are stored for /undo. Each is a file in
// <id>.undo beside the log, named by its hash. The limits apply to all sessions of a workspace
// together; the oldest files are deleted first.
const (
	displacedAge  = 30 * 24 * time.Hour
	displacedEach = 64 << 20  // the number of bytes of old file contents that one session may have
	displacedAll  = 512 << 20 // the number of bytes of old file contents that all sessions of a workspace may have
	// displacedCheckAfter is the number of bytes that are written between two checks of the limits.
	// Each check lists all files. One is made when a session is opened.
	displacedCheckAfter = 4 << 20
)

var errNotKept = errors.New("the content is not kept")

// KeepChange records a file change, and stores the old content of the file unless it is nil or
// contains one of the user's API keys. It implements [undo.Store]. If the disk does not accept it,
// it waits in memory.
func (l *Log) KeepChange(c undo.Change, displaced []byte) error {
	return l.keepChange(kindChange, &c, displaced)
}

// BeginChange records that a file change is about to be made, with the old content of the file. If
// c is nil, it records that the change is not made after all.
func (l *Log) BeginChange(c *undo.Change, displaced []byte) error {
	return l.keepChange(kindBegin, c, displaced)
}

// keepChange stores the content before the entry, so that the content exists for every entry that a
// reader finds.
func (l *Log) keepChange(kind string, c *undo.Change, displaced []byte) error {
	err := errNotKept
	if displaced != nil {
		err = l.keepContent(displaced)
	}
	return errors.Join(l.appendEntry(entry{Kind: kind, Change: c}), err)
}

// KeepDenied records a file change that was denied, and stores the old and the new content unless
// they are nil or contain one of the user's API keys.
func (l *Log) KeepDenied(c undo.Change, before, after []byte) error {
	var err error
	for _, data := range [][]byte{before, after} {
		if data != nil {
			err = errors.Join(err, l.keepContent(data))
		}
	}
	return errors.Join(l.appendEntry(entry{Kind: kindDenied, Change: &c}), err)
}

// DeniedChanges returns the file changes of this session that were denied, oldest first.
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

// keepContent stores a content on the disk, or in memory for now. After an error it is stored
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

// writeContent writes a content to a file named by its sum. The caller holds l.mu.
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

// undoDir returns the directory for old file contents of the session whose log is at path.
func undoDir(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".undo" }

// trimDisplaced deletes the oldest stored contents until all sessions of the workspace are within
// the limits.
func (l *Log) trimDisplaced() {
	all := filepath.Join(filepath.Dir(l.Path()), "*.undo")
	keep.Trim(filepath.Join(all, "*"), keep.Bounds{Age: displacedAge, Each: displacedEach, Bytes: displacedAll},
		l.cfg.Now())
	dirs, _ := filepath.Glob(all)
	for _, dir := range dirs {
		os.Remove(dir) // fails unless it is empty
	}
}

// validSum reports whether sum is a SHA-256 sum in lower-case hexadecimal digits.
func validSum(sum string) bool { return len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == "" }

// Displaced returns the stored content with that SHA-256 sum.
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

// Changes returns the file changes of this session on all branches, oldest first.
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

// UnfinishedChange returns the file change that was about to be made when the session ended, or
// nil. Only the file itself shows whether the change was made.
func (l *Log) UnfinishedChange() (*undo.Change, error) {
	f, err := l.parsedFile()
	return f.unfinishedChange(), err
}

// unfinishedChange returns the file change that was begun last, if no entry says that it was made.
// Changes are made one at a time.
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

// copyChange appends a file change of another session, with the old content of the file. displaced
// returns contents of that session by their sums.
func (l *Log) copyChange(kind string, c undo.Change, displaced func(sum string) ([]byte, error)) error {
	if data, err := displaced(c.Before.Sum); err == nil {
		_ = l.keepContent(data) // what is not kept is told when it is wanted
	}
	return l.appendEntry(entry{Kind: kind, Change: &c})
}
