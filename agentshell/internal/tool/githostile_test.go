//go:build unix

package tool

import (
	"cmp"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// gitHostile is a repository that names a program, RUN, and the command by which a plain git runs
// it.
type gitHostile struct {
	name, config string
	file         string // "name: text"; it can be run
	control      string
	onTerminal   string // in place of control, for what git runs on a terminal only
	setup        string // what a shell does before the settings are made
}

// gitHostiles are the ways by which a repository makes git run something.
var gitHostiles = []gitHostile{
	{name: "external diff", config: "[diff]\nexternal = RUN", control: "git diff"},
	{name: "diff driver", config: "[diff \"x\"]\ncommand = RUN", file: ".gitattributes: * diff=x", control: "git diff"},
	{name: "diff driver of a directory", config: "[diff \"x\"]\ncommand = RUN", file: "sub/.gitattributes: * diff=x",
		control: "git diff"},
	{name: "text converter", config: "[diff \"x\"]\ntextconv = RUN", file: ".gitattributes: * diff=x",
		control: "git diff"},
	{name: "text converter of the log", config: "[diff \"x\"]\ntextconv = RUN", file: ".git/info/attributes: * diff=x",
		control: "git log -p"},
	{name: "text converter of blame", config: "[diff \"x\"]\ntextconv = RUN\ncachetextconv = true",
		file: ".gitattributes: * diff=x", control: "git blame f"},
	{name: "clean filter", config: "[filter \"x\"]\nclean = RUN", file: ".gitattributes: * filter=x",
		control: "git diff"},
	{name: "smudge filter", config: "[filter \"x\"]\nsmudge = RUN", file: ".gitattributes: * filter=x",
		control: "git checkout f"},
	{name: "filter process", config: "[filter \"x\"]\nprocess = RUN\nrequired = true",
		file: ".gitattributes: * filter=x", control: "git diff"},
	{name: "monitor", config: "[core]\nfsmonitor = RUN", control: "git status"},
	{name: "pager", config: "[core]\npager = RUN", onTerminal: "git log"},
	{name: "pager of one command", config: "[pager]\nlog = RUN\ndiff = RUN\nstatus = RUN\nshow = RUN",
		onTerminal: "git diff"},
	{name: "filter of interactive diffs", config: "[interactive]\ndiffFilter = RUN",
		onTerminal: "TERM=xterm git add -p < /dev/null"},
	{name: "hooks elsewhere", config: "[core]\nhooksPath = tools", file: "tools/post-index-change: #!/bin/sh\nRUN",
		control: "git status"},
	{name: "hook of the index", file: ".git/hooks/post-index-change: #!/bin/sh\nRUN",
		control: "touch -d yesterday same; git diff"},
	{name: "hook of commits", file: ".git/hooks/pre-commit: #!/bin/sh\nRUN",
		control: "git commit --allow-empty -m x"},
	{name: "hook of references", file: ".git/hooks/reference-transaction: #!/bin/sh\nRUN", control: "git branch new"},
	{name: "alias of the shell", config: "[alias]\nlg = !RUN", control: "git lg"},
	{name: "alias of a command's name", config: "[alias]\nlog = !RUN\nst = !RUN", control: "git st"},
	{name: "signatures in the log", config: "[log]\nshowSignature = true\n[gpg]\nprogram = RUN",
		setup: signed("PGP"), control: "git log"},
	{name: "signature format", config: "[gpg]\nformat = ssh\n[gpg \"ssh\"]\nprogram = RUN\nallowedSignersFile = f\n" +
		"[log]\nshowSignature = true", setup: signed("SSH"), control: "git log"},
	{name: "signatures of a format", config: "[format]\npretty = format:%G?\n[gpg]\nprogram = RUN",
		setup: signed("PGP"), control: "git log"},
	{name: "signatures of a format's name", config: "[format]\npretty = p\n[pretty]\np = %h %GK\n[gpg]\nprogram = RUN",
		setup: signed("PGP"), control: "git log"},
	{name: "include", config: "[include]\npath = ../more", file: "more: [diff]\nexternal = RUN", control: "git diff"},
	{name: "conditional include", config: "[includeIf \"gitdir:**\"]\npath = ../more",
		file: "more: [diff]\nexternal = RUN", control: "git diff"},
	{name: "include by branch", config: "[includeIf \"onbranch:*\"]\npath = ../more",
		file: "more: [filter \"x\"]\nclean = RUN\n", setup: "echo '* filter=x' > .gitattributes", control: "git diff"},
	{name: "configuration of the work tree", config: "[extensions]\nworktreeConfig = true",
		file: ".git/config.worktree: [diff]\nexternal = RUN", control: "git diff"},
	{name: "merge driver", config: "[merge \"x\"]\ndriver = RUN", file: ".gitattributes: * merge=x",
		control: "git merge -q other"},
	{name: "merge driver of the log", config: "[merge \"x\"]\ndriver = RUN\n[log]\ndiffMerges = remerge",
		file: ".gitattributes: * merge=x", setup: "git stash -q; git merge -q other || true; git commit -qam merged",
		control: "git log -m -p"},
	{name: "editor", config: "[core]\neditor = RUN", control: "git commit --allow-empty"},
	{name: "sequence editor", config: "[sequence]\neditor = RUN", control: "git stash -q; git rebase -q -i HEAD~1"},
	{name: "ssh", config: "[core]\nsshCommand = RUN\n[remote \"o\"]\nurl = ssh://host/x", control: "git ls-remote o"},
	{name: "asking for a password", config: "[core]\naskPass = RUN",
		control: "printf 'url=https://x\n' | git credential fill"},
	{name: "credential helper", config: "[credential]\nhelper = RUN",
		control: "printf 'url=https://x\\n' | git credential fill"},
	{name: "transport", config: "[remote \"o\"]\nurl = ext::RUN\n[protocol \"ext\"]\nallow = always",
		control: "git ls-remote o"},
	{name: "upload pack", config: "[remote \"o\"]\nurl = ..\nuploadpack = RUN", control: "git ls-remote o"},
	{name: "missing objects", config: "[remote \"o\"]\nurl = ..\npromisor = true\nuploadpack = RUN\n" +
		"[extensions]\npartialClone = o\n[core]\nrepositoryformatversion = 1",
		setup: "echo gone > gone; git add gone; git commit -qm gone; git rm -q gone; git commit -qm none; " +
			"rm .git/objects/28/6c5f5*", control: "git log -p"},
	{name: "references of alternates", config: "[core]\nalternateRefsCommand = RUN",
		setup:   "git init -q --bare alt; echo \"$PWD/alt/objects\" > .git/objects/info/alternates",
		control: "git log --alternate-refs"},
	{name: "browser", config: "[web]\nbrowser = x\n[browser \"x\"]\ncmd = RUN;true",
		control: "git web--browse http://x"},
	{name: "difference tool", config: "[diff]\ntool = x\n[difftool]\nprompt = false\n[difftool \"x\"]\ncmd = RUN",
		control: "git difftool -y"},
	{name: "monitor of a submodule", setup: submodule,
		file: "in/.git/config: [core]\nfsmonitor = RUN", control: "git status"},
	{name: "filter of a repository within", setup: "git init -q in; cd in; echo x > f; git add f; git commit -qm x; " +
		"cd ..; git add in 2>/dev/null; git commit -qm in; echo '* filter=x' > in/.gitattributes; echo y > in/f",
		file:    "in/.git/config: [filter \"x\"]\nclean = RUN",
		control: "git diff"},
	{name: "difference of a submodule", config: "[diff]\nsubmodule = diff", setup: submodule,
		file: "in/.git/config: [core]\nfsmonitor = RUN", control: "git diff"},
}

// submodule makes one, with a change in it.
const submodule = "git init -q in; cd in; echo x > f; git add f; git commit -qm x; echo y > f; cd ..; " +
	"printf '[submodule \"in\"]\\npath = in\\nurl = ./in\\n' > .gitmodules; git add .gitmodules in 2>/dev/null; " +
	"git commit -qm in"

// signed makes a commit with a signature of a kind.
func signed(kind string) string {
	return "git reset -q --soft $(git cat-file commit HEAD | sed '/^committer/a gpgsig -----BEGIN " + kind +
		" SIGNATURE-----\\n x\\n -----END " + kind + " SIGNATURE-----' | git hash-object -t commit -w --stdin)"
}

// gitLooks are commands that look at a repository, each in another way.
var gitLooks = []string{"git status", "git diff", "git log -m -p", "git blame HEAD f", "git grep --cached one",
	"git stash list", "git range-diff HEAD~1..HEAD HEAD~1..other"}

// A repository that names programs has none of them run unasked, at its top and in a directory, and
// what is run unasked there prints what a plain git prints. A plain git does run what it names. In
// the directory a third of the commands runs, others in each run; all with SCROLLKEEP_READING set.
func TestNoCommandThatReadsRunsWhatARepositoryNames(t *testing.T) {
	need.Time(t)
	original := madeByGit(t, gitHostilePlace)
	first, all := rand.IntN(3), os.Getenv("SCROLLKEEP_READING") != ""
	for i, h := range gitHostiles {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			g, ran := h.place(t, original)
			for k, look := range gitLooks {
				for _, command := range []string{look, "cd sub && " + look} {
					if command != look && (i+k)%3 != first && !all {
						continue
					}
					if why := g.env.reads(context.Background(), command); why != "" {
						if h.onTerminal != "" && command == look { // it is not on one here
							t.Errorf("%s is asked for: %s", command, why)
						}
						continue
					}
					g.touch("same")
					got, _ := g.model(command)
					if ran() {
						t.Errorf("%s has run what the repository names", command)
					}
					if want := g.plain(command); got != want {
						t.Errorf("%s prints\n%s\nand not\n%s", command, got, want)
					}
					ran() // by the plain git
				}
			}
			g, ran = h.place(t, original)
			if h.control == "" {
				h.control = "script -qec '" + h.onTerminal + "' /dev/null"
				need.Program(t, "script")
			}
			if out := g.plain(h.control); !ran() {
				t.Errorf("a plain %s runs nothing, the test proves nothing: %s", h.control, out)
			}
		})
	}
}

