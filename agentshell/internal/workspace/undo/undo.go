// Package undo records the changes of files in a session, and plans how a change is undone.
//
// An undo is a change like every other: it is proposed as a diff, approved, written under its
// condition, and recorded here, so that it can be undone too. Only files that the shell wrote are
// touched, and only while they are as the shell left them: [History.Plan] returns what that is.
package undo

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"
	"time"
)

// State identifies the content and the mode of a file. The zero value means that the file does not
// exist.
type State struct {
	Exists bool        `json:"exists"`
	Mode   fs.FileMode `json:"mode,omitempty"` // Mode holds the type and the permissions.
	Sum    string      `json:"sha256,omitempty"`
}

// StateOf returns the State of a file with the given mode and content.
func StateOf(mode fs.FileMode, data []byte) State {
	sum := sha256.Sum256(data)
	return State{Exists: true, Mode: mode, Sum: hex.EncodeToString(sum[:])}
}

// Change is a recorded change of one file. N numbers the changes of a session from 1.
type Change struct {
	N       int       `json:"n"`
	Time    time.Time `json:"time"`
	Root    string    `json:"root"`
	Rel     string    `json:"rel"` // Rel is a slash path relative to the root.
	Tool    string    `json:"tool"`
	Call    string    `json:"call,omitempty"` // Call is the id of the tool call that made the change.
	Added   int       `json:"added"`
	Removed int       `json:"removed"`
	Before  State     `json:"before"`
	After   State     `json:"after"`
	// Dirs lists the directories that the change created, relative to the root.
	Dirs []string `json:"dirs,omitempty"`
	// Undoes is the number of the change that this one has undone; 0: none.
	Undoes int `json:"undoes,omitempty"`
}

// Path returns the path of the file as it is displayed.
func (c Change) Path() string { return c.Root + "/" + c.Rel }

// maxMemoryBytes is the number of bytes of replaced content that are kept in memory if no store
// keeps it. The newest content is always kept.
const maxMemoryBytes = 64 << 20

// ErrGone says that the content before a change is not kept any more.
var ErrGone = errors.New("the earlier content is no longer kept")

// Store keeps changes on disk, beyond the end of the process.
type Store interface {
	// KeepChange stores a change and the content that it replaced. displaced is nil if there was
	// none, or it must not be written to the disk. After an error the content is not stored.
	KeepChange(c Change, displaced []byte) error
	// BeginChange stores a change before it is made, without a number. If the session is killed
	// before KeepChange, the resumed session finds the change. A nil c says that the change will
	// not be made.
	BeginChange(c *Change, displaced []byte) error
	// Displaced returns stored content by its SHA-256 hash in hexadecimal.
	Displaced(sum string) ([]byte, error)
}

// History records the changes of files in a session. It is safe for use by several goroutines. The
// zero value is empty and keeps content in memory.
type History struct {
	mu            sync.Mutex
	store         Store
	changes       []Change
	deniedChanges []Change
	contentBySum  map[string][]byte
	sumOrder      []string // sumOrder lists the keys of contentBySum, the oldest first.
	// memoryBytes is the number of bytes in contentBySum.
	memoryBytes int
}

// Load replaces the changes by those of another session, which store has. With a nil store new
// content is kept in memory only. Content that is in memory stays.
func (h *History) Load(store Store, changes []Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store, h.changes, h.deniedChanges = store, slices.Clone(changes), nil
}

// Begin stores a change that is about to be made, and the content that it will replace. So even
// after a kill the change can be undone. The caller then calls [History.Add] or [History.Drop].
// private content is not written to the disk.
func (h *History) Begin(c Change, displaced []byte, private bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store != nil {
		_ = h.store.BeginChange(&c, storedContent(c, displaced, private)) // Add tells what is not kept
	}
}

// Drop says that the change of the last Begin was not made.
func (h *History) Drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store != nil {
		_ = h.store.BeginChange(nil, nil) // if it stays, the file tells that it was not made
	}
}

// storedContent returns the replaced content for a Store: nil if there was none or it is private.
func storedContent(c Change, displaced []byte, private bool) []byte {
	switch {
	case !c.Before.Exists || private:
		return nil
	case displaced == nil: // an empty file
		return []byte{}
	}
	return displaced
}

