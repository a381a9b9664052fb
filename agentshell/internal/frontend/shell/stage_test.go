package shell

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// session is the whole shell on a virtual screen: a scripted model, the real tools, a workspace of
// its own.
type session struct {
	*tuitest.Screen
	t   *testing.T
	dir string
	sh  *Shell
}

// begin starts a session in a workspace of files (name, content, ...), played from the lines of a
// script.
func begin(t *testing.T, screen tuitest.Config, files map[string]string, lines ...string) *session {
	t.Helper()
	return beginWith(t, screen, files, nil, lines...)
}

// beginConfigured is begin without files, where change has its say on the configuration.
func beginConfigured(t *testing.T, screen tuitest.Config, change func(*Config), lines ...string) *session {
	t.Helper()
	return beginAll(t, screen, nil, nil, func(sh *Shell) approval.Approver { return sh }, change, lines...)
}

// beginRuled is begin without files, with rules on the stream.
func beginRuled(t *testing.T, screen tuitest.Config, rules []streamrule.Rule, lines ...string) *session {
	t.Helper()
	return stage{screen: screen, rules: rules, seen: func(sh *Shell) approval.Approver { return sh }}.begin(t, lines...)
}

// beginWith is begin with further tools.
func beginWith(t *testing.T, screen tuitest.Config, files map[string]string, more []tool.Tool,
	lines ...string) *session {
	t.Helper()
	return beginSeen(t, screen, files, more, func(sh *Shell) approval.Approver { return sh }, lines...)
}

// beginSeen is beginWith where seen stands between the agent and the shell.
func beginSeen(t *testing.T, screen tuitest.Config, files map[string]string, more []tool.Tool,
	seen func(*Shell) approval.Approver, lines ...string) *session {
	t.Helper()
	return beginAll(t, screen, files, more, seen, func(*Config) {}, lines...)
}

func beginAll(t *testing.T, screen tuitest.Config, files map[string]string, more []tool.Tool,
	seen func(*Shell) approval.Approver, change func(*Config), lines ...string) *session {
	t.Helper()
	return stage{screen, files, more, seen, change, nil}.begin(t, lines...)
}

// stage is what a session is played on.
type stage struct {
	screen tuitest.Config
	files  map[string]string
	more   []tool.Tool
	seen   func(*Shell) approval.Approver
	change func(*Config)
	rules  []streamrule.Rule
}

func (st stage) begin(t *testing.T, lines ...string) *session {
	t.Helper()
	dir := t.TempDir()
	for name, text := range st.files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	model, err := script.Parse("test script", []byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	history := &undo.History{}
	env := tool.Env{Workspace: ws, History: history, Questions: new(tool.Questions)}
	cfg := Config{Version: "0.1", Models: Models{Name: "test script"}, Workspace: Workspace{Name: "demo", Dir: "/demo"},
		Approval: Approval{Mode: "ask"},
		Session:  Session{Path: "x"}, Prompt: Prompt{Editor: &Editor{Dir: filepath.Join(t.TempDir(), "scratch")}},
		Files: Files{Changes: func() []undo.Line { return history.Lines(time.Now()) },
			Differences: func(ctx context.Context) []tool.Difference { return tool.Differences(ctx, env) }}}
	if st.change != nil {
		st.change(&cfg)
	}
	env.Todo, env.Commands.Jobs = cfg.Todo, cfg.Programs.Jobs
	var modes agent.Modes
	if cfg.Approval.Policy != nil {
		env.Modes, modes = cfg.Approval.Policy, cfg.Approval.Policy
	}
	sh := New(cfg)
	env.Questions.SetPerson(sh)
	tools, err := tool.NewRegistry(append(tool.Builtin(env).Tools(), st.more...)...)
	if err != nil {
		t.Fatal(err)
	}
	sh.setUp(agent.New(agent.Config{Model: model, Tools: tools, Approver: st.seen(sh), Modes: modes,
		Rules: st.rules, Inbox: inbox{person: sh, jobs: cfg.Programs.Jobs}, Changes: changes{env}}))
	return &session{tuitest.Start(t, &sh.app, st.screen), t, dir, sh}
}

// inbox is what comes into the conversation of a session.
type inbox struct {
	agent.NopInbox
	person *Shell
	jobs   *job.Manager // nil: there are none
}

func (i inbox) Steering(ctx context.Context) []agent.Message { return i.person.Steer(ctx) }

func (i inbox) FinishedJobs() []job.Job {
	if i.jobs == nil {
		return nil
	}
	return i.jobs.TakeEnded()
}

// changes takes back what a session changed.
type changes struct{ env tool.Env }

func (c changes) Undo(ctx context.Context, id string, n int) (tool.Call, error) {
	return tool.Undo(ctx, c.env, id, n)
}

func (c changes) Rewind(n int) []tool.Return { return tool.Rewind(c.env, n) }

// Press presses keys, and lets the time pass after which a letter acts that answers a question.
func (s *session) Press(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		s.Screen.Press(key)
		held := make(chan bool, 1)
		if s.sh.app.Do(func() {
			q := s.sh.question
			held <- q != nil && q.current >= 0 && q.panes[q.current] != nil && q.panes[q.current].held != nil
		}) && <-held {
			s.Pass(letterPause)
		}
	}
}

// pass lets time pass.
func (s *session) pass(d time.Duration) {
	<-time.After(d)
	s.Settle()
}

// file returns what stands in a file of the workspace; "(none)" without it.
func (s *session) file(name string) string {
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if os.IsNotExist(err) {
		return "(none)"
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

// tape returns history and grid, as text.
func (s *session) tape() string {
	return strings.TrimLeft(s.Scrollback()+"\n"+s.Visible(), "\n")
}

// lacks fails if the screen or the history holds one of texts.
func (s *session) lacks(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.tape(), text) {
			s.t.Errorf("%q stands in\n%s", text, s.tape())
		}
	}
}

// holds fails if one of texts stands nowhere. Blanks and row ends do not count.
func (s *session) holds(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(strings.Join(strings.Fields(s.tape()), ""), strings.Join(strings.Fields(text), "")) {
			s.t.Errorf("%q does not stand in\n%s", text, s.tape())
		}
	}
}
