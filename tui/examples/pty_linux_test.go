package examples

import (
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/terminal/vt"
)

// The real program on a real terminal, whose modes are what they were when it has ended, by Ctrl+D
// or by a signal.
func TestHelloLeavesTheTerminalAsItWas(t *testing.T) {
	binary := program(t, "hello")
	for _, c := range []struct {
		name, term string
		cols, rows uint16
		end        string // the key that ends it; "": SIGTERM
		code       int
		want       string // the last rows
	}{
		{"Ctrl+D", "xterm-256color", 80, 24, "\x04", 0, "hello, ada"},
		{"a small window", "xterm-256color", 40, 10, "\x04", 0, "hello, ada"},
		{"Ctrl+C", "xterm-256color", 40, 10, "\x03", 130, "hello, ada"},
		{"SIGTERM", "xterm-256color", 40, 10, "", 143, "hello, ada"},
		{"TERM=dumb", "dumb", 80, 24, "\x04", 0, "ada\nhello, ada"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ptmx, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer ptmx.Close()
			defer tty.Close()
			if err := pty.Setsize(ptmx, &pty.Winsize{Cols: c.cols, Rows: c.rows}); err != nil {
				t.Fatal(err)
			}
			before, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(binary)
			cmd.Env = []string{"TERM=" + c.term, "LANG=C.UTF-8", "HOME=" + t.TempDir()}
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
			cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			out := make(chan []byte, 1000)
			go func() {
				defer close(out)
				for {
					buf := make([]byte, 4096)
					n, err := ptmx.Read(buf)
					if err != nil {
						return
					}
					out <- buf[:n]
				}
			}()
			v := vt.New(vt.Config{Cols: int(c.cols), Rows: int(c.rows), Reply: func(p []byte) { _, _ = ptmx.Write(p) }})
			until := func(text string) {
				t.Helper()
				for timeout := time.After(30 * time.Second); !strings.Contains(v.String(), text); {
					select {
					case p := <-out:
						v.Write(p)
					case <-timeout:
						t.Fatalf("no %q in\n%s", text, v.String())
					}
				}
			}
			if c.term != "dumb" {
				until("›")
			}
			ptmx.WriteString("ada\r")
			until("hello, ada")
			if c.end == "" {
				err = cmd.Process.Signal(unix.SIGTERM)
			} else {
				_, err = ptmx.WriteString(c.end)
			}
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for over := false; !over; { // it may have a question that the terminal answers
				select {
				case p := <-out:
					v.Write(p)
				case <-ended:
					over = true
				}
			}
			tty.WriteString("$ after")
			until("$ after")
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Errorf("it ended with %d, want %d", code, c.code)
			}
			if got := v.String(); got != c.want+"\n$ after" {
				t.Errorf("the screen shows\n%s", got)
			}
			after, err := unix.IoctlGetTermios(int(tty.Fd()), unix.TCGETS)
			if err != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("%v: modes of the tty before and after\n%+v\n%+v", err, before, after)
			}
			if was := vt.New(vt.Config{}).Modes(); !slices.Equal(v.Modes(), was) || !v.Cursor().Visible ||
				v.KittyKeyboard() != 0 {
				t.Errorf("modes of the terminal: %v, cursor %+v", v.Modes(), v.Cursor())
			}
		})
	}
}
