package session

import (
	"crypto/sha256"
	"time"
)

// startTime is how long a text is remembered when a session goes on.
const startTime = 10 * time.Second

// text is a session's file as it was read, by its sum. A session that goes on is read five times
// until it is shown, for its conversation, its changes, its todo list and what was said; parsing it
// is most of that. Nobody changes the entries.
type text struct {
	sum  [sha256.Size]byte
	file file
}

// textOf returns the text of those bytes, and f, which parse has made of them.
func textOf(data []byte, f file) *text { return &text{sha256.Sum256(data), f} }

// parse returns what data holds, which is known if it is this text; nil knows nothing.
func (t *text) parse(data []byte) file {
	if t != nil && sha256.Sum256(data) == t.sum {
		return t.file
	}
	return parse(data)
}

// remember keeps what was read until something is appended, or for the time of a start.
func (l *Log) remember(t *text) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumed = t
	time.AfterFunc(startTime, l.Forget)
}

// Forget drops what was read of a session that goes on: it is shown.
func (l *Log) Forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumed = nil
}
