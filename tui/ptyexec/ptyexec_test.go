//go:build unix

package ptyexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// run returns an App with a footer that runs cmd; what Run said is sent on the channel.
func run(cmd *exec.Cmd) (*tui.App, chan error) {
	app, said := &tui.App{Footer: tui.NewText("footer")}, make(chan error, 1)
	app.Main = func(ctx context.Context) error {
		err := Run(ctx, app, cmd)
		said <- err
		return nil
	}
	return app, said
}

func sh(script string) *exec.Cmd { return exec.Command("/bin/sh", "-c", script) }

// until waits until yes; what it waits for is another process.
func until(t *testing.T, what string, yes func() bool) {
	t.Helper()
	for late := time.Now().Add(20 * time.Second); !yes(); <-time.After(5 * time.Millisecond) {
		if time.Now().After(late) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestRowsThatScrollOffAreFinalAndTheRestIsAtTheEnd(t *testing.T) {
	app, said := run(sh("seq 1 100; printf '\\033[2A\\rchanged\\033[K\\033[2B\\rend'"))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 20, Rows: 10, Before: "$ run\n"})
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	if err := <-said; err != nil {
		t.Error(err)
	}
	want := "$ run\n"
	for i := 1; i <= 100; i++ {
		if i == 99 {
			want += "changed\n"
		} else {
			want += strconv.Itoa(i) + "\n"
		}
	}
	if got := strings.Join(s.Lines(), "\n"); got != want+"end" {
		t.Errorf("got\n%s", got)
	}
}

func TestScreenOfTheProgramIsLiveWhileItRuns(t *testing.T) {
	app, said := run(sh("printf 'one\\ntwo\\n\\033[Athree\\033[31mred'; read x; echo; printf 'read:%s' $x"))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 20, Rows: 10})
	until(t, "its output", func() bool { return strings.Contains(s.Visible(), "threered") })
	s.Want("one", "threered", "footer")
	s.Inspect(func(v *vt.Terminal) {
		if c := v.Row(1).Cell(5); c.Text != "r" {
			t.Errorf("%+v", c)
		} else if n, ok := c.Style.Fg.Index(); !ok || n != 1 {
			t.Errorf("%+v", c.Style)
		}
	})
	app.Quit(nil)
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	if err := <-said; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s.Want("one", "threered")
}

func TestItsTerminalIsAsLargeAsThereIsRoom(t *testing.T) {
	script := "trap 'stty size' WINCH; stty size; while [ ! -e \"$0\" ]; do sleep 0.02; done"
	for _, c := range []struct {
		name, first, second string
		footer              tui.Component
	}{
		{"a footer", "11 80", "4 40", tui.NewText("footer")},
		{"none", "12 80", "5 40", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			stop := t.TempDir() + "/stop"
			app, _ := run(exec.Command("/bin/sh", "-c", script, stop))
			app.Footer = c.footer
			s := tuitest.Start(t, app, tuitest.Config{})
			until(t, "its size", func() bool { return strings.Contains(s.Visible(), c.first) })
			s.Resize(40, 10)
			until(t, "its new size", func() bool { return strings.Contains(s.Visible(), c.second) })
			if err := os.WriteFile(stop, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := s.Wait(); err != nil {
				t.Error(err)
			}
			s.Want(c.first, c.second)
		})
	}
}

func TestAFloodIsWholeAndInOrder(t *testing.T) {
	const lines = 20_000
	app, said := run(sh(fmt.Sprintf("seq 1 %d", lines)))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 20})
	<-said
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	got := s.Lines()
	if len(got) != lines {
		t.Fatalf("%d lines", len(got))
	}
	for i, l := range got {
		if l != strconv.Itoa(i+1) {
			t.Fatalf("line %d is %q", i+1, l)
		}
	}
}

func TestHowItEndedIsTheError(t *testing.T) {
	app, said := run(sh("echo out; echo problem >&2; exit 3"))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
	var exit *exec.ExitError
	if err := <-said; !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Error(err)
	}
	s.Wait()
	s.Want("out", "problem")

	app, said = run(exec.Command("/nowhere/to/be/found"))
	s = tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
	if err := <-said; !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	s.Wait()
	s.Want()
}

