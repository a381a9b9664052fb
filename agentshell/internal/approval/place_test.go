package approval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// programPlace returns a workspace with a program s in its top, another of that name in a folder,
// and links.
func programPlace(t *testing.T) (top string, finds Finder) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"s", "other", "sub/s", "sub/t", "sub/deep/x", "bin/p"} {
		full := filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755),
			os.WriteFile(full, []byte("#!/bin/sh\necho "+name+"\n"), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link": "s", "sub/back": "../s", "dir": "sub/deep", "del": "/bin/rm",
		"bin/found": "../s"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	search := filepath.Join(top, "bin") + ":/usr/bin:/bin"
	return top, func(dir, name string) string {
		if !filepath.IsAbs(dir) {
			dir = top + "/" + dir
		}
		return child.ResolveProgram(search, dir, name)
	}
}

// A rule that denies or asks speaks of a program by what its name resolves to where that part of
// the line runs, whatever spelling, link or directory leads there. Other programs run.
func TestDenyAndAskComparePrograms(t *testing.T) {
	data, err := os.ReadFile("testdata/programs.txt")
	if err != nil {
		t.Fatal(err)
	}
	top, finds := programPlace(t)
	spoken, free := 0, 0
	var deny, ask *Policy
	for l := range strings.Lines(string(data)) {
		mark, text, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		text = strings.NewReplacer("TOP", top, `\n`, "\n").Replace(text)
		if mark == "rule" {
			for action, policy := range map[string]**Policy{"deny": &deny, "ask": &ask} {
				*policy, err = NewPolicy(PolicyConfig{Rules: rules(t, action+" bash("+text+")"), Finds: finds,
					Mode: ModeUnconfined})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		s := Subject{Tool: "bash", Command: text, Mutates: true, Asks: true}
		switch mark {
		case "+":
			spoken++
			if deny.Decide(s).Action != Deny || ask.Decide(s).Action != Ask {
				t.Errorf("%q runs", text)
			}
		case "-":
			free++
			if deny.Decide(s).Action != Allow || ask.Decide(s).Action != Allow {
				t.Errorf("%q does not run", text)
			}
		}
	}
	if spoken < 110 || free < 50 {
		t.Errorf("%d lines and %d controls were read", spoken, free)
	}
}

// An allow rule covers nothing by what a name resolves to.
func TestAllowComparesWords(t *testing.T) {
	top, finds := programPlace(t)
	p, err := NewPolicy(PolicyConfig{Rules: rules(t, "allow bash(./s)", "allow bash(cd sub)"), Finds: finds})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]Action{"./s": Allow, "cd sub && ../s": Allow, "./link": Ask, "sub/back": Ask,
		top + "/s": Ask, "sub/../s": Ask, "cd sub && ./s": Ask, "cd sub && ./back": Ask, "found": Ask, "bash s": Ask,
		"env -C sub ../s": Ask, "cd dir && ../../s": Ask} {
		got := p.Decide(Subject{Tool: "bash", Command: command, Mutates: true, Asks: true})
		if got.Action != want {
			t.Errorf("%q: %v", command, got)
		}
	}
}
