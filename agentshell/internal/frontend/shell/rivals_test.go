package shell

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

var rivalRounds = flag.Int("rivals", 40, "rounds in which two agents and a person write the same file")

// scribbler is a model that changes a random line of the file in each answer.
type scribbler struct {
	name, file string
	random     *rand.Rand
	n          int
}

func (m *scribbler) Name() string { return m.name }

func (m *scribbler) Stream(context.Context, provider.Request) iter.Seq2[provider.Event, error] {
	return func(yield func(provider.Event, error) bool) {
		text, err := os.ReadFile(m.file)
		if err != nil {
			yield(nil, err)
			return
		}
		m.n++
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		i := m.random.IntN(len(lines))
		now := fmt.Sprintf("%02d %s-%d", i, m.name, m.n)
		args := map[string]string{"path": "notes.md", "old_string": lines[i] + "\n", "new_string": now + "\n"}
		name := "edit_file"
		if m.random.IntN(5) == 0 { // the whole file
			lines[i] = now
			text := strings.Join(lines, "\n") + "\n"
			name, args = "write_file", map[string]string{"path": "notes.md", "content": text}
		}
		input, _ := json.Marshal(args)
		call := provider.ToolCall{ID: fmt.Sprint(m.n % 3), Name: name, Input: input}
		message := provider.Message{Role: provider.Assistant, Parts: []provider.Part{call}}
		yield(provider.End{Stop: "tool", Message: message}, nil)
	}
}

// rivals is a session in which two agents and the person write one file.
type rivals struct {
	*session
	file string

	mu       sync.Mutex
	changes  []fileChangeOf // in the order in which they were made
	failures []string
	refused  int // calls that failed before or instead of a question
	asked    map[string]asked
	overlaps int // approved changes that overlapped with one that waited
	// conflicts are calls that failed because another agent has changed the file after the person
	// was asked about them. Where the person has changed it too, either may be the reason.
	conflicts, unsure int
}

// asked is the call of an agent that the person was asked about, with how many changes were made
// before.
type asked struct {
	call    string
	changes int
}

// Ask implements approval.Approver for an agent that scribbles.
func (a scribe) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	a.r.mu.Lock()
	a.r.asked[a.name] = asked{p.Call, len(a.r.changes)}
	a.r.mu.Unlock()
	return a.subAgent.Ask(ctx, p)
}

// scribe is an agent that scribbles.
type scribe struct {
	*subAgent
	r *rivals
}

// fileChangeOf is one change of the file.
type fileChangeOf struct{ who, before, after string }

// note checks what an agent's call came to.
func (r *rivals) note(who string, e agent.ToolEnd) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case e.OK && e.Proposal != nil:
		r.changes = append(r.changes, fileChangeOf{who, string(e.Proposal.Before), string(e.Proposal.After)})
	case e.OK || e.Kind == agent.KindDenied || e.Kind == agent.KindInterrupted:
	case e.Decision.By == "person" && e.Decision.Allow:
		r.failures = append(r.failures, fmt.Sprintf("%s: what was approved was not written: %s", who, e.Text))
	default:
		r.refused++
		r.noteConflict(r.asked[who], e)
	}
}

// noteConflict counts a call that the person was asked about and that failed, by its reason.
func (r *rivals) noteConflict(a asked, e agent.ToolEnd) {
	if a.call != e.ID || a.changes == len(r.changes) {
		return
	}
	if slices.ContainsFunc(r.changes[a.changes:], func(c fileChangeOf) bool { return c.who == "person" }) {
		r.unsure++
	} else {
		r.conflicts++
	}
}

// employ starts an agent that scribbles.
func (r *rivals) employ(name string, seed uint64) {
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: r.dir}}})
	if err != nil {
		r.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(r.t.Context())
	a := &subAgent{s: r.session, name: name, stop: cancel}
	mate := agent.New(agent.Config{Model: &scribbler{name: name, file: r.file, random: rand.New(rand.NewPCG(seed, 1))},
		Approver: scribe{a, r}, Tools: tool.Builtin(tool.Env{Workspace: ws}), Limits: agent.Limits{Steps: 1_000_000}})
	go func() {
		defer ws.Close()
		for ctx.Err() == nil {
			_ = mate.RunTurn(ctx, agent.Message{Text: "go"}, func(e agent.Event) {
				if end, is := e.(agent.ToolEnd); is {
					r.note(name, end)
					r.sh.app.Do(func() { r.sh.askers.callEnded(name, end) })
				}
			})
			_ = mate.Clear()
		}
	}()
}

// write changes the file as a person with an editor does, while no agent can.
func (r *rivals) write(random *rand.Rand, n int) {
	before := r.session.file("notes.md")
	lines := strings.Split(strings.TrimSpace(before), "\n")
	i := random.IntN(len(lines))
	lines[i] = fmt.Sprintf("%02d person-%d", i, n)
	after := strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(r.file, []byte(after), 0o644); err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, fileChangeOf{"person", before, after})
}

