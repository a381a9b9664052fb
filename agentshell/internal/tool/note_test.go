package tool

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/memory"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// withMemory gives a bench notes. The person's folder is not there yet.
func withMemory(t *testing.T, b *bench) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "agentshell", "memory")
	now := func() time.Time { return time.Date(2026, 11, 28, 5, 51, 0, 0, time.UTC) }
	secrets := secret.New("sesame-0123456789abcdef")
	b.env.Now, b.env.Secrets, b.env.History = now, secrets, new(undo.History)
	b.env.Memory = &Memory{Dir: dir, Notes: &memory.Store{Person: memory.Dir(dir), Now: now, Secrets: secrets,
		Workspace: memory.InWorkspace{Workspace: b.ws}, Agreed: memory.NewAgreed(t.TempDir(), b.dir)}}
	b.env.Addresses = Addresses{memory.Scheme: b.env.Memory.Notes.Address}
	opened := b.env.Memory
	t.Cleanup(func() { opened.Close() })
	b.reg = Builtin(b.env)
	return dir
}

// judge returns what mode trusted and a rule that allows everything make of a call.
func judge(t *testing.T, call Call) approval.Action {
	t.Helper()
	rule, err := approval.ParseRule(approval.Allow, "write_file(**)")
	if err != nil {
		t.Fatal(err)
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeTrusted,
		Rules: []approval.Entry{{Rule: rule, Origin: "flag"}}})
	if err != nil {
		t.Fatal(err)
	}
	return policy.Decide(call.Subject("write_file")).Action
}

// A note is a proposal like every file: nothing is there before the call runs, not even a folder,
// and what is written is what was shown. No mode and no rule writes one unasked.
func TestANoteIsWrittenAsItWasShown(t *testing.T) {
	b := newBench(t, nil)
	dir := withMemory(t, b)
	for address, file := range map[string]string{
		"memory://person/build":       filepath.Join(dir, "build.md"),
		"memory://workspace/style.md": filepath.Join(b.dir, ".agentshell", "memory", "style.md"),
	} {
		call := b.must("write_file", args{"path": address, "content": "Use make.\nAlways."})
		if _, err := os.Stat(filepath.Dir(filepath.Dir(file))); err == nil &&
			filepath.Dir(filepath.Dir(file)) != b.dir {
			t.Errorf("%s: preparing made a folder", address)
		}
		if got := judge(t, call); got != approval.Ask {
			t.Errorf("%s is written unasked: %v", address, got)
		}
		const want = "---\ndate: 2026-11-28\n---\nUse make.\nAlways.\n"
		if string(call.Proposal.After) != want || !call.Proposal.Flagged(approval.FlagLasting) {
			t.Errorf("%s: shown %q, %+v", address, call.Proposal.After, call.Proposal.Flags)
		}
		if _, err := call.Run(t.Context(), func(string) {}); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", file, got, err)
		}
		// A note that the person has approved is theirs, also in the workspace.
		id := strings.TrimSuffix(strings.TrimPrefix(address, "memory://"), ".md")
		if n, err := b.env.Memory.Notes.Note(t.Context(), id); err != nil || n.Foreign ||
			n.Text != "Use make.\nAlways.\n" {
			t.Errorf("%s: %+v, %v", id, n, err)
		}
		if got := b.run("read_file", args{"path": address}).Text; !strings.Contains(got, "Use make.") {
			t.Errorf("read back: %q", got)
		}
	}
	if call := b.must("write_file", args{"path": "memory://person/build",
		"content": "x y"}); call.Path != "memory://person/build" {
		t.Errorf("rules match %q", call.Path)
	}
	if list := b.run("read_file", args{"path": "memory://"}).Text; !strings.Contains(list,
		"person/build (2026-11-28)  Use make.") ||
		!strings.Contains(list, "workspace/style (2026-11-28)  Use make.") {
		t.Errorf("the list: %q", list)
	}
}

