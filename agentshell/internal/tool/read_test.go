package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "%d\tl%d\n", i, i)
	}
	return b.String()
}

func TestReadSelectors(t *testing.T) {
	var text strings.Builder
	for i := 1; i <= 20; i++ {
		fmt.Fprintf(&text, "l%d\n", i)
	}
	b := newBench(t, map[string]string{"f": text.String(), "odd:3": "colon\n", "empty": "", "tail": "a\nb",
		"crlf": "a\r\nb\r\n", "bom": "\ufeffa\n", "x:raw": "named raw\n"})
	for _, c := range []struct{ path, want string }{
		{"f:18", numbered(17, 20)},
		{"f:18-", numbered(17, 20)},
		{"f:L18", numbered(17, 20)},
		{"f:L5-L6", numbered(4, 9)},
		{"f:L2-3,L4-:raw", strings.TrimPrefix(text.String(), "l1\n")},
		{"f:5-6", numbered(4, 9) + "..."},
		{"f:5+2", numbered(4, 9)},
		{"f:1-2", numbered(1, 5)},
		{"f:raw", text.String()},
		{"f:2-3:raw", "l2\nl3\n"},
		{"f:raw:2-3", "l2\nl3\n"},
		{"f:19:raw", "l19\nl20\n"},
		{"f:15-16,2-3", numbered(1, 6) + "...\n" + numbered(14, 19)},
		{"f:2-3,3-5", numbered(1, 8)},
		{"f:2-3,4-5:raw", "l2\nl3\nl4\nl5\n"},
		{"f:20", numbered(19, 20)},
		{"f:19-25", numbered(18, 20)},
		{"f:21", "[workspace/f has 20 lines; line 21 is beyond its end]\n"},
		{"f:99-100", "[workspace/f has 20 lines; line 99 is beyond its end]\n"},
		{"odd:3", "1\tcolon\n"},
		{"x:raw", "1\tnamed raw\n"},
		{"empty", "workspace/empty is empty"},
		{"tail", "1\ta\n2\tb\n[no newline at end of file]\n"},
		{"crlf", "1\ta\r\n2\tb\r\n"},
		{"bom", "1\ta\n"},
		{"workspace/f:1+1:raw", "l1\n"},
	} {
		want := strings.TrimSuffix(c.want, "...")
		if r := b.run("read_file", args{"path": c.path}); r.Text != want {
			t.Errorf("%s: got\n%q\nwant\n%q", c.path, r.Text, want)
		}
	}
	b.fails("read_file", args{}, "invalid_args")
	for path, kind := range map[string]string{"f:0": "invalid_args", "f:0-3": "invalid_args", "f:5-2": "invalid_args",
		"f:3+0": "invalid_args", "f:x": "not_found", "f:-3": "not_found", "none": "not_found", "none:3": "not_found",
		"f:L": "not_found", "../x": "fs_denied"} {
		b.fails("read_file", args{"path": path}, kind)
	}
}

func TestReadLimits(t *testing.T) {
	b := newBench(t, map[string]string{
		"many": strings.Repeat("x\n", 5000), "wide": strings.Repeat(strings.Repeat("y", 1000)+"\n", 100),
		"one": strings.Repeat("é", 60_000), "bin": "a\x00", "latin": "caf\xe9",
	})
	r := b.run("read_file", args{"path": "many"})
	if !strings.HasSuffix(r.Text, "3000\tx\n[lines 1-3000 of 5000; read on with workspace/many:3001]\n") ||
		r.Summary != "3000 lines of 5000" {
		t.Errorf("%s: %q", r.Summary, r.Text[len(r.Text)-80:])
	}
	r = b.run("read_file", args{"path": "many:3001"})
	if !strings.HasPrefix(r.Text, "3000\tx\n3001\tx\n") || !strings.HasSuffix(r.Text, "5000\tx\n") {
		t.Errorf("%q", r.Text[:20])
	}
	r = b.run("read_file", args{"path": "many:1-4999"})
	if !strings.HasSuffix(r.Text, "3000\tx\n[more; read on with workspace/many:3001]\n") {
		t.Errorf("%q", r.Text[len(r.Text)-60:])
	}
	r = b.run("read_file", args{"path": "wide"})
	if len(r.Text) > maxResult+100 || !strings.HasSuffix(r.Text, " of 100; read on with workspace/wide:52]\n") {
		t.Errorf("%d bytes, %q", len(r.Text), r.Text[len(r.Text)-60:])
	}
	r = b.run("read_file", args{"path": "one"})
	if !strings.Contains(r.Text, "[line cut at 51198 of 120000 bytes; ") || strings.Contains(r.Text, "\uFFFD") {
		t.Errorf("%q", r.Text[len(r.Text)-60:])
	}
	b.write("huge", strings.Repeat(strings.Repeat("z", 4000)+"\n", 2000)) // 8 MB
	r = b.run("read_file", args{"path": "huge:1500"})
	if !strings.HasPrefix(r.Text, "1499\tzzz") || !strings.Contains(r.Text, "[more; read on with workspace/huge:") {
		t.Errorf("%.20q %q", r.Text, r.Text[len(r.Text)-60:])
	}
	if r := b.run("read_file", args{"path": "huge:2001"}); r.Text != "[line 2001 is beyond the end of "+
		"workspace/huge]\n" {
		t.Errorf("%q", r.Text)
	}
	if err := b.fails("read_file", args{"path": "huge"}, "too_large"); !strings.HasSuffix(err.Error(),
		"bytes > 4194304; read a part of it, as workspace/huge:1-200") {
		t.Errorf("%v", err)
	}
	b.write("line", strings.Repeat("x", 5<<20))
	if err := b.fails("read_file", args{"path": "line:1-1"}, "too_large"); !strings.HasSuffix(err.Error(),
		"a line of it is longer than that; a command can cut it") {
		t.Errorf("%v", err)
	}
	b.fails("read_file", args{"path": "bin"}, "fs_denied")
	b.fails("read_file", args{"path": "latin"}, "fs_denied")
}

