package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
)

// adviceAfter is the number of commands that a person approves in a session before they are told
// that the system could confine commands.
const adviceAfter = 3

// sandboxAdvice returns the function that gives advice about the sandbox, once. The person must
// have approved commands by hand and not have decided about the sandbox, and the system must have
// one. A file in the state directory records that the advice was given.
func (r *project) sandboxAdvice(p Host) func(ctx context.Context, commands int) string {
	state, dir := config.StateDir(p.getenv), config.Dir(p.getenv)
	if r.cfg.Sandbox != "" || r.demo || dir == "" || state == "" || r.ws.WhyBroad() != "" ||
		r.policy.Mode() == approval.ModeUnconfined {
		return nil
	}
	markFile, remaining := filepath.Join(state, "advice-sandbox"), adviceAfter
	return func(ctx context.Context, commands int) string {
		if remaining <= 0 {
			return ""
		}
		if remaining -= commands; remaining > 0 {
			return ""
		}
		if _, err := os.Lstat(markFile); !errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		if sandbox.Find(ctx, p.family, p.tempDir, "").Box == nil {
			return ""
		}
		if errors.Join(os.MkdirAll(state, 0o700), os.WriteFile(markFile, nil, 0o600)) != nil {
			return "" // it would be given again and again
		}
		return "Commands can run confined to this workspace, most of them without a question: write " +
			"sandbox = \"auto\" into " + filepath.Join(dir, "config.toml") + " and start again. This is said once."
	}
}
