package agent_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// meddler decides as a policy does, and acts between a decision and the call.
type meddler struct {
	*approval.Policy
	act func(n int)
	n   int
}

func (m *meddler) Decide(s approval.Subject) approval.Verdict {
	v := m.Policy.Decide(s)
	m.act(m.n)
	m.n++
	return v
}

// trusting runs one call that mode edits allows, while act changes the file behind each decision.
// It returns how often that was.
func trusting(t *testing.T, d *user, name string, input any, act func(n int)) (e agent.ToolEnd, decided int) {
	t.Helper()
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: filepath.Dir(d.file)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	env := tool.Env{Workspace: ws}
	if name == "edit" {
		env.Tags = new(snapshot.Store)
		env.Tags.Mint("workspace/f", d.read("f"))
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeEdits})
	if err != nil {
		t.Fatal(err)
	}
	m := &meddler{Policy: policy, act: act}
	cfg := agent.Config{Tools: tool.Builtin(env), Policy: m,
		Model: model(t, `{"delay_ms":0,"tool_calls":[{"id":"t1","name":"`+name+`","input":`+string(in)+`}]}`, `{}`)}
	if len(d.answers) > 0 {
		cfg.Approver = d
	}
	e = ends(turn(t, agent.New(cfg), t.Context(), "x"))["t1"]
	if len(d.shown) != len(d.answers) {
		t.Errorf("asked %d times, want %d", len(d.shown), len(d.answers))
	}
	return e, m.n
}

type anyArgs = map[string]any

// editing returns the input of an edit of the file.
func editing(old, fresh string) anyArgs {
	return anyArgs{"path": "f", "old_string": old, "new_string": fresh}
}

// seven is the text that others change. sevenWith has another line in the place of one.
const seven = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"

func sevenWith(old, fresh string) string { return strings.Replace(seven, old, fresh, 1) }

// meetings are changes of a file that another program changes meanwhile.
var meetings = []struct {
	name, tool string
	input      anyArgs
	theirs     string // what the other program writes; "": it removes the file
	want       string // "": a conflict
}{
	{"far", "edit_file", editing("four", "4"), sevenWith("one", "1"), "1\ntwo\nthree\n4\nfive\nsix\nseven\n"},
	{"beside", "edit_file", editing("four", "4"), sevenWith("three", "3"), sevenWith("three\nfour", "3\n4")},
	{"moved", "edit_file", editing("four", "4"), "zero\n" + seven, "zero\n" + sevenWith("four", "4")},
	{"the same line", "edit_file", editing("four", "4"), sevenWith("four", "IV"), ""},
	{"in the same line", "edit_file", editing("four", "4"), sevenWith("four", "four more"), ""},
	{"gone and come elsewhere", "edit_file", editing("four", "4"), sevenWith("four", "x") + "four\n", ""},
	{"twice", "edit_file", editing("four", "4"), seven + "four\n", ""},
	{"all, with a new one", "edit_file", anyArgs{"path": "f", "old_string": "e\n", "new_string": "E\n",
		"replace_all": true}, seven + "nine\n", ""},
	{"added at the same end", "edit_file", editing("seven\n", "seven\neight\n"), seven + "nine\n", ""},
	{"removed within", "edit_file", editing("three\nfour\nfive\n", "3\n4\n5\n"), sevenWith("four\n", ""), ""},
	{"removed", "edit_file", editing("four", "4"), "", ""},
	{"became binary", "edit_file", editing("four", "4"), seven + "\x00", ""},
	{"far", "edit", patching("4"), sevenWith("one", "1"), "1\ntwo\nthree\n4\nfive\nsix\nseven\n"},
	{"moved", "edit", patching("4"), "zero\n" + seven, "zero\n" + sevenWith("four", "4")},
	{"the same line", "edit", patching("4"), sevenWith("four", "IV"), ""},
	{"far", "write_file", writing(sevenWith("four", "4")), sevenWith("one", "1"),
		"1\ntwo\nthree\n4\nfive\nsix\nseven\n"},
	{"the same line", "write_file", writing(sevenWith("four", "4")), sevenWith("four", "IV"), ""},
	{"the same", "write_file", writing(sevenWith("four", "4")), sevenWith("four", "4"), sevenWith("four", "4")},
	{"removed", "write_file", writing("new\n"), "", ""},
}

// patching returns the input of a patch of line 4.
func patching(line string) anyArgs {
	return anyArgs{"input": "¶f#" + new(snapshot.Store).Mint("workspace/f", seven) + "\nreplace 4..4:\n+" + line + "\n"}
}

func writing(content string) anyArgs { return anyArgs{"path": "f", "content": content} }

func TestAChangeThatNobodySawIsMadeAgainForTheFileAsItIs(t *testing.T) {
	for _, c := range meetings {
		t.Run(c.tool+" "+c.name, func(t *testing.T) {
			d := newUser(t, seven)
			e, n := trusting(t, d, c.tool, c.input, func(n int) {
				switch {
				case n > 0:
				case c.theirs == "":
					if err := os.Remove(d.file); err != nil {
						t.Fatal(err)
					}
				default:
					d.put(c.theirs)
				}
			})
			now, err := os.ReadFile(d.file)
			if c.want == "" {
				if e.Kind != "conflict" || !strings.Contains(e.Text, "file changed since last read: workspace/f") {
					t.Errorf("%+v", e)
				}
				if string(now) != c.theirs || (err == nil) != (c.theirs != "") {
					t.Errorf("%q is not what the other program wrote", now)
				}
				return
			}
			if !e.OK || string(now) != c.want || n > 2 {
				t.Errorf("decided %d times, %q, want %q: %+v", n, now, c.want, e)
			}
			if c.theirs != c.want && !strings.Contains(e.Text, "merged with what another program wrote meanwhile") {
				t.Errorf("the model is told %q", e.Text)
			}
		})
	}
}

