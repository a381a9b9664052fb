package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestASessionIsWrittenToTheFileThatIsNamed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.txt", "old\n")
	p.write(".config/x", "")
	const key = "sk-ant-0123456789abcdefghijklmnop"
	p.run("", "-p", "change it <b>", "--mode", "edits", "--script", p.script(`{"say":"I <i>do</i> `+key+
		`.","delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"a.txt"}},`+
		`{"id":"2","name":"edit_file","input":{"path":"a.txt","old_string":"old","new_string":"`+key+`"}}]}`, hi))
	p.env = append(p.env, "ANTHROPIC_API_KEY="+key)
	for name, want := range map[string][]string{
		"s.html": {"<!doctype html>", "change it &lt;b&gt;", "I &lt;i&gt;do&lt;/i&gt; [secret].", ">-old",
			">+[secret]"},
		"s.md":   {"# Session ", "change it <b>", "-old\n+[secret]\n"},
		"s.json": {`"format":"agentshell-session"`, `"path":"a.txt","added_lines":1,"removed_lines":1`},
	} {
		got := p.run("", "export", "--file", name)
		text, err := os.ReadFile(filepath.Join(p.work, name))
		if got.code != 0 || err != nil || !strings.Contains(got.stdout, "to "+filepath.Join(p.work, name)) ||
			strings.Contains(string(text), key) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		for _, w := range want {
			if !strings.Contains(string(text), w) {
				t.Errorf("%s: there is no %q in\n%s", name, w, text)
			}
		}
	}
	if got := p.run("", "export", "--format", "json"); got.code != 0 || !json.Valid([]byte(got.stdout)) {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--file", "s.md"}, 1, "s.md exists: choose another name, or add --force to replace it"},
		{[]string{"--file", "s.md", "--force"}, 0, ""},
		{[]string{"--file", "s.txt"}, 2, `the name "s.txt" says no format`},
		{[]string{"--file", "s.txt", "--format", "html"}, 0, ""},
		{[]string{"--format", "pdf"}, 2, `"pdf" is no format: html, markdown or json`},
		{[]string{"--force"}, 2, "add --file FILE"},
	} {
		if got := p.run("", append([]string{"export"}, c.args...)...); got.code != c.code ||
			!strings.Contains(got.stderr, c.want) || (c.want == "") != (got.stderr == "") {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
}

// The keys of servers that the config file names are secrets, and a file that may not be read keeps
// its contents.
func TestAnExportKeepsToTheConfigFile(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("a.txt", "old\n")
	p.run("", "-p", "my Bearer-0123456789abcdef", "--mode", "edits", "--script", p.script(
		`{"delay_ms":0,"tool_calls":[{"id":"1","name":"read_file","input":{"path":"a.txt"}},`+
			`{"id":"2","name":"edit_file","input":{"path":"a.txt","old_string":"old","new_string":"new"}}]}`, hi))
	if got := p.run("", "export"); !strings.Contains(got.stdout, "-old\n+new\n") ||
		!strings.Contains(got.stdout, "my Bearer-0123456789abcdef") {
		t.Errorf("%+v", got)
	}
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "deny = [\"read_file(a.txt)\"]\n\n[mcp.x]\n"+
		"url = \"https://x.example\"\nheaders = { Authorization = \"Bearer-0123456789abcdef\" }\n")
	got := p.run("", "export")
	if got.code != 0 || strings.Contains(got.stdout, "-old\n+new\n") || !strings.Contains(got.stdout, "a.txt: +1 −1") ||
		!strings.Contains(got.stdout, "my [secret]") {
		t.Errorf("%+v", got)
	}
}

func TestThePersonExportsTheSessionThatIsOpen(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	const ripe = 300 * time.Millisecond
	shown, code := p.onTerminal([]string{"--script", p.script(`{"say":"Greetings.","delay_ms":0}`)}, dialogue{
		{"quits", "/export\r", ripe}, {"has no message yet", "hello there\r", ripe}, {"Greetings.", "/export\r",
			ripe}, {"Wrote the session to", "/export s.json\r", ripe},
		{"s.json", "/export s.json\r", ripe}, {"exists: choose another name", "/quit\r", ripe}}.step())
	pages, _ := filepath.Glob(filepath.Join(p.work, "session-*.html"))
	if code != 0 || len(pages) != 1 {
		t.Fatalf("code %d, %q, shown %q", code, pages, shown)
	}
	page, _ := os.ReadFile(pages[0])
	list, err := os.ReadFile(filepath.Join(p.work, "s.json"))
	if !strings.Contains(string(page), "<title>hello there</title>") || err != nil || !json.Valid(list) {
		t.Errorf("the page is\n%s\nthe other file %s, %v", page, list, err)
	}
}
