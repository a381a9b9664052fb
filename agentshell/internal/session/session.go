// Package session stores conversations: each one as an append-only file of JSON lines, which a
// crash cannot damage.
//
// A file is <dir>/<hash of the workspace>/<id>.jsonl. Directories have the mode 0700, files 0600,
// and only one process at a time can have a file open. Each line is an entry with id, parent, time
// and kind; the conversation is the path from the first entry to the last one. When Append returns,
// the entry is on the disk. If the disk does not accept it, it waits in memory, and is written as
// soon as possible; [Log.News] reports that. The user's API keys are replaced in all that is
// written.
//
// The sub-agents of a session have logs of the same form in the directory <id>.agents. Long outputs
// of tools are files in <id>.outputs, and old contents of changed files in <id>.undo.
package session

import (
	"cmp"
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

// Errors from opening a session.
var (
	// ErrLocked is returned if another process has the session open. Fork can continue with a copy.
	ErrLocked = errors.New("another shell has this session open")
	// ErrInside is returned if the log would lie in the workspace, where tools could read it.
	ErrInside = errors.New("the directory of the session logs lies inside the workspace")
	// ErrID is returned for a text that is not a valid session id.
	ErrID = errors.New("a session id is 8 to 40 of the characters 0-9 a-z -")
	// ErrUnknown is returned if the workspace has no session with that id.
	ErrUnknown = errors.New("there is no such session for this workspace")
)

// ValidID reports whether id has the form of a session id. It uses no regular expression, which
// would have to be compiled at every start.
func ValidID(id string) bool {
	return len(id) >= 8 && len(id) <= 40 && strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz-") == ""
}

// Config says where and how sessions are stored. Dir, Workspace, Model, Now and Random are
// required.
type Config struct {
	Dir       string // an absolute path; the directory is created if it is missing
	Workspace string // the absolute path of the workspace, without symbolic links
	Model     string // the name of the model, stored in the first entry
	Secrets   secret.Set
	Now       func() time.Time
	Random    io.Reader
	Backlog   int             // bytes that may wait in memory to be written; 0: 64 MiB
	Pictures  int             // bytes of pictures in one session; 0: 32 MiB
	Wrap      func(File) File // wraps the log file in tests; nil: it is used as it is
}

// Log is the log of an open session. It may be used by one goroutine, and by a second one that
// records file changes.
type Log struct {
	cfg Config
	id  string

	mu             sync.Mutex // guards everything below
	sink           sink
	backlog        backlog
	next           int         // the number of the next entry
	leaf           string      // the id of the last entry of the current branch
	count          int         // the number of the user's messages in the conversation
	name           string      // the name that the user has given to the session
	pictures       int         // the number of bytes of pictures in the file
	displacedBytes int         // bytes of old file contents written since their total size was last checked
	outputBytes    int         // bytes of tool outputs written since their total size was last checked
	spent          Spent       // the cost of the session so far
	spentStored    Spent       // the cost in the last entry that has it
	choices        Choices     // the user's choices, which the next entry stores if they are new
	choicesStored  Choices     // the choices in the last entry that has them
	choiceDue      bool        // the user has just made choices; Close stores them if no entry has
	noted          bool        // the calls of the last message get an entry each before they run
	isNew          bool        // the session was made by Create; its file is removed if no message is added
	damagedTold    int         // the number of damaged entries that the user was told about
	delayWrites    bool        // new entries wait in memory; they are written together later
	resumed        *parsedText // the parsed file of a session that was just resumed; nil: no longer needed
	// Repaired lists what was repaired when the session was opened, one sentence each.
	Repaired []string
	// Cut lists the calls that had no result when the session was opened, and may have had effects.
	// Each now has a result that says so.
	Cut []provider.ToolCall
	// NotRun lists the calls that had no result when the session was opened, and certainly had no
	// effect.
	NotRun []provider.ToolCall
}

// NewID returns a new session id: the time, followed by 5 random bytes in hexadecimal digits.
func NewID(now time.Time, random io.Reader) (string, error) {
	var b [5]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("no id for the session: %w", err)
	}
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:]), nil
}

