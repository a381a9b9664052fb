package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// desk answers groups of proposals by a func, and single ones with yes. It notes what it was asked.
type desk struct {
	groups [][]string // paths
	all    func(ctx context.Context, ps []*approval.Proposal,
		answered func(i int, a approval.Answer) *approval.Proposal) error
}

func (d *desk) Ask(ctx context.Context, p *approval.Proposal) (approval.Answer, error) {
	d.groups = append(d.groups, []string{p.Path})
	return yes(ctx, p)
}

func (d *desk) AskAll(ctx context.Context, ps []*approval.Proposal,
	answered func(i int, a approval.Answer) *approval.Proposal) error {
	var paths []string
	for _, p := range ps {
		paths = append(paths, p.Path)
	}
	d.groups = append(d.groups, paths)
	return d.all(ctx, ps, answered)
}

// inOrder says yes to everything, the first one first.
func inOrder(_ context.Context, ps []*approval.Proposal,
	answered func(i int, a approval.Answer) *approval.Proposal) error {
	for i, p := range ps {
		for p != nil {
			p = answered(i, approval.Yes{ID: p.ID})
		}
	}
	return nil
}

func TestChangesOfOneMessageAreAskedTogetherWhereTheyDoNotDependOnEachOther(t *testing.T) {
	for name, test := range map[string]struct {
		calls string
		want  [][]string
	}{
		"three files": {
			calls(call("1", "change", "a"), call("2", "change", "b"), call("3", "change", "c")),
			[][]string{{"a", "b", "c"}}},
		"reads stand in nobody's way": {
			calls(call("1", "change", "a"), call("2", "look", "b"), call("3", "change", "b")), [][]string{{"a", "b"}}},
		"one path is built on step by step": {
			calls(call("1", "change", "a"), call("2", "change", "b"), call("3", "change", "a"),
				call("4", "change", "d")), [][]string{{"a", "b"}, {"a", "d"}}},
		"a file and what is below it": {calls(call("1", "change", "a"), call("2", "change", "a/b")),
			[][]string{{"a"}, {"a/b"}}},
		"other tools are waited for": {
			calls(call("1", "change", "a"), call("2", "boom", ""), call("3", "change", "b")), [][]string{{"a"}, {"b"}}},
		"what cannot be prepared is, too": {
			calls(call("1", "change", "a"), `{"id":"2","name":"change","input":{"fail":"prepare"}}`,
				call("3", "change", "b")), [][]string{{"a"}, {"b"}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := &desk{all: inOrder}
			turn(t, agent.New(agent.Config{Tools: &bench{}, Approver: d, Model: model(t, test.calls, `{}`)}),
				t.Context(), "x")
			if !slices.EqualFunc(d.groups, test.want, slices.Equal) {
				t.Errorf("asked %q, want %q", d.groups, test.want)
			}
		})
	}
}

func TestEachOfSeveralProposalsHasItsOwnAnswer(t *testing.T) {
	b := &bench{}
	d := &desk{}
	d.all = func(_ context.Context, ps []*approval.Proposal,
		answered func(i int, a approval.Answer) *approval.Proposal) error {
		yes := func(i int) approval.Answer { return approval.Yes{ID: ps[i].ID} }
		if answered(2, yes(2)) != nil || answered(0, approval.No{ID: ps[0].ID, Reason: "not this"}) != nil {
			t.Error("a decision is asked again")
		}
		if answered(2, approval.No{ID: ps[2].ID}) != nil || answered(0, yes(0)) != nil {
			t.Error("a second answer does something")
		}
		answered(1, yes(3)) // to another one: a no
		p := answered(3, approval.Revise{ID: ps[3].ID, After: []byte("mine")})
		if p == nil || p.ID == ps[3].ID {
			t.Fatalf("the revised proposal is %v", p)
		}
		if answered(3, approval.Yes{ID: p.ID}) != nil {
			t.Error("and is asked once more")
		}
		return nil
	}
	a := agent.New(agent.Config{Tools: b, Approver: d,
		Model: model(t, calls(call("1", "change", "a"), call("2", "change", "b"), call("3", "change", "c"),
			call("4", "change", "d")), `{}`)})
	got := ends(turn(t, a, t.Context(), "x"))
	if got["1"].Kind != "denied" || got["1"].Decision.Reason != "not this" || got["2"].Kind != "denied" ||
		!got["3"].OK || !got["4"].OK {
		t.Errorf("%+v", got)
	}
	if want := []string{"change c on v0 to ", "change d on v0 to mine"}; !slices.Equal(b.diary, want) {
		t.Errorf("diary %q, want %q", b.diary, want)
	}
}

