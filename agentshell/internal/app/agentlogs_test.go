package app

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// killed holds the home directory that a killed run has left, in which the agent Writer had
// finished and Docs was asking.
type killed struct {
	dir, home string // the workspace, and the home directory

	mu    sync.Mutex
	heard []string // by Docs, once it goes on
}

// play returns what the model answers the agents of that run and of the next one.
func (k *killed) play(who string, req provider.Request) []provider.Part {
	h := heard(req)
	switch {
	case who == "Main" && len(h) == 1:
		return []provider.Part{use("1", "task", `{"agent":"task","context":"The weir leaks.","tasks":[`+
			`{"id":"Writer","assignment":"write a.txt"},{"id":"Docs","assignment":"write docs"}]}`)}
	case who == "Writer" && len(h) == 1:
		return []provider.Part{provider.Text{Text: "I write."}, use("1", "write_file",
			`{"path":"a.txt","content":"a\n"}`)}
	case who == "Writer":
		return []provider.Part{use("2", "yield", `{"result":"a.txt is written"}`)}
	case who == "Docs" && len(h) == 1:
		return []provider.Part{provider.Text{Text: "I document."}, use("1", "write_file",
			`{"path":"docs.md","content":"d\n"}`)}
	case who == "Docs":
		k.mu.Lock()
		defer k.mu.Unlock()
		k.heard = append(slices.Clone(h), req.System)
		return []provider.Part{use("9", "yield", `{"result":"documented"}`)}
	}
	return []provider.Part{provider.Text{Text: "end"}}
}

// approver is an approver whose answers come from a function.
type approver func(p *approval.Proposal) approval.Answer

func (a approver) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	return a(p), nil
}

