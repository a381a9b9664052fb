package app

import (
	"io"
	"sync/atomic"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// redactingWriter replaces secrets in what is written to w. A secret must not be split between two
// calls of Write. redactingWriter is safe for several goroutines if w is.
type redactingWriter struct {
	w   io.Writer
	set *atomic.Pointer[secret.Set]
}

// Write writes p to w with its secrets replaced.
func (g redactingWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(g.w, g.set.Load().Redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// withRedactedOutput returns p with secrets replaced in Stdout and Stderr. The shell on the screen
// does not write to them; the agent replaces the secrets in its texts.
func (p Host) withRedactedOutput() Host {
	set := new(atomic.Pointer[secret.Set])
	first := p.environSecrets()
	set.Store(&first)
	p.Stdout, p.Stderr = redactingWriter{p.Stdout, set}, redactingWriter{p.Stderr, set}
	return p
}

// setSecrets sets the secrets that are replaced in Stdout and Stderr.
func (p Host) setSecrets(s secret.Set) {
	if g, ok := p.Stderr.(redactingWriter); ok {
		g.set.Store(&s)
	}
}

// environSecrets returns the secrets in the environment variables.
func (p Host) environSecrets() secret.Set { return secret.FromEnviron(p.environ) }
