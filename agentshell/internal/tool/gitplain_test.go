//go:build unix

package tool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/console"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// gitPlaces makes a repository with a history of all kinds (plain), a linked worktree of it
// (linked), one with a submodule (super/sub is the submodule), and what is not committed in each.
const gitPlaces = `set -e
export GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@x GIT_COMMITTER_NAME=x GIT_COMMITTER_EMAIL=x@x
export GIT_AUTHOR_DATE='2020-01-01 00:00:00 +0000' GIT_COMMITTER_DATE='2020-01-01 00:00:00 +0000'
git config --global protocol.file.allow always
git init -q -b main plain; cd plain
mkdir sub; printf 'one\ntwo words here\n\tthree\n' > f; printf 'one\ntwo\n' > sub/g; printf '\0\1\2' > bin
seq 60 > long; ln -s f link; echo touched > touched
git add -A; git commit -qm one; git tag v1
git mv long moved; echo more >> moved; printf 'one\ntwo other words\n\tthree\n' > f; git commit -qam 'two
with a body'
git branch topic HEAD~1; git checkout -q topic; echo topic > t; git add t; git commit -qm 'on topic'
git commit --allow-empty -qm 'empty'; git checkout -q main; git merge -q -m merge topic
echo stashed >> f; git stash -q; printf 'one\ntwo other  words\n    three\nfour\n' > f; printf '\0\1\3' > bin
echo staged > s; git add s; echo unstaged >> s; echo untracked > u; echo sub >> sub/g; rm t
git worktree add -q ../linked v1; cd ../linked; echo x >> f; echo staged > s; git add s; cd ..
git init -q -b main inner; cd inner; mkdir sub; echo a > f; echo b > sub/g; git add -A; git commit -qm inner; cd ..
git init -q -b main super; cd super; mkdir deep; echo a > f; echo b > deep/g; git add -A; git commit -qm first
git submodule --quiet add "$PWD/../inner" sub; git commit -qm 'with a submodule'
git -C sub commit -q --allow-empty -m later; git commit -qam moved; echo more >> f; echo more >> sub/f; cd ..
git clone -q "$PWD/inner" embeds; cd embeds; git clone -q "$PWD/../inner" in; git add in 2>/dev/null
git commit -qm embeds; echo more >> in/f; cd ..
`

// gitReadings are commands that look at a repository, with the options that people use.
var gitReadings = strings.Split(strings.TrimSpace(`
git status
git status --short
git status -sb
git status --porcelain
git status --porcelain=v2 --branch
git status -v
git status -uno
git status --ignored
git status -- sub
git diff
git diff --stat
git diff -p
git diff --word-diff
git diff --color-words
git diff -w
git diff -b
git diff --ignore-blank-lines
git diff --cached
git diff --staged --stat
git diff HEAD
git diff HEAD~1
git diff HEAD~1 HEAD -- f
git diff main...HEAD
git diff v1..HEAD --stat
git diff --name-only
git diff --name-status HEAD~1
git diff --raw
git diff --color=never
git diff --color=always
git diff -M HEAD~1
git diff -M -C --find-copies-harder v1
git diff --numstat
git diff --shortstat
git diff --dirstat v1
git diff --summary v1
git diff --check
git diff --quiet
git diff --exit-code --stat
git diff --quiet --cached
git diff -U0
git diff --unified=1 -- f
git diff -S four
git diff -G 'fo+ur'
git diff --histogram
git diff --patience HEAD~1
git diff --diff-filter=D
git diff -- sub
git diff -- link touched
git diff --binary
git diff --text
git diff -R
git diff --relative
git diff --no-prefix
git diff --no-ext-diff --no-textconv
git diff nothing-of-that-name
git diff HEAD:f f
git --no-pager diff
git log
git log --oneline
git log --oneline --graph
git log --oneline --graph --all --decorate
git log -p
git log -p -1 -- f
git log -1 --stat
git log -3 --name-only
git log --name-status -M
git log --numstat --no-merges
git log --format=%H
git log --format='%h %an %ad %s' --date=short
git log --pretty=fuller -1
git log --author=x --since=2001-01-01
git log --grep=topic -i
git log -S words --oneline
git log -G 'wo.ds' --oneline
git log -L 1,2:f
git log --follow --oneline -- moved
git log --first-parent --oneline
git log --merges -m -p
git log -c -p
git log --cc
git log --reverse --oneline
git log main..topic --oneline
git log --oneline topic --not v1
git log -n 1 --shortstat
git log --oneline -- sub
git log nothing-of-that-name
git show
git show HEAD
git show --stat HEAD
git show --name-only HEAD~1
git show -s --format=%B HEAD~1
git show v1
git show v1:f
git show HEAD:sub/g
git show HEAD:sub
git show --word-diff HEAD~1
git show HEAD~1 -- f
git show stash@{0}
git show nothing
git blame moved
git blame -L 1,2 --date=format:x f
git blame -w -M -C moved
git blame --porcelain HEAD -- sub/g
git blame -e --date=format:x f
git blame v1 -- f
git blame nothing
git grep two
git grep -n one
git grep --cached -n one
git grep --cached -l two -- sub
git grep -i -e ONE --and -e one HEAD
git grep --cached -c one
git grep --cached no-such-text
git shortlog HEAD
git shortlog -sn HEAD
git shortlog -sne --all
git shortlog
git stash list
git stash list --format=%gd
git stash list -p
git stash show
git stash show -p
git range-diff v1 topic main
git range-diff v1..topic v1..main
git range-diff --stat v1..topic v1..main
git range-diff --color=never --creation-factor=90 v1..topic v1..main
git reflog
git branch -vv
git tag -l
git ls-files -s
git describe --tags
git rev-parse --git-path hooks
git rev-parse --git-path index
git diff --stat | cat
git status; git diff --name-only
git diff --quiet || echo differs
`), "\n")