// Add records a change and the content that it has replaced, and returns its number. private
// content is not written to the disk.
func (h *History) Add(c Change, displaced []byte, private bool) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c = h.appendNumbered(c)
	if h.store == nil || h.store.KeepChange(c, storedContent(c, displaced, private)) != nil || private {
		h.keepInMemory(c.Before, displaced)
	}
	return c.N
}

// AddRecovered records a change that a session made before it was killed. Begin has stored the
// replaced content already.
func (h *History) AddRecovered(c Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c = h.appendNumbered(c)
	if h.store != nil {
		_ = h.store.KeepChange(c, nil)
	}
}

// appendNumbered gives c the next number and appends it. The caller holds h.mu.
func (h *History) appendNumbered(c Change) Change {
	c.N = 1
	if n := len(h.changes); n > 0 {
		c.N = h.changes[n-1].N + 1
	}
	h.changes = append(h.changes, c)
	return c
}

// keepInMemory keeps the content of a state in memory. The caller holds h.mu.
func (h *History) keepInMemory(s State, data []byte) {
	if _, known := h.contentBySum[s.Sum]; known || !s.Exists {
		return
	}
	if h.contentBySum == nil {
		h.contentBySum = map[string][]byte{}
	}
	h.contentBySum[s.Sum] = slices.Clone(data)
	h.sumOrder = append(h.sumOrder, s.Sum)
	for h.memoryBytes += len(data); h.memoryBytes > maxMemoryBytes && len(h.sumOrder) > 1; h.sumOrder = h.sumOrder[1:] {
		h.memoryBytes -= len(h.contentBySum[h.sumOrder[0]])
		delete(h.contentBySum, h.sumOrder[0])
	}
}

// contentOf returns the content of a state. The caller holds h.mu.
func (h *History) contentOf(s State) ([]byte, error) {
	data, ok := h.contentBySum[s.Sum]
	if !ok && h.store != nil {
		var err error
		if data, err = h.store.Displaced(s.Sum); err != nil {
			return nil, fmt.Errorf("%w (%v)", ErrGone, err)
		}
		ok = true
	}
	if !ok || StateOf(s.Mode, data) != s {
		return nil, ErrGone
	}
	return slices.Clone(data), nil
}

// Content returns the content of a state, if a change has replaced it. The error is ErrGone if it
// is not kept.
func (h *History) Content(s State) ([]byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.contentOf(s)
}

// Changes returns all changes, the oldest first.
func (h *History) Changes() []Change {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.changes)
}

// InEffect returns the numbers of the changes that were not undone.
func (h *History) InEffect() []int {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []int
	seen := map[string]bool{}
	for _, c := range h.changes {
		if !seen[c.Path()] {
			seen[c.Path()] = true
			all = append(all, changesInEffect(changesOf(h.changes, c.Path()))...)
		}
	}
	slices.Sort(all)
	return all
}

// changesOf returns the changes of one file.
func changesOf(changes []Change, path string) []Change {
	var list []Change
	for _, c := range changes {
		if c.Path() == path {
			list = append(list, c)
		}
	}
	return list
}

// changesInEffect returns the numbers of the changes in list that were not undone. All of them are
// of one file. If a change has undone change n, the changes before n are in effect.
func changesInEffect(list []Change) []int {
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	if last.Undoes == 0 {
		return append(changesInEffect(list[:len(list)-1]), last.N)
	}
	i := slices.IndexFunc(list, func(c Change) bool { return c.N == last.Undoes })
	return changesInEffect(list[:max(i, 0)])
}

// netChanges returns the changes of one file that lead to its present state. It leaves out an undo
// that was undone itself, and the changes in between.
func netChanges(list []Change) []Change {
	if len(list) == 0 {
		return nil
	}
	before, last := list[:len(list)-1], list[len(list)-1]
	if i := slices.IndexFunc(before, func(c Change) bool { return c.N == last.Undoes && c.Undoes > 0 }); i >= 0 {
		return netChanges(before[:i])
	}
	return append(netChanges(before), last)
}

// Plan describes how a change will be undone.
type Plan struct {
	Change     Change // Change is the change that will be undone.
	AlsoUndone []int  // AlsoUndone lists later changes of the same file that will be undone too.
	Expected   State  // Expected is the state that the file must have; otherwise it is not changed.
	Target     State  // Target is the state that the file will get.
	Data       []byte // Data is the content that the file will get.
}

