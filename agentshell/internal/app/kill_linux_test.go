package app_test

import (
	"bufio"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A kill -9 at any moment of a confined command leaves nothing in the workspace behind the next
// start, whether that has a sandbox or not.
func TestAKillLeavesNoStopgapBehindTheNextStart(t *testing.T) {
	p := confinedPlace(t)
	p.write("notes.md", "notes\n")
	was := p.names()
	script := func() []string {
		return []string{"-p", "go", "--output", "stream-json", "--script", p.script(
			bashLine(t, map[string]any{"command": "echo 1; exec sleep 60"}), hi)}
	}
	left := 0
	for n := range 10 { // lines of output, then looks at the workspace: killed behind the n-th
		cmd := p.command(script()...)
		detach(cmd)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for i := 0; i <= n && i < 3 && lines.Scan(); i++ {
		}
		if n >= 3 { // while the stopgaps come
			p.until(func() bool { return len(p.names()) > len(was)+n-3 })
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if len(p.names()) > len(was) {
			left++
		}
		args := []string{"-p", "x", "--script", p.script(hi)}
		if n%2 == 0 {
			args = append(args, "--mode", "unconfined")
		}
		if r := p.run("", args...); r.code != 0 {
			t.Fatalf("%+v", r)
		}
		if now := p.names(); strings.Join(now, " ") != strings.Join(was, " ") {
			t.Fatalf("killed at %d: %q, want %q", n, now, was)
		}
	}
	if left == 0 {
		t.Error("no kill left anything")
	}
}

// names returns the names of the files and directories in the workspace.
func (p place) names() (list []string) {
	entries, err := os.ReadDir(p.work)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// until waits until ok returns true, which it calls after each change of the workspace.
func (p place) until(ok func() bool) {
	p.t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, p.work, unix.IN_CREATE|unix.IN_MOVED_TO)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	defer unix.Close(fd)
	deadline := time.Now().Add(30 * time.Second)
	for !ok() {
		wait := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		if _, err := unix.Poll(wait, 1000); err != nil && !errors.Is(err, unix.EINTR) {
			p.t.Fatal(err)
		}
		if wait[0].Revents != 0 {
			var b [4096]byte
			_, _ = unix.Read(fd, b[:])
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("it does not come: %q", p.names())
		}
	}
}
