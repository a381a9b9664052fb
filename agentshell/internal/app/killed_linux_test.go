package app_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// running returns the processes that have text in their arguments.
func running(text string) (list []string) {
	for _, args := range nasty.Processes("cmdline") {
		if line := strings.ReplaceAll(string(args), "\x00", " "); strings.Contains(line, text) {
			list = append(list, line)
		}
	}
	return list
}

// After kill -9 of the shell nothing of its commands and jobs goes on, also what has left their
// process group (timeout, set -m). In mode trusted they run in a sandbox here.
func TestASIGKILLOfTheShellEndsItsCommands(t *testing.T) {
	need.Program(t, "bash")
	for _, c := range []struct {
		mode  string
		place func(t *testing.T) place
	}{{"unconfined", newPlace}, {"trusted", confinedPlace}} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			p := c.place(t)
			mark := fmt.Sprintf("7%d%d", os.Getpid(), len(c.mode))
			line := func(id, async, file string) string {
				return `{"id":"` + id + `","name":"bash","input":{` + async + `"command":"sleep ` + mark +
					` | cat & echo > ` + file + `; timeout 99 sleep ` + mark + ` & set -m; (sleep ` + mark +
					` & true); (sleep ` + mark + `; true); true"}}`
			}
			cmd := p.command("-p", "x", "--mode", c.mode, "--script", p.script(
				`{"say":"go","delay_ms":0,"tool_calls":[`+line("a", `"async":true,`, "one")+`]}`,
				`{"say":"go","delay_ms":0,"tool_calls":[`+line("b", "", "two")+`]}`))
			detach(cmd)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Wait()
			defer cmd.Process.Kill()
			until := func(what string, ok func() bool) {
				for late := time.Now().Add(20 * time.Second); !ok(); <-time.After(beat) {
					if time.Now().After(late) {
						t.Fatalf("%s: %q", what, running(mark))
					}
				}
			}
			until("the commands do not run", func() bool {
				sleeping := 0 // four of each; the last one comes well after the shell has told its guard
				for _, line := range running(mark) {
					if strings.HasPrefix(line, "sleep ") {
						sleeping++
					}
				}
				return sleeping >= 8
			})
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			until("they go on", func() bool { return len(running(mark)) == 0 })
		})
	}
}

// What a command has left behind ends with the shell, too, whatever group or session it is in.
func TestASIGKILLOfTheShellEndsWhatCommandsLeft(t *testing.T) {
	need.Program(t, "bash")
	p := newPlace(t)
	mark := fmt.Sprintf("8%d", os.Getpid())
	cmd := p.command("-p", "x", "--mode", "unconfined", "--script", p.script(
		`{"say":"go","delay_ms":0,"tool_calls":[{"id":"a","name":"bash","input":{"command":"timeout 99 sleep `+mark+
			` & setsid sleep `+mark+` & set -m; sleep `+mark+` & sleep 0.2"}}]}`,
		`{"say":"go","delay_ms":0,"tool_calls":[{"id":"b","name":"bash","input":{"command":"sleep 98`+mark+`"}}]}`))
	detach(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	count := func(prefix string) (n int) {
		for _, line := range running(mark) {
			if strings.HasPrefix(line, prefix+mark) {
				n++
			}
		}
		return n
	}
	for late := time.Now().Add(20 * time.Second); count("sleep 98") == 0; <-time.After(beat) {
		if time.Now().After(late) {
			t.Fatalf("the second command does not run: %q", running(mark))
		}
	}
	if n := count("sleep "); n != 3 {
		t.Errorf("%d programs are left by the first command, not 3: %q", n, running(mark))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for late := time.Now().Add(20 * time.Second); len(running(mark)) > 0; <-time.After(beat) {
		if time.Now().After(late) {
			t.Fatalf("they go on: %q", running(mark))
		}
	}
}
