package session

import (
	"crypto/sha256"
	"time"
)

// resumedLifetime is the time for which the parsed file of a resumed session is kept.
const resumedLifetime = 10 * time.Second

// parsedText is the parsed content of a session's file, with the sum of its bytes. When a session
// is resumed the file is read five times, and most of the time for that is parsing. The entries are
// never changed.
type parsedText struct {
	sum  [sha256.Size]byte
	file file
}

// newParsedText returns the parsed text for data, which parse has turned into f.
func newParsedText(data []byte, f file) *parsedText { return &parsedText{sha256.Sum256(data), f} }

// parse returns the parsed data. It does not parse again if data is this text. t may be nil.
func (t *parsedText) parse(data []byte) file {
	if t != nil && sha256.Sum256(data) == t.sum {
		return t.file
	}
	return parse(data)
}

// keepParsed keeps the parsed file until an entry is appended, or for resumedLifetime.
func (l *Log) keepParsed(t *parsedText) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumed = t
	time.AfterFunc(resumedLifetime, l.DropParsed)
}

// DropParsed drops the parsed file of a resumed session once the session is shown.
func (l *Log) DropParsed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.resumed = nil
}
