package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A formatter of the config has put the text in order that is shown and written.
func TestAFormatterOfTheConfig(t *testing.T) {
	t.Parallel()
	need.Program(t, "gofmt")
	p := newPlace(t)
	config := filepath.Join(p.home, ".config/agentshell/config.toml")
	p.write(config, "[[format]]\nfiles = [\"*.go\"]\ncommand = [\"gofmt\"]\n")
	p.write("script", `{"say":"I write.","delay_ms":0,"tool_calls":[{"id":"c","name":"write_file","input":`+
		`{"path":"a.go","content":"package  a\nvar  x = 1\n"}},{"id":"d","name":"write_file","input":`+
		`{"path":"b.go","content":"package\n"}}]}`+"\n"+
		`{"expect":["gofmt put it in order, +3 -2","gofmt failed on it: <standard input>:1:"],"say":"Done.",`+
		`"delay_ms":0}`+"\n")
	if got := p.run("", "--script", "script", "-p", "go", "--allow", "write_file"); got.code != 0 ||
		!strings.Contains(got.stdout, "Done.") {
		t.Errorf("%+v", got)
	}
	if text, err := os.ReadFile(filepath.Join(p.work, "a.go")); string(text) != "package a\n\nvar x = 1\n" {
		t.Errorf("%q, %v", text, err)
	}
	if got := p.run("", "doctor"); !strings.Contains(got.stdout, "formatters\n  *.go") {
		t.Errorf("%+v", got)
	}
}

// A hook of the config has its say in a run without a screen, too; the keys are not in its
// environment, and one that is a program of the workspace is none.
func TestHooksOfTheConfig(t *testing.T) {
	t.Parallel()
	need.Program(t, "sh")
	p := newPlace(t)
	hook := filepath.Join(p.home, "check")
	p.write(hook, "#!/bin/sh\nread -r q\ncase $q in *turn_end*) echo x >> "+p.home+"/ends; exit;; esac\n"+
		"[ -z \"$OPENAI_API_KEY\" ] || exit 9\n"+
		`case $q in *haiku*) echo '{"decision":"deny","reason":"no poems here"}';; `+
		`*) echo '{"text":"[31mmind the herons"}';; esac`+"\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwxyz")
	config := filepath.Join(p.home, ".config/agentshell/config.toml")
	p.write(config, "[[hooks]]\non = \"before_tool\"\ncommand = [\""+hook+"\"]\n[[hooks]]\non = \"turn_end\"\n"+
		"command = [\""+hook+"\"]\n")
	p.write("notes.md", "one\n")
	p.write("script", `{"say":"A haiku.","delay_ms":0,"tool_calls":[{"id":"c","name":"write_file","input":`+
		`{"path":"haiku.txt","content":"x"}},{"id":"d","name":"read_file","input":{"path":"notes.md"}}]}`+"\n"+
		`{"expect":["check: no poems here","[hook check] [31mmind the herons"],"say":"Done.","delay_ms":0}`+"\n")
	got := p.run("", "--script", "script", "-p", "go", "--allow", "write_file")
	if got.code != 4 || !strings.Contains(got.stdout, "Done.") || !strings.Contains(got.stderr, "no poems here") {
		t.Errorf("%+v", got)
	}
	if ends, err := os.ReadFile(filepath.Join(p.home, "ends")); err != nil || string(ends) != "x\n" {
		t.Errorf("the end of the turn: %q, %v", ends, err)
	}
	got = p.run("", "doctor")
	if !strings.Contains(got.stdout, "hooks\n  before_tool") || !strings.Contains(got.stdout, hook) {
		t.Errorf("%+v", got)
	}

	p.write(config, "[[hooks]]\non = \"before_tool\"\ncommand = [\"no-such-hook\"]\n")
	if got = p.run("", "doctor"); got.code != 1 || !strings.Contains(got.stdout, "no-such-hook") {
		t.Errorf("%+v", got)
	}
	p.write("script", `{"say":"I look.","delay_ms":0,"tool_calls":[{"id":"d","name":"read_file","input":`+
		`{"path":"notes.md"}}]}`+"\n"+
		`{"expect":"no-such-hook failed, so the call was not made","say":"Done.","delay_ms":0}`+"\n")
	if got = p.run("", "--script", "script", "-p", "go"); got.code != 4 || !strings.Contains(got.stdout, "Done.") {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(got.stderr, "The hook no-such-hook denies every call, because it cannot run") {
		t.Errorf("at the start nothing is said of it: %s", got.stderr)
	}
	// One whose program lies in the workspace, as it does where that is the home.
	check := filepath.Join(p.work, "bin", "check")
	p.write(check, "#!/bin/sh\n")
	if err := os.Chmod(check, 0o755); err != nil {
		t.Fatal(err)
	}
	p.write(config, "[[hooks]]\non = \"before_tool\"\ntools = [\"bash\"]\ncommand = [\""+check+"\"]\n")
	p.write("script", `{"say":"Done.","delay_ms":0}`+"\n")
	if got = p.run("", "--script", "script", "-p", "go"); got.code != 0 ||
		strings.Count(got.stderr, "The hook check denies every call of bash, because it cannot run") != 1 ||
		!strings.Contains(got.stderr, "Move it, or start in another directory.") {
		t.Errorf("%+v", got)
	}
	p.write(config, "[[hooks]]\non = \"never\"\ncommand = [\"x\"]\n")
	if got = p.run("", "--script", "script", "-p", "go"); got.code != 2 ||
		!strings.Contains(got.stderr, "config.toml:1: on of a hook may be") {
		t.Errorf("%+v", got)
	}
}
