package tool

import (
	"context"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// An address is no path: nothing is written there, and no file is made that is named like one.
func TestNoFileIsMadeOfAnAddress(t *testing.T) {
	b := newBench(t, map[string]string{"a": "old\n"})
	b.env.Addresses = Addresses{"artifact": func(context.Context, string) (string, error) { return "", nil }}
	b.reg = Builtin(b.env)
	for _, path := range []string{"artifact://x", "artifact://x.zip:member", "skill://x", "https://example.com/a.txt",
		"file:///tmp/x", "mcp://server/x", "x-y.z+1://a/b", "artifact://x.db:table"} {
		for tool, a := range map[string]args{"write_file": {"path": path, "content": "x"},
			"edit_file": {"path": path, "old_string": "", "new_string": "x"}} {
			if err := b.fails(tool, a, "invalid_args"); !strings.Contains(err.Error(), "is an address") {
				t.Errorf("%s %s: %v", tool, path, err)
			}
		}
	}
	for _, path := range []string{"a:b", "a:/b", "c/d:e"} {
		b.must("write_file", args{"path": path, "content": "x"})
	}
}

// A notebook that is written as cells stays one; one that would become something else is flagged.
func TestANotebookStaysANotebook(t *testing.T) {
	const notebook = `{"nbformat":4,"cells":[{"cell_type":"code","source":"a = 1","outputs":[{"text":"1"}]}]}`
	b := newBench(t, map[string]string{"n.ipynb": notebook, "plain.ipynb": "no notebook\n"})
	p := b.must("write_file", args{"path": "n.ipynb",
		"content": "# %% [code] cell:0\na = 1\n# %% [code]\nb = 2\n"}).Proposal
	if !strings.Contains(string(p.After), `"source":"a = 1","outputs":[{"text":"1"}]}`) ||
		!strings.Contains(string(p.After), `"b = 2"`) || p.Flagged(approval.FlagNotebook) {
		t.Errorf("%s %v", p.After, p.Flags)
	}
	note, _, _ := strings.Cut(b.run("read_file", args{"path": "n.ipynb"}).Text, "1\t")
	noted := note + "\n# %% [code]\nc = 3\n"
	if p := b.must("write_file", args{"path": "n.ipynb", "content": noted}).Proposal; !strings.Contains(string(p.After),
		`"c = 3"`) {
		t.Errorf("with the note of a read: %s", p.After)
	}
	for content, flagged := range map[string]bool{"a = 1\n": true, "": true, "{}": true,
		`{"nbformat":4,"cells":[]}`: false} {
		p := b.must("write_file", args{"path": "n.ipynb", "content": content}).Proposal
		if p.Flagged(approval.FlagNotebook) != flagged {
			t.Errorf("%q: %v", content, p.Flags)
		}
	}
	p = b.must("write_file", args{"path": "plain.ipynb", "content": "x"}).Proposal
	if p.Flagged(approval.FlagNotebook) {
		t.Errorf("%v", p.Flags)
	}
	b.fails("write_file", args{"path": "plain.ipynb", "content": "# %% [code]\nx\n"}, "tool_failed")
	if p := b.must("write_file", args{"path": "new.ipynb", "content": "# %% [code]\nx\n"}).Proposal; !strings.Contains(
		string(p.After), `"nbformat": 4`) {
		t.Errorf("%s", p.After)
	}
}