// killWhileDocsAsks plays the run, and stores the home directory as it was when Writer had finished
// and Docs was asking.
func killWhileDocsAsks(t *testing.T) *killed {
	t.Helper()
	p, r := opened(t)
	k := &killed{dir: r.dir, home: t.TempDir()}
	r.model, r.cfg.Agents.Max = &cast{answer: k.play}, 4
	c, err := r.openConversation(t.Context(), p, conversationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	writerDone := make(chan struct{})
	defer c.crew.Follow(func(e crew.Event) {
		if e.Agent == "Writer" && e.Ended != nil {
			close(writerDone)
		}
	})()
	playMain(t, c, approver(func(p1 *approval.Proposal) approval.Answer {
		if p1.By != "Docs" {
			return approval.Yes{ID: p1.ID}
		}
		<-writerDone
		if err := os.CopyFS(k.home, os.DirFS(p.getenv("HOME"))); err != nil {
			t.Error(err)
		}
		return approval.No{ID: p1.ID}
	}))
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	return k
}

// openedAgain opens the workspace in dir as a new process would.
func openedAgain(t *testing.T, p Host, dir string) *project {
	t.Helper()
	s, err := p.resolveSettings(Options{Workspace: dir})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.openProject(t.Context(), s, modelSource{model: &cast{}, script: true}, editorClient{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.stop()
		if err := r.close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// next opens the last session of the workspace again.
func (k *killed) next(t *testing.T) *conversation {
	t.Helper()
	p, _ := opened(t)
	p.getenv = func(name string) string { return map[string]string{"HOME": k.home}[name] }
	r := openedAgain(t, p, k.dir)
	r.model, r.cfg.Agents.Max = &cast{answer: k.play}, 4
	return conversationIn(t, p, r, conversationOptions{Continue: true})
}

// mateOf returns the agent of that id.
func mateOf(c *conversation, id string) (found crew.Agent) {
	for _, a := range c.crew.Agents() {
		if a.ID == id {
			found = a
		}
	}
	return found
}

// untilIdle waits until the agent of that id is idle.
func untilIdle(c *conversation, id string) {
	for {
		changed := c.crew.Changed()
		if mateOf(c, id).State == team.Idle {
			return
		}
		<-changed
	}
}

func TestTheNextStartKnowsWhatEachAgentHadDone(t *testing.T) {
	t.Parallel()
	k := killWhileDocsAsks(t)
	c := k.next(t)
	line := strings.Join(c.remarks, "\n")
	for _, want := range []string{"Agents of this session: ", "Writer done",
		"Docs not done, was about to write_file docs.md"} {
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
	writer, docs := mateOf(c, "Writer"), mateOf(c, "Docs")
	if writer.State != team.Parked || writer.Result == nil || docs.State != team.Parked || docs.Result != nil {
		t.Errorf("the agents are %+v and %+v", writer, docs)
	}
	if text, err := c.crew.Text("writer"); text != "a.txt is written" {
		t.Errorf("agent://writer is %q, %v", text, err)
	}
	if text, err := c.crew.History("Docs"); !strings.Contains(text, "I document.") ||
		!strings.Contains(text, "docs.md") {
		t.Errorf("history://Docs is %q, %v", text, err)
	}
	if want := "Docs (its calls had no result: write_file docs.md)"; !strings.Contains(c.interruptedText(), want) {
		t.Errorf("the model is told %q", c.interruptedText())
	}
}

func TestAnInterruptedAgentGoesOnWithWhatItHadSaid(t *testing.T) {
	t.Parallel()
	k := killWhileDocsAsks(t)
	c := k.next(t)
	c.newAgent(nil)
	if r := c.crew.Tell("Docs", "go on"); len(r) != 1 || r[0].Outcome != team.Revived {
		t.Fatalf("the receipts are %+v", r)
	}
	untilIdle(c, "Docs")
	k.mu.Lock()
	defer k.mu.Unlock()
	text := strings.Join(k.heard, "\n")
	for _, want := range []string{"write docs",
		"interrupted: the shell ended before this tool call was run; it had no effect", "go on", "The weir leaks."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in what Docs heard:\n%s", want, text)
		}
	}
	messages, err := c.log.AgentMessages("Docs")
	if err != nil || len(messages) < 5 {
		t.Errorf("its log has %d messages, %v", len(messages), err)
	}
}

func TestAParkedAgentIsOnTheDiskAlone(t *testing.T) {
	t.Parallel()
	k := killWhileDocsAsks(t)
	c := k.next(t)
	c.newAgent(nil)
	if err := c.crew.Revive("Writer"); err != nil {
		t.Fatal(err)
	}
	before, err := c.crew.History("Writer")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.crew.Park("Writer"); err != nil {
		t.Fatal(err)
	}
	if after, err := c.crew.History("Writer"); after != before || !strings.Contains(after, "I write.") {
		t.Errorf("history://Writer was\n%s\nand is\n%s\n%v", before, after, err)
	}
	if len(c.agents.logs) != 0 {
		t.Errorf("%d logs are open", len(c.agents.logs))
	}
}

func TestAnExportHasTheAgents(t *testing.T) {
	t.Parallel()
	k := killWhileDocsAsks(t)
	var out strings.Builder
	p := Host{getenv: func(name string) string { return map[string]string{"HOME": k.home}[name] }, Stdout: &out}
	if code, err := p.Export(t.Context(), ExportOptions{Workspace: k.dir}); code != 0 || err != nil {
		t.Fatalf("%d, %v", code, err)
	}
	for _, want := range []string{"# Session ", "\n# Agent Writer (task, done)\n", "I write.",
		"\n# Agent Docs (task, not done, was about to write_file docs.md)\n", "I document."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

func TestAnotherSessionHasItsOwnAgents(t *testing.T) {
	t.Parallel()
	k := killWhileDocsAsks(t)
	c := k.next(t)
	logs := &sessions{conv: c, ag: c.newAgent(nil)}
	if err := logs.Fork(); err != nil {
		t.Fatal(err)
	}
	if mateOf(c, "Writer").Result == nil || len(c.crew.Agents()) != 2 {
		t.Errorf("the fork has %+v", c.crew.Agents())
	}
	if text, err := c.crew.History("Docs"); !strings.Contains(text, "I document.") {
		t.Errorf("history://Docs is %q, %v", text, err)
	}
	if r := c.crew.Tell("Writer", "more"); len(r) != 1 || r[0].Outcome != team.Revived {
		t.Errorf("the receipts are %+v", r)
	}
	untilIdle(c, "Writer")
}
