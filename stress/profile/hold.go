package profile

import (
	"bytes"
	"time"
)

var beginSync, endSync = []byte("\x1b[?2026h"), []byte("\x1b[?2026l")

// maxHeld is the number of bytes of one synchronized update that are held back. If an update gets
// longer, its bytes are shown at once.
const maxHeld = 2 << 20

// hold delays output as terminals do that support synchronized updates (mode 2026): the bytes of an
// update are held back until it ends, or until limit has passed.
type hold struct {
	limit time.Duration

	open bool // an update has begun and not ended
	// the time at which the update began
	since time.Time
	// bytes of the open update; if none is open, the last bytes of the output that may begin the
	// sequence that opens one
	held []byte
	out  []byte
}

// passNow takes output of the program and returns the bytes that the terminal processes now. The
// result is valid until the next call.
func (h *hold) passNow(output []byte, now time.Time) []byte {
	h.out = h.out[:0]
	if h.open && now.Sub(h.since) >= h.limit {
		held := h.held
		h.end(nil)
		h.take(held, now)
	}
	h.take(output, now)
	return h.out
}

func (h *hold) take(p []byte, now time.Time) {
	if !h.open {
		n := len(h.held) // of a beginning that has gone out already
		h.held = append(h.held, p...)
		i := bytes.Index(h.held, beginSync)
		if i < 0 {
			h.out = append(h.out, p...)
			h.held = append(h.held[:0], partOfSyncBegin(h.held)...)
			return
		}
		after := i + len(beginSync)
		h.out = append(h.out, h.held[n:after]...)
		p = bytes.Clone(h.held[after:])
		h.open, h.since, h.held = true, now, nil
	}
	from := max(0, len(h.held)-len(endSync)) // what was searched before need not be searched again
	h.held = append(h.held, p...)
	switch i := bytes.Index(h.held[from:], endSync); {
	case i >= 0:
		n := from + i + len(endSync)
		update, rest := h.held[:n], bytes.Clone(h.held[n:])
		h.out = append(h.out, update...)
		h.open, h.held = false, nil
		h.take(rest, now)
	case len(h.held) > maxHeld:
		h.end(h.held)
	}
}

// end ends the open update before the program does, and lets the bytes p pass.
func (h *hold) end(p []byte) {
	h.out = append(append(h.out, endSync...), p...)
	h.open, h.held = false, nil
}

// partOfSyncBegin returns the longest end of p that may be an incomplete beginSync, or nil.
func partOfSyncBegin(p []byte) []byte {
	for n := min(len(p), len(beginSync)-1); n > 0; n-- {
		if bytes.HasPrefix(beginSync, p[len(p)-n:]) {
			return p[len(p)-n:]
		}
	}
	return nil
}
