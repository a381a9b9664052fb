package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

func TestWritePreserves(t *testing.T) {
	for _, c := range []struct {
		name, file, content, want string
		notes                     []string
	}{
		{"LF for LF", "a\n", "b\n", "b\n", nil},
		{"LF-only for CRLF-only", "a\r\nb\r\n", "x\ny\nz", "x\r\ny\r\nz", []string{"CRLF kept"}},
		{"LF for mixed", "a\r\nb\n", "x\ny\n", "x\ny\n", []string{"line endings change: mixed to LF"}},
		{"CRLF for LF", "a\nb\n", "x\r\n", "x\r\n", []string{"line endings change: LF to CRLF"}},
		{"mixed for CRLF", "a\r\n", "x\r\ny\n", "x\r\ny\n", []string{"line endings change: CRLF to mixed"}},
		{"the BOM", "\ufeffa\n", "b\n", "\ufeffb\n", []string{"BOM kept"}},
		{"the BOM and CRLF", "\ufeffa\r\n", "b\nc\n", "\ufeffb\r\nc\r\n", []string{"CRLF kept", "BOM kept"}},
		{"no final newline as given", "a\n", "b", "b", nil},
		{"doubled CR stays", "a\r\n", "b\r\r\n", "b\r\r\n", nil},
		{"emptied", "a\n", "", "", nil},
		{"filled", "", "a\n", "a\n", nil},
		{"filled with CRLF", "", "a\r\n", "a\r\n", []string{"lines end with CRLF"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"f": c.file})
			call := b.must("write_file", args{"path": "f", "content": c.content})
			if !slices.Equal(call.Proposal.Notes, c.notes) {
				t.Errorf("notes %q, want %q", call.Proposal.Notes, c.notes)
			}
			if string(call.Proposal.After) != c.want || string(call.Proposal.Before) != c.file {
				t.Errorf("proposed %q", call.Proposal.After)
			}
			r, err := call.Run(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.read("f"); got != c.want {
				t.Errorf("wrote %q, want %q", got, c.want)
			}
			if !strings.Contains(r.Text, "workspace/f: ") ||
				!strings.Contains(r.Text, ", "+bytesWord(len(c.want))+".") {
				t.Errorf("the result does not give the file and its bytes: %q", r.Text)
			}
			for _, n := range c.notes {
				if strings.HasSuffix(n, "kept") && !strings.Contains(r.Text, n) {
					t.Errorf("the result does not say %s: %q", n, r.Text)
				}
			}
		})
	}
}

func TestWhatIsNotWritten(t *testing.T) {
	b := newBench(t, map[string]string{"latin": "caf\xe9\n", "dir/x": "", "f": "x"})
	big := strings.Repeat("x", workspace.MaxProposal+1)
	b.write("big", big)
	for _, c := range []struct {
		name, tool string
		a          args
		kind, text string
	}{
		{"Latin-1 is not rewritten as UTF-8", "write_file", args{"path": "latin", "content": "café\n"}, "fs_denied",
			"workspace/latin is not UTF-8 text (byte 4)"},
		{"Latin-1 is not edited", "edit_file", args{"path": "latin", "old_string": "caf", "new_string": "x"},
			"fs_denied", "not UTF-8"},
		{"a directory", "write_file", args{"path": "dir", "content": ""}, "tool_failed",
			"is a directory: workspace/dir"},
		{"too much", "write_file", args{"path": "new", "content": big}, "too_large",
			"file too large: 10485761 bytes > 10485760"},
		{"too large a base", "write_file", args{"path": "big", "content": "x"}, "too_large",
			"file too large: 10485761 bytes > 10485760"},
		{"too large a base of an edit", "edit_file", args{"path": "big", "old_string": "x", "new_string": "y"},
			"too_large", "file too large"},
		{"too many lines", "write_file", args{"path": "f", "content": strings.Repeat("\n", maxLines+1)}, "too_large",
			"file too large: 600001 lines > 600000"},
		{"outside", "write_file", args{"path": "/etc/passwd", "content": ""}, "fs_denied", "escapes workspace root"},
		{"at home", "write_file", args{"path": "~/new", "content": ""}, "invalid_args", "in the home directory"},
		{"no content", "write_file", args{"path": "f"}, "invalid_args", "content is missing"},
		{"null content", "write_file", args{"path": "f", "content": nil}, "invalid_args", "content is missing"},
		{"content in the wrong case", "write_file", args{"path": "f", "CONTENT": "x"}, "invalid_args",
			"content is missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			if err := b.fails(c.tool, c.a, c.kind); !strings.Contains(err.Error(), c.text) {
				t.Errorf("%v", err)
			}
		})
	}
	for _, raw := range []string{`{"path":"f","content":"x"`, `[]`, `"x"`, `{"path":"f","content":"\ud800"}`,
		`{"path":"f","content":"a","content":"b"}`, "{\"path\":\"f\",\"content\":\"\xff\"}",
		`{"path":"f","content":"x"} trailing`} {
		if _, err := b.reg.Prepare(context.Background(), "write_file", "t",
			json.RawMessage(raw)); Kind(err) != "invalid_args" {
			t.Errorf("%s: %v", raw, err)
		}
	}
	if b.read("f") != "x" || b.read("latin") != "caf\xe9\n" {
		t.Error("something was written")
	}
	good := json.RawMessage(`{"path":"f","content":"\ud83d\ude00"}`)
	call, err := b.reg.Prepare(context.Background(), "write_file", "t", good)
	if err == nil {
		_, err = call.Run(context.Background(), nil)
	}
	if err != nil || b.read("f") != "\U0001f600" {
		t.Errorf("%s: %v, the file holds %q", good, err, b.read("f"))
	}
}

