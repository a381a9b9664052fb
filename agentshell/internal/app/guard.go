package app

import (
	"io"
	"sync/atomic"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// guard is a writer on which no secret is written. Each write is a text of its own: what streams
// was redacted before. It is safe for several goroutines where w is.
type guard struct {
	w   io.Writer
	set *atomic.Pointer[secret.Set]
}

// Write writes p without secrets.
func (g guard) Write(p []byte) (int, error) {
	if _, err := io.WriteString(g.w, g.set.Load().Redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// guarded returns p whose standard output and error are guards. The screen of the shell does not go
// through them: it takes what the agent has redacted.
func (p Host) guarded() Host {
	set := new(atomic.Pointer[secret.Set])
	first := p.secrets()
	set.Store(&first)
	p.Stdout, p.Stderr = guard{p.Stdout, set}, guard{p.Stderr, set}
	return p
}

// guard adds secrets that became known.
func (p Host) guard(s secret.Set) {
	if g, ok := p.Stderr.(guard); ok {
		g.set.Store(&s)
	}
}

// secrets returns the secrets of the environment.
func (p Host) secrets() secret.Set { return secret.FromEnviron(p.environ) }
