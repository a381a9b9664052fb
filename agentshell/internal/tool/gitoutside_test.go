package tool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A repository whose files are links, or that borrows objects, shows what lies outside of the
// workspace. Each of these commands does so when it runs, and none runs unasked.
func TestARepositoryThatLeadsOutsideIsAskedFor(t *testing.T) {
	t.Parallel()
	const lend = `git -C ../out init -q -b main; git -C ../out add secret
git -C ../out -c user.name=x -c user.email=x@x commit -qm "$(cat ../out/secret)"
git -C ../out rev-parse HEAD > .git/refs/heads/z; `
	for _, c := range []struct {
		name, setup, command string
		reads                bool
	}{
		{"shallow", "ln -s ../../out/secret .git/shallow", "git log", false},
		{"bisect", "ln -s ../../out/secret .git/BISECT_START; touch .git/BISECT_LOG", "git status", false},
		{"exclude", "rm -f .git/info/exclude; mkdir -p .git/info; ln -s ../../../out/secret .git/info/exclude",
			"git check-ignore -v SECRET", false},
		{"a work tree", "mkdir -p .git/worktrees/x; ln -s ../../../../out/secret .git/worktrees/x/gitdir; " +
			"echo ../.. > .git/worktrees/x/commondir; cp .git/HEAD .git/worktrees/x", "git worktree list", false},
		{"objects of another", lend + `echo "$PWD/../out/.git/objects" > .git/objects/info/alternates`, "git log z",
			false},
		{"a link to branches of another", lend + `echo "$PWD/../out/.git/objects" > .git/objects/info/alternates
rm -r .git/refs/heads; ln -s ../../../out/.git/refs/heads .git/refs/heads`, "git log main", false},
		{"a work tree called hooks", "mkdir -p .git/worktrees/hooks; cp .git/HEAD .git/worktrees/hooks; " +
			"ln -s ../../../../out/secret .git/worktrees/hooks/gitdir; echo ../.. > .git/worktrees/hooks/commondir",
			"git worktree list", false},
		{"links to objects of another", lend + `for o in ../out/.git/objects/??/*; do
d=.git/objects/$(basename $(dirname $o))
mkdir -p $d; ln -sf "$PWD/$o" $d/; done`, "git log z", false},
		{"the common directory of another", lend + `rm -rf .git; echo "gitdir: evil" > .git
mkdir -p evil/refs evil/objects; echo ../.git > evil/gitdir; echo ../../out/.git > evil/commondir
echo ref: refs/heads/main > evil/HEAD`, "git log -p", false},
		{"a name with a blank at its end", lend + `mv .git "evil "
echo "$PWD/../out/.git/objects" > "evil /objects/info/alternates"
mkdir evil; cp -r "evil "/. evil; rm evil/objects/info/alternates
echo ../.git > evil/gitdir; echo ../.git > "evil /gitdir"
printf 'gitdir: evil \n' > .git`, "git log z", false},
		{"hooks that are links", "rm -rf .git/hooks; ln -s ../../out .git/hooks; rm .git/hooks; mkdir .git/hooks; " +
			"ln -s ../../../out/secret .git/hooks/pre-commit", "git status", true},
		{"no link", "true", "git log", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readingPlace(t)
			run := func(script string) string {
				cmd := exec.Command("bash", "-c", script)
				cmd.Dir, cmd.Env = b.dir, b.env.Commands.Environ
				out, _ := cmd.CombinedOutput()
				return string(out)
			}
			if out := run("set -e; " + c.setup); out != "" {
				t.Fatal(out)
			}
			if shown := strings.Contains(run(c.command), "SECRET"); shown == c.reads {
				t.Errorf("%s shows the text from outside: %v", c.command, shown)
			}
			if why := b.env.reads(context.Background(), c.command); (why == "") != c.reads {
				t.Errorf("%s: %q", c.command, why)
			}
			if strings.Contains(c.setup, "alternates") { // as in a copy, which takes objects of the person's
				b.env.Commands.Borrowed = []string{filepath.Join(b.dir, "../out/.git/objects"),
					b.dir + "/../out/.git/objects"}
				why := b.env.reads(context.Background(), c.command)
				if (why == "") == (strings.Contains(c.name, "link") || strings.Contains(c.name, "blank")) {
					t.Errorf("%s with objects that are known: %q", c.command, why)
				}
			}
		})
	}
}

// A word that is long is a path all the same, if the system can take it for one. What the system
// refuses is a text.
func TestALongWordIsLookedAt(t *testing.T) {
	t.Parallel()
	b := readingPlace(t)
	for _, c := range []struct {
		word  string
		reads bool
	}{
		{strings.Repeat("./", 2038) + "../out/secret", false},
		{strings.Repeat("./", 2038) + "link", false},
		{strings.Repeat("./", 20) + "link", false},
		{strings.Repeat("./", 20) + "f", true},
		{strings.Repeat("a", 300), true},
		{strings.Repeat("a/", 2048), true},
		{strings.Repeat("a", 5000), true},
	} {
		command := "cat " + c.word
		cmd := exec.Command("bash", "-c", command)
		cmd.Dir = b.dir
		out, _ := cmd.CombinedOutput()
		if strings.Contains(string(out), "SECRET") == c.reads {
			t.Errorf("cat of %.20s... shows the text from outside: %v", c.word, !c.reads)
		}
		if why := b.env.reads(context.Background(), command); (why == "") != c.reads {
			t.Errorf("cat of %.20s... of %d bytes: %q", c.word, len(c.word), why)
		}
	}
}

// A filter of the person's is asked about where a file goes through it: it may obey the settings
// of the repository, as Git LFS does. Where none does it changes nothing.
func TestAFilterOfThePersonsIsAskedAboutWhereItRuns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, setup string
		reads       bool
	}{
		{"no attributes", "true", true},
		{"another attribute", "echo 'f text -filter' > .gitattributes", true},
		{"a file", "echo 'f filter=x' > .gitattributes", false},
		{"a file below", "echo 'g filter=x' > sub/.gitattributes; printf 'one\\ntwo!' > sub/g", false},
		{"attributes of the repository", "mkdir -p .git/info; echo '* filter=x' > .git/info/attributes", false},
		{"a filter that is required", "git config --global filter.x.required true; echo 'f filter=x' > .gitattributes",
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := readingPlace(t)
			run := func(script string) {
				cmd := exec.Command("bash", "-c", script)
				cmd.Dir, cmd.Env = b.dir, b.env.Commands.Environ
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v: %s", script, err, out)
				}
			}
			run(`set -e; printf '#!/bin/sh\ncat; echo ran > "$(git config x.leads)"\n' > ../filter; chmod +x ../filter
git config --global filter.x.clean "$PWD/../filter"; git config x.leads M; ` + c.setup)
			if why := b.env.reads(context.Background(), "git diff"); (why == "") != c.reads {
				t.Errorf("%q", why)
			}
			run("git diff > /dev/null; git status > /dev/null")
			if _, err := os.Stat(filepath.Join(b.dir, "M")); (err == nil) == c.reads {
				t.Errorf("the filter ran: %v", err == nil)
			}
		})
	}
}