// answer lets the person look at the pane that is shown, and do something with it.
func (r *rivals) answer(random *rand.Rand, n int) {
	r.pass(2500 * time.Millisecond)
	r.sh.app.Do(func() {})
	shown := r.sh.question
	if shown == nil || shown.current < 0 || shown.panes[shown.current] == nil {
		return
	}
	p := shown.panes[shown.current].proposal
	screen := r.Visible()
	if !strings.Contains(screen, "by "+p.By) {
		r.t.Errorf("round %d: the pane does not name %s\n%s", n, p.By, screen)
	}
	switch k := random.IntN(10); {
	case k < 6:
		for _, h := range p.Diff.Hunks { // what is approved is in sight
			for _, l := range h.Lines {
				if text := strings.TrimSpace(l.Text); l.Op != 0 && !strings.Contains(screen, text) {
					r.t.Errorf("round %d: %q was not shown\n%s", n, text, screen)
				}
			}
		}
		r.checkRivals(p, screen, n)
		r.Press("y")
	case k < 7:
		r.Press("n")
	case k < 9:
		r.Press("tab")
	default:
		r.write(random, n)
	}
}

// checkRivals checks that the screen names each other agent whose change of the file waits, and
// whether it overlaps with the one that is about to be approved.
func (r *rivals) checkRivals(p *approval.Proposal, screen string, n int) {
	for _, q := range r.sh.askers.waiting {
		for _, m := range q.panes {
			if m == nil || m.proposal.By == p.By {
				continue
			}
			_, note, named := strings.Cut(screen, "also wanted by "+m.proposal.By+": 1 hunk")
			if !named {
				r.t.Errorf("round %d: the pane does not say that %s wants the file\n%s", n, m.proposal.By, screen)
			}
			if string(m.proposal.Before) != string(p.Before) || removedLine(m.proposal) != removedLine(p) {
				continue
			}
			r.overlaps++
			if !strings.HasPrefix(note, ", 1 overlaps") {
				r.t.Errorf("round %d: the pane does not say that the change of %s overlaps\n%s", n, m.proposal.By,
					screen)
			}
		}
	}
}

// removedLine returns the text of the line that a change replaces.
func removedLine(p *approval.Proposal) string {
	for _, h := range p.Diff.Hunks {
		for _, l := range h.Lines {
			if l.Op == diff.Delete {
				return l.Text
			}
		}
	}
	return ""
}

// Two agents and a person write the same file. No change is lost: each is made on the text that the
// change before it has left. What the person approves was shown and is written. Before a change is
// approved, the pane names the other agent that wants the file, and whether both overlap. What
// cannot be made any more because of it is named.
func TestTwoAgentsAndAPersonLoseNoChangeOfEachOther(t *testing.T) {
	for part := range max(*rivalRounds/500, 1) { // a tape of its own for each
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(uint64(part), 51))
			var text strings.Builder
			for i := range 8 {
				fmt.Fprintf(&text, "%02d first\n", i)
			}
			s := begin(t, tuitest.Config{Cols: 80, Rows: 60}, map[string]string{"notes.md": text.String()},
				`{"say":"Working.","hang":true}`)
			r := &rivals{session: s, file: filepath.Join(s.dir, "notes.md"), asked: map[string]asked{}}
			r.employ("Lexer", uint64(part)*2)
			r.employ("Docs", uint64(part)*2+1)
			rounds := min(*rivalRounds, 500)
			for n := range rounds {
				r.answer(random, n)
			}
			r.pass(3 * time.Second)
			r.check(text.String(), rounds)
		})
	}
}

// check compares the changes with each other and with the file.
func (r *rivals) check(content string, rounds int) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	written := map[string]int{}
	for i, c := range r.changes {
		if c.before != content {
			r.t.Errorf("change %d, by %s, is one of\n%s\nand there was\n%s", i, c.who, c.before, content)
		}
		content = c.after
		written[c.who]++
	}
	if got := r.session.file("notes.md"); got != content {
		r.t.Errorf("the file is\n%s\nwant\n%s", got, content)
	}
	for _, f := range r.failures {
		r.t.Error(f)
	}
	named := strings.Count(strings.Join(strings.Fields(r.tape()), " "), "does not fit any more, since that of")
	if len(r.changes) < rounds/5 {
		r.t.Errorf("only %d changes were made: %v\n%s", len(r.changes), written, r.tape())
	}
	if named < r.conflicts || named > r.conflicts+r.unsure {
		r.t.Errorf("%d conflicts are named, there were %d, and %d that may be the person's\n%s", named, r.conflicts,
			r.unsure, r.tape())
	}
	r.t.Logf("%d changes, by %v, %d that overlapped with one that waited; %d calls could not be made, %d named as a "+
		"conflict", len(r.changes), written, r.overlaps, r.refused, named)
}
