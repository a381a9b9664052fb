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

// annoying is how many commands a person approves in a session before they are told that the system
// could confine them.
const annoying = 3

// advise gives the advice about the sandbox, once: to a person who has approved commands by hand,
// has not decided about it, and has a system that can do it. A mark in the state directory says
// that it was given.
func (r *project) advise(p Host) func(ctx context.Context, commands int) string {
	state, dir := config.StateDir(p.getenv), config.Dir(p.getenv)
	if r.cfg.Sandbox != "" || r.demo || dir == "" || state == "" || r.ws.WhyBroad() != "" ||
		r.policy.Mode() == approval.ModeUnconfined {
		return nil
	}
	mark, left := filepath.Join(state, "advice-sandbox"), annoying
	return func(ctx context.Context, commands int) string {
		if left <= 0 {
			return ""
		}
		if left -= commands; left > 0 {
			return ""
		}
		if _, err := os.Lstat(mark); !errors.Is(err, fs.ErrNotExist) {
			return ""
		}
		if sandbox.Find(ctx, p.family, p.tempDir, "").Box == nil {
			return ""
		}
		if errors.Join(os.MkdirAll(state, 0o700), os.WriteFile(mark, nil, 0o600)) != nil {
			return "" // it would be given again and again
		}
		return "Commands can run confined to this workspace, most of them without a question: write " +
			"sandbox = \"auto\" into " + filepath.Join(dir, "config.toml") + " and start again. This is said once."
	}
}
