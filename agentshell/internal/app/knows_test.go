package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// What stands before the conversation is the same bytes in each request, whatever happens in the
// workspace meanwhile: a provider keeps it in its cache.
func TestWhatTheModelIsToldAtTheStartStaysByteEqual(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	cmd := exec.Command(need.Program(t, "git"), "init", "-q", "-b", "trunk", p.work)
	cmd.Env = p.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p.write("AGENTS.md", "Be brief.\n")
	p.write(filepath.Join(p.home, ".config/agentshell/AGENTS.md"), "Write to me in verse.\n")
	const turns = 50
	var bodies []map[string]json.RawMessage
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		var body map[string]json.RawMessage
		if err := json.Unmarshal(text, &body); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		bodies = append(bodies, body)
		w.Header().Set("Content-Type", "text/event-stream")
		if n := len(bodies); n < turns {
			answers(w, "More.", "write_file", fmt.Sprintf(`{"path":"sub%d/x.txt","content":"x\n"}`, n))
			return
		}
		answers(w, "Done.", "", "")
	}))
	defer server.Close()
	p.env = append(p.env, "ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL="+server.URL)
	got := p.run("", "-p", "go", "--mode", "edits")
	server.Close()
	if got.code != 0 || len(bodies) != turns {
		t.Fatalf("%d requests, %+v", len(bodies), got)
	}
	first := bodies[0]
	for _, want := range []string{"## No commits yet on trunk", "?? AGENTS.md", "Be brief.", "Write to me in verse.",
		time.Now().Format("January 2006"), filepath.Base(p.work)} {
		if !strings.Contains(string(first["system"]), want) {
			t.Errorf("%q is not in %s", want, first["system"])
		}
	}
	for i, body := range bodies {
		if string(body["system"]) != string(first["system"]) || string(body["tools"]) != string(first["tools"]) {
			t.Fatalf("request %d begins otherwise:\n%s\n%s", i+1, body["system"], first["system"])
		}
	}
}

func TestNestedInstructionsComeWithTheFirstReadBelow(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("sub/AGENTS.md", "Only tabs here.\n")
	p.write("sub/deep/x.go", "package x\n")
	p.write("AGENTS.md", "told at the start\n")
	read := `{"say":"","delay_ms":0,"tool_calls":[{"id":"r","name":"read_file","input":{"path":"sub/deep/x.go"}}]`
	got := p.run("", "-p", "go", "--script", p.script(read+"}",
		read+`,"expect":["package x","Only tabs here."],"expect_not":"told at the start"}`,
		`{"expect":"package x","expect_not":"Only tabs here.","say":"ok","delay_ms":0}`))
	if got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := p.run("", "-p", "go", "--deny", "read_file(sub/AGENTS.md)", "--script", p.script(read+"}",
		`{"expect":"package x","expect_not":"Only tabs here.","say":"ok","delay_ms":0}`)); got.code != 0 {
		t.Errorf("with a rule against them: %+v", got)
	}
}

func TestInstructionsThatAreNotReadAreTold(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	secret := p.write(filepath.Join(t.TempDir(), "secret"), "secret\n")
	if err := os.Symlink(secret, filepath.Join(p.work, "AGENTS.md")); err != nil {
		t.Fatal(err)
	}
	got := p.run("", "-p", "go", "--script", p.script(hi))
	if got.code != 0 || !strings.Contains(got.stderr, "AGENTS.md is not read: ") {
		t.Errorf("%+v", got)
	}
}

func TestASkillIsReadWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/skills/release/SKILL.md"),
		"---\ndescription: releases\n---\nTag it.\n")
	p.write(".scrollkeep/skills/theirs/SKILL.md", "Not asked for.\n") // the workspace's are none
	read := func(name string) string {
		return `{"say":"","delay_ms":0,"tool_calls":[{"id":"r","name":"read_file","input":{"path":"skill://` +
			name + `"}}]`
	}
	got := p.run("", "-p", "go", "--script", p.script(read("release")+"}", read("theirs")+`,"expect":"Tag it."}`,
		read("../release")+`,"expect":"there is no such skill"}`,
		`{"expect":"there is no such skill","say":"ok","delay_ms":0}`))
	if got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := p.run("", "-p", "go", "--deny", "read_file(skill:/**)", "--script", p.script(read("release")+"}",
		`{"expect":"denied","expect_not":"Tag it.","say":"ok","delay_ms":0}`)); got.code != 4 {
		t.Errorf("with a rule against it: %+v", got)
	}
}
