package app

import (
	"strings"
	"sync"
)

// maxStderr is the number of bytes of the standard error that are stored while the shell uses the
// screen.
const maxStderr = 16 << 10

// stderrCapture stores what libraries write to the standard error while the shell uses the screen.
// It is printed afterwards.
type stderrCapture struct {
	mu   sync.Mutex
	text []byte
	lost int // The number of bytes that were dropped because of the limit.
}

// Write stores p, up to the limit. It never fails.
func (s *stderrCapture) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(p), maxStderr-len(s.text))
	s.text = append(s.text, p[:n]...)
	s.lost += len(p) - n
	return len(p), nil
}

// String returns the stored text, with "(and more)" at its end if some was dropped.
func (s *stderrCapture) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.ToValidUTF8(string(s.text), "")
	if s.lost > 0 {
		text += "\n(and more)"
	}
	return strings.TrimSpace(text)
}
