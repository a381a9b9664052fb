// Package undo knows what a session changed, and what a file must be given so that a change is
// taken back.
//
// Taking back is a change like every other: it is proposed as a diff, asked for, written under its
// condition, and kept here, so that it can be taken back as well. Only files that the shell wrote
// are touched, and only while they are what it left: [History.Plan] says what that is.
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

// State is what a file was: enough to tell whether it still is. The zero value: it did not exist.
type State struct {
	Exists bool        `json:"exists"`
	Mode   fs.FileMode `json:"mode,omitempty"` // type and permissions
	Sum    string      `json:"sha256,omitempty"`
}

// StateOf returns the state of a file with those bytes.
func StateOf(mode fs.FileMode, data []byte) State {
	sum := sha256.Sum256(data)
	return State{Exists: true, Mode: mode, Sum: hex.EncodeToString(sum[:])}
}

// Change is one change of a file. N counts the changes of the session from 1.
type Change struct {
	N       int       `json:"n"`
	Time    time.Time `json:"time"`
	Root    string    `json:"root"`
	Rel     string    `json:"rel"` // slash path below the root
	Tool    string    `json:"tool"`
	Added   int       `json:"added"`
	Removed int       `json:"removed"`
	Before  State     `json:"before"`
	After   State     `json:"after"`
	Dirs    []string  `json:"dirs,omitempty"` // below the root, that it created
	// Undoes is the change before which the file stood again then, 0 if this one took nothing back.
	Undoes int `json:"undoes,omitempty"`
}

// Path returns the file as it is shown.
func (c Change) Path() string { return c.Root + "/" + c.Rel }

// What is kept of displaced content in memory, where no store keeps it, in bytes: the newest.
const maxMemory = 64 << 20

// ErrGone says that what a change displaced is not kept any more.
var ErrGone = errors.New("the earlier content is no longer kept")

// Store is where changes outlive the process.
type Store interface {
	// KeepChange keeps a change and the content that it displaced; nil: there was none, or it must
	// not be written down. An error: the content is not kept.
	KeepChange(c Change, displaced []byte) error
	// BeginChange does so before the change is made, without its number and as far as it is known:
	// a session that is killed before KeepChange finds it when it goes on. c nil: none is about to
	// be made any more.
	BeginChange(c *Change, displaced []byte) error
	// Displaced is content by its sum, as a hexadecimal SHA-256.
	Displaced(sum string) ([]byte, error)
}

// History is the changes of a session. It is safe for use by several goroutines. The zero value is
// empty and keeps content in memory.
type History struct {
	mu      sync.Mutex
	store   Store
	changes []Change
	memory  map[string][]byte
	order   []string // of memory, the oldest first
	size    int
}

// Load takes over the history of another session: its changes, and where they are kept; nil: in
// memory only. Content in memory stays.
func (h *History) Load(store Store, changes []Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store, h.changes = store, slices.Clone(changes)
}