// gitHostilePlace makes a repository of all kinds of things to look at. It has few files, because
// it is copied for each test.
const gitHostilePlace = `set -e
git init -q --template= -b main w; cd w; mkdir -p .git/hooks .git/info; git config user.name x; git config user.email x@x
mkdir sub tools; echo one > f; echo two > sub/g; echo same > same; git add f sub same; git commit -qm one
git branch other; echo mine >> f; git commit -qam mine; git checkout -q other; echo other >> f; git commit -qam other
git checkout -q main; echo stashed >> f; git stash -q; echo changed >> f; echo changed >> sub/g; echo new > u
git repack -adq`

// place makes a copy of the repository with what is hostile. ran tells whether the program has run
// since it was asked last.
func (h gitHostile) place(t *testing.T, original string) (g gitTrial, ran func() bool) {
	t.Helper()
	top := t.TempDir()
	program, canary := filepath.Join(top, "run"), filepath.Join(top, "canary")
	fill := strings.NewReplacer("RUN", program, "CANARY", canary)
	name, text, ok := strings.Cut(h.file, ": ")
	if !ok {
		name = "u"
	}
	// The shell writes what is run: whatever this process starts meanwhile would keep it open.
	setup := exec.Command("bash", "--noprofile", "--norc", "-c", "printf '#!/bin/sh\\ntouch "+canary+
		"\\nexit 1\\n' > run; chmod +x run; cp -a "+original+"/w . && cd w && { "+cmp.Or(h.setup, ":")+
		"\n}; printf '%s\\n' \"$CONFIG\" >> .git/config; printf '%s\\n' \"$TEXT\" >> "+name+"; chmod +x "+name)
	setup.Dir, setup.Env = top, append(gitEnviron(top), "CONFIG="+fill.Replace(h.config), "TEXT="+fill.Replace(text),
		"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@x", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@x")
	if out, err := setup.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return gitBench(t, top, "w"), func() bool { return os.Remove(canary) == nil }
}

// What the person set for git holds, as far as no file of the workspace is run by it; what would
// print something else is asked for.
func TestThePersonsOwnSettingsOfGitHold(t *testing.T) {
	need.Time(t)
	original := madeByGit(t, gitHostilePlace)
	for _, c := range []struct {
		name, config, environ string // config: of the person
		asked                 string // the commands that are asked for
	}{
		{name: "none"},
		{name: "colours and formats",
			config: "[color]\nui = always\n[format]\npretty = oneline\n[diff]\nnoprefix = true"},
		{name: "external diff", config: "[diff]\nexternal = \"sh -c 'echo a difference of $0'\""},
		{name: "text converter", config: "[diff \"x\"]\ntextconv = tac\n[core]\nattributesFile = ~/attributes"},
		{name: "filter", config: "[filter \"x\"]\nclean = tac\nrequired = true\n[core]\nattributesFile = ~/attributes",
			asked: "."},
		{name: "program of the workspace", config: "[diff]\nexternal = sh u", asked: "."},
		{name: "include of the workspace", config: "[include]\npath = w/u\n", asked: "."},
		{name: "signatures", config: "[log]\nshowSignature = true", asked: "git (log|stash)"},
		{name: "signatures off", config: "[log]\nshowSignature = false"},
		{name: "kept text", config: "[diff \"x\"]\ntextconv = tac\ncachetextconv", asked: "."},
		{name: "submodules, of which there are none", config: "[diff]\nsubmodule = log\n[submodule]\nrecurse = true"},
		{name: "pager", environ: "GIT_PAGER=less"},
		{name: "author", environ: "GIT_AUTHOR_NAME=y"},
		{name: "other repository", environ: "GIT_DIR=/nowhere", asked: "."},
		{name: "external diff of the environment", environ: "GIT_EXTERNAL_DIFF=tac", asked: "."},
		{name: "settings of the environment", environ: "GIT_CONFIG_COUNT=0", asked: "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g, _ := gitHostile{setup: "printf '[diff]\\nexternal = tac' > u"}.place(t, original)
			for name, text := range map[string]string{".gitconfig": c.config, "attributes": "* diff=x filter=x\n"} {
				if err := os.WriteFile(filepath.Join(g.top, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if c.environ != "" {
				g.env.Commands.Environ = append(g.env.Commands.Environ, c.environ)
				g.reg = Builtin(g.env)
			}
			for _, command := range gitLooks {
				why := g.env.reads(context.Background(), command)
				if want := c.asked != "" && regexp.MustCompile(c.asked).MatchString(command); (why != "") != want {
					t.Errorf("%s: %q", command, why)
				}
				if why != "" {
					continue
				}
				got, _ := g.model(command)
				if want := g.plain(command); got != want {
					t.Errorf("%s prints\n%s\nand not\n%s", command, got, want)
				}
			}
		})
	}
}

// A file that was written again within the tick of the index is not taken for unchanged: git knows
// by the time of the index, which the copy has, too.
func TestTheCopyOfAnIndexHasItsTime(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	top := madeByGit(t, `set -e
git init -q w; cd w; git config core.trustctime false; echo one > f; touch -d '2020-01-01 00:00:00 UTC' f; git add f
echo two > f; touch -d '2020-01-01 00:00:00 UTC' f .git/index`)
	g := gitBench(t, top, "w")
	if text, asked := g.model("git diff --name-only"); asked || text != "f\n" {
		t.Errorf("asked %v: %q", asked, text)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v stays behind: %v", left, err)
	}
}
