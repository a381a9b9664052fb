package extension_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// example starts an example in JavaScript with its file of the SDK, in a repository of git with the
// branches main and work.
func example(t *testing.T, name string) (p *peer, repository string, wait func() error) {
	t.Helper()
	node, git := need.Program(t, "node"), need.Program(t, "git")
	dir, repository := t.TempDir(), t.TempDir()
	for _, file := range []string{"examples/" + name + "/main.mjs", "js/extension.mjs"} {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"-c", "user.name=x", "-c", "user.email=x@x.org",
		"commit", "-q", "--allow-empty", "-m", "first"}, {"branch", "work"}} {
		if out, err := exec.Command(git, append([]string{"-C", repository}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%s", out)
		}
	}
	want, err := os.ReadFile("examples/" + name + "/extension.toml")
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, filepath.Join(dir, "main.mjs"), "manifest").Output()
	if err != nil || string(out) != string(want) {
		t.Errorf("extension.toml of %s is not\n%s%v", name, out, err)
	}
	p, wait = run(t, repository, node, filepath.Join(dir, "main.mjs"))
	p.call("initialize", `{"protocol": 1, "name": "`+name+`", "screen": true, "width": 80, "height": 24}`)
	return p, repository, wait
}

func TestTheExampleSwitchesBranches(t *testing.T) {
	t.Parallel()
	p, repository, wait := example(t, "branches")
	for args, want := range map[string]string{"": "main work", "w": "work", "x": ""} {
		var items struct{ Items []struct{ Text, Note string } }
		got := p.call("complete", `{"name": "branches", "args": "`+args+`"}`)
		if err := json.Unmarshal([]byte(got), &items); err != nil {
			t.Fatal(err)
		}
		names := []string{}
		for _, i := range items.Items {
			names = append(names, i.Text)
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%q is completed by %s", args, got)
		}
	}
	id := p.ask("command", `{"name": "branches", "args": "", "token": "c1", "screen": true, "width": 80}`)
	ask, question := p.sends("show")
	if !strings.Contains(question, `"value":"work"`) || !strings.Contains(question, "current") {
		t.Error(question)
	}
	p.replies(ask, `{"value": "work"}`)
	result, _ := p.answer(id)
	same(t, "the command", result, `{"rows": [[{"text": "Now on "}, {"text": "work", "style": "strong"}]]}`)
	head, err := os.ReadFile(filepath.Join(repository, ".git", "HEAD"))
	if err != nil || string(head) != "ref: refs/heads/work\n" {
		t.Errorf("HEAD: %q, %v", head, err)
	}
	for args, want := range map[string]string{"no": "invalid reference: no", "-f": "invalid reference: -f",
		"": "Name the branch"} {
		params := `{"name": "branches", "args": "` + args + `", "token": "c2", "screen": false}`
		_, failure := p.answer(p.ask("command", params))
		if !strings.Contains(failure, want) {
			t.Errorf("%q: %s", args, failure)
		}
	}
	p.call("shutdown", "{}")
	if err := wait(); err != nil {
		t.Error(err)
	}
}

func TestTheExampleShowsTheTimeAndTheBranch(t *testing.T) {
	t.Parallel()
	p, repository, wait := example(t, "clock")
	for width, want := range map[string]string{"40": `\d\d:\d\d main`, "9": `\d\d:\d\d ma…`, "7": `\d\d:\d\d`} {
		got := p.call("render", `{"part": "status", "width": `+width+`, "height": 1}`)
		var rows struct{ Rows []json.RawMessage }
		if err := json.Unmarshal([]byte(got), &rows); err != nil || len(rows.Rows) != 1 {
			t.Fatal(got, err)
		}
		text := strings.Trim(string(rows.Rows[0]), `"`)
		var spans []struct{ Text string }
		if json.Unmarshal(rows.Rows[0], &spans) == nil {
			text = ""
			for _, s := range spans {
				text += s.Text
			}
		}
		if !regexp.MustCompile("^" + want + "$").MatchString(text) {
			t.Errorf("in %s columns: %q", width, text)
		}
	}
	p.sends("changed") // the first look
	head := filepath.Join(repository, ".git", "HEAD")
	if err := os.WriteFile(head, []byte("ref: refs/heads/work\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p.sends("changed")
	p.call("shutdown", "{}")
	if err := wait(); err != nil {
		t.Error(err)
	}
}
