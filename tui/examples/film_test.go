//go:build linux || darwin || freebsd

package examples

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// step is what a person types, and the screen that they wait for, or that is there at the end of
// the program.
type step struct {
	keys, screen string
	end          bool
}

// films are those of the programs that are all main: the others have one beside their tests. They
// run for real, so each picture is one whose screen has to come, and its time is made up.
var films = []struct {
	name, shows string
	args        []string
	steps       []step
}{
	{"hello", "What is typed is greeted above the prompt", nil, []step{{"", "$ hello\n›", false},
		{"a", "$ hello\n› a", false}, {"d", "$ hello\n› ad", false}, {"a", "$ hello\n› ada", false},
		{"\r", "$ hello\nhello, ada\n›", false}}},
	{"exec", "The screen of a program is live, and stays as text", []string{"sh", "-c", fetch}, []step{
		{"", "$ exec\nfetching  10%\n• running · Ctrl+C stops", false},
		{"", "$ exec\nfetching  99%\n• running · Ctrl+C stops", false}, {"", "$ exec\nfetched\nbuilt", true}}},
	{"host_tcell", "A full screen made with tcell opens from a transcript, and closes again", nil, []step{
		{"", "$ host_tcell\n› Enter opens the full screen, Ctrl+D quits.", false}, {"m", "$ host_tcell\n› m", false},
		{"e", "$ host_tcell\n› me", false},
		{"\r", "\n\n\n" + strings.Repeat(" ", 22) + "full screen: me", false},
		{"x", "$ host_tcell\n> me\nback\n› Enter opens the full screen, Ctrl+D quits.", false}}},
}

// fetch is a program that writes over its own row.
const fetch = `printf 'fetching  10%%\r'; sleep 2; printf 'fetching  99%%\r'; sleep 2; printf 'fetched\033[K\nbuilt\n'`

func TestTheFilmsAreUpToDate(t *testing.T) {
	for _, f := range films {
		t.Run(f.name, func(t *testing.T) {
			film := tuitest.Film{Look: tuitest.Look{Name: f.shows}}
			play(t, program(t, f.name), f.args, &film, f.name, f.steps)
			tuitest.Golden(t, "../../docs/pictures/example-"+f.name+".svg", film.SVG())
		})
	}
}

// play runs a program on a pseudo-terminal of 60 by 7.
func play(t *testing.T, binary string, args []string, film *tuitest.Film, name string, steps []step) {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer ptmx.Close()
	if err := pty.Setsize(ptmx, &pty.Winsize{Cols: 60, Rows: 7}); err != nil {
		t.Fatal(err)
	}
	v := vt.New(vt.Config{Cols: 60, Rows: 7, Scrollback: 100, Reply: func(p []byte) { _, _ = ptmx.Write(p) }})
	v.WriteString("$ " + name + "\r\n")
	c := exec.Command(binary, args...)
	c.Env = []string{"TERM=xterm-ghostty", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "TERMINFO_DIRS=",
		"SCROLLKEEP_STILL=1"}
	c.Stdin, c.Stdout, c.Stderr = tty, tty, tty
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	late := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
	defer late.Stop()
	defer c.Wait()
	defer c.Process.Kill()
	at := time.Duration(0)
	for buf, i := make([]byte, 4096), 0; i < len(steps); {
		for i < len(steps) && !steps[i].end && v.String() == steps[i].screen && !v.Mode(2026, true) {
			if film.Frame(v, at); i+1 < len(steps) {
				if _, err := ptmx.WriteString(steps[i+1].keys); err != nil {
					t.Fatal(err)
				}
			}
			at += 700 * time.Millisecond
			i++
		}
		if i == len(steps) {
			break
		}
		n, err := ptmx.Read(buf)
		if err != nil && steps[i].end && v.String() == steps[i].screen {
			film.Frame(v, at)
			break
		} else if err != nil {
			t.Fatalf("%v; the screen is\n%s\nwant\n%s", err, v, steps[i].screen)
		}
		_, _ = v.Write(buf[:n])
	}
	film.Frame(v, at+2*time.Second)
}
