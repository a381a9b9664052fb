//go:build unix

package tool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestBash(t *testing.T) {
	need.Program(t, "bash")
	b := newBench(t, map[string]string{"f": "one\n", "gone": "x", "d/g": "y"})
	for _, c := range []struct {
		name, command string
		text, summary string
		changed       []string
	}{
		{"output", "echo hello; echo error >&2", "hello\nerror\n", "exit 0", nil},
		{"no output", "true", "[no output, exit 0]\n", "exit 0", nil},
		{"an exit code", "echo x; exit 3", "x\n[exit 3]\n", "exit 3", nil},
		{"no newline", "printf x", "x\n", "exit 0", nil},
		{"the directory", "basename \"$PWD\"", filepath.Base(b.dir) + "\n", "exit 0", nil},
		{"empty input", "wc -c", "0\n", "exit 0", nil},
		{"no terminal", "[ -t 0 ] || [ -t 1 ] || echo none; tty < /dev/tty",
			"none\nbash: line 1: /dev/tty: No such device or address\n[exit 1]\n" + terminalHint("/dev/tty"), "exit 1",
			nil},
		{"a signal", "kill -KILL $$", "[killed by signal killed]\n", "killed by signal killed", nil},
		{"broken UTF-8", `printf '\xff\xc3x'`, "\uFFFD\uFFFDx\n", "exit 0", nil},
		{"changed files", "echo two > f; rm gone; mkdir e; echo n > e/new", "", "exit 0",
			[]string{"workspace/e/new", "workspace/f", "workspace/gone"}},
		{"an edit that hides its time", "touch -r d/g /tmp/ref$$; echo z > d/g; touch -r /tmp/ref$$ d/g; rm /tmp/ref$$",
			"", "exit 0", []string{"workspace/d/g"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			r := b.run("bash", args{"command": c.command})
			if c.text != "" && r.Text != c.text || r.Summary != c.summary {
				t.Errorf("text %q, summary %q", r.Text, r.Summary)
			}
			if c.changed != nil && !slices.Equal(r.Changed, c.changed) {
				t.Errorf("changed %q, want %q\n%s", r.Changed, c.changed, r.Text)
			}
		})
	}
	r := b.run("bash", args{"command": "echo a >> f; rm e/new; : > new2"})
	if want := "[no output, exit 0]\n[workspace files changed: workspace/e/new (removed), workspace/f, " +
		"workspace/new2 (new)]\n"; r.Text != want {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

// What git ignores is one count, whatever its number, and does not push out what is named.
func TestChangedFilesThatGitIgnoresAreACount(t *testing.T) {
	need.Program(t, "bash")
	b := newBench(t, map[string]string{".gitignore": "__pycache__/\n*.log\n", "a.py": "1\n", "old.log": "1\n"})
	for _, c := range []struct{ command, want string }{
		{"mkdir __pycache__; touch __pycache__/{1..300}.pyc z.py; echo 2 > a.py", "[workspace files changed: " +
			"workspace/a.py, workspace/z.py (new), and 300 files that git ignores]\n"},
		{"rm old.log __pycache__/1.pyc", "[workspace files changed: 2 files that git ignores]\n"},
	} {
		if r := b.run("bash", args{"command": c.command}); r.Text != "[no output, exit 0]\n"+c.want ||
			strings.Contains(strings.Join(r.Changed, " "), "pyc") {
			t.Errorf("%s: %.300q, %d are named", c.command, r.Text, len(r.Changed))
		}
	}
}

// What git keeps for itself is one count, wherever its folder lies. What would run is named.
func TestChangedFilesOfTheRepositoryItselfAreACount(t *testing.T) {
	need.Program(t, "git")
	b := newBench(t, map[string]string{"a.py": "1\n", ".hg/store/x": "1\n", ".jj/repo/x": "1\n"})
	const as = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main -c protocol.file.allow=always "
	count := regexp.MustCompile(`\d+ files? of the repository itself`)
	for _, c := range []struct{ command, want string }{
		{as + "init -q .", "N"},
		{"git add a.py && " + as + "commit -qm x", "N"},
		{"echo 2 > a.py; " + as + "commit -qam y", "workspace/a.py, and N"},
		{as + "worktree add -q wt", "workspace/wt/.git (new), workspace/wt/a.py (new), and N"},
		{"cd wt && echo 3 > a.py && " + as + "commit -qam z", "workspace/wt/a.py, and N"},
		{as + "submodule --quiet add ./ sub 2>/dev/null && " + as + "commit -qm s",
			"workspace/.git/config, workspace/.gitmodules (new), workspace/sub/.git (new), workspace/sub/a.py (new), " +
				"and N"},
		{"cd sub && echo 4 > a.py && " + as + "commit -qam z", "workspace/sub/a.py, and N"},
		{as + "init -q --bare r.git && git push -q r.git HEAD:main", "N"},
		{as + "init -q --separate-git-dir=data tree && cd tree && touch n && git add n && " + as + "commit -qm t",
			"workspace/tree/.git (new), workspace/tree/n (new), and N"},
		{"echo 2 > .hg/store/x; echo 2 > .jj/repo/x", "N"},
		{"echo x > .git/hooks/pre-commit; git config a.b c; echo x > .hg/hgrc; git branch -q config",
			"workspace/.git/config, workspace/.git/hooks/pre-commit (new), workspace/.hg/hgrc (new), and N"},
		{"mkdir -p o/refs o/objects; touch o/HEADS o/refs/x", "workspace/o/HEADS (new), workspace/o/refs/x (new)"},
	} {
		r := b.run("bash", args{"command": c.command})
		got := count.ReplaceAllString(r.Text, "N")
		if got != "[no output, exit 0]\n[workspace files changed: "+c.want+"]\n" {
			t.Errorf("%s: %.600q", c.command, got)
		}
		for _, named := range r.Changed {
			if strings.Contains(named, "objects") || strings.Contains(named, "index") {
				t.Errorf("%s: the person reads of %s", c.command, named)
			}
		}
	}
}

// A workspace of more files than are looked at: the model is told so, and what it has named itself,
// as written by the command too, is looked at nevertheless.
func TestTheModelIsToldOfFilesThatAreNotLookedAt(t *testing.T) {
	b := newBench(t, map[string]string{"z/known": "one\n", "z/other": "one\n"})
	b.run("read_file", args{"path": "z/known"})
	for i := range 13 {
		b.write("many/"+strconv.Itoa(i), "one\n")
	}
	b.env.Commands.Watch.Files = 10
	b.reg = Builtin(b.env)
	r := b.run("bash", args{"command": "f=many/9; echo two | tee z/known $f; rm z/other; touch many/new; " +
		"mv many/1 many/8"})
	want := "two\n[workspace files changed: workspace/many/1 (removed), workspace/many/8, " +
		"workspace/many/new (new), workspace/z/known, workspace/z/other (removed)]\n" +
		"[of 3 files only the names were compared: what was written into them is not listed]\n"
	if r.Text != want {
		t.Errorf("got %.2000q, want %q", r.Text, want)
	}
}

func TestACommandLeadsItsOwnSession(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		need.Missing(t, "proc", err)
	}
	b := newBench(t, nil)
	// pid (comm) state ppid pgrp session tty
	r := b.run("bash",
		args{"command": "read -r _ _ _ _ group session tty _ < /proc/$$/stat; [ $group = $$ ] && [ $session = $$ ] " +
			"&& echo leader $tty"})
	if r.Text != "leader 0\n" {
		t.Errorf("%q", r.Text)
	}
}

func TestACommandGetsNoKeys(t *testing.T) {
	b := newBench(t, nil)
	b.env.Commands.Environ = []string{"PATH=" + os.Getenv("PATH"), "HOME=/h",
		"ANTHROPIC_API_KEY=k1", "OPENAI_API_KEY=k2",
		"SCROLLKEEP_X=k3", "scrollkeep_y=k4", "MY_SECRET=k5", "GOOGLE_API_KEY=k6", "BASH_ENV=/tmp/x", "ENV=/tmp/x",
		"CDPATH=/tmp", "PAGER=less", "TERM=xterm", "OTHER=kept"}
	b.reg = Builtin(b.env)
	r := b.run("bash", args{"command": "env | sort"})
	for _, bad := range []string{"k1", "k2", "k3", "k4", "k5", "k6", "BASH_ENV", "\nENV=", "CDPATH", "less", "xterm"} {
		if strings.Contains(r.Text, bad) {
			t.Errorf("%s is in the environment:\n%s", bad, r.Text)
		}
	}
	for _, good := range []string{"OTHER=kept", "HOME=/h", "TERM=dumb", "PAGER=cat"} {
		if !strings.Contains(r.Text, good) {
			t.Errorf("%s is not in the environment:\n%s", good, r.Text)
		}
	}
}

func alive(pid int) bool {
	// A zombie that nobody reaps still has a number; it does not run.
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return syscall.Kill(pid, 0) == nil && !errors.Is(err, os.ErrNotExist)
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func waitGone(t *testing.T, pid int) {
	t.Helper()
	for range 200 {
		if !alive(pid) {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

func TestEverythingACommandStartedIsKilled(t *testing.T) {
	for _, c := range []struct {
		name, command string
		cancel        bool
		timeout       int
		summary, note string
	}{
		{"in the background when it ends", "sleep 1000 & echo $!", false, 60, "exit 0", ""},
		{"when it times out", "sleep 1000 & echo $!; wait", false, 1, "timed out after 1s", "[timed out after 1s]"},
		{"when it is stopped", "sleep 1000 & echo $!; wait", true, 60, "stopped", "[stopped by the user]"},
		{"when it ignores the request", "trap '' TERM; sleep 1000 & echo $!; wait; wait", true, 60, "stopped",
			"[stopped by the user]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, nil)
			call := b.must("bash", args{"command": c.command, "timeout_s": c.timeout})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var mu sync.Mutex
			var seen strings.Builder
			r, err := call.Run(ctx, func(s string) {
				mu.Lock()
				defer mu.Unlock()
				if seen.WriteString(s); c.cancel && strings.Contains(seen.String(), "\n") {
					cancel()
				}
			})
			if c.cancel != (err != nil) || c.cancel && Kind(err) != "cancelled" {
				t.Errorf("%v", err)
			}
			if r.Summary != c.summary || !strings.Contains(r.Text, c.note) {
				t.Errorf("%+v", r)
			}
			first, _, _ := strings.Cut(r.Text, "\n")
			pid, err := strconv.Atoi(first)
			if err != nil {
				t.Fatal(err)
			}
			waitGone(t, pid)
		})
	}
}

func TestMuchOutputIsBoundedAndStreamed(t *testing.T) {
	b := newBench(t, nil)
	streamed := 0
	r, err := b.must("bash", args{"command": "seq 1 200000; printf 'é%.0s' {1..2000}"}).
		Run(context.Background(), func(s string) {
			streamed += len(s)
			if strings.Contains(s, "\uFFFD") {
				t.Error("a character was split")
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Text) > keepHead+keepTail+100 || !strings.HasPrefix(r.Text, "1\n2\n3\n") ||
		!strings.HasSuffix(r.Text, "é\n") || !strings.Contains(r.Text, " bytes left out]\n") {
		t.Errorf("%d bytes: %.40q ... %.40q", len(r.Text), r.Text, r.Text[len(r.Text)-40:])
	}
	if want := 1288895 + 4000; streamed != want {
		t.Errorf("streamed %d bytes, want %d", streamed, want)
	}
}

func TestOutputKeepsHeadAndTail(t *testing.T) {
	for _, chunk := range []int{1, 7, 4096, 100_000} {
		var want strings.Builder
		for i := range 9000 {
			want.WriteString("line " + strconv.Itoa(i) + "\n")
		}
		o := &output{left: roomOf(t.Context())}
		for s := want.String(); s != ""; {
			n := min(chunk, len(s))
			o.Write([]byte(s[:n]))
			s = s[n:]
		}
		o.flush()
		got := o.text()
		head, tail, ok := strings.Cut(got, "[")
		count, tail, ok2 := strings.Cut(tail, " bytes left out]\n")
		n, err := strconv.Atoi(count)
		if !ok || !ok2 || err != nil || !strings.HasPrefix(want.String(), head) ||
			!strings.HasSuffix(want.String(), tail) || len(head)+n+len(tail) != want.Len() {
			t.Errorf("chunks of %d: head %d, left out %s, tail %d of %d", chunk, len(head), count, len(tail),
				want.Len())
		}
	}
}

func TestBashPayload(t *testing.T) {
	b := newBench(t, nil)
	p := b.must("bash", args{"command": "go test ./...\nrm -rf x"}).Proposal
	pay := p.Payload.(approval.Command)
	if pay.Type() != "command" || pay.Description != `Run go test ./...\nrm -rf x` ||
		!slices.Equal(pay.Simple, []string{"go test ./...", "rm -rf x"}) || pay.Opaque != "" ||
		pay.Note != "can change any file" || pay.TimeoutS != 120 {
		t.Errorf("%+v", pay)
	}
	if len(p.Flags) != 0 {
		t.Errorf("%v", p.Flags)
	}
	p = b.must("bash", args{"command": "ls $x \u202e"}).Proposal
	if !p.Flagged(approval.FlagOpaque) || !p.Flagged(approval.FlagHidden) {
		t.Errorf("%v", p.Flags)
	}
	for _, bad := range []args{{"command": ""}, {"command": " \n"}, {"command": "a\x00"},
		{"command": "a", "timeout_s": 0}, {"command": "a", "timeout_s": 1.5}, {"command": "a", "timeout_s": 4000}, {}} {
		b.fails("bash", bad, "invalid_args")
	}
}

// What ended a command is told: the person, or the time of the whole run.
func TestACommandThatIsStoppedSaysByWhat(t *testing.T) {
	need.Program(t, "bash")
	b := newBench(t, nil)
	for want, cause := range map[string]error{"up\n[stopped by the user]\n": nil,
		"up\n[stopped: the time is up]\n": errors.New("the time is up")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := b.must("bash", args{"command": "echo up; sleep 60"}).Run(ctx, func(string) { cancel(cause) })
		if err == nil || r.Text != want {
			t.Errorf("%q, %v", r.Text, err)
		}
	}
}

// A redirection and cd name places of the workspace. Where a link leads elsewhere, or a program
// runs the file, no rule covers them.
func TestNoRuleCoversWhereALinkLeads(t *testing.T) {
	b := newBench(t, map[string]string{"d/f": "x", "Makefile": "all:\n"})
	for name, to := range map[string]string{"out": t.TempDir(), "inside": "d", "file": "d/f"} {
		if err := os.Symlink(to, filepath.Join(b.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeTrusted})
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]approval.Action{
		"touch a > d/log":         approval.Allow,
		"cd d && touch a > log":   approval.Allow,
		"mkdir e && cd e":         approval.Allow,
		"touch a > out/log":       approval.Ask,
		"touch a > inside/log":    approval.Ask,
		"touch a > file":          approval.Ask,
		"touch a > Makefile":      approval.Ask,
		"touch a > d":             approval.Allow, // bash refuses it
		"cd out && touch a":       approval.Ask,
		"cd inside && touch a":    approval.Ask,
		"cd d && touch a > ../f":  approval.Ask,
		"touch a > .git/config":   approval.Ask,
		"sh -c 'touch a > out/f'": approval.Ask,
	} {
		call := b.must("bash", args{"command": command})
		if got := policy.Decide(call.Proposal.Subject).Action; got != want {
			t.Errorf("%q: %v, want %v; %v", command, got, want, call.Proposal.Flags)
		}
	}
}
