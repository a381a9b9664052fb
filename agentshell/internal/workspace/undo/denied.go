package undo

import "slices"

// deniedStore is a [Store] that keeps denied changes, too.
type deniedStore interface {
	// KeepDenied stores a change that was not made. before and after are nil where there is no
	// content, or none that may be written to disk. After an error they are not stored.
	KeepDenied(c Change, before, after []byte) error
}

// LoadDenied replaces the denied changes by those of another session. It comes after
// [History.Load].
func (h *History) LoadDenied(changes []Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.denied = slices.Clone(changes)
}

// Deny records a change that was denied, so that it can be looked at. It has no number, and nothing
// undoes it. private content is not written to the disk.
func (h *History) Deny(c Change, before, after []byte, private bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.denied = append(h.denied, c)
	store, keeps := h.store.(deniedStore)
	if keeps {
		stored := c
		stored.Before, stored.After = c.After, c.Before
		keeps = store.KeepDenied(c, storedContent(c, before, private), storedContent(stored, after, private)) == nil
	}
	if !keeps || private {
		h.keepInMemory(c.Before, before)
		h.keepInMemory(c.After, after)
	}
}

// Denied returns the denied changes, the oldest first.
func (h *History) Denied() []Change {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.denied)
}
