package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A formatter that runs what settings of the workspace name, as prettier loads plugins, runs
// nothing in a copy that an agent has written and nobody was shown, but in the sandbox.
func TestAFormatterInACopyRunsNothingUnseen(t *testing.T) {
	for _, mode := range []string{"", "auto"} {
		p, r := opened(t)
		p.environ, p.tempDir = os.Environ(), t.TempDir()
		p.family = &child.Family{Programs: child.NewPrograms(os.Getenv("PATH"))}
		if mode == "auto" {
			if report := sandbox.Find(t.Context(), p.family, p.tempDir, ""); report.Box == nil {
				need.Missing(t, "sandbox", report.Reason)
			}
		}
		made := filepath.Join(t.TempDir(), "made")
		m := &cast{answer: func(who string, req provider.Request) []provider.Part {
			if who == "Main" {
				return wantsTask(req, isolatedTask("Lexer"))
			}
			return edits(req, use("1", "write_file", `{"path":"conf","content":"echo > `+made+`\n"}`),
				use("2", "write_file", `{"path":"a.x","content":"text\n"}`))
		}}
		r.model, r.cfg.Agents.Max, r.cfg.Agents.Isolation, r.cfg.Sandbox = m, 4, "worktree", mode
		r.cfg.Format = []config.Format{{Files: []string{"*.x"},
			Command: []string{"sh", "-c", `{ test ! -e conf || . ./conf; } 2>&-; tr a-z A-Z`}}}
		r.env = r.sharedEnv(t.Context(), p)
		gitIn(t, r.dir, "init", "-q")
		putFiles(t, r.dir, map[string]string{"b": "b\n"})
		gitIn(t, r.dir, "add", ".")
		gitIn(t, r.dir, "commit", "-qm", "first")
		c := conversationIn(t, p, r, conversationOptions{})
		who := &person{say: func(p *approval.Proposal) approval.Answer {
			if strings.HasSuffix(p.Path, "conf") {
				return approval.No{ID: p.ID}
			}
			return approval.Yes{ID: p.ID}
		}}
		playMain(t, c, who)
		if _, err := os.Lstat(made); err == nil {
			t.Errorf("sandbox %q: what the agent wrote ran", mode)
		}
		want := map[string]string{"": "text\n", "auto": "TEXT\n"}[mode]
		if got := c.content(t, "a.x"); got != want {
			t.Errorf("sandbox %q: a.x is %q, not %q", mode, got, want)
		}
	}
}