// Plan returns the plan for undoing change n; 0 means the last change in effect. The error says why
// the change cannot be undone.
func (h *History) Plan(n int) (Plan, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.changes) == 0 {
		return Plan{}, errors.New("nothing was changed in this session yet")
	}
	c, err := h.findChange(n)
	if err != nil {
		return Plan{}, err
	}
	list := changesOf(h.changes, c.Path())
	inEffect, last := changesInEffect(list), list[len(list)-1]
	p := Plan{Change: c, Expected: last.After, Target: c.Before}
	switch {
	case c.N == last.N:
	case c.Undoes > 0:
		if s := netChanges(list); len(s) == 0 || s[len(s)-1].N != c.N || c.After != last.After {
			return Plan{},
				fmt.Errorf("change %d undid another one, and %s was changed since; undo change %d first", c.N,
					c.Path(), last.N)
		}
	case !slices.Contains(inEffect, c.N):
		return Plan{}, fmt.Errorf("change %d is undone already", c.N)
	default:
		at := c
		for _, later := range list {
			if later.N <= c.N || !slices.Contains(inEffect, later.N) {
				continue
			}
			if later.Before != at.After { // what somebody wrote in between must not go with it
				return Plan{},
					fmt.Errorf("%s was changed by others between change %d and change %d; undo change %d first",
						c.Path(), at.N, later.N, later.N)
			}
			p.AlsoUndone = append(p.AlsoUndone, later.N)
			at = later
		}
		if at.After != last.After {
			return Plan{},
				fmt.Errorf("%s was changed by others after change %d, and change %d brought that back; it stays "+
					"as it is", c.Path(), at.N, last.N)
		}
	}
	if p.Target.Exists {
		if p.Data, err = h.contentOf(p.Target); err != nil {
			return Plan{}, fmt.Errorf("change %d of %s: %w", c.N, c.Path(), err)
		}
	}
	return p, nil
}

// RewindPlan describes how a file gets its state before the changes that a rewind undoes. Err says
// why it cannot; then the file is not changed. Data may be set nevertheless.
type RewindPlan struct {
	Plan
	Err error
}

// RewindPlans returns a plan for every file that was changed after change n, in the order of their
// first changes. It leaves out files whose state is the same as then.
func (h *History) RewindPlans(n int) (list []RewindPlan) {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := map[string]bool{}
	for i, c := range h.changes {
		if c.N <= n || seen[c.Path()] {
			continue
		}
		seen[c.Path()] = true
		all := changesOf(h.changes[i:], c.Path())
		r := RewindPlan{Plan: Plan{Change: c, Expected: all[len(all)-1].After, Target: c.Before}}
		if r.Expected == r.Target {
			continue
		}
		for k, later := range all[1:] {
			r.AlsoUndone = append(r.AlsoUndone, later.N)
			if later.Before != all[k].After && r.Err == nil { // what somebody wrote in between must not go with it
				r.Err = fmt.Errorf("%s was changed by others between change %d and change %d: it stays as it is",
					c.Path(), all[k].N, later.N)
			}
		}
		if r.Target.Exists {
			data, err := h.contentOf(r.Target)
			if r.Data = data; err != nil && r.Err == nil {
				r.Err = fmt.Errorf("%s as it was before change %d: %w", c.Path(), c.N, err)
			}
		}
		list = append(list, r)
	}
	return list
}

// findChange returns change n; 0 means the last change in effect. The caller holds h.mu.
func (h *History) findChange(n int) (Change, error) {
	if n == 0 {
		for _, c := range slices.Backward(h.changes) {
			if c.Undoes == 0 && slices.Contains(changesInEffect(changesOf(h.changes, c.Path())), c.N) {
				return c, nil
			}
		}
		return Change{}, errors.New("every change of this session is undone already")
	}
	i := slices.IndexFunc(h.changes, func(c Change) bool { return c.N == n })
	if i < 0 {
		return Change{}, fmt.Errorf("there is no change %d in this session", n)
	}
	return h.changes[i], nil
}

// CreatedParents returns the parent directories of the file that the change has created, the
// deepest first.
func (c Change) CreatedParents() []string {
	var list []string
	for at := path.Dir(c.Rel); at != "."; at = path.Dir(at) {
		if slices.Contains(c.Dirs, at) {
			list = append(list, at)
		}
	}
	return list
}
