package app

import (
	"strings"
	"sync"
)

// strayLimit is how much of what the process writes to its standard error while the screen is ours
// is kept, in bytes.
const strayLimit = 16 << 10

// stray keeps what libraries write to the standard error while the terminal is in use, to be
// printed when it is not.
type stray struct {
	mu   sync.Mutex
	kept []byte
	lost int // bytes over the limit
}

// Write keeps p as far as there is room.
func (s *stray) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(p), strayLimit-len(s.kept))
	s.kept = append(s.kept, p[:n]...)
	s.lost += len(p) - n
	return len(p), nil
}

// String returns what was kept; "" if nothing was written.
func (s *stray) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.ToValidUTF8(string(s.kept), "")
	if s.lost > 0 {
		text += "\n(and more)"
	}
	return strings.TrimSpace(text)
}
