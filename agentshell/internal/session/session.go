// Package session keeps conversations: one append-only file of JSON lines each, which a crash
// cannot break.
//
// A file is <dir>/<hash of the workspace>/<id>.jsonl; directories are 0700, files 0600, and one
// process at a time has it open. Each line is an entry with id, parent, time and kind; the
// conversation is the way from the last entry up to the root. Each entry is on the disk before
// Append returns, or, where the disk does not take it, in memory, from where it is written as soon
// as there is room: [Log.News] tells of that. Values of keys are replaced before they are written.
package session

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

var (
	// ErrLocked says that another process has the session open. Fork goes on with a copy.
	ErrLocked = errors.New("another shell has this session open")
	// ErrInside says that the log would lie inside the workspace, where tools could read it.
	ErrInside = errors.New("the directory of the session logs lies inside the workspace")
	// ErrID says that an id cannot be one.
	ErrID = errors.New("a session id is 8 to 40 of the characters 0-9 a-z -")
	// ErrUnknown says that there is no such session for this workspace.
	ErrUnknown = errors.New("there is no such session for this workspace")
)

// ValidID reports whether id can be one. (No regular expression: it would be compiled at every
// start.)
func ValidID(id string) bool {
	return len(id) >= 8 && len(id) <= 40 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz-") == ""
}

// Config says where sessions are kept. All of it is needed, but Secrets may be empty.
type Config struct {
	Dir       string // absolute; made when it is missing
	Workspace string // its real absolute path
	Model     string // for the first entry
	Secrets   secret.Set
	Now       func() time.Time
	Random    io.Reader
	Backlog   int             // bytes that may wait in memory until they can be written; 0: 64 MiB
	Pictures  int             // bytes of pictures that the session keeps; 0: 32 MiB
	Wrap      func(File) File // between a log and its file, for tests; nil: nothing
}

// Log is an open session. It is for one goroutine, and for a second one that tells of changes.
type Log struct {
	cfg Config
	id  string

	mu       sync.Mutex // of all that follows
	sink     sink
	backlog  backlog
	next     int    // number of the next entry
	leaf     string // id of the last one
	count    int    // of the person's messages in its conversation
	pictures int    // bytes of pictures in the file
	kept     int    // bytes of displaced content since the last look at all that is kept
	new      bool   // made by Create; without a message it is not kept
	passed   int    // damaged entries that were told of
	batch    bool   // what is appended waits until all of it is there
	resumed  *text  // what the file held when the session was resumed; nil: that is over
	// Repaired says what had to be mended when the session was opened, one sentence each.
	Repaired []string
}

// NewID makes an id: the time, and 5 bytes of random.
func NewID(now time.Time, random io.Reader) (string, error) {
	var b [5]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("no id for the session: %w", err)
	}
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:]), nil
}

// Create begins a session.
func Create(cfg Config) (*Log, error) {
	id, err := NewID(cfg.Now(), cfg.Random)
	if err != nil {
		return nil, err
	}
	return create(cfg, id)
}

func create(cfg Config, id string) (*Log, error) {
	path, err := cfg.path(id)
	if err != nil {
		return nil, err
	}
	if err := makePrivate(cfg.Dir, filepath.Dir(path)); err != nil {
		return nil, err
	}
	l := &Log{cfg: cfg, id: id, next: 1, new: true, sink: cfg.sink(path)}
	if l.sink.file, err = l.sink.open(os.O_RDWR | os.O_CREATE | os.O_EXCL); err != nil {
		return nil, err
	}
	if err := l.append(entry{Kind: kindSession, Version: 1, Workspace: cfg.Workspace, Model: cfg.Model}); err != nil {
		l.sink.file.Close()
		return nil, err
	}
	l.trim()
	return l, nil
}

// Resume opens a session and gives its conversation, in which every tool call has a result. What a
// crash has left half written is removed from the file; Repaired says so.
func Resume(cfg Config, id string) (*Log, []provider.Message, error) {
	path, err := cfg.path(id)
	if err != nil {
		return nil, nil, err
	}
	l := &Log{cfg: cfg, id: id, sink: cfg.sink(path)}
	l.sink.file, err = l.sink.open(os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w: %s", ErrUnknown, id)
	} else if err != nil {
		return nil, nil, err
	}
	messages, err := l.load()
	if err != nil {
		l.sink.file.Close()
		return nil, nil, err
	}
	l.trim()
	return l, messages, nil
}

