package tool

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// Where the person wants that, a change is put in order by the language server before it is shown,
// and taken back to the byte. A server that fails is named, and the text is written as it is.
func TestALanguageServerPutsAChangeInOrderBeforeItIsShown(t *testing.T) {
	t.Parallel()
	l := newLanguageBenchWith(t, "gopls", map[string]string{"go.mod": "module example.com/m\n\ngo 1.21\n",
		"a.go": "package m\n\nfunc F() int { return 1 }\n", "messy.go": "package m\n\nvar  x = 1\n"},
		func(c *lsp.Config) { c.Format = true })
	l.reg = Builtin(l.env)
	was := l.tree()
	const proposed = "func F() int {\nreturn  2 }"
	edit := args{"path": "a.go", "old_string": "func F() int { return 1 }", "new_string": proposed}
	if c := l.must("edit_file", edit); !strings.Contains(string(c.Proposal.After), proposed) {
		t.Errorf("without a server that runs:\n%s", c.Proposal.After)
	}
	l.says(args{"action": "hover", "file": "a.go", "line": 3, "symbol": "F"})
	c := l.must("edit_file", edit)
	const ordered = "package m\n\nfunc F() int {\n\treturn 2\n}\n"
	if string(c.Proposal.After) != ordered || !strings.Contains(strings.Join(c.Proposal.Notes, "\n"),
		"gopls put it in order, +2 -1") {
		t.Errorf("it proposes %q, %q", c.Proposal.After, c.Proposal.Notes)
	}
	l.run("edit_file", edit)
	if text := l.read("a.go"); text != ordered {
		t.Errorf("it has written %q", text)
	}
	l.restores(was)
	broken := args{"path": "a.go", "content": "package m\n\nfunc F( {\n"}
	if c := l.must("write_file", broken); string(c.Proposal.After) != broken["content"] ||
		!strings.Contains(strings.Join(c.Proposal.Notes, "\n"), "gopls failed on it: ") {
		t.Errorf("a text that cannot be parsed: %q, %q", c.Proposal.After, c.Proposal.Notes)
	}
	messy := args{"path": "messy.go", "old_string": "= 1", "new_string": "=  2"}
	if c := l.must("edit_file", messy); string(c.Proposal.After) != "package m\n\nvar  x =  2\n" {
		t.Errorf("a file that was not in order: %q", c.Proposal.After)
	}
	if text := l.read("a.go"); text != was["a.go"] {
		t.Errorf("without a yes there is %q", text)
	}
}
