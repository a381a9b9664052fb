package app

import (
	"strings"
	"sync"
)

// maxStderr is the number of bytes that are kept of the standard error while the screen is in use.
const maxStderr = 16 << 10

// stderrCapture keeps what libraries write to the standard error while the terminal is in use. It
// is printed afterwards.
type stderrCapture struct {
	mu   sync.Mutex
	text []byte
	lost int // bytes beyond the limit
}

// Write keeps p up to the limit.
func (s *stderrCapture) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(p), maxStderr-len(s.text))
	s.text = append(s.text, p[:n]...)
	s.lost += len(p) - n
	return len(p), nil
}

// String returns the kept text.
func (s *stderrCapture) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.ToValidUTF8(string(s.text), "")
	if s.lost > 0 {
		text += "\n(and more)"
	}
	return strings.TrimSpace(text)
}