// Create creates the log of a new session.
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
	l, err := createAt(cfg, id, path)
	if err == nil {
		l.trimDisplaced()
		l.trimOutputs()
		l.removeOrphans()
	}
	return l, err
}

// createAt creates the log file at path. Its directory must exist.
func createAt(cfg Config, id, path string) (l *Log, err error) {
	l = &Log{cfg: cfg, id: id, next: 1, isNew: true, sink: cfg.newSink(path)}
	if l.sink.file, err = l.sink.open(os.O_RDWR | os.O_CREATE | os.O_EXCL); err != nil {
		return nil, err
	}
	if err := l.appendEntry(entry{Kind: kindSession, Version: 1, Workspace: cfg.Workspace,
		Model: cfg.Model}); err != nil {
		l.sink.file.Close()
		return nil, err
	}
	return l, nil
}

// Resume opens a session and returns its conversation, in which every tool call has a result. An
// incomplete entry at the end of the file is removed, which is reported in Repaired.
func Resume(cfg Config, id string) (*Log, []provider.Message, error) {
	path, err := cfg.path(id)
	if err != nil {
		return nil, nil, err
	}
	l := &Log{cfg: cfg, id: id, sink: cfg.newSink(path)}
	messages, err := l.reopen()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%w: %s", ErrUnknown, id)
	} else if err != nil {
		return nil, nil, err
	}
	l.trimDisplaced()
	l.trimOutputs()
	return l, messages, nil
}

// reopen opens and loads the existing log file.
func (l *Log) reopen() (messages []provider.Message, err error) {
	if l.sink.file, err = l.sink.open(os.O_RDWR); err != nil {
		return nil, err
	}
	if messages, err = l.load(); err != nil {
		l.sink.file.Close()
	}
	return messages, err
}

// Fork copies the conversation of a session into a new session. It works even if another process
// has the session open.
func Fork(cfg Config, id string) (*Log, []provider.Message, error) {
	f, err := readFile(cfg, id)
	if err != nil {
		return nil, nil, err
	}
	path, err := cfg.path(id)
	if err != nil {
		return nil, nil, err
	}
	dir := undoDir(path)
	return fork(cfg, f, len(f.entries)-1, path, func(sum string) ([]byte, error) { return readDisplaced(dir, sum) })
}

// Fork copies the conversation into a new session, including entries that are not on the disk yet.
func (l *Log) Fork() (*Log, []provider.Message, error) {
	f, err := l.parsedFile()
	if err != nil {
		return nil, nil, err
	}
	return fork(l.cfg, f, len(f.entries)-1, l.Path(), l.Displaced)
}

// Branch copies the conversation up to and including the entry id into a new session; if id is "",
// the new conversation is empty. The entry may be on any branch.
func (l *Log) Branch(id string) (*Log, []provider.Message, error) {
	f, err := l.parsedFile()
	if err != nil {
		return nil, nil, err
	}
	last, err := f.moveTarget(id)
	if err != nil {
		return nil, nil, err
	}
	return fork(l.cfg, f, last, l.Path(), l.Displaced)
}

