//go:build linux || darwin || freebsd

package terminal_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"golang.org/x/sys/unix"
)

func TestAGuardGivesTheTerminalBack(t *testing.T) {
	for _, c := range []struct {
		what, says string
		code       int
	}{
		{"guard panic", "panic: nobody catches␛[2J this\r\n", 2},
		{"guard fatal", "fatal error of the Go runtime\r\n", 2},
		{"guard flood", "panic: nobody catches␛[2J this\r\n", -int(unix.SIGKILL)},
		{"guard exit", "", 3},
		{"guard kill", "", -int(unix.SIGKILL)},
		{"guard normal", "", 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			con := start(t, self(t, c.what))
			n := con.expect(0, "READY")
			con.expect(n, "\x1b[?1004h")
			con.send("x\x1b[?25l")
			con.expect(n, "KEY x")
			if con.state() == con.before {
				t.Fatal("it is not in raw mode")
			}
			if c.what == "guard kill" {
				_ = con.cmd.Process.Kill()
			} else {
				con.send("q")
			}
			code := con.wait()
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for late := time.Now().Add(20 * time.Second); con.state() != con.before ||
				!strings.Contains(con.unreadText(), c.says) || len(guards(c.what)) > 0; <-time.After(time.Millisecond) {
				if time.Now().After(late) {
					t.Fatalf("before %s\n after %s\n%q", con.before, con.state(), con.unreadText())
				}
			}
			out := con.unreadText()
			restored(t, out)
			if i, j := strings.Index(out, c.says), strings.LastIndex(out, "\x1b[?2004l"); c.says != "" && i < j {
				t.Error("the message came before the terminal was restored")
			}
			if c.says != "" && (!strings.Contains(out, "\r\ngoroutine ") || strings.Contains(out, "\x1b[2J")) {
				t.Errorf("%q", out)
			}
			if c.what == "guard normal" && strings.Contains(out, "\x1b[J") {
				t.Error("the guard has done something")
			}
		})
	}
}

// guards returns the processes that guard others, as far as the system tells.
func guards(what string) (pids []string) {
	for pid, env := range nasty.Processes("environ") {
		if strings.Contains(string(env), "SCROLLKEEP_GUARD=1") && strings.Contains(string(env), helperEnv+"="+what) {
			pids = append(pids, strconv.Itoa(pid))
		}
	}
	return pids
}
