package app

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// gitIn runs git in dir.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=p",
		"GIT_AUTHOR_EMAIL=p@x", "GIT_COMMITTER_NAME=p", "GIT_COMMITTER_EMAIL=p@x")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// putFiles writes files to dir and its subdirectories.
func putFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// isolating returns a conversation whose agents may work in copies of the workspace, which is a git
// repository. It also returns the directory of the copies.
func isolating(t *testing.T, m *cast) (c *conversation, copies string) {
	t.Helper()
	c, p := isolatingOn(t, m)
	return c, p.copies().Dir
}

// isolatingOn returns a conversation as isolating does, and the host.
func isolatingOn(t *testing.T, m *cast) (*conversation, Host) {
	t.Helper()
	p, r := opened(t)
	p.family = &child.Family{Programs: child.NewPrograms(os.Getenv("PATH"))}
	r.model, r.cfg.Agents.Max, r.cfg.Agents.Isolation = m, 4, "worktree"
	gitIn(t, r.dir, "init", "-q")
	putFiles(t, r.dir, map[string]string{"a.txt": "1\n2\n3\n4\n5\n", "b.txt": "b\n", "gone.txt": "gone\n"})
	gitIn(t, r.dir, "add", ".")
	gitIn(t, r.dir, "commit", "-qm", "first")
	putFiles(t, r.dir, map[string]string{"a.txt": "1, not committed\n2\n3\n4\n5\n", "new.txt": "new\n"})
	return conversationIn(t, p, r, conversationOptions{}), p
}

// isolatedTask returns the input of a call of task that starts agents in copies of the workspace.
func isolatedTask(ids ...string) string {
	var items []string
	for _, id := range ids {
		items = append(items, `{"id":"`+id+`","assignment":"x","isolated":true}`)
	}
	return `{"agent":"task","context":"c","tasks":[` + strings.Join(items, ",") + `]}`
}

// edits lets an agent make calls one after the other, and then end.
func edits(req provider.Request, calls ...provider.Part) []provider.Part {
	n := len(heard(req)) - 1
	if n < len(calls) {
		return []provider.Part{calls[n]}
	}
	return []provider.Part{use("9", "yield", `{"result":"done"}`)}
}

// content returns the content of a file of the workspace, or "" if the file does not exist.
func (c *conversation) content(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func TestAnAgentInACopyAsksOnceItHasEnded(t *testing.T) {
	t.Parallel()
	var inCopy string
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, isolatedTask("Lexer"))
		}
		inCopy = strings.Join(heard(req), "|")
		return edits(req, use("1", "read_file", `{"path":"a.txt"}`), use("2", "read_file", `{"path":"new.txt"}`),
			use("3", "write_file", `{"path":"a.txt","content":"one\n2\n3\n4\n5\n"}`),
			use("4", "write_file", `{"path":"Makefile","content":"all:\n"}`),
			use("5", "write_file", `{"path":".git/config","content":"[core]\n"}`))
	}}
	c, copies := isolating(t, m)
	before := gitIn(t, c.dir, "status", "--porcelain") + gitIn(t, c.dir, "for-each-ref") +
		gitIn(t, c.dir, "worktree", "list")
	var atAsk []string
	who := &person{}
	who.say = func(p *approval.Proposal) approval.Answer {
		if strings.Contains(p.Path, ".git/") {
			return approval.No{ID: p.ID}
		}
		atAsk = append(atAsk, c.content(t, "a.txt"))
		return approval.Yes{ID: p.ID}
	}
	r, _ := playMain(t, c, who)
	if !strings.Contains(inCopy, "not committed") || !strings.Contains(inCopy, "new") {
		t.Errorf("the agent read %q", inCopy)
	}
	root := c.ws.Default()
	want := []string{"Lexer: write_file " + root + "/.git/config", "Lexer: write_file " + root + "/Makefile",
		"Lexer: write_file " + root + "/a.txt"}
	if !slices.Equal(who.asked, want) {
		t.Errorf("asked was %q, want %q", who.asked, want)
	}
	if !slices.Equal(atAsk, []string{"1, not committed\n2\n3\n4\n5\n", "1, not committed\n2\n3\n4\n5\n"}) {
		t.Errorf("before a yes a.txt was %q", atAsk)
	}
	if got := c.content(t, "a.txt"); got != "one\n2\n3\n4\n5\n" {
		t.Errorf("a.txt is %q", got)
	}
	if !strings.Contains(r.Text, "Brought into the workspace: Makefile, a.txt.") {
		t.Errorf("the result is\n%s", r.Text)
	}
	after := gitIn(t, c.dir, "status", "--porcelain") + gitIn(t, c.dir, "for-each-ref") +
		gitIn(t, c.dir, "worktree", "list")
	if after = strings.Replace(after, "?? Makefile\n", "", 1); after != before {
		t.Errorf("git said\n%s\nand says\n%s", before, after)
	}
	if left, err := os.ReadDir(copies); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
	if a := mateOf(c, "Lexer"); a.State != team.Parked || !a.Lost {
		t.Errorf("the agent is %+v", a)
	}
	if patch, err := c.agentText("Lexer.patch"); !strings.Contains(patch, "-1, not committed\n+one\n") {
		t.Errorf("the patch is\n%s\n%v", patch, err)
	}
}

