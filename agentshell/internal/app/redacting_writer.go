package app

import (
	"io"
	"sync/atomic"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// redactingWriter removes secrets from what is written. Each write is taken for a complete text. It
// is safe for several goroutines if w is.
type redactingWriter struct {
	w   io.Writer
	set *atomic.Pointer[secret.Set]
}

// Write writes p without secrets.
func (g redactingWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(g.w, g.set.Load().Redact(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// withRedactedOutput returns p with a standard output and error that remove secrets. The screen of
// the shell does not use them: its texts are redacted by the agent.
func (p Host) withRedactedOutput() Host {
	set := new(atomic.Pointer[secret.Set])
	first := p.environSecrets()
	set.Store(&first)
	p.Stdout, p.Stderr = redactingWriter{p.Stdout, set}, redactingWriter{p.Stderr, set}
	return p
}

// setSecrets sets the secrets that are removed from output.
func (p Host) setSecrets(s secret.Set) {
	if g, ok := p.Stderr.(redactingWriter); ok {
		g.set.Store(&s)
	}
}

// environSecrets returns the secrets in the environment.
func (p Host) environSecrets() secret.Set { return secret.FromEnviron(p.environ) }