func TestAReadThatMustBeAskedShowsNoContent(t *testing.T) {
	b := newBench(t, map[string]string{"secrets/config.yaml": "password: hunter2\n"})
	c := b.must("read_file", args{"path": "secrets/config.yaml"})
	if c.Proposal != nil {
		t.Error("a read asks by itself")
	}
	p, err := c.Propose(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"read","description":"Read ` +
		`workspace/secrets/config.yaml","path":"workspace/secrets/config.yaml","sandbox":"workspace","file_lines":1,` +
		`"file_bytes":18,"file_exists":true}`
	if got, _ := json.Marshal(p.Payload); string(got) != want {
		t.Errorf("%s", got)
	}
	if p.Before != nil || p.After != nil || len(p.Diff.Hunks) > 0 {
		t.Error("the proposal holds content")
	}
}

func TestRulesOfReadFileHoldForOtherTools(t *testing.T) {
	b := newBench(t, map[string]string{"secrets/key": "hunter2\n", "open": "hunter3\n", "ask/x": "hunter4\n"})
	var rules []approval.Entry
	for action, text := range map[approval.Action]string{approval.Deny: "read_file(secrets/**)",
		approval.Ask: "read_file(ask/**)"} {
		r, err := approval.ParseRule(action, text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, approval.Entry{Rule: r, Origin: "flag"})
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	b.env.MayRead = func(p string) approval.Action {
		return policy.Decide(approval.Subject{Tool: "read_file", Path: p}).Action
	}
	b.reg = Builtin(b.env)
	if err := b.fails("diff", args{"path_a": "open", "path_b": "secrets/key"},
		"fs_denied"); !strings.Contains(err.Error(), "workspace/secrets/key") {
		t.Errorf("%v", err)
	}
	b.fails("diff", args{"path_a": "ask/x", "path_b": "open"}, "fs_denied")
	b.fails("edit_file", args{"path": "secrets/key", "old_string": "hunter1", "new_string": "x"}, "fs_denied")
	b.fails("search", args{"pattern": "hunter", "path": "secrets/key"}, "fs_denied")
	r := b.run("search", args{"pattern": "hunter"})
	if r.Text != "# workspace/open\n*1:hunter3\n[2 files left out by rules of read_file]\n" {
		t.Errorf("%q", r.Text)
	}
}

func TestFindAndSearch(t *testing.T) {
	long := strings.Repeat("a", 2000) + "NEEDLE" + strings.Repeat("b", 2000)
	b := newBench(t, map[string]string{
		"a.go": "package a\nfunc Foo() {}\n", "sub/b.go": "package b\r\n// foo\r\n", "sub/deep/c.txt": "foo bar\n",
		".git/config": "foo\n", ".hidden/x.go": "foo\n", "bin": "foo\x00", "long": long, "latin": "foo \xe9",
	})
	os.Symlink("/etc", filepath.Join(b.dir, "etc"))
	os.Symlink("a.go", filepath.Join(b.dir, "l.go"))
	at := time.Now() // all were written at one time, so that their names order them
	for _, name := range []string{"a.go", "sub/b.go", "sub/deep/c.txt", "sub/deep", ".hidden/x.go"} {
		if err := os.Chtimes(filepath.Join(b.dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		tool string
		a    args
		want string
	}{
		{"find", args{"paths": []string{"*.go"}}, "a.go\nl.go\n# workspace/.hidden/\nx.go\n# workspace/sub/\nb.go\n"},
		{"find", args{"paths": []string{"**/*.go"}, "hidden": false}, "a.go\nl.go\n# workspace/sub/\nb.go\n"},
		{"find", args{"paths": []string{"sub/*.go"}}, "# workspace/sub/\nb.go\n"},
		{"find", args{"paths": []string{"workspace/sub"}}, "# workspace/sub/\nb.go\n# workspace/sub/deep/\nc.txt\n"},
		{"find", args{"paths": []string{"sub/b.go", "a.go"}}, "a.go\n# workspace/sub/\nb.go\n"},
		{"find", args{"paths": []string{"*.{txt,md}", "none", "none/*.go"}},
			"# workspace/sub/deep/\nc.txt\nSkipped missing paths: none, none/*.go\n"},
		{"find", args{"paths": []string{"d*p", "sub/**"}}, "# workspace/sub/\nb.go\ndeep/\n# " +
			"workspace/sub/deep/\nc.txt\n"},
		{"find", args{"paths": []string{"passwd*"}}, "No files found matching pattern\n"},
		{"find", args{"paths": []string{"**/config*"}}, "No files found matching pattern\n"},
		{"search", args{"pattern": "foo"},
			"# workspace/.hidden/x.go\n*1:foo\n# workspace/sub/b.go\n 1:package b\n*2:// foo\n" +
				"# workspace/sub/deep/c.txt\n*1:foo bar\n[2 files left out: binary, not UTF-8, too large or " +
				"not readable]\n"},
		{"search", args{"pattern": "foo", "ignore_case": true, "glob": "*.go", "context_before": 0},
			"# workspace/a.go\n*2:func Foo() {}\n"},
		{"search", args{"pattern": "foo", "types": []string{"GO", ".md"}, "hidden": false, "context_before": 0},
			"# workspace/sub/b.go\n*2:// foo\n"},
		{"search", args{"pattern": "foo", "types": []string{"txt"}}, "# workspace/sub/deep/c.txt\n*1:foo bar\n"},
		{"search", args{"pattern": "^foo", "path": "sub"}, "# workspace/sub/deep/c.txt\n*1:foo bar\n"},
		{"search", args{"pattern": "Foo", "path": "a.go"}, "# workspace/a.go\n 1:package a\n*2:func Foo() {}\n"},
		{"search", args{"pattern": "nowhere to be found", "glob": "*.go"}, "no line matches\n"},
	} {
		if r := b.run(c.tool, c.a); r.Text != c.want {
			t.Errorf("%s %v: got\n%s\nwant\n%s", c.tool, c.a, r.Text, c.want)
		}
	}
	r := b.run("search", args{"pattern": "NEEDLE", "path": "long"})
	line := strings.TrimPrefix(strings.TrimSuffix(r.Text, "\n"), "# workspace/long\n*1:")
	if n := len([]rune(line)); n > maxSearchLine+2 || !strings.Contains(line, "NEEDLE") {
		t.Errorf("%d characters: %s", n, line)
	}
	b.write("many", strings.Repeat("hit\n", 300))
	for n, a := range map[int]args{maxEach: {"pattern": "hit", "glob": "many"},
		maxAlone: {"pattern": "hit", "path": "many"}} {
		r = b.run("search", a)
		if got := strings.Count(r.Text, "\n*"); got != n || r.Summary != "300 matches in 1 file" ||
			!strings.HasSuffix(r.Text, fmt.Sprintf("[%d matches more; go on in workspace/many:%d-]\n", 300-n, n+1)) {
			t.Errorf("%d lines, %s", got, r.Summary)
		}
	}
	b.fails("find", args{"paths": []string{"["}}, "invalid_args")
	b.fails("find", args{"paths": []string{""}}, "invalid_args")
	b.fails("find", args{"paths": []string{}}, "invalid_args")
	b.fails("find", args{"paths": []string{"a.go"}, "limit": -1}, "invalid_args")
	b.fails("find", args{"paths": []string{"none"}}, "not_found")
	if err := b.fails("find", args{"paths": []string{"a.go/*"}}, "invalid_args"); !strings.Contains(err.Error(),
		"not a directory") {
		t.Error(err)
	}
	b.fails("find", args{"paths": []string{"none/*", "nor/this"}}, "not_found")
	b.fails("find", args{"paths": []string{"etc/*"}}, "fs_denied")
	b.fails("find", args{"paths": []string{"/etc"}}, "fs_denied")
	b.fails("find", args{"paths": []string{"/*"}}, "fs_denied")
	b.fails("search", args{"pattern": "(?<!x)y"}, "invalid_args")
	b.fails("search", args{"pattern": ""}, "invalid_args")
	b.fails("search", args{"pattern": "x", "path": "none"}, "not_found")
}

func TestListDir(t *testing.T) {
	b := newBench(t, map[string]string{"a": "xy", "sub/b": "", "new\nline": "", "\x1b[31m": ""})
	os.Symlink("/etc/passwd", filepath.Join(b.dir, "out"))
	os.Mkdir(filepath.Join(b.dir, "empty"), 0o755)
	r := b.run("list_dir", args{"path": "workspace"})
	if want := "\\x1b[31m  0 bytes\na  2 bytes\nempty/\nnew\\nline  0 bytes\n" +
		"out -> /etc/passwd\nsub/\n"; r.Text != want || r.Summary != "6 entries" {
		t.Errorf("%q", r.Text)
	}
	if r := b.run("list_dir", args{"path": "empty"}); r.Text != "workspace/empty is empty\n" {
		t.Errorf("%q", r.Text)
	}
	for i := range 1010 {
		b.write(fmt.Sprintf("many/%04d", i), "")
	}
	if r := b.run("list_dir", args{"path": "many/"}); !strings.HasSuffix(r.Text,
		"0999  0 bytes\n[10 more entries; find takes a pattern of names]\n") {
		t.Errorf("%q", r.Text[len(r.Text)-60:])
	}
	b.fails("list_dir", args{"path": "a"}, "invalid_args")
	b.fails("list_dir", args{"path": "none"}, "not_found")
	b.fails("list_dir", args{"path": "/"}, "fs_denied")
}

func TestTodo(t *testing.T) {
	b := newBench(t, nil)
	do := func(ops ...args) Result {
		t.Helper()
		return b.run("todo", args{"ops": ops})
	}
	r := do(args{"op": "init", "items": []string{"plan", "build", "test"}})
	if r.Text != "[>] plan\n[ ] build\n[ ] test\n" || r.Partial {
		t.Errorf("%q", r.Text)
	}
	r = do(args{"op": "done", "item": "plan"}, args{"op": "note", "item": "build", "text": "carefully"})
	if r.Text != "[x] plan\n[>] build\n      carefully\n[ ] test\n" || r.Summary != "1 of 3 done" {
		t.Errorf("%q %s", r.Text, r.Summary)
	}
	r = do(args{"op": "start", "item": "test"}, args{"op": "done", "item": "Plan"},
		args{"op": "append", "items": []string{"ship", "test"}}, args{"op": "rm", "item": "plan"})
	want := "[ ] build\n      carefully\n[>] test\n[ ] ship\nerrors:\noperation 2 (done): there is no item \"Plan\"\n" +
		"operation 3 (append): \"test\" is in the list already\n"
	if r.Text != want || !r.Partial {
		t.Errorf("%q", r.Text)
	}
	r = do(args{"op": "drop", "item": "test"}, args{"op": "done", "item": "build"}, args{"op": "done", "item": "ship"})
	if r.Text != "[x] build\n      carefully\n[-] test\n[x] ship\n" || r.Summary != "3 of 3 done" {
		t.Errorf("%q", r.Text)
	}
	if c := b.must("todo", args{"ops": []args{{"op": "rm"}}}); c.Mutates || c.Proposal != nil {
		t.Errorf("%+v", c)
	}
	b.fails("todo", args{"ops": []args{{"op": "finish"}}}, "invalid_args")
	b.fails("todo", args{"ops": "x"}, "invalid_args")
	b.fails("todo", args{}, "invalid_args")
}

func TestReadFileOfAPicture(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewNRGBA(image.Rect(0, 0, 6, 5))); err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	b := newBench(t, map[string]string{"a.png": whole, "half.png": whole[:30], "text.png": "no picture\n",
		"a.bin": whole})
	r := b.run("read_file", args{"path": "a.png"})
	if len(r.Images) != 1 || string(r.Images[0].Data) != whole ||
		!strings.HasPrefix(r.Text, "picture workspace/a.png: png, 6 by 5 pixels, ") || r.Detail != "" ||
		!strings.HasPrefix(r.Summary, "png, 6 by 5 pixels") {
		t.Errorf("%+v", r)
	}
	if r := b.run("read_file", args{"path": "text.png"}); r.Text != "1\tno picture\n" || r.Images != nil {
		t.Errorf("a text with the name of a picture: %+v", r)
	}
	b.fails("read_file", args{"path": "half.png"}, "tool_failed")
	b.fails("read_file", args{"path": "a.png:1"}, "fs_denied") // lines of a picture: the text reader refuses it
	b.fails("read_file", args{"path": "a.bin"}, "fs_denied")
	b.fails("read_file", args{"path": "none.png"}, "not_found")
	b.write("big.png", whole)
	if err := os.Truncate(filepath.Join(b.dir, "big.png"), 32<<20+1); err != nil {
		t.Fatal(err)
	}
	b.fails("read_file", args{"path": "big.png"}, "too_large")
}
