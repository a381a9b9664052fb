package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// user is a real file, the real tools, and a person whose answers are given in order. Each gets the
// file's path and what is proposed.
type user struct {
	t       *testing.T
	file    string
	answers []func(p *approval.Proposal) approval.Answer
	shown   []*approval.Proposal
}

func (d *user) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	if len(d.shown) == len(d.answers) {
		d.t.Errorf("asked once more: %q %q", p.After, p.Notes)
		return approval.No{ID: p.ID}, nil
	}
	for _, before := range d.shown {
		if before.ID == p.ID {
			d.t.Errorf("the same proposal is asked again")
		}
	}
	d.shown = append(d.shown, p)
	return d.answers[len(d.shown)-1](p), nil
}

// put writes the file in place, as another program would.
func (d *user) put(text string) {
	if err := os.WriteFile(d.file, []byte(text), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

func (d *user) read(name string) string {
	b, err := os.ReadFile(filepath.Join(filepath.Dir(d.file), name))
	if err != nil {
		d.t.Error(err)
	}
	return string(b)
}

// run lets a model write content to the file and gives the end of the call.
func (d *user) run(name, input string) agent.ToolEnd {
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: filepath.Dir(d.file)}}})
	if err != nil {
		d.t.Fatal(err)
	}
	defer ws.Close()
	a := agent.New(agent.Config{Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: d,
		Model: model(d.t, `{"delay_ms":0,"tool_calls":[{"id":"t1","name":"`+name+`","input":`+input+`}]}`, `{}`)})
	e := ends(turn(d.t, a, d.t.Context(), "x"))["t1"]
	if len(d.shown) != len(d.answers) {
		d.t.Errorf("asked %d times, want %d", len(d.shown), len(d.answers))
	}
	return e
}

func newUser(t *testing.T, text string) *user {
	d := &user{t: t, file: filepath.Join(t.TempDir(), "f")}
	d.put(text)
	return d
}

func TestWhatAPersonWroteIsNotLostWhenTheFileChanges(t *testing.T) {
	edit := func(p *approval.Proposal) approval.Answer {
		return approval.Revise{ID: p.ID, After: []byte("one\n2\n3\n4 by hand\n")}
	}
	for _, c := range []struct {
		name, theirs, want, note string
	}{
		{"apart", "one by others\n2\n3\nfour\n", "one by others\n2\n3\n4 by hand\n",
			"merged with what another program wrote meanwhile"},
		{"the same line", "one\n2\n3\nfour by others\n", "one\n2\n3\n4 by hand\n",
			"another program changed the file meanwhile: this takes its changes back"},
	} {
		for _, when := range []string{"while it was shown", "after the yes"} {
			t.Run(c.name+" "+when, func(t *testing.T) {
				d := newUser(t, "one\n2\n3\nfour\n")
				d.answers = append(d.answers, edit, func(p *approval.Proposal) approval.Answer {
					d.put(c.theirs)
					if when == "while it was shown" {
						return approval.Stale{ID: p.ID}
					}
					return approval.Yes{ID: p.ID}
				}, func(p *approval.Proposal) approval.Answer {
					if string(p.After) != c.want || string(p.Before) != c.theirs || !slices.Contains(p.Notes, c.note) ||
						p.Revision == "" {
						t.Errorf("%q, before %q, notes %q", p.After, p.Before, p.Notes)
					}
					if d.read("f") != c.theirs {
						t.Errorf("written before the answer: %q", d.read("f"))
					}
					return approval.Yes{ID: p.ID}
				})
				e := d.run("edit_file", `{"path":"f","old_string":"four","new_string":"4"}`)
				if !e.OK || d.read("f") != c.want || !strings.Contains(e.Text, c.note) {
					t.Errorf("%q: %+v", d.read("f"), e)
				}
			})
		}
	}
}