// Begin keeps that c is about to be made, as far as it is known, with the content that it will
// displace: then a kill right behind the commit leaves nothing that cannot be taken back.
// [History.Add] or [History.Drop] follows.
func (h *History) Begin(c Change, displaced []byte, private bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.store != nil {
		_ = h.store.BeginChange(&c, content(c, displaced, private)) // Add tells what is not kept
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

// content returns what a store is given of what c displaces; nil: nothing.
func content(c Change, displaced []byte, private bool) []byte {
	switch {
	case !c.Before.Exists || private:
		return nil
	case displaced == nil: // an empty file
		return []byte{}
	}
	return displaced
}

// Add keeps a change with the content that it displaced, and gives it its number. private: the
// content must not reach the disk.
func (h *History) Add(c Change, displaced []byte, private bool) (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c = h.number(c)
	if h.store == nil || h.store.KeepChange(c, content(c, displaced, private)) != nil || private {
		h.remember(c.Before, displaced)
	}
	return c.N
}

// Found keeps a change that was begun by a session that was killed, and made. What it displaced is
// where Begin put it.
func (h *History) Found(c Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c = h.number(c)
	if h.store != nil {
		_ = h.store.KeepChange(c, nil)
	}
}

// number makes c the newest change; it wants h.mu.
func (h *History) number(c Change) Change {
	c.N = 1
	if n := len(h.changes); n > 0 {
		c.N = h.changes[n-1].N + 1
	}
	h.changes = append(h.changes, c)
	return c
}

// remember keeps content in memory; it wants h.mu.
func (h *History) remember(s State, data []byte) {
	if _, known := h.memory[s.Sum]; known || !s.Exists {
		return
	}
	if h.memory == nil {
		h.memory = map[string][]byte{}
	}
	h.memory[s.Sum] = slices.Clone(data)
	h.order = append(h.order, s.Sum)
	for h.size += len(data); h.size > maxMemory && len(h.order) > 1; h.order = h.order[1:] {
		h.size -= len(h.memory[h.order[0]])
		delete(h.memory, h.order[0])
	}
}

// fetch returns the content of a state; it wants h.mu.
func (h *History) fetch(s State) ([]byte, error) {
	data, ok := h.memory[s.Sum]
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

// Changes returns all changes, the oldest first.
func (h *History) Changes() []Change {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.changes)
}

// Standing returns the numbers of the changes that are in the files now: those that were not taken
// back.
func (h *History) Standing() []int {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []int
	seen := map[string]bool{}
	for _, c := range h.changes {
		if !seen[c.Path()] {
			seen[c.Path()] = true
			all = append(all, standing(of(h.changes, c.Path()))...)
		}
	}
	slices.Sort(all)
	return all
}

// of returns the changes of one file.
func of(changes []Change, path string) []Change {
	var list []Change
	for _, c := range changes {
		if c.Path() == path {
			list = append(list, c)
		}
	}
	return list
}

// standing says which changes of one file, of those that are given, are in it: one that took back
// change n leaves those that were in it before n.
func standing(list []Change) []int {
	if len(list) == 0 {
		return nil
	}
	last := list[len(list)-1]
	if last.Undoes == 0 {
		return append(standing(list[:len(list)-1]), last.N)
	}
	i := slices.IndexFunc(list, func(c Change) bool { return c.N == last.Undoes })
	return standing(list[:max(i, 0)])
}

// steps returns the changes of one file that lead to what it is: without those that were taken back
// by taking back what had taken others back.
func steps(list []Change) []Change {
	if len(list) == 0 {
		return nil
	}
	before, last := list[:len(list)-1], list[len(list)-1]
	if i := slices.IndexFunc(before, func(c Change) bool { return c.N == last.Undoes && c.Undoes > 0 }); i >= 0 {
		return steps(before[:i])
	}
	return append(steps(before), last)
}

// Plan is how a change is taken back.
type Plan struct {
	Change Change // the one that is taken back
	With   []int  // later changes of the same file that go with it
	Now    State  // what the file must be, or it is not ours to touch
	To     State  // what it was
	Data   []byte // its content
}

// Plan plans to take back change n, 0 for the last one that stands. An error says why it cannot be.
func (h *History) Plan(n int) (Plan, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.changes) == 0 {
		return Plan{}, errors.New("nothing was changed in this session yet")
	}
	c, err := h.choose(n)
	if err != nil {
		return Plan{}, err
	}
	list := of(h.changes, c.Path())
	stand, last := standing(list), list[len(list)-1]
	p := Plan{Change: c, Now: last.After, To: c.Before}
	switch {
	case c.N == last.N:
	case c.Undoes > 0:
		if s := steps(list); len(s) == 0 || s[len(s)-1].N != c.N || c.After != last.After {
			return Plan{},
				fmt.Errorf("change %d undid another one, and %s was changed since; undo change %d first", c.N,
					c.Path(), last.N)
		}
	case !slices.Contains(stand, c.N):
		return Plan{}, fmt.Errorf("change %d is undone already", c.N)
	default:
		at := c
		for _, later := range list {
			if later.N <= c.N || !slices.Contains(stand, later.N) {
				continue
			}
			if later.Before != at.After { // what somebody wrote in between must not go with it
				return Plan{},
					fmt.Errorf("%s was changed by others between change %d and change %d; undo change %d first",
						c.Path(), at.N, later.N, later.N)
			}
			p.With = append(p.With, later.N)
			at = later
		}
		if at.After != last.After {
			return Plan{},
				fmt.Errorf("%s was changed by others after change %d, and change %d brought that back; it stays "+
					"as it is", c.Path(), at.N, last.N)
		}
	}
	if p.To.Exists {
		if p.Data, err = h.fetch(p.To); err != nil {
			return Plan{}, fmt.Errorf("change %d of %s: %w", c.N, c.Path(), err)
		}
	}
	return p, nil
}

// Return is how a file becomes again what it was before a rewind's first change of it. Err says why
// it cannot: then the file is not touched.
type Return struct {
	Plan
	Err error
}

// Back returns how every file that was changed after change n becomes again what it was then, in
// the order of their first changes. A file that is then what it is now is left out.
func (h *History) Back(n int) (list []Return) {
	h.mu.Lock()
	defer h.mu.Unlock()
	seen := map[string]bool{}
	for i, c := range h.changes {
		if c.N <= n || seen[c.Path()] {
			continue
		}
		seen[c.Path()] = true
		all := of(h.changes[i:], c.Path())
		r := Return{Plan: Plan{Change: c, Now: all[len(all)-1].After, To: c.Before}}
		if r.Now == r.To {
			continue
		}
		for k, later := range all[1:] {
			r.With = append(r.With, later.N)
			if later.Before != all[k].After && r.Err == nil { // what somebody wrote in between must not go with it
				r.Err = fmt.Errorf("%s was changed by others between change %d and change %d: it stays as it is",
					c.Path(), all[k].N, later.N)
			}
		}
		if r.To.Exists && r.Err == nil {
			if r.Data, r.Err = h.fetch(r.To); r.Err != nil {
				r.Err = fmt.Errorf("%s as it was before change %d: %w", c.Path(), c.N, r.Err)
			}
		}
		list = append(list, r)
	}
	return list
}

// choose finds change n; it wants h.mu.
func (h *History) choose(n int) (Change, error) {
	if n == 0 {
		for _, c := range slices.Backward(h.changes) {
			if c.Undoes == 0 && slices.Contains(standing(of(h.changes, c.Path())), c.N) {
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

// Below returns the directories that the change created and that are above its file, for a removal.
func (c Change) Below() []string {
	var list []string
	for at := path.Dir(c.Rel); at != "."; at = path.Dir(at) {
		if slices.Contains(c.Dirs, at) {
			list = append(list, at)
		}
	}
	return list
}
