package helper

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxWords is the number of bytes of a printed line that are reported, and maxHeard the number that
// are held: a secret that is cut off is not recognised any more.
const (
	maxWords = 200
	maxHeard = 8 << 10
)

// stderr holds the last line that a program printed, on the way to its log: as a rule it says why
// the program ended. A line with the word error counts more than those after it.
type stderr struct {
	log     io.Writer // nil: none
	secrets secret.Set
	count   func(n int) error // nil: nobody counts

	mu      sync.Mutex
	line    []byte // that has not ended
	last    string
	isError bool // last is such a line
	at      time.Time
}

func (w *stderr) Write(p []byte) (int, error) {
	w.mu.Lock()
	for _, c := range p {
		if c == '\n' {
			w.endLine()
		} else if len(w.line) < maxHeard {
			w.line = append(w.line, c)
		}
	}
	w.mu.Unlock()
	if w.count != nil {
		if err := w.count(len(p)); err != nil {
			return 0, err
		}
	}
	if w.log == nil {
		return len(p), nil
	}
	return w.log.Write(p)
}

// endLine takes the line that ends.
func (w *stderr) endLine() {
	text := strings.ToValidUTF8(strings.TrimSpace(w.secrets.Redact(string(w.line))), "\uFFFD")
	if len(text) > maxWords {
		text = width.Head(text, maxWords)
	}
	w.line = w.line[:0]
	if w.isError && time.Since(w.at) > lastWords { // it has another reason
		w.isError = false
	}
	bad := strings.Contains(strings.ToLower(text), "error")
	if text != "" && (bad || !w.isError) {
		w.last, w.isError, w.at = text, bad, time.Now()
	}
}

// lastLine returns the line that says most about the end of the program, "" if it printed nothing
// since then.
func (w *stderr) lastLine(since time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endLine()
	if w.at.Before(since) {
		return ""
	}
	return w.last
}
