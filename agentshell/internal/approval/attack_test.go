package approval

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// attack is a line of testdata/attacks.txt.
type attack struct {
	line    string
	real    bool // it leaves a file M
	opaque  bool // mode trusted asks, too
	rules   []string
	command string
	control string
}

func attacks(t *testing.T) (all []attack) {
	t.Helper()
	data, err := os.ReadFile("testdata/attacks.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(data), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		a := attack{line: line}
		rest, star := strings.CutPrefix(line, "* ")
		rest, percent := strings.CutPrefix(rest, "% ")
		rest, bang := strings.CutPrefix(rest, "! ")
		a.real, a.opaque = star || percent, star || bang
		parts := strings.Split(rest, " @@ ")
		if len(parts) < 2 {
			t.Fatalf("%q has no attack", line)
		}
		if parts[0] == "-" {
			a.opaque = true
		} else {
			a.rules = strings.Split(parts[0], ", ")
		}
		a.command = parts[1]
		if len(parts) > 2 {
			a.control = parts[2]
		}
		all = append(all, a)
	}
	return all
}

// covered reports whether a command runs unasked under allow rules of these words, flags aside.
func covered(t *testing.T, rules []string, command string) bool {
	t.Helper()
	var entries []Entry
	for _, words := range rules {
		r, err := ParseRule(Allow, "bash("+words+")")
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, Entry{Rule: r, Origin: "flag"})
	}
	p, err := NewPolicy(PolicyConfig{Rules: entries})
	if err != nil {
		t.Fatal(err)
	}
	return p.Decide(Subject{Tool: "bash", Command: command, Mutates: true, Asks: true}).Action == Allow
}

func TestNoRuleCoversAnAttack(t *testing.T) {
	trusted, err := NewPolicy(PolicyConfig{Mode: ModeTrusted})
	if err != nil {
		t.Fatal(err)
	}
	controls := 0
	for _, a := range attacks(t) {
		if covered(t, a.rules, a.command) {
			t.Errorf("%q runs unasked under %q", a.command, a.rules)
		}
		if a.control != "" {
			controls++
			if !covered(t, a.rules, a.control) {
				t.Errorf("%q is not covered by %q: %s", a.control, a.rules, ParseCommand(a.control).Opaque)
			}
		}
		s := Subject{Tool: "bash", Command: a.command, Mutates: true, Asks: true}
		if a.opaque && trusted.Decide(s).Action != Ask {
			t.Errorf("%q runs in mode trusted", a.command)
		}
		if a.opaque && ParseCommand(a.command).Opaque == "" {
			t.Errorf("%q is not opaque", a.command)
		}
	}
	if controls < 200 {
		t.Errorf("only %d controls", controls)
	}
}

// prepared is what the attacks find: a repository with a remote, a Go module, a makefile, archives
// and a program x that leaves M.
const prepared = `
set -e
git init -q -b main --bare ../remote.git
git init -q -b main .
git config user.name me; git config user.email me@example.com
printf '#!/bin/sh\ntouch "%s/M"\ncat >/dev/null 2>&1 </dev/null\n' "$PWD" > x; chmod +x x
printf 'text\nb,1\na,2\n' > f; cp f f.t; cp f g; echo '*.t diff=t' > .gitattributes
git add -A; git commit -qm one
echo more >> f; git commit -qam two
git branch topic HEAD~1; git checkout -q topic; echo t > t; git add t; git commit -qm topic; git checkout -q main
git remote add origin ../remote.git; git push -q origin main; ln -s ../remote.git remote.git
mkdir -p sub cmd/x evil parts t; git init -q sub
cp x parts/x; cp x git-x; cp x git-merge-x
printf 'module m\n\ngo 1.21\n' > go.mod; printf 'package m\n\nfunc F() int { return 1 }\n' > f.go
printf 'package m\n\nimport "testing"\n\nfunc TestF(t *testing.T) { F() }\n' > f_test.go
printf 'package main\n\nimport "os"\n\nfunc main() { os.WriteFile("M", nil, 0o600) }\n' > cmd/x/main.go
printf 'all:\n\t@echo all\n' > Makefile; printf 'all:\n\t@./x\n' > evil.mk; printf 'all:\n\t@../x\n' > evil/Makefile
seq 1 40000 > big; tar cf a.tar f; : > script.js; : > script.pl; echo 'require("fs").writeFileSync("M","")' > evil.js
`

// The corpus is made of attacks that work: each line with a star leaves a file when bash runs it.
// This is asked of a sample, of all with SCROLLKEEP_COMMANDS set (`make fuzz`).
func TestAttacksAreReal(t *testing.T) {
	bash := need.Program(t, "bash")
	need.Program(t, "git")
	dir := t.TempDir()
	env := append(slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, "GIT_") }),
		"HOME="+dir, "LC_ALL=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "GIT_ALLOW_PROTOCOL=file:ext", "FSM=./x", "GOFLAGS=",
		"NO_COLOR=1", "GOCACHE="+cache(t))
	run := func(at, script string) ([]byte, error) {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		cmd := exec.CommandContext(ctx, bash, "--noprofile", "--norc", "-c", script)
		cmd.Dir, cmd.Env, cmd.WaitDelay = at, env, 5*time.Second
		return cmd.CombinedOutput()
	}
	base := filepath.Join(dir, "base")
	repo := filepath.Join(base, "repo")
	if err := os.MkdirAll(repo, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := run(repo, prepared); err != nil {
		t.Fatalf("prepare: %v\n%s", err, out)
	}
	template := filepath.Join(dir, "template")
	if err := os.Rename(base, template); err != nil {
		t.Fatal(err)
	}
	all := os.Getenv("SCROLLKEEP_COMMANDS") != ""
	ran := 0
	for i, a := range attacks(t) {
		program, _, _ := strings.Cut(strings.TrimLeft(a.command, "([{ "), " ")
		slow := program == "go" || program == "npm" || program == "cargo" || program == "docker"
		if !a.real || !all && (slow || i%8 != 0) {
			continue
		}
		if missing(program, run) {
			continue
		}
		if err := os.RemoveAll(base); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-a", template, base).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		out, err := run(repo, a.command)
		if _, none := os.Stat(filepath.Join(repo, "M")); none != nil {
			t.Errorf("%q left nothing (%v):\n%s", a.command, err, out)
		}
		ran++
	}
	if ran < 15 {
		t.Errorf("only %d attacks were run", ran)
	}
	t.Logf("%d attacks left their mark", ran)
}

// missing reports whether bash does not find the first word of a command.
func missing(program string, run func(at, script string) ([]byte, error)) bool {
	if strings.ContainsAny(program, `\'"$`+"`") {
		return false
	}
	_, err := run(".", "type "+program)
	return err != nil && !strings.Contains(program, "=")
}

func cache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
