package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestCommandsInACopyAreConfinedToIt(t *testing.T) {
	p, r := opened(t)
	p.environ, p.tempDir = os.Environ(), t.TempDir()
	p.family = &child.Family{Programs: child.NewPrograms(os.Getenv("PATH"))}
	if report := sandbox.Find(t.Context(), p.family, p.tempDir, ""); report.Box == nil {
		need.Missing(t, "sandbox", report.Reason)
	}
	var said string
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, isolatedTask("Lexer"))
		}
		said = strings.Join(heard(req), "\n")
		return edits(req, use("1", "bash", `{"command":"echo in the copy > made.txt; git status --porcelain; `+
			`git log --format=%s; ls `+r.dir+` `+filepath.Dir(p.copies().Dir)+`; echo harm > `+r.dir+`/harm.txt"}`))
	}}
	r.model, r.cfg.Agents.Max, r.cfg.Agents.Isolation, r.cfg.Sandbox = m, 4, "worktree", "auto"
	r.env = r.sharedEnv(t.Context(), p)
	gitIn(t, r.dir, "init", "-q")
	putFiles(t, r.dir, map[string]string{"a.txt": "a\n"})
	gitIn(t, r.dir, "add", ".")
	gitIn(t, r.dir, "commit", "-qm", "first")
	c := conversationIn(t, p, r, conversationOptions{})
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	result, _ := playMain(t, c, who)
	if len(who.asked) != 1 || !strings.HasSuffix(who.asked[0], "made.txt") {
		t.Errorf("asked was %q", who.asked)
	}
	for _, want := range []string{"?? made.txt", "the workspace as it was", "first"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in what the agent heard:\n%s", want, said)
		}
	}
	if c.content(t, "harm.txt") != "" || strings.Contains(said, "sessions") {
		t.Errorf("the command reached more than its copy:\n%s", said)
	}
	if c.content(t, "made.txt") != "in the copy\n" {
		t.Errorf("made.txt was not brought:\n%s\n%s", said, result.Text)
	}
}