// coins are 100,000 lines of two kinds in a random order, the most costly text to compare.
func coins(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for range 60_000 {
		b.WriteString([]string{"a\n", "b\n"}[r.IntN(2)])
	}
	return b.String()
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		name, file, before, after string
		flags                     []string
	}{
		{"nothing", "f", "a\n", "b\n", nil},
		{"binary now", "f", "a\n", "b\x00\n", []string{"binary"}},
		{"binary before", "f", "a\x00\n", "b\n", []string{"binary"}},
		{"bidi control", "f", "a\n", "a\u202eb\n", []string{"hidden"}},
		{"escape", "f", "a\n", "\x1b[31m\n", []string{"hidden"}},
		{"a hidden character that stays is not new", "f", "\u200b\na\n", "\u200b\nb\n", nil},
		{"CRLF is not hidden", "f", "a\r\n", "b\r\n", nil},
		{"a BOM is not hidden", "f", "\ufeffa\n", "\ufeffb\n", nil},
		{"a hook", ".git/hooks/pre-commit", "", "x\n", []string{"runs code"}},
		{"a mixed name", "p\u0430y.go", "", "x\n", []string{"name"}},
		{"long", "f", "a\n", strings.Repeat("some x\n", 300_000), []string{"truncated"}},
		{"coarse", "f", coins(1), coins(2), []string{"coarse"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			if c.before != "" {
				b.write(c.file, c.before)
			}
			p := b.must("write_file", args{"path": c.file, "content": c.after}).Proposal
			var got []string
			for _, f := range p.Flags {
				got = append(got, f.Name)
				if f.Text == "" {
					t.Errorf("%s has no text", f.Name)
				}
			}
			if !slices.Equal(got, c.flags) {
				t.Errorf("%q, want %q", got, c.flags)
			}
			if len(c.flags) == 1 && c.flags[0] == "truncated" {
				if p.Diff.Stats.Added != 300_000 {
					t.Error("the structured diff is cut")
				}
				if pay := p.Payload.(approval.Write); !strings.HasSuffix(pay.UnifiedDiff, " bytes]\n") ||
					len(pay.UnifiedDiff) > 2<<20 {
					t.Error("the text is not cut")
				}
			}
			if len(c.flags) == 1 && c.flags[0] == "binary" {
				if pay := p.Payload.(approval.Write); !strings.Contains(pay.UnifiedDiff, "sha256 ") ||
					len(p.Diff.Hunks) > 0 {
					t.Errorf("%q", pay.UnifiedDiff)
				}
			}
		})
	}
	b := newBench(t, map[string]string{"f": "x", "run.sh": "x"})
	if err := errors.Join(os.Link(filepath.Join(b.dir, "f"), filepath.Join(b.dir, "g")),
		os.Chmod(filepath.Join(b.dir, "run.sh"), 0o755), os.Symlink("f", filepath.Join(b.dir, "link"))); err != nil {
		t.Fatal(err)
	}
	if p := b.must("write_file", args{"path": "f", "content": "y"}).Proposal; !p.Flagged(approval.FlagHardLink) {
		t.Error("a hard link is not flagged")
	}
	if p := b.must("write_file", args{"path": "run.sh", "content": "y"}).Proposal; !p.Flagged(approval.FlagRunsCode) {
		t.Error("an executable is not flagged")
	}
	if r := b.run("write_file", args{"path": "f", "content": "y\n"}); !strings.HasSuffix(r.Text,
		"\nThe file had 2 names; the others keep the old content.") || b.read("g") != "x" {
		t.Errorf("%q, the other name has %q", r.Text, b.read("g"))
	}
	p := b.must("write_file", args{"path": "link", "content": "y"}).Proposal
	if p.Path != "workspace/f" || !slices.Contains(p.Notes, "link leads to workspace/f") {
		t.Errorf("%s %q", p.Path, p.Notes)
	}
}

