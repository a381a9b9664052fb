//go:build linux

package tool

import (
	"regexp"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// A server in the background ends with its command, and the result says so (PANE-13).
func TestWhatACommandLeavesRunningIsNamed(t *testing.T) {
	need.Program(t, "bash")
	plain, cell := newBench(t, nil), confined(t)
	// A command ends when what it leaves has become the program that is looked for.
	const begun = "until grep -q sleep /proc/$!/comm; do :; done; "
	const async = "; use async for what has to go on, without & or nohup]\n"
	for _, c := range []struct {
		name, command string
		bench         *bench
		want          string // # is a number
	}{
		{"nothing", "sleep 0 & wait; echo x", plain, "x\n"},
		{"a pipe that ends", "seq 5 | head -1", plain, "1\n"},
		{"&", "sleep 71 & " + begun + "echo up", plain, "up\n[ended with the command: sleep 71 (pid #)" + async},
		{"nohup", "nohup sleep 72 >/dev/null 2>&1 & " + begun + "echo up", plain,
			"up\n[ended with the command: sleep 72 (pid #)" + async},
		{"two, and a failure", "sleep 73 & " + begun +
			"(sleep 74; echo) & until pgrep -P $! sleep >/dev/null; do :; done; exit 3", plain,
			"[exit 3]\n[ended with the command: sleep 73 (pid #), sleep 74 (pid #)" + async},
		{"nothing, confined", "sleep 0 & wait; echo x", cell, "x\n"},
		{"&, confined", "sleep 75 & " + begun + "echo up", cell, "up\n[ended with the command: sleep 75 (pid " +
			"#)" + async},
		{"setsid, confined", "setsid sleep 76 & " + begun + "echo up", cell,
			"up\n[ended with the command: sleep 76 (pid #)" + async},
	} {
		c.bench.t = t
		r := c.bench.run("bash", args{"command": c.command})
		if got := regexp.MustCompile(`pid \d+`).ReplaceAllString(r.Text, "pid #"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if strings.Contains(c.want, "pid") != strings.Contains(r.Detail, "\nEnded with the command: sleep 7") &&
			!strings.HasPrefix(r.Detail, "Ended with the command: sleep 7") {
			t.Errorf("%s: the person sees %q", c.name, r.Detail)
		}
	}
}

func TestTheNamesOfWhatIsLeftAreHarmlessAndFew(t *testing.T) {
	e := ending{left: []child.Survivor{{PID: 2, Command: "a\x1b[2J\nb key", GoesOn: true}}}
	for i := range 9 {
		e.left = append(e.left, child.Survivor{PID: 10 + i, Command: "x"})
	}
	model, person := e.leftText(func(s string) string { return strings.ReplaceAll(s, "key", "[secret]") })
	for _, text := range []string{model, person} {
		if strings.Contains(text, "\x1b") || strings.Count(text, "\n") != 2 || strings.Contains(text, "key") ||
			!strings.Contains(text, "x (pid 14) and 4 more") || !strings.Contains(text, "(pid 2)") {
			t.Errorf("%q", text)
		}
	}
}