// fork copies the conversation of f, the file at path, up to the entry with index last into a new
// session. displaced returns old file contents by their sum.
func fork(cfg Config, f file, last int, path string, displaced func(sum string) ([]byte, error)) (*Log,
	[]provider.Message, error) {
	l, err := Create(cfg)
	if err != nil {
		return nil, nil, err
	}
	root := l.leaf
	l.delayWrites, l.spent = true, lastSpent(f.entries)
	onPath := map[int]bool{}
	for _, i := range f.path(last) {
		onPath[i] = true
	}
	changes := 0
	l.choices = f.choicesAt(last) // the first entry stores them
	for i, e := range f.entries { // with what was compacted, which may be read again
		switch {
		case err != nil:
		case onPath[i] && e.isMessage():
			err = l.appendEntry(entry{Kind: e.Kind, Role: e.Role, Parts: e.Parts, Messages: e.Messages, Kept: e.Kept,
				Text: e.Text, Target: l.leaf, Count: l.count})
		case e.Kind == kindDir:
			err = l.appendEntry(entry{Kind: kindDir, Text: e.Text})
		case e.Kind == kindChange && e.Change != nil && e.Change.N > changes: // also those of other branches
			changes = e.Change.N
			err = l.copyChange(kindChange, *e.Change, displaced)
		case e.isDenied():
			if data, missing := displaced(e.Change.After.Sum); missing == nil {
				_ = l.keepContent(data)
			}
			err = l.copyChange(kindDenied, *e.Change, displaced)
		}
	}
	l.pictures = pictureBytes(f.entries)
	var (
		messages []provider.Message
		cut      []cutCall
	)
	if err == nil {
		messages, cut, err = l.complete(f.messagesUpTo(last), root, nil)
	}
	if change := f.unfinishedChange(); err == nil && change != nil {
		err = l.copyChange(kindBegin, *change, displaced)
	}
	l.delayWrites = false
	_ = l.Flush() // what is not written yet waits, as ever
	if err == nil {
		err = l.copyAgents(agentsDir(path))
	}
	_ = l.copyOutputs(outputsDir(path)) // one that is missing is told when it is wanted
	if err != nil {
		return nil, nil, errors.Join(err, l.Close())
	}
	l.addDamaged(f.damaged)
	l.addCut(cut)
	return l, messages, nil
}

// ReadConversation returns all messages of a session's conversation, including those that were
// compacted. It changes nothing, and another process may have the session open. damaged is the
// number of entries that cannot be read.
func ReadConversation(cfg Config, id string) (messages []provider.Message, damaged int, err error) {
	f, err := readFile(cfg, id)
	messages, _ = completed(f.fullMessages(len(f.entries)-1), nil)
	return messages, f.damaged, err
}