// Nothing in the tree changes by preparing, by looking at a proposal, and by a denial.
func TestOnlyRunChangesTheTree(t *testing.T) {
	b := newBench(t, map[string]string{"f": "one\ntwo\n", "d/g": "x"})
	was := b.tree()
	for _, c := range []Call{
		b.must("write_file", args{"path": "x/y/new", "content": "n"}),
		b.must("write_file", args{"path": "f", "content": "changed"}),
		b.must("edit_file", args{"path": "f", "old_string": "one", "new_string": "1"}),
		b.must("bash", args{"command": "touch ran"}),
		b.must("read_file", args{"path": "f"}),
	} {
		if c.Revise != nil {
			if _, err := c.Revise(context.Background(), []byte("revised")); err != nil {
				t.Error(err)
			}
		}
		if c.Proposal != nil {
			if err := c.Proposal.Changed(context.Background()); err != nil {
				t.Error(err)
			}
		}
		if c.Propose != nil {
			if _, err := c.Propose(context.Background()); err != nil {
				t.Error(err)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if c.Proposal != nil {
			if _, err := c.Run(ctx, func(string) {}); err == nil {
				t.Errorf("%s runs although it is cancelled", c.Title)
			}
		}
	}
	if b.tree() != was {
		t.Error("the tree changed")
	}
}

func (b *bench) tree() string {
	b.t.Helper()
	var s strings.Builder
	err := filepath.Walk(b.dir, func(name string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		s.WriteString(name + info.Mode().String() + info.ModTime().String() + "\n")
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			s.Write(data)
			return err
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return s.String()
}

func TestAStaleProposalWritesNothing(t *testing.T) {
	b := newBench(t, map[string]string{"f": "one\n"})
	ctx := context.Background()
	for _, c := range []struct {
		call Call
		name string
	}{
		{b.must("write_file", args{"path": "f", "content": "ours"}), "f"},
		{b.must("edit_file", args{"path": "f", "old_string": "one", "new_string": "ours"}), "f"},
		{b.must("write_file", args{"path": "n", "content": "ours"}), "n"},
		{b.must("write_file", args{"path": "f", "content": "one\n"}), "f"}, // changes nothing, but only to this base
	} {
		if c.call.Proposal != nil {
			if err := c.call.Proposal.Changed(ctx); err != nil {
				t.Fatal(err)
			}
		}
		old, oldErr := os.ReadFile(filepath.Join(b.dir, c.name))
		b.write(c.name, "two\n")
		if c.call.Proposal != nil {
			if err := c.call.Proposal.Changed(ctx); Kind(err) != "conflict" {
				t.Errorf("changed: %v", err)
			}
		}
		_, err := c.call.Run(ctx, nil)
		if Kind(err) != "conflict" || err.Error() != "file changed since last read: workspace/"+c.name {
			t.Errorf("%v", err)
		}
		if b.read(c.name) != "two\n" {
			t.Errorf("%s is %q", c.name, b.read(c.name))
		}
		if oldErr == nil { // back, in the same file
			b.write(c.name, string(old))
		}
	}
}

func TestRevisedProposals(t *testing.T) {
	var text strings.Builder
	for i := range 30 {
		fmt.Fprintln(&text, i+1)
	}
	old := text.String()
	change := func(names ...string) string {
		return strings.NewReplacer(names...).Replace(old)
	}
	b := newBench(t, map[string]string{"f": old})
	// Two hunks, the first of two changes.
	call := b.must("write_file",
		args{"path": "f", "content": change("1\n2\n", "one\n2\n", "5\n6\n", "five\nfive and a half\n6\n", "30\n",
			"thirty\n")})
	if n := call.Proposal.Diff.Stats.Hunks; n != 2 {
		t.Fatalf("%d hunks", n)
	}
	ctx := context.Background()
	for _, c := range []struct{ after, want string }{
		{change("1\n2\n", "one\n2\n", "5\n6\n", "five\nfive and a half\n6\n"), "1 of 2 hunks chosen"},
		{change("30\n", "thirty\n"), "1 of 2 hunks chosen"},
		{change("1\n2\n", "one\n2\n", "30\n", "thirty\n"), "edited by the user"}, // half a hunk
		{change("30\n", "THIRTY\n"), "edited by the user"},
		{change("30\n", "thirty\nmore\n"), "edited by the user"},
		{change("1\n2\n", "one\n2\n", "5\n6\n", "five\nfive and a half\n6\n", "30\n", "thirty\n"), ""}, // as it was
		{"", "edited by the user"},
	} {
		r, err := call.Revise(ctx, []byte(c.after))
		if err != nil {
			t.Fatal(err)
		}
		if r.Proposal.Revision != c.want || r.Proposal.ID == call.Proposal.ID || string(r.Proposal.After) != c.after {
			t.Errorf("%q: %q id %s", c.after, r.Proposal.Revision, r.Proposal.ID)
		}
		if pay := r.Proposal.Payload.(approval.Write); pay.Content != c.after {
			t.Errorf("the payload shows %q", pay.Content)
		}
	}
	r, err := call.Revise(ctx, []byte(change("30\n", "thirty\n")))
	if err != nil {
		t.Fatal(err)
	}
	res, err := r.Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "Replaced workspace/f: 30 lines, 85 bytes.\n" +
		"The user changed the proposal before approving it (1 of 2 hunks applied). What was written, and " +
		"nothing else:\n" +
		"--- f (current)\n+++ f (proposed)\n@@ -27,4 +27,4 @@\n 27\n 28\n 29\n-30\n+thirty\n"
	if res.Text != want {
		t.Errorf("got\n%s\nwant\n%s", res.Text, want)
	}
	edit := b.must("edit_file", args{"path": "f", "old_string": "22", "new_string": "two"})
	e, err := edit.Revise(ctx, []byte("something else\n"))
	if err != nil {
		t.Fatal(err)
	}
	res, err = e.Run(ctx, nil)
	if err != nil || !strings.Contains(res.Text, "edited by the user") ||
		strings.Contains(res.Text, "replacements made") || b.read("f") != "something else\n" {
		t.Errorf("%v\n%s", err, res.Text)
	}
}

// What is offered for a proposal covers that very call, also by the shell's way through
// Proposal.Subject.
func TestOffersComeFromTheProposal(t *testing.T) {
	b := newBench(t, map[string]string{"docs/a[1].md": "x\n", "secret": "s"})
	policy := &approval.Policy{}
	for _, c := range []struct {
		call Call
		tool string
		want string
	}{
		{b.must("write_file", args{"path": "workspace/docs/a[1].md", "content": "y\n"}), "write_file",
			`write_file(docs/a\[1\].md)`},
		{b.must("edit_file", args{"path": "docs/../docs/a[1].md", "old_string": "x", "new_string": "y"}), "edit_file",
			`edit_file(docs/a\[1\].md)`},
		{b.must("bash", args{"command": "go  vet ./..."}), "bash", "bash(go vet ./...)"},
	} {
		offers := policy.Offers(c.call.Proposal.Subject)
		if len(offers) == 0 || offers[0] != c.want {
			t.Errorf("%s: offers %q, want %q", c.tool, offers, c.want)
			continue
		}
		if policy.Decide(c.call.Subject(c.tool)).Action != approval.Ask {
			t.Errorf("%s: allowed before", c.tool)
		}
		if err := policy.Grant(offers[0]); err != nil {
			t.Fatal(err)
		}
		if v := policy.Decide(c.call.Subject(c.tool)); v.Action != approval.Allow || v.Rule != c.want {
			t.Errorf("%s: %+v", c.tool, v)
		}
	}
	p := b.must("bash", args{"command": "ls $x"}).Proposal
	if got := policy.Offers(p.Subject); len(got) != 1 || got[0] != "bash(ls $x)" {
		t.Errorf("a line that only a rule of its own covers is offered as %q", got)
	}
}

// A setting opens the pane also for a write that changes nothing (HARN-5).
func TestAnUnchangedFileIsAskedWhereThatIsWanted(t *testing.T) {
	b := newBench(t, map[string]string{"f": "same\n"})
	b.env.AskUnchanged = true
	b.reg = Builtin(b.env)
	p := b.must("write_file", args{"path": "f", "content": "same\n"}).Proposal
	if p == nil || !p.Diff.Identical() || string(p.After) != "same\n" {
		t.Errorf("%+v", p)
	}
}
