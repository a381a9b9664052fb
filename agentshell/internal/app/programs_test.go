package app_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// impostors puts programs of the workspace in front of those of the system: each tells of its run,
// and fails.
func impostors(p *place, dir string, names ...string) (ran func() []string) {
	tell := filepath.Join(p.t.TempDir(), "ran")
	for _, name := range names {
		p.executable(filepath.Join(dir, name), "#!/bin/sh\necho "+name+" \"$@\" >> "+tell+"\nexit 3\n")
	}
	for i, v := range p.env {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			p.env[i] = "PATH=" + dir + ":bin:.::" + path
		}
	}
	return func() []string {
		text, _ := os.ReadFile(tell) // none has run
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
}

func (p place) executable(path, text string) {
	p.t.Helper()
	if err := os.Chmod(p.write(path, text), 0o755); err != nil {
		p.t.Fatal(err)
	}
}

// Whatever the shell starts by itself is no program of the workspace, wherever PATH looks first.
func TestNothingOfTheWorkspaceIsStartedByItsName(t *testing.T) {
	t.Parallel()
	need.Program(t, "git")
	need.Program(t, "bash")
	all := []string{"git", "bash", "sh", "bwrap", "true", "tmux", "rg", "vi", "env", "cat", "wl-paste", "xclip",
		"xdg-open", "gofmt", "key", "check", "mine"}
	config := "sandbox = \"SANDBOX\"\nkey_command = [\"key\"]\n[[format]]\nfiles = [\"*.go\"]\n" +
		"command = [\"gofmt\"]\n" +
		"[[hooks]]\non = \"turn_end\"\ncommand = [\"check\"]\n[mcp.m]\ncommand = [\"mine\"]\n" +
		"[mcp.n]\ncommand = [\"HOME/server\"]\n"
	for _, c := range []struct {
		name, sandbox string
		dir           func(p *place) (at string, flags []string)
	}{
		{"a folder of the workspace", "off", func(p *place) (string, []string) {
			return filepath.Join(p.work, "bin"), nil
		}},
		{"a link into the workspace", "auto", func(p *place) (string, []string) {
			link := filepath.Join(p.t.TempDir(), "link")
			if err := os.Symlink(filepath.Join(p.work, "bin"), link); err != nil {
				p.t.Fatal(err)
			}
			p.write("bin/x", "")
			return link, nil
		}},
		{"an added directory", "off", func(p *place) (string, []string) {
			dir := p.t.TempDir()
			return dir, []string{"--add-dir", dir + ":ro"}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write(filepath.Join(p.home, ".config/agentshell/config.toml"),
				strings.NewReplacer("HOME", p.home, "SANDBOX", c.sandbox).Replace(config))
			p.executable(filepath.Join(p.home, "server"), "#!/usr/bin/env mine\n")
			repository := exec.Command("git", "init", "-q", p.work)
			repository.Env = p.env
			if out, err := repository.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			at, more := c.dir(&p)
			ran := impostors(&p, at, all...)
			p.write("a.go", "package  a\n")
			script := p.script(`{"say":"I look.","delay_ms":0,"tool_calls":[`+
				`{"id":"a","name":"bash","input":{"command":"git status"}},`+
				`{"id":"b","name":"write_file","input":{"path":"b.go","content":"package  b\n"}}]}`, hi)
			got := p.run("", append(more, "--script", script, "-p", "x", "--allow", "write_file")...)
			if !strings.Contains(got.stdout+got.stderr, "hi") || got.code == 1 {
				t.Errorf("%+v", got)
			}
			if list := ran(); len(list) > 1 || list[0] != "" {
				t.Errorf("%q has run: %+v", list, got)
			}
			if more != nil {
				return // the doctor looks at the present directory only
			}
			if got := p.run("", "doctor"); ran()[0] != "" {
				t.Errorf("doctor has run %q: %+v", ran(), got)
			}
		})
	}
}

// A program that is denied is not run from another directory, also where everything else runs.
func TestADeniedProgramIsDeniedFromEveryDirectory(t *testing.T) {
	t.Parallel()
	need.Program(t, "bash")
	p := newPlace(t)
	p.executable("s", "#!/bin/sh\necho denied >> "+p.work+"/ran\n")
	p.executable("sub/s", "#!/bin/sh\necho free >> "+p.work+"/ran\n")
	var calls []string
	for i, command := range []string{"cd sub && ../s", "cd sub; ../s", "env -C sub ../s", p.work + "/s", "bash s",
		"(cd sub && ./s)"} {
		calls = append(calls, fmt.Sprintf(`{"id":"c%d","name":"bash","input":{"command":%q}}`, i, command))
	}
	script := p.script(`{"say":"I run it.","delay_ms":0,"tool_calls":[`+strings.Join(calls, ",")+`]}`, hi)
	got := p.run("", "--script", script, "-p", "x", "--mode", "unconfined", "--deny", "bash(./s)")
	if text, err := os.ReadFile(filepath.Join(p.work, "ran")); err != nil || string(text) != "free\n" {
		t.Errorf("%q, %v: %+v", text, err, got)
	}
}

// What exists in the workspace only is said to be there. A command of the person's and one of the
// model's after a yes find what their PATH leads to.
func TestProgramsOfTheWorkspaceAreForCommands(t *testing.T) {
	t.Parallel()
	need.Program(t, "bash")
	p := newPlace(t)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"),
		"[[hooks]]\non = \"turn_end\"\ncommand = [\"mine\"]\n")
	ran := impostors(&p, filepath.Join(p.work, "bin"), "mine")
	script := p.script(`{"say":"I run it.","delay_ms":0,"tool_calls":[{"id":"a","name":"bash","input":`+
		`{"command":"mine of-the-model"}}]}`, hi)
	got := p.run("", "--script", script, "-p", "x", "--allow", "bash(mine *)")
	if !slices.Contains(ran(), "mine of-the-model") {
		t.Errorf("%q: %+v", ran(), got)
	}
	if want := "mine is not found outside of the workspace: " + p.work; !strings.Contains(got.stderr, want) {
		t.Errorf("%+v, want %q", got, want)
	}
}