// alive reports whether a process is there, and no zombie.
func alive(pid int) bool {
	if unix.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

func TestEndOfTheContextEndsTheWholeGroup(t *testing.T) {
	for _, piped := range []bool{false, true} {
		t.Run(fmt.Sprint("piped ", piped), func(t *testing.T) {
			app, said := &tui.App{}, make(chan error, 1)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			app.Main = func(context.Context) error {
				said <- Run(ctx, app, sh("trap '' TERM HUP; sleep 1000 & echo child $!; wait; sleep 1000"))
				return nil
			}
			var text func() string
			ended := make(chan error, 1)
			if piped {
				out := &shared{}
				app.Output, app.Input, text = out, strings.NewReader(""), out.String
				app.Terminal.Env = func(string) string { return "" }
				go func() { ended <- app.Run(t.Context()) }()
			} else {
				s := tuitest.Start(t, app, tuitest.Config{})
				text = s.Visible
				go func() { ended <- s.Wait() }()
			}
			pid := 0
			until(t, "the child", func() bool {
				n, _ := fmt.Sscanf(text(), "child %d", &pid)
				return n == 1 && strings.Contains(text(), "\n") || n == 1 && !piped
			})
			if !alive(pid) {
				t.Fatalf("%d is not alive", pid)
			}
			begin := time.Now()
			cancel()
			if err := <-said; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			if took := time.Since(begin); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			until(t, "the end of the child", func() bool { return !alive(pid) })
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDescendantThatHoldsTheTerminalHoldsNobodyUp(t *testing.T) {
	app, said := run(sh("trap '' HUP; sleep 30 & echo $!"))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10})
	begin := time.Now()
	if err := <-said; err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
	s.Wait()
	if pid, err := strconv.Atoi(s.Visible()); err != nil || !alive(pid) {
		t.Errorf("%q: %v", s.Visible(), err)
	} else {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

func TestQuestionsOfTheProgramAreAnswered(t *testing.T) {
	app, said := run(sh(`stty raw -echo; printf 'ab\033[6n'; dd bs=1 count=6 2>/dev/null | od -c | head -1; stty sane`))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 60, Rows: 10})
	if err := <-said; err != nil {
		t.Error(err)
	}
	s.Wait()
	if got := strings.Join(strings.Fields(s.Visible()), " "); !strings.Contains(got, "033 [ 1 ; 3 R") {
		t.Errorf("%q", got)
	}
}

func TestOutputIsHarmless(t *testing.T) {
	app, said := run(sh(`printf 'a\033]0;title\007b\033]52;c;aGk=\007c\033[?1049hgone\033[?1049l'
printf '\033[2Jd\033[3J\ne\342\200\256f'`))
	s := tuitest.Start(t, app, tuitest.Config{Cols: 40, Rows: 10, Before: "$ run\n"})
	if err := <-said; err != nil {
		t.Error(err)
	}
	s.Wait()
	s.Want("$ run", "   d", "ef")
	s.Inspect(func(v *vt.Terminal) {
		if v.Title() == "title" || len(v.Clipboard('c')) > 0 {
			t.Errorf("title %q, clipboard %q", v.Title(), v.Clipboard('c'))
		}
	})
}

func TestWithoutATerminalItsOutputIsPassedThroughAsText(t *testing.T) {
	app, said := run(sh(`printf '10%%\r20%%\n\033[31mred\033[m\033[2J\n'; test -t 1 || echo no terminal; printf half`))
	out := &shared{}
	app.Output, app.Input = out, strings.NewReader("")
	app.Terminal.Env = func(string) string { return "" }
	if err := app.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-said; err != nil {
		t.Error(err)
	}
	if got, want := out.String(), "20%\nred\nno terminal\nhalf\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOnTheLoopItIsAnError(t *testing.T) {
	app := &tui.App{Footer: tui.NewText("footer")}
	s := tuitest.Start(t, app, tuitest.Config{})
	said := make(chan error, 1)
	app.Do(func() { said <- Run(t.Context(), app, sh("true")) })
	if err := <-said; !errors.Is(err, tui.ErrOnLoop) {
		t.Error(err)
	}
	app.Quit(nil)
	s.Wait()
	if err := Run(t.Context(), app, sh("true")); !errors.Is(err, tui.ErrClosed) {
		t.Error(err)
	}
}
