package undo

import "slices"

// deniedStore is an optional interface of a [Store] that also keeps denied changes.
type deniedStore interface {
	// KeepDenied stores a change that was not made. A nil before or after means that there is no
	// content, or none that may be written to the disk. After an error nothing is stored.
	KeepDenied(c Change, before, after []byte) error
}

// LoadDenied replaces the denied changes by those of another session. It is called after
// [History.Load].
func (h *History) LoadDenied(changes []Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deniedChanges = slices.Clone(changes)
}

// Deny records a change that the user has denied, so that it can be viewed later. It has no number
// and cannot be undone. private content is not written to the disk.
func (h *History) Deny(c Change, before, after []byte, private bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deniedChanges = append(h.deniedChanges, c)
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
	return slices.Clone(h.deniedChanges)
}
