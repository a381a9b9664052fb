//go:build unix

package tool

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// progressShapes are what programs print while they work, and what a terminal shows at the end.
var progressShapes = []struct{ name, script, want string }{
	{"a bar of 3,000 steps", `for ((i = 0; i <= 3000; i++)); do ` +
		`printf '\r%3d%% |%*s| %d/3000' $((i / 30)) 40 '#' $i; done; echo`,
		"100% |                                       #| 3000/3000\n"},
	{"git's remote", `for i in 10 50 100; do printf 'remote: Counting objects: %3d%%\033[K\r' $i; done; ` +
		`printf 'remote: Counting objects: 100%% (9/9), done.\033[K\n'`,
		"remote: Counting objects: 100% (9/9), done.\n"},
	{"docker's layers", `printf 'a: Waiting\nb: Waiting\n'; for i in 1 2 3; do ` +
		`printf '\033[2A\033[2K\ra: %d MB\n\033[2K\rb: %d MB\n' $i $i; done; echo Status: done`,
		"a: 3 MB\nb: 3 MB\nStatus: done\n"},
	{"colours", `printf '\033[1;32mok\033[0m\ttest\n'`, "ok\ttest\n"},
	{"a spinner of backspaces", `printf 'wait '; for c in '|' / - '\'; do printf '%s\b' "$c"; done; printf ' \b\bed\n'`,
		"waited\n"},
	{"a cleared screen", `printf 'old\n\033[H\033[2Jnew\n'`,
		"new\n[the command cleared the screen: what stood on it is left out]\n"},
}

// A model and a person get what a terminal would show at the end (PANE-13).
func TestTheOutputOfACommandIsWhatATerminalShows(t *testing.T) {
	need.Program(t, "bash")
	b := newBench(t, nil)
	for _, c := range progressShapes {
		r := b.run("bash", args{"command": c.script})
		want, _, _ := strings.Cut(c.want, "[the command")
		if r.Text != c.want || r.Detail != want {
			t.Errorf("%s: the model has %q, the person %q, want %q", c.name, r.Text, r.Detail, c.want)
		}
	}
}

// The output of a job is the same rows, while it runs and when it has ended.
func TestTheOutputOfAJobIsWhatATerminalShows(t *testing.T) {
	need.Program(t, "bash")
	b := newBench(t, nil)
	b.env.Commands.Jobs = job.New(time.Now, 0)
	b.reg = Builtin(b.env)
	script := `for i in 1 2 3; do printf '\r%d of 3' $i; done; read -r < <(sleep 60)`
	b.run("bash", args{"async": true, "command": script})
	for {
		j := b.env.Commands.Jobs.List()[0]
		if j.Output == "3 of 3" {
			break
		}
		if strings.ContainsAny(j.Output, "\r\n") || j.Ended {
			t.Fatalf("%+v", j)
		}
		<-time.After(time.Millisecond)
	}
	text := b.run("job", args{"cancel": []string{"job-1"}, "poll": []string{"job-1"}}).Text
	if !strings.Contains(text, "\n3 of 3\n") {
		t.Errorf("%q", text)
	}
}

// What is kept elsewhere of a long output are the rows, too.
func TestWhatIsKeptOfLongOutputIsWhatATerminalShows(t *testing.T) {
	o := &output{keep: &Outputs{}, left: openRoom()}
	var want strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(o, "\rwork %d\r\x1b[Kdone %d\n", i, i)
		fmt.Fprintf(&want, "done %d\n", i)
	}
	o.flush()
	text := o.text()
	if !strings.HasPrefix(text, "done 0\ndone 1\n") || !strings.HasSuffix(text, "done 19999\n") ||
		!strings.Contains(text, "artifact://output-1 has all of it") {
		t.Errorf("%.100q ... %q", text, text[len(text)-100:])
	}
	if kept, err := o.keep.Text("output-1"); err != nil || kept != want.String() {
		t.Errorf("%d bytes are kept of %d: %v", len(kept), want.Len(), err)
	}
}
