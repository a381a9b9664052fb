package app_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// TestCommandsAskWhereTheHistoryHoldsWhatRulesKeepBack is about commands in a sandbox, which hides
// the file and not the objects of git.
func TestCommandsAskWhereTheHistoryHoldsWhatRulesKeepBack(t *testing.T) {
	need.Program(t, "git")
	for _, c := range []struct {
		name, made, deny, command string
		holds                     string // "": it runs
	}{
		{"never added", "echo KEY=1 > .env", ".env", "cat .env", ""},
		{"committed", "echo KEY=1 > .env; git add .env; git commit -qm a", ".env", "git show HEAD:.env", ".env"},
		{"by the objects", "echo KEY=1 > .env; git add .env; git commit -qm a", ".env",
			"git cat-file -p HEAD:.env", ".env"},
		{"removed since", "echo KEY=1 > .env; git add .env; git commit -qm a; git rm -q .env; git commit -qm b; " +
			"echo KEY=1 > .env", ".env", "git log -p", ".env"},
		{"on a branch", "git commit -qm a --allow-empty; git checkout -qb b; echo KEY=1 > x.pem; git add .; " +
			"git commit -qm b; git checkout -q -", "*.pem", "git log --all -p", "x.pem"},
		{"only in the log of a branch", "echo KEY=1 > .env; git add .env; git commit -qm a; " +
			"git commit -qm b --allow-empty; git checkout -q --orphan c; git rm -qf .env; " +
			"git commit -qm c --allow-empty; git branch -D -q master; " +
			"echo KEY=1 > .env", ".env", "git log -g -p", ".env"},
		{"in the index", "mkdir s; echo KEY=1 > s/k; git add .", "s/**", "git diff --cached", "s/k"},
		{"in a stash", "git commit -qm a --allow-empty; echo KEY=1 > .env; git add .; git stash -q; echo KEY=1 > .env",
			".env", "git stash show -p", ".env"},
		{"of another name", "echo KEY=1 > .envrc; git add .; git commit -qm a", ".env", "git log -p", ""},
		{"in a repository below", "git init -q sub; cd sub; echo KEY=1 > .env; git add .; git commit -qm a", "**/.env",
			"git -C sub show HEAD:.env", "a repository of its own"},
		{"a broken repository", "rm .git/HEAD", ".env", "true", "cannot be looked through"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := confinedPlace(t)
			make := exec.Command("bash", "-ec", "git init -q -b master .; "+c.made)
			make.Dir = p.work
			make.Env = append(p.env, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
				"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
			if out, err := make.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			text, by, _ := p.one(c.command, "--deny", "read_file("+c.deny+")")
			if (by == "sandbox") != (c.holds == "") || c.holds != "" && strings.Contains(text, "KEY=") ||
				!strings.Contains(text, c.holds) {
				t.Errorf("by %s: %s", by, text)
			}
		})
	}
}