// Fork copies the conversation of a session, which another process may have open, into a new one.
func Fork(cfg Config, id string) (*Log, []provider.Message, error) {
	f, err := read(cfg, id)
	if err != nil {
		return nil, nil, err
	}
	path, err := cfg.path(id)
	if err != nil {
		return nil, nil, err
	}
	dir := undoDir(path)
	return fork(cfg, f, func(sum string) ([]byte, error) { return displaced(dir, sum) })
}

// Fork copies the conversation into a new session, also what waits to be written.
func (l *Log) Fork() (*Log, []provider.Message, error) {
	f, err := l.contents()
	if err != nil {
		return nil, nil, err
	}
	return fork(l.cfg, f, l.Displaced)
}

func fork(cfg Config, f file, displaced func(sum string) ([]byte, error)) (*Log, []provider.Message, error) {
	l, err := Create(cfg)
	if err != nil {
		return nil, nil, err
	}
	root := l.leaf
	l.batch = true
	on := map[int]bool{}
	for _, i := range f.path(len(f.entries) - 1) {
		on[i] = true
	}
	changes := 0
	for i, e := range f.entries { // with what was compacted, which may be read again
		switch {
		case err != nil:
		case on[i] && e.stands():
			err = l.append(entry{Kind: e.Kind, Role: e.Role, Parts: e.Parts, Messages: e.Messages, Kept: e.Kept,
				Text: e.Text, Target: l.leaf, Count: l.count})
		case e.Kind == kindChange && e.Change != nil && e.Change.N > changes: // also those of other branches
			changes = e.Change.N
			err = l.inherit(kindChange, *e.Change, displaced)
		}
	}
	l.pictures = keptBytes(f.entries)
	var (
		messages []provider.Message
		added    int
	)
	if err == nil {
		messages, added, err = l.complete(f.messages(), root)
	}
	if c := f.begun(); err == nil && c != nil {
		err = l.inherit(kindBegin, *c, displaced)
	}
	l.batch = false
	_ = l.Flush() // what is not written yet waits, as ever
	if err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	l.note(f.damaged, "damaged entries were passed over")
	l.note(added, "an interrupted tool call got a result")
	return l, messages, nil
}

// Read gives all that was said in the conversation of a session, which another process may have
// open, as if nothing had been compacted, and changes nothing. passed counts the damaged entries
// that are not in it.
func Read(cfg Config, id string) (messages []provider.Message, passed int, err error) {
	f, err := read(cfg, id)
	messages, _ = whole(f.said(len(f.entries) - 1))
	return messages, f.damaged, err
}

func read(cfg Config, id string) (file, error) {
	path, err := cfg.path(id)
	if err != nil {
		return file{}, err
	}
	text, err := regular.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, fmt.Errorf("%w: %s", ErrUnknown, id)
	}
	return parse(text), err
}

// load reads the file, cuts off what is torn, and completes the conversation.
func (l *Log) load() ([]provider.Message, error) {
	text, err := l.sink.text()
	if err != nil {
		return nil, err
	}
	read := parse(text)
	if len(read.entries) == 0 {
		return nil, fmt.Errorf("%s holds no session", l.Path())
	}
	l.remember(textOf(text, read))
	if l.sink.end = int64(read.end); read.end < len(text) {
		l.sink.torn = true
		if _, err := l.sink.mend(); err != nil {
			return nil, err
		}
		l.note(len(text)-read.end, "bytes of a half-written entry were removed")
	}
	l.note(read.damaged, "damaged entries were passed over")
	l.passed = read.damaged
	l.pictures = keptBytes(read.entries)
	last := read.entries[len(read.entries)-1]
	l.count = last.Count
	if l.leaf, l.next = last.ID, read.highest+1; last.aside() {
		l.leaf = last.Parent
	}
	messages, added, err := l.complete(read.messages(), read.root())
	l.note(added, "an interrupted tool call got a result")
	return messages, err
}

// complete gives every call in messages, the conversation of l.leaf, its result, and appends what
// was missing: a broken conversation becomes a new branch from root.
func (l *Log) complete(messages []provider.Message, root string) (list []provider.Message, added int, err error) {
	list, added = whole(messages)
	if reflect.DeepEqual(list, messages) {
		return list, added, nil
	}
	missing := list
	if n := len(messages); n <= len(list) && reflect.DeepEqual(list[:n], messages) {
		missing = list[n:] // the usual case: results at the end
	} else {
		l.leaf, l.count = root, 0
	}
	for _, m := range missing {
		if err := l.Append(m); err != nil {
			return nil, 0, err
		}
	}
	return list, added, nil
}