func TestAConflictNamesBothSidesBeforeAnythingIsWritten(t *testing.T) {
	t.Parallel()
	var c *conversation
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, isolatedTask("Lexer"))
		}
		if len(heard(req)) == 3 { // meanwhile the person works, too
			putFiles(t, c.dir, map[string]string{"a.txt": "1, not committed\ntwo\n3\n4\n5, mine\n",
				"b.txt": "b\nmine\n"})
		}
		return edits(req, use("1", "write_file", `{"path":"a.txt","content":"1, not committed\nII\n3\n4\n5\n"}`),
			use("2", "write_file", `{"path":"b.txt","content":"agent\nb\n"}`))
	}}
	c, _ = isolating(t, m)
	var first *approval.Proposal
	who := &person{say: func(p *approval.Proposal) approval.Answer {
		if first == nil {
			first = p
			if got := c.content(t, "b.txt"); got != "b\nmine\n" {
				t.Errorf("b.txt was written before: %q", got)
			}
		}
		return approval.Yes{ID: p.ID}
	}}
	r, _ := playMain(t, c, who)
	const marked = "1, not committed\n<<<<<<< workspace\ntwo\n||||||| before\n2\n=======\nII\n>>>>>>> Lexer\n3\n4\n" +
		"5, mine\n"
	if first == nil || !first.Flagged(approval.FlagConflict) || string(first.After) != marked {
		t.Fatalf("first asked was %+v", first)
	}
	if a := c.content(t, "a.txt"); a != marked {
		t.Errorf("a.txt is %q", a)
	}
	if b := c.content(t, "b.txt"); b != "agent\nb\nmine\n" {
		t.Errorf("b.txt is %q:\n%s", b, r.Text)
	}
}

func TestWhatCannotBeBroughtIsNamed(t *testing.T) {
	t.Parallel()
	var c *conversation
	var dir string
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, isolatedTask("Lexer"))
		}
		_, dir, _ = strings.Cut(req.System, "a copy of the workspace, at ")
		dir, _, _ = strings.Cut(dir, ". The user")
		putFiles(t, dir, map[string]string{"n w.txt": "n\n"})
		if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
		_ = os.Remove(filepath.Join(dir, "b.txt"))
		_ = os.Symlink("/etc/passwd", filepath.Join(dir, "link"))
		_ = os.Chmod(filepath.Join(dir, "new.txt"), 0o755)
		putFiles(t, c.dir, map[string]string{"b.txt": "b, mine\n"})
		return edits(req)
	}}
	c, _ = isolating(t, m)
	var removal *approval.Proposal
	who := &person{say: func(p *approval.Proposal) approval.Answer {
		if p.Remove {
			removal = p
			return approval.Yes{ID: p.ID}
		}
		return approval.No{ID: p.ID}
	}}
	r, _ := playMain(t, c, who)
	for _, want := range []string{"Brought into the workspace: gone.txt.", "The user did not want: n w.txt.",
		"b.txt: Lexer has removed it, and the workspace has changed it since",
		"link is a link to /etc/passwd in the copy",
		"new.txt: chmod +x makes its mode that of the copy.", "All that Lexer changed is in agent://Lexer.patch."} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%q is not in the result:\n%s", want, r.Text)
		}
	}
	if removal == nil || !removal.Flagged(approval.FlagRemoved) || c.content(t, "gone.txt") != "" ||
		c.content(t, "b.txt") != "b, mine\n" || c.content(t, "n w.txt") != "" {
		t.Errorf("the removal was %+v", removal)
	}
	if patch, err := c.log.Artifact("Lexer", session.PatchFile); err != nil || !strings.Contains(string(patch),
		"/etc/passwd") {
		t.Errorf("the patch is\n%s\n%v", patch, err)
	}
}