func TestAHardLinkIsWrittenInPlaceByItsOwnAnswer(t *testing.T) {
	for _, c := range []struct {
		name      string
		toggles   int
		f, second string
	}{
		{"replaced", 0, "new\n", "old\n"},
		{"in place", 1, "new\n", "new\n"},
		{"replaced after all", 2, "new\n", "old\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newUser(t, "old\n")
			if err := os.Link(d.file, filepath.Join(filepath.Dir(d.file), "second")); err != nil {
				t.Fatal(err)
			}
			for i := range c.toggles {
				d.answers = append(d.answers, func(p *approval.Proposal) approval.Answer {
					if p.InPlace != (i%2 == 1) || d.read("second") != "old\n" {
						t.Errorf("in place is %v", p.InPlace)
					}
					return approval.InPlace{ID: p.ID}
				})
			}
			d.answers = append(d.answers, func(p *approval.Proposal) approval.Answer {
				text := p.Flags[0].Text
				if !p.Flagged(approval.FlagHardLink) || p.InPlace != (c.toggles == 1) ||
					strings.HasPrefix(text, "all 2 names") != p.InPlace {
					t.Errorf("in place is %v, flags %v", p.InPlace, p.Flags)
				}
				return approval.Yes{ID: p.ID}
			})
			e := d.run("write_file", `{"path":"f","content":"new\n"}`)
			if !e.OK || d.read("f") != c.f || d.read("second") != c.second {
				t.Errorf("%q %q: %+v", d.read("f"), d.read("second"), e)
			}
			if told := "all of them have the new content"; strings.Contains(e.Text, told) != (c.toggles == 1) {
				t.Errorf("%q", e.Text)
			}
		})
	}
	t.Run("a file of one name", func(t *testing.T) {
		d := newUser(t, "old\n")
		d.answers = append(d.answers, func(p *approval.Proposal) approval.Answer {
			return approval.InPlace{ID: p.ID}
		})
		if e := d.run("write_file", `{"path":"f","content":"new\n"}`); e.OK || d.read("f") != "old\n" {
			t.Errorf("%q: %+v", d.read("f"), e)
		}
	})
}

// What the workspace has to say besides is in the result of the call, for the model and for the
// person.
func TestAsideIsInTheResult(t *testing.T) {
	b := &bench{}
	said := []string{"f: another program wrote"}
	a := agent.New(
		agent.Config{Tools: b, Approver: approver(yes),
			Model: model(t, calls(call("t1", "change", "a")), calls(call("t2", "look", "a")), `{}`),
			Inbox: inbox{warnings: func() []string { now := said; said = nil; return now }}})
	got := ends(turn(t, a, t.Context(), "x"))
	if want := "changed a\nf: another program wrote"; got["t1"].Text != want ||
		got["t1"].Result.Detail != "f: another program wrote" || got["t2"].Text != "saw a" {
		t.Errorf("%+v", got)
	}
}

// The diff of a real change is for the person: the conversation has none of it, neither while they
// are asked nor after their yes, when the model gets the tool's own words (HARN-9).
func TestTheModelNeverGetsTheDiff(t *testing.T) {
	d := &user{t: t, file: filepath.Join(t.TempDir(), "f")}
	d.put("one\nkept line\nthree\n")
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: filepath.Dir(d.file)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	var a *agent.Agent
	said := func() string {
		b, err := json.Marshal(a.Messages())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	asked := false
	ask := approver(func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
		asked = true
		if len(p.Diff.Hunks) != 1 || strings.Contains(said(), "kept line") {
			t.Errorf("%d hunks; the conversation while it is asked: %s", len(p.Diff.Hunks), said())
		}
		return approval.Yes{ID: p.ID}, nil
	})
	a = agent.New(agent.Config{Tools: tool.Builtin(tool.Env{Workspace: ws}), Approver: ask,
		Model: model(t, `{"delay_ms":0,"tool_calls":[{"id":"t1","name":"edit_file","input":{"path":"f",`+
			`"old_string":"three","new_string":"3"}}]}`,
			`{"expect":["workspace/f"],"say":"Done."}`)})
	e := ends(turn(t, a, t.Context(), "x"))["t1"]
	if !asked || !e.OK || d.read("f") != "one\nkept line\n3\n" {
		t.Errorf("asked %v: %+v", asked, e)
	}
	for _, piece := range []string{"kept line", "@@", "--- ", "-three", "+3"} {
		// The context of the hunk stands in nothing that the model wrote.
		if strings.Contains(said(), piece) || strings.Contains(e.Text, piece) {
			t.Errorf("the model got %q: %s", piece, said())
		}
	}
	if !strings.Contains(said(), e.Text[:20]) {
		t.Errorf("the model did not get the result %q: %s", e.Text, said())
	}
}