func TestAStopDeniesAllThatIsOnTheTable(t *testing.T) {
	b := &bench{}
	d := &desk{}
	d.all = func(ctx context.Context, ps []*approval.Proposal,
		answered func(i int, a approval.Answer) *approval.Proposal) error {
		answered(0, approval.Yes{ID: ps[0].ID})
		answered(1, approval.Stop{ID: ps[1].ID})
		return ctx.Err()
	}
	a := agent.New(agent.Config{Tools: b, Approver: d,
		Model: model(t, calls(call("1", "change", "a"), call("2", "change", "b"), call("3", "change", "c")), `{}`)})
	events := turn(t, a, t.Context(), "x")
	got := ends(events)
	if !got["1"].OK || got["2"].Text != approval.Denied || got["3"].Text != approval.Denied ||
		end(events).Reason != agent.Interrupted {
		t.Errorf("%+v, %+v", got, end(events))
	}
}

// The first of two new files makes the directory of both, which changes what the second one was
// prepared on: nobody is asked twice for that.
func TestNewFilesInANewDirectoryAreWrittenAsTheyWereApproved(t *testing.T) {
	dir := t.TempDir()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	write := func(id, path string) string {
		input, _ := json.Marshal(map[string]string{"path": path, "content": id + "\n"})
		return `{"id":"` + id + `","name":"write_file","input":` + string(input) + `}`
	}
	d := &desk{}
	d.all = func(ctx context.Context, ps []*approval.Proposal,
		answered func(i int, a approval.Answer) *approval.Proposal) error {
		answered(0, approval.Yes{ID: ps[0].ID})
		answered(1, approval.Yes{ID: ps[1].ID})
		if err := os.WriteFile(filepath.Join(dir, "new/z"), []byte("somebody else's\n"), 0o644); err != nil {
			t.Error(err)
		}
		answered(2, approval.Yes{ID: ps[2].ID})
		return nil
	}
	a := agent.New(agent.Config{Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: d,
		Model: model(t, calls(write("1", "new/x"), write("2", "new/y"), write("3", "new/z")), `{}`)})
	got := ends(turn(t, a, t.Context(), "x"))
	if !got["1"].OK || !got["2"].OK || got["3"].Kind != "conflict" || len(d.groups) != 1 {
		t.Errorf("asked %q\n%+v", d.groups, got)
	}
	for name, want := range map[string]string{"x": "1\n", "y": "2\n", "z": "somebody else's\n"} {
		if b, err := os.ReadFile(filepath.Join(dir, "new", name)); err != nil || string(b) != want {
			t.Errorf("%s holds %q, %v", name, b, err)
		}
	}
}

// What a person wrote is asked anew if the file changed between the yes and the commit, on the same
// table.
func TestAnEditedChangeThatMeetsAnotherOneComesBackToTheTable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "one\ntwo\nthree\nfour\nfive\nsix\n")
	write("b", "x\n")
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: dir}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	d := &desk{}
	d.all = func(ctx context.Context, ps []*approval.Proposal,
		answered func(i int, a approval.Answer) *approval.Proposal) error {
		p := answered(0, approval.Revise{ID: ps[0].ID, After: []byte("one\ntwo\nthree\nfour\nfive\nmine\n")})
		write("a", "ONE\ntwo\nthree\nfour\nfive\nsix\n")
		if p = answered(0, approval.Yes{ID: p.ID}); p == nil ||
			string(p.After) != "ONE\ntwo\nthree\nfour\nfive\nmine\n" {
			t.Errorf("what comes back is %+v", p)
			return nil
		}
		if answered(0, approval.Yes{ID: p.ID}) != nil ||
			answered(1, approval.Yes{ID: ps[1].ID}) != nil {
			t.Error("it comes back again")
		}
		return nil
	}
	a := agent.New(agent.Config{Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: d, Model: model(t, calls(
		`{"id":"1","name":"edit_file","input":{"path":"a","old_string":"six","new_string":"6"}}`,
		`{"id":"2","name":"edit_file","input":{"path":"b","old_string":"x","new_string":"y"}}`), `{}`)})
	got := ends(turn(t, a, t.Context(), "x"))
	if b, err := os.ReadFile(filepath.Join(dir, "a")); err != nil ||
		string(b) != "ONE\ntwo\nthree\nfour\nfive\nmine\n" || !got["1"].OK || !got["2"].OK {
		t.Errorf("a holds %q, %v\n%+v", b, err, got)
	}
}