// stopInACopy lets an agent change files in its copy of the workspace, and then stops the turn. It
// returns the host and the workspace.
func stopInACopy(t *testing.T) (p Host, dir string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		switch {
		case who == "Main":
			return wantsTask(req, isolatedTask("Lexer"))
		case len(heard(req)) == 2:
			cancel()
		}
		return edits(req, use("1", "write_file", `{"path":"a.txt","content":"left\n"}`))
	}}
	c, p := isolatingOn(t, m)
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	if err := c.newAgent(who).RunTurn(ctx, agent.Message{Text: "go"}, func(agent.Event) {}); err != nil {
		t.Fatal(err)
	}
	if len(who.asked) != 0 || c.content(t, "a.txt") != "1, not committed\n2\n3\n4\n5\n" {
		t.Errorf("asked was %q", who.asked)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	c.crew, c.log = nil, nil
	return p, c.dir
}

func TestWhatAStoppedAgentHasLeftIsAppliedAtTheNextStart(t *testing.T) {
	t.Parallel()
	p, dir := stopInACopy(t)
	var out strings.Builder
	p.Stdout = &out
	if _, err := p.Leftovers(t.Context(), LeftoverOptions{Workspace: dir, Show: true}); err != nil ||
		!strings.Contains(out.String(), "+left\n") {
		t.Errorf("shown is %q, %v", out.String(), err)
	}
	r := openedAgain(t, p, dir)
	const line = "1 agent left work behind: Lexer (1 file)"
	if notices := strings.Join(r.notices, "\n"); !strings.Contains(notices, line) {
		t.Errorf("%q is not in %q", line, notices)
	}
	c := conversationIn(t, p, r, conversationOptions{NoLog: true})
	who := &person{say: func(p *approval.Proposal) approval.Answer { return approval.Yes{ID: p.ID} }}
	offer := c.leftoverOffer(t.Context(), func() approval.Approver { return who })
	if offer == nil || !strings.HasPrefix(offer.Question, line) || !strings.Contains(offer.Text, "+left\n") {
		t.Fatalf("the question is %+v", offer)
	}
	if line := offer.Settle(t.Context(), true); line != "Lexer: Brought into the workspace: a.txt." ||
		c.content(t, "a.txt") != "left\n" || len(who.asked) != 1 {
		t.Errorf("%q, asked was %q", line, who.asked)
	}
	if left, err := os.ReadDir(p.copies().Dir); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
}

func TestWhatAStoppedAgentHasLeftIsDiscarded(t *testing.T) {
	t.Parallel()
	p, dir := stopInACopy(t)
	var out strings.Builder
	p.Stdout = &out
	for _, o := range []LeftoverOptions{{}, {Agent: "lexer", Discard: true}, {}} {
		o.Workspace = dir
		if _, err := p.Leftovers(t.Context(), o); err != nil {
			t.Error(err)
		}
	}
	if text := out.String(); !strings.Contains(text, "Lexer (1 file)") ||
		!strings.HasSuffix(text, "No agent left work behind in this workspace.\n") {
		t.Errorf("printed is\n%s", text)
	}
	if left, err := os.ReadDir(p.copies().Dir); err != nil || len(left) > 0 {
		t.Errorf("left is %v, %v", left, err)
	}
}

func TestATaskInACopyWantsARepositoryAndTheSetting(t *testing.T) {
	t.Parallel()
	m := &cast{answer: func(who string, req provider.Request) []provider.Part {
		if who == "Main" {
			return wantsTask(req, isolatedTask("Lexer"))
		}
		return edits(req)
	}}
	c, _ := isolating(t, m)
	if err := os.RemoveAll(filepath.Join(c.dir, ".git")); err != nil {
		t.Fatal(err)
	}
	if r, _ := playMain(t, c, nil); !strings.Contains(r.Text, "Isolated task execution requires a git repository. ") {
		t.Errorf("the result is\n%s", r.Text)
	}
	without := crewed(t, 1, m)
	if r, _ := playMain(t, without, nil); !strings.Contains(r.Text, `isolated is not possible: the config file says`) {
		t.Errorf("the result is\n%s", r.Text)
	}
}

// The helpers of a copy are its own, and end with the conversation of its agent.
func TestACopyEndsItsHelpers(t *testing.T) {
	t.Parallel()
	c, p := isolatingOn(t, &cast{})
	c.cfg.LSP.Enabled = true
	mate, err := c.openIsolated(t.Context(), p, crew.Opening{ID: "A", Kind: crew.Bundled()[0], Yield: new(tool.Yield)})
	if err != nil {
		t.Fatal(err)
	}
	copied := mate.(*isolatedMate).copied
	if err := mate.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := lsp.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = copied.helpers.languages.Use(t.Context(), table["gopls"])
	if !errors.Is(err, helper.ErrClosed) {
		t.Errorf("a language server of a copy that is gone starts: %v", err)
	}
}