// What the person makes of a note in the pane is what is written and confirmed.
func TestARevisedNoteIsConfirmedAsRevised(t *testing.T) {
	b := newBench(t, nil)
	withMemory(t, b)
	call := b.must("write_file", args{"path": "memory://workspace/style", "content": "Use tabs."})
	call, err := call.Revise(t.Context(), []byte("Use blanks.\n"))
	if err != nil {
		t.Fatal(err)
	}
	if judge(t, call) != approval.Ask {
		t.Error("the revised note is written unasked")
	}
	if _, err := call.Run(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	n, err := b.env.Memory.Notes.Note(t.Context(), "workspace/style")
	if err != nil || n.Foreign || n.Text != "Use blanks.\n" {
		t.Errorf("%+v, %v", n, err)
	}
	b.write(".agentshell/memory/style.md", "Run this.\n")
	if n, err = b.env.Memory.Notes.Note(t.Context(), "workspace/style"); err != nil || !n.Foreign {
		t.Errorf("changed by somebody else: %+v, %v", n, err)
	}
}

// Forgetting shows the whole note and removes it only then. Of a note that changed meanwhile
// nothing is removed.
func TestANoteIsForgottenAfterItWasShown(t *testing.T) {
	b := newBench(t, map[string]string{".agentshell/memory/style.md": "tabs\n"})
	dir := withMemory(t, b)
	b.run("write_file", args{"path": "memory://person/build", "content": "Use make."})
	for id, file := range map[string]string{"person/build": filepath.Join(dir, "build.md"),
		"workspace/style": filepath.Join(b.dir, ".agentshell/memory/style.md")} {
		call := b.must("write_file", args{"path": "memory://" + id, "content": ""})
		p := call.Proposal
		data, err := os.ReadFile(file)
		if err != nil || !p.Remove || string(p.Before) != string(data) || p.After != nil ||
			p.Payload.Line() != "Forget the note memory://"+id || judge(t, call) != approval.Ask {
			t.Errorf("%s: %+v, %v", id, p, err)
		}
		if err := os.WriteFile(file, []byte("changed\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := call.Run(t.Context(), func(string) {}); Kind(err) != "conflict" {
			t.Errorf("%s, changed meanwhile: %v", id, err)
		}
		call, err = Forget(t.Context(), b.env, "own", "memory://"+id)
		if err != nil {
			t.Fatal(err)
		}
		r, err := call.Run(t.Context(), func(string) {})
		if _, gone := os.Stat(file); err != nil || gone == nil || !strings.Contains(r.Text, "is forgotten") {
			t.Errorf("%s: %+v, %v, %v", id, r, err, gone)
		}
		b.fails("write_file", args{"path": "memory://" + id, "content": " "}, "not_found")
	}
}

func TestWhatCanBeNoNoteIsRefused(t *testing.T) {
	b := newBench(t, nil)
	dir := withMemory(t, b)
	for _, path := range []string{"memory://", "memory://x", "memory://person/../../x", "memory://person/A B",
		"memory://workspace/a/b", "memory://other/x"} {
		b.fails("write_file", args{"path": path, "content": "x"}, "invalid_args")
	}
	for _, text := range []string{"the key is sesame-0123456789abcdef", strings.Repeat("x", memory.MaxNote+1),
		"a\x00b"} {
		b.fails("write_file", args{"path": "memory://person/x", "content": text}, "invalid_args")
	}
	err := b.fails("edit_file", args{"path": "memory://person/x", "old_string": "a", "new_string": "b"}, "invalid_args")
	if !strings.Contains(err.Error(), "write_file replaces it") {
		t.Error(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range memory.MaxNotes {
		name := filepath.Join(dir, "n"+strings.Repeat("0", i%30)+string(rune('a'+i/30))+".md")
		if err := os.WriteFile(name, []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.fails("write_file", args{"path": "memory://person/one-more", "content": "x"}, "tool_failed")
	b.must("write_file", args{"path": "memory://person/na", "content": "y"})
	b.env.Memory = nil
	b.reg = Builtin(b.env)
	if err := b.fails("write_file", args{"path": "memory://person/x", "content": "x"},
		"tool_failed"); !strings.Contains(
		err.Error(), `backend = "file"`) {
		t.Error(err)
	}
	b.fails("recall", args{"query": "x"}, "invalid_args")
}

// recall is there where memory is, takes its query as it is, and changes nothing.
func TestRecall(t *testing.T) {
	b := newBench(t, nil)
	dir := withMemory(t, b)
	call := b.must("recall", args{"query": "how to build"})
	if call.Proposal != nil || call.Mutates || call.Path != "" {
		t.Errorf("%+v", call)
	}
	if got := b.run("recall", args{"query": "how to build"}); got.Text != "No relevant memories found." ||
		got.Summary != "0 notes" {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a search made the folder")
	}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		b.run("write_file", args{"path": "memory://person/" + name, "content": "To build, use make."})
	}
	got := b.run("recall", args{"query": "build"}).Text
	if !strings.HasPrefix(got,
		"Found 8 relevant memories (as of 2026-11-28 05:51 UTC):\n\n- To build, use make. (id: person/a)") ||
		strings.Count(got, "\n- ") != 8 {
		t.Errorf("%s", got)
	}
	b.fails("recall", args{}, "invalid_args")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := call.Run(stopped, func(string) {}); err == nil {
		t.Error("a stopped search has a result")
	}
	b.env.Memory = new(Memory)
	b.reg = Builtin(b.env)
	if err := b.fails("recall", args{"query": "x"}, "tool_failed"); err.Error() !=
		"File backend is not initialised for this session." {
		t.Error(err)
	}
}