// gitPlace is a place in which commands are compared with a plain bash.
type gitPlace struct {
	name, dir, in string // in: what the command line begins with
	each          int    // every so many of the commands
	asks          string // a pattern of the commands that are asked for
}

// What git prints to the model is what it prints to the person, and so is its exit code, whether a
// command runs because it only reads or after a yes. Half of the commands are tried, others in each
// run; all with SCROLLKEEP_READING set.
func TestGitPrintsToTheModelWhatItPrintsToThePerson(t *testing.T) {
	t.Parallel()
	need.Time(t)
	top := madeByGit(t, gitPlaces)
	const (
		plain      = `git grep (two|-n|-i)|--git-path` // may follow links; prints where hooks are, which we set
		submodules = plain + `|git status|git (--no-pager )?diff`
		all        = `.`
	)
	for _, p := range []gitPlace{
		{name: "plain", dir: "plain", each: 1, asks: plain},
		{name: "linked worktree", dir: "linked", each: 6, asks: plain},
		{name: "with a submodule", dir: "super", each: 6, asks: submodules},
		{name: "with a repository in it", dir: "embeds", each: 6, asks: submodules},
		{name: "submodule", dir: "super/sub", each: 9, asks: plain},
		{name: "directory of a repository", dir: "plain/sub", each: 9, asks: all},
		{name: "in a directory", dir: "plain", in: "cd sub && ", each: 9, asks: plain},
		{name: "in a submodule", dir: "super", in: "cd sub && ", each: 9, asks: all},
	} {
		t.Run(p.name, func(t *testing.T) {
			b := gitBench(t, top, p.dir)
			first, each := rand.IntN(2*p.each), 2*p.each
			if os.Getenv("SCROLLKEEP_READING") != "" {
				first, each = 0, p.each
			}
			for i := first; i < len(gitReadings); i += each {
				command := p.in + gitReadings[i]
				b.touch("touched")
				got, asked := b.model(command)
				b.touch("touched")
				if want := b.plain(command); got != want {
					t.Errorf("%s (asked: %v) prints\n%s\nand not\n%s", command, asked, got, want)
				}
				if asked != regexp.MustCompile(p.asks).MatchString(command) {
					t.Errorf("%s: asked: %v: %s", command, asked, b.env.reads(context.Background(), command))
				}
			}
		})
	}
}

// gitTrial is a workspace in which commands run as the model's and in a plain bash.
type gitTrial struct {
	*bench
	top string
}

func gitBench(t *testing.T, top, dir string) gitTrial {
	t.Helper()
	b := &bench{t: t, dir: filepath.Join(top, dir)}
	b.open()
	b.env.Commands.Environ = append(gitEnviron(top), "EXTRA=1")
	b.reg = Builtin(b.env)
	return gitTrial{b, top}
}

func gitEnviron(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8", "USER=x"}
}

// madeByGit returns a new directory in which a script has run.
func madeByGit(t *testing.T, script string) string {
	t.Helper()
	need.Program(t, "git")
	top := t.TempDir()
	cmd := exec.Command(need.Program(t, "bash"), "--noprofile", "--norc", "-c", script)
	cmd.Dir, cmd.Env = top, gitEnviron(top)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return top
}

// touch gives a file another time, so that git takes it for changed until it has compared it.
func (g gitTrial) touch(name string) {
	at := time.Now().Add(-time.Duration(time.Now().UnixNano()%1e9) * time.Microsecond)
	_ = os.Chtimes(filepath.Join(g.dir, name), at, at) // there is none everywhere
}

// model returns what a command of the model's prints, with its end: as one that only reads, or
// after a yes.
func (g gitTrial) model(command string) (text string, asked bool) {
	g.t.Helper()
	call := g.must("bash", args{"command": command})
	run := call.Reading
	if asked = call.Reads() != ""; asked {
		run = call.Run
	}
	r, err := run(context.Background(), nil)
	if err != nil {
		g.t.Fatalf("%s: %v", command, err)
	}
	return changedFiles.ReplaceAllString(r.Text, ""), asked
}

var changedFiles = regexp.MustCompile(`(?m)^\[workspace files changed: .*\n`)

// plain returns what a plain bash prints for a command, in the form of the tool's result.
func (g gitTrial) plain(command string) string {
	g.t.Helper()
	cmd := exec.Command("bash", "--noprofile", "--norc", "-c", command)
	cmd.Dir, cmd.Env = g.dir, append(gitEnviron(g.top), "TERM=dumb")
	out, err := cmd.CombinedOutput()
	text := onScreen(out)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		text += fmt.Sprintf("[exit %d]\n", exit.ExitCode())
	case err != nil:
		g.t.Fatal(err)
	case text == "":
		text = "[no output, exit 0]\n"
	}
	return text
}

// onScreen returns what output leaves on a terminal: without colours, and with what was written
// over gone.
func onScreen(output []byte) string {
	var left strings.Builder
	s := console.Screen{Out: func(p []byte) { left.Write(p) }}
	_, _ = s.Write(output)
	s.Close()
	return left.String()
}
