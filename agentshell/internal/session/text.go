package session

import (
	"crypto/sha256"
	"time"
)

// resumedLifetime is the time for which the parsed file of a resumed session stays in memory.
const resumedLifetime = 10 * time.Second

// parsedText is the parsed content of a session's file, with a hash of its bytes. While a session
// is resumed, the file is read five times, and parsing takes most of that time. The entries must
// not be changed.
type parsedText struct {
	sum  [sha256.Size]byte
	file file
}

// newParsedText returns a parsedText for data, whose parsed form is f.
func newParsedText(data []byte, f file) *parsedText { return &parsedText{sha256.Sum256(data), f} }

// parse returns the parsed form of data. If t is that of the same data, it is used instead of
// parsing again. t may be nil.
func (t *parsedText) parse(data []byte) file {
	if t != nil && sha256.Sum256(data) == t.sum {
		return t.file
	}
	return parse(data)
}

// keepParsed stores the parsed file until an entry is appended, at most for resumedLifetime.
func (l *Log) keepParsed(t *parsedText) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumed = t
	time.AfterFunc(resumedLifetime, l.DropParsed)
}

// DropParsed frees the parsed file of a resumed session. It is called once the session is shown.
func (l *Log) DropParsed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumed = nil
}
