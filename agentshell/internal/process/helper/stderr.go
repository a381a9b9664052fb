package helper

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxWords is the number of bytes of a printed line that are reported. maxHeard is the number of
// bytes that are kept of it, which is larger because a secret that is cut off would not be
// recognised.
const (
	maxWords = 200
	maxHeard = 8 << 10
)

// stderr passes a program's standard error on to its log, and keeps the last line, which usually
// says why the program ended. A line with the word error is preferred to the lines after it.
type stderr struct {
	log     io.Writer // receives the output; nil: it is discarded
	secrets secret.Set
	count   func(n int) error // counts the bytes; nil: they are not counted

	mu      sync.Mutex
	line    []byte // the line that has not ended yet
	last    string
	isError bool // last has the word error
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

// endLine ends the current line, and keeps it as the last one unless an earlier line says more.
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

// lastLine returns the line that says most about the end of the program, or "" if the program has
// printed nothing since the given time.
func (w *stderr) lastLine(since time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.endLine()
	if w.at.Before(since) {
		return ""
	}
	return w.last
}