func readFile(cfg Config, id string) (file, error) {
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

// load reads the file, removes an incomplete entry at its end, and returns the conversation with a
// result for every call.
func (l *Log) load() ([]provider.Message, error) {
	text, err := l.sink.content()
	if err != nil {
		return nil, err
	}
	parsed := parse(text)
	if len(parsed.entries) == 0 {
		return nil, fmt.Errorf("%s holds no session", l.Path())
	}
	l.keepParsed(newParsedText(text, parsed))
	if l.sink.end = int64(parsed.end); parsed.end < len(text) {
		l.sink.torn = true
		if _, err := l.sink.removeTorn(); err != nil {
			return nil, err
		}
		l.Repaired = append(l.Repaired, fmt.Sprintf("The last entry of the session log was half-written (%d bytes), "+
			"as after a power failure. It is removed, and what it said is lost.", len(text)-parsed.end))
	}
	l.addDamaged(parsed.damaged)
	l.damagedTold = parsed.damaged
	l.pictures = pictureBytes(parsed.entries)
	l.spent = lastSpent(parsed.entries)
	l.spentStored = l.spent
	l.choices = parsed.choicesAt(len(parsed.entries) - 1)
	l.choicesStored = l.choices
	last := parsed.entries[len(parsed.entries)-1]
	l.count, l.name = last.Count, last.Name
	if l.leaf, l.next = last.ID, parsed.highest+1; last.isOutsideConversation() {
		l.leaf = last.Parent
	}
	messages, cut, err := l.complete(parsed.messages(), parsed.root(), parsed.notRun())
	l.addCut(cut)
	return messages, err
}

// complete adds a result for every call in messages that lacks one, to the list and to the log.
// messages is the conversation up to l.leaf. If more than the end has to change, the corrected
// conversation becomes a new branch after the entry root. notRun has the ids of calls that had no
// effect.
func (l *Log) complete(messages []provider.Message, root string, notRun map[string]bool) (list []provider.Message,
	cut []cutCall, err error) {
	list, cut = completed(messages, notRun)
	if reflect.DeepEqual(list, messages) {
		return list, cut, nil
	}
	missing := list
	if n := len(messages); n <= len(list) && reflect.DeepEqual(list[:n], messages) {
		missing = list[n:] // the usual case: results at the end
	} else {
		l.leaf, l.count = root, 0
	}
	for _, m := range missing {
		if err := l.Append(m); err != nil {
			return nil, nil, err
		}
	}
	return list, cut, nil
}

// addDamaged reports n unreadable entries in Repaired.
func (l *Log) addDamaged(n int) {
	switch {
	case n == 1:
		l.Repaired = append(l.Repaired, "An entry of the session log cannot be read. What it said is left out.")
	case n > 1:
		l.Repaired = append(l.Repaired, fmt.Sprintf("%d entries of the session log cannot be read. What they said is "+
			"left out.", n))
	}
}

// ID returns the id of the session.
func (l *Log) ID() string { return l.id }

// Path returns the path of the log file.
func (l *Log) Path() string { return l.sink.path }

// Append adds a message to the conversation.
func (l *Log) Append(m provider.Message) error {
	m = m.Redact(l.cfg.Secrets)
	e := entry{Kind: kindMessage, Role: string(m.Role), Parts: l.encode(m.Parts)}
	e.Noted = e.hasCalls()
	return l.appendEntry(e)
}

// CountMessages returns the number of the user's messages in the conversation.
func (l *Log) CountMessages() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

// Clear starts an empty conversation in the same session.
func (l *Log) Clear() error { return l.appendEntry(entry{Kind: kindClear}) }

// appendEntry adds an entry. When it returns, the entry is on the disk, or waits in memory because
// the disk does not accept it.
func (l *Log) appendEntry(e entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.appendLocked(e)
}

// appendLocked does the work of appendEntry. The caller holds l.mu.
func (l *Log) appendLocked(e entry) error {
	e.ID, e.Parent, e.Time = strconv.Itoa(l.next), l.leaf, l.cfg.Now().UTC()
	switch {
	case e.Kind == kindClear:
		e.Parent, l.count = "", 0
	case e.startsBranch():
		e.Parent, l.count = e.Target, e.Count
	case e.Kind == kindReport:
		if e.Parent = e.Target; e.Kept == 0 { // else all of the conversation is in it
			l.count = e.Count + e.countAsked()
		}
	case e.isPersons():
		l.count++
	}
	e.Count, e.Name = l.count, l.name
	if l.spent != l.spentStored {
		e.Spent, l.spentStored = &l.spent, l.spent
	}
	if l.choices != l.choicesStored || l.choices != (Choices{}) && e.startsBranch() {
		choices := l.choices
		e.Choices, l.choicesStored, l.choiceDue = &choices, choices, false
	}
	line, err := e.line(l.cfg.Secrets)
	if err != nil {
		return fmt.Errorf("session log: %w", err)
	}
	l.next++
	l.resumed = nil
	if !e.isOutsideConversation() {
		l.leaf = e.ID
	}
	l.enqueue(line)
	if e.isMessage() {
		return l.noteCalls(e, line)
	}
	return nil
}

// Empty reports whether the session is new and has no message yet.
func (l *Log) Empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isEmpty()
}

func (l *Log) isEmpty() bool { return l.isNew && l.next == 2 }

// Close closes the session, so that other processes can open it. It removes a new session without a
// message. The error says what could not be written and is lost.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	choiceErr := l.storeChoices()
	l.backlog.stop()
	if !l.isEmpty() {
		return errors.Join(choiceErr, l.flushLast(), closeLocked(l.sink.file))
	}
	err := l.sink.remove()
	os.RemoveAll(agentsDir(l.Path()))
	os.RemoveAll(outputsDir(l.Path()))
	return errors.Join(err, closeLocked(l.sink.file))
}

// RecentIDs returns the ids of the workspace's sessions, the most recently written one first.
func RecentIDs(cfg Config) ([]string, error) {
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
		id       string
		modified time.Time
	}
	var list []session
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		info, err := e.Info()
		if ok && err == nil && ValidID(id) {
			list = append(list, session{id, info.ModTime()})
		}
	}
	slices.SortFunc(list,
		func(a, b session) int { return cmp.Or(b.modified.Compare(a.modified), cmp.Compare(b.id, a.id)) })
	var ids []string
	for _, s := range list {
		ids = append(ids, s.id)
	}
	return ids, nil
}