// Rules and modes decide anew, and what they want to have asked is asked: with a person the change
// is shown, without one it is not made.
func TestAChangeThatIsMadeAgainIsDecidedAnew(t *testing.T) {
	theirs := sevenWith("one", "1")
	for _, person := range []bool{false, true} {
		d, want := newUser(t, seven), theirs
		if person {
			want = strings.Replace(theirs, "four", "4", 1)
			d.answers = append(d.answers, func(p *approval.Proposal) approval.Answer {
				if !p.Flagged(approval.FlagRunsCode) || string(p.Before) != theirs || d.read("f") != theirs {
					t.Errorf("%q, flags %v", p.Before, p.Flags)
				}
				return approval.Yes{ID: p.ID}
			})
		}
		e, _ := trusting(t, d, "edit_file", editing("four", "4"), func(n int) {
			if n == 0 {
				d.put(theirs)
				if err := os.Chmod(d.file, 0o755); err != nil {
					t.Fatal(err)
				}
			}
		})
		if e.OK != person || d.read("f") != want || !person && e.Kind != agent.KindDenied {
			t.Errorf("person %v: %q: %+v", person, d.read("f"), e)
		}
	}
}

func TestAChangeIsMadeAgainThreeTimesAtMost(t *testing.T) {
	for last, ok := range map[int]bool{2: true, 3: false} {
		d := newUser(t, seven)
		e, n := trusting(t, d, "edit_file", editing("four", "4"), func(n int) {
			if n <= last {
				d.put(sevenWith("one", fmt.Sprint(n)))
			}
		})
		if e.OK != ok || n != 4 || !ok && e.Kind != "conflict" {
			t.Errorf("%d changes: decided %d times: %+v", last+1, n, e)
		}
	}
}

// What a person was shown is made as it was shown or not at all.
func TestAChangeThatAPersonSawIsNotMadeAgain(t *testing.T) {
	d := newUser(t, seven)
	d.answers = append(d.answers, func(p *approval.Proposal) approval.Answer {
		d.put(sevenWith("one", "1"))
		return approval.Yes{ID: p.ID}
	})
	if e := d.run("edit_file", `{"path":"f","old_string":"four","new_string":"4"}`); e.Kind != "conflict" ||
		d.read("f") != sevenWith("one", "1") {
		t.Errorf("%q: %+v", d.read("f"), e)
	}
}

// Another member of an archive is none of a change's business.
func TestAMemberIsWrittenBesideAnother(t *testing.T) {
	zipOf := func(texts ...string) string {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i, text := range texts {
			w, err := z.Create(fmt.Sprint(i))
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	d := &user{t: t, file: filepath.Join(t.TempDir(), "a.zip")}
	d.put(zipOf("zero\n", "one\n"))
	e, _ := trusting(t, d, "write_file", anyArgs{"path": "a.zip:1", "content": "1\n"}, func(n int) {
		if n == 0 {
			d.put(zipOf("0\n", "one\n"))
		}
	})
	r, err := zip.OpenReader(d.file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for i, want := range []string{"0\n", "1\n"} {
		f, err := r.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(f); string(got) != want || err != nil {
			t.Errorf("%q, want %q (%v): %+v", got, want, err, e)
		}
	}
}

// Sessions that change different lines of one file, as fast as they can, lose nothing and are
// refused nothing. What they make of the same line is a conflict.
func TestAgentsChangeOneFileTogether(t *testing.T) {
	const agents, edits = 5, 8
	var b strings.Builder
	for i := range agents {
		fmt.Fprintf(&b, "line %d: 0.\n", i)
	}
	d := newUser(t, b.String())
	nothing := func(int) {}
	var all sync.WaitGroup
	for i := range agents {
		all.Go(func() {
			for n := range edits {
				e, _ := trusting(t, &user{t: t, file: d.file}, "edit_file",
					editing(fmt.Sprintf("line %d: %d.", i, n), fmt.Sprintf("line %d: %d.", i, n+1)), nothing)
				if !e.OK {
					t.Errorf("agent %d, edit %d: %+v", i, n, e)
					return
				}
			}
		})
	}
	all.Wait()
	for i := range agents {
		if want := fmt.Sprintf("line %d: %d.\n", i, edits); !strings.Contains(d.read("f"), want) {
			t.Errorf("%q is not in\n%s", want, d.read("f"))
		}
	}
	made := make(chan string, agents)
	for i := range agents {
		all.Go(func() {
			fresh := fmt.Sprintf("line 0 of agent %d.", i)
			e, _ := trusting(t, &user{t: t, file: d.file}, "edit_file",
				editing(fmt.Sprintf("line 0: %d.", edits), fresh), nothing)
			switch {
			case e.OK:
				made <- fresh
			case e.Kind != "conflict" && e.Kind != "edit_not_found":
				t.Errorf("%+v", e)
			}
		})
	}
	all.Wait()
	close(made)
	if first := <-made; len(made) != 0 || !strings.HasPrefix(d.read("f"), first) {
		t.Errorf("%q and %d more of the same line were written:\n%s", first, len(made), d.read("f"))
	}
}
