package tool

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// bench is a workspace in a temporary directory and the tools on it.
type bench struct {
	t   testing.TB
	dir string
	ws  *workspace.Workspace
	reg *Registry
	env Env
}

func newBench(t testing.TB, files map[string]string) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir()}
	for name, content := range files {
		b.write(name, content)
	}
	b.open()
	return b
}

func (b *bench) open() {
	b.t.Helper()
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: b.dir}}})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { ws.Close() })
	b.ws = ws
	n := 0
	b.env = Env{Workspace: ws, NewID: func() string { n++; return "p" + string(rune('0'+n)) }}
	b.reg = Builtin(b.env)
}

func (b *bench) write(name, content string) {
	b.t.Helper()
	full := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Chmod(full, 0o644); err != nil { // whatever the umask is
		b.t.Fatal(err)
	}
}

func (b *bench) read(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

type args map[string]any

func (b *bench) prepare(tool string, a args) (Call, error) {
	b.t.Helper()
	return b.reg.Prepare(context.Background(), tool, "t1", mustJSON(b.t, a))
}

func mustJSON(t testing.TB, v any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (b *bench) must(tool string, a args) Call {
	b.t.Helper()
	c, err := b.prepare(tool, a)
	if err != nil {
		b.t.Fatalf("%s: %v", tool, err)
	}
	return c
}

func (b *bench) run(tool string, a args) Result {
	b.t.Helper()
	r, err := b.must(tool, a).Run(context.Background(), func(string) {})
	if err != nil {
		b.t.Fatalf("%s: %v", tool, err)
	}
	return r
}

func (b *bench) fails(tool string, a args, kind string) error {
	b.t.Helper()
	c, err := b.prepare(tool, a)
	if err == nil {
		_, err = c.Run(context.Background(), func(string) {})
	}
	if err == nil {
		b.t.Fatalf("%s %v did not fail", tool, a)
	}
	if Kind(err) != kind {
		b.t.Fatalf("%s %v: kind %s, want %s: %v", tool, a, Kind(err), kind, err)
	}
	return err
}

func TestTheFullFlowOfAnEdit(t *testing.T) { // PAY-61
	rest := "\ndef helper():\n    pass\n" + strings.Repeat("# more\n", 45)
	b := newBench(t, map[string]string{"src/utils.py": "import os\nimport sys\n" + rest})
	c := b.must("edit_file", args{"path": "workspace/src/utils.py", "old_string": "import os\nimport sys",
		"new_string": "import os\nimport sys\nimport json"})
	pay, ok := c.Proposal.Payload.(approval.Edit)
	if !ok {
		t.Fatalf("payload %T", c.Proposal.Payload)
	}
	if pay.Type() != "edit" || pay.Path != "workspace/src/utils.py" || pay.Sandbox != "workspace" ||
		pay.MatchLine != 1 || pay.MatchCount != 1 ||
		pay.ContextBefore != "" || pay.ContextAfter != "\ndef helper():\n    pass" || pay.FileLines != 50 {
		t.Errorf("%+v", pay)
	}
	if want := "Edit workspace/src/utils.py: add 1 line at line 1"; pay.Description != want {
		t.Errorf("description %q, want %q", pay.Description, want)
	}
	if want := "--- a/src/utils.py\n+++ b/src/utils.py\n@@ -1,5 +1,6 @@\n import os\n import sys\n+import json\n \n" +
		" def helper():\n     pass\n"; pay.UnifiedDiff != want {
		t.Errorf("diff\n%s", pay.UnifiedDiff)
	}
	if pay.DiffLines != 9 {
		t.Errorf("diff_lines %d", pay.DiffLines)
	}
	r, err := c.Run(context.Background(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	want := EditResult{Path: "workspace/src/utils.py", ReplacementsMade: 1, LinesChanged: 1,
		Message: "Added 1 line at line 1 in workspace/src/utils.py"}
	if r.Data != want {
		t.Errorf("%+v", r.Data)
	}
	if b.read("src/utils.py") != "import os\nimport sys\nimport json\n"+rest {
		t.Error("the file is not what was proposed")
	}
}

func TestTheScriptOfHarn(t *testing.T) {
	b := newBench(t, nil)
	c := b.must("write_file", args{"path": "docs/new/haiku.txt", "content": "one\ntwo\n"})
	if _, err := os.Stat(filepath.Join(b.dir, "docs")); err == nil {
		t.Fatal("preparing made a directory")
	}
	pay := c.Proposal.Payload.(approval.Write)
	if pay.FileExists || pay.UnifiedDiff != "--- /dev/null\n+++ docs/new/haiku.txt (new file)\n@@ -0,0 +1,2 @@\n"+
		"+one\n+two\n" {
		t.Errorf("%+v", pay)
	}
	r, err := c.Run(context.Background(), func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Created workspace/docs/new/haiku.txt: 2 lines, 8 bytes.\n" +
		"Created workspace/docs, workspace/docs/new."; r.Text != want {
		t.Errorf("%q", r.Text)
	}
	b.run("write_file", args{"path": "docs/new/haiku.txt", "content": "one\nthree\n"})
	if b.read("docs/new/haiku.txt") != "one\nthree\n" {
		t.Error("not rewritten")
	}
	c = b.must("write_file", args{"path": "docs/new/haiku.txt", "content": "one\nthree\n"})
	if c.Proposal != nil {
		t.Error("identical bytes are asked")
	}
	if r, err := c.Run(context.Background(), nil); err != nil || r.Detail != "(no changes)" {
		t.Errorf("%+v %v", r, err)
	}
	r = b.run("read_file", args{"path": "docs/new/haiku.txt"})
	if r.Text != "1\tone\n2\tthree\n" {
		t.Errorf("%q", r.Text)
	}
	r = b.run("list_dir", args{})
	if r.Text != "docs/\n" {
		t.Errorf("%q", r.Text)
	}
	b.run("write_file", args{"path": "empty", "content": ""})
	if b.read("empty") != "" {
		t.Error("not empty")
	}
	entries, _ := os.ReadDir(filepath.Join(b.dir, "docs/new"))
	if len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
