package mcp

import (
	"io"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxWords is how many bytes of a line that a server prints are told, and maxHeard how many are
// kept: where a secret is cut off it is not known any more.
const (
	maxWords = 200
	maxHeard = 8 << 10
)

// lastWords keeps what a server printed last, on the way to its log: as a rule it says why it
// ended. A line with the word error is worth more than those behind it.
type lastWords struct {
	log     io.Writer // nil: none
	secrets secret.Set
	met     *prelude

	mu      sync.Mutex
	line    []byte // that has not ended
	last    string
	isError bool // last is such a line
}

func (w *lastWords) Write(p []byte) (int, error) {
	w.mu.Lock()
	for _, c := range p {
		if c == '\n' {
			w.end()
		} else if len(w.line) < maxHeard {
			w.line = append(w.line, c)
		}
	}
	w.mu.Unlock()
	if err := w.met.take(len(p), 0); err != nil {
		return 0, err
	}
	if w.log == nil {
		return len(p), nil
	}
	return w.log.Write(p)
}

// end takes the line that ends.
func (w *lastWords) end() {
	text := strings.ToValidUTF8(strings.TrimSpace(w.secrets.Redact(string(w.line))), "\uFFFD")
	if len(text) > maxWords {
		text = width.Head(text, maxWords)
	}
	w.line = w.line[:0]
	bad := strings.Contains(strings.ToLower(text), "error")
	if text != "" && (bad || !w.isError) {
		w.last, w.isError = text, bad
	}
}

func (w *lastWords) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	return w.last
}