func (l *Log) note(n int, what string) {
	if n > 0 {
		l.Repaired = append(l.Repaired, fmt.Sprintf("%s (%d)", what, n))
	}
}

// ID names the session.
func (l *Log) ID() string { return l.id }

// Path returns the file.
func (l *Log) Path() string { return l.sink.path }

// Append adds a message to the conversation.
func (l *Log) Append(m provider.Message) error {
	m = m.Redact(l.cfg.Secrets)
	return l.append(entry{Kind: kindMessage, Role: string(m.Role), Parts: l.encode(m.Parts)})
}

// Count returns how many messages of the person's are in the conversation.
func (l *Log) Count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

// Clear begins an empty conversation in the same session.
func (l *Log) Clear() error { return l.append(entry{Kind: kindClear}) }

// append adds an entry and waits until it is on the disk, or in the backlog.
func (l *Log) append(e entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	e.ID, e.Parent, e.Time = strconv.Itoa(l.next), l.leaf, l.cfg.Now().UTC()
	switch {
	case e.Kind == kindClear:
		e.Parent, l.count = "", 0
	case e.Kind == kindMove, e.Kind == kindSummary:
		e.Parent, l.count = e.Target, e.Count
	case e.Kind == kindReport:
		if e.Parent = e.Target; e.Kept == 0 { // else all of the conversation is in it
			l.count = e.Count + e.asked()
		}
	case e.asks():
		l.count++
	}
	e.Count = l.count
	line, err := e.line(l.cfg.Secrets)
	if err != nil {
		return fmt.Errorf("session log: %w", err)
	}
	l.next++
	l.resumed = nil
	if !e.aside() {
		l.leaf = e.ID
	}
	l.put(line)
	return nil
}

// Empty reports whether nothing was said yet.
func (l *Log) Empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.empty()
}

func (l *Log) empty() bool { return l.new && l.next == 2 }

// Close lets others open the session. A new one in which nothing was said is removed. An error says
// what could not be written; it is lost then.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.backlog.stop()
	if !l.empty() {
		return errors.Join(l.rest(), l.sink.file.Close())
	}
	err := l.sink.remove()
	return errors.Join(err, l.sink.file.Close())
}

// Recent lists the sessions of the workspace, the one that was written last first.
func Recent(cfg Config) ([]string, error) {
	path, err := cfg.path("any-session")
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	type session struct {
		id string
		at time.Time
	}
	var list []session
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		info, err := e.Info()
		if ok && err == nil && ValidID(id) {
			list = append(list, session{id, info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b session) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id)) })
	var ids []string
	for _, s := range list {
		ids = append(ids, s.id)
	}
	return ids, nil
}

// path returns the file of a session. It refuses ids that could name another file, and a place
// inside the workspace.
func (c Config) path(id string) (string, error) {
	if !ValidID(id) {
		return "", ErrID
	}
	if !filepath.IsAbs(c.Dir) || !filepath.IsAbs(c.Workspace) {
		return "",
			errors.New("session: the workspace and the directory of the logs must be absolute paths: is HOME or " +
				"XDG_STATE_HOME set?")
	}
	dir := c.Dir
	if real, err := realPath(dir); err != nil {
		return "", err
	} else if rel, err := filepath.Rel(c.Workspace, real); err == nil && rel != ".." && !strings.HasPrefix(rel,
		".."+string(filepath.Separator)) {
		return "", ErrInside
	}
	sum := sha256.Sum256([]byte(c.Workspace))
	return filepath.Join(dir, hex.EncodeToString(sum[:8]), id+".jsonl"), nil
}

// realPath resolves the links of a path whose last parts may not exist yet.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link that leads nowhere", path)
	}
	if real, err = realPath(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(path)), nil
}

// makePrivate makes dir and its child sub, and takes them from everybody else.
func makePrivate(dir, sub string) error {
	if err := os.MkdirAll(sub, 0o700); err != nil {
		return err
	}
	for _, d := range []string{dir, sub} {
		if err := os.Chmod(d, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// sink returns the sink of the file at path. It is not open yet.
func (c Config) sink(path string) sink {
	return sink{path: path, open: func(flag int) (File, error) {
		f, err := open(path, flag)
		if err != nil {
			return nil, err
		}
		if c.Wrap != nil {
			return c.Wrap(f), nil
		}
		return f, nil
	}}
}

// open opens and locks a file for appending.
func open(path string, flag int) (*os.File, error) {
	file, err := regular.OpenFile(path, flag|os.O_APPEND|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err == nil {
		err = lock(file)
	}
	if err == nil {
		err = file.Chmod(0o600)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
