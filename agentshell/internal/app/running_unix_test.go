//go:build unix

package app_test

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// driven is a session that a program drives, in a process of its own.
type driven struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func (p place) drive(lines ...string) *driven {
	p.t.Helper()
	d := &driven{t: p.t, cmd: p.command("--input", "stream-json", "--mode", "edits", "--script", p.script(lines...))}
	detach(d.cmd)
	out, err := d.cmd.StdoutPipe()
	if err == nil {
		d.in, err = d.cmd.StdinPipe()
	}
	if err == nil {
		err = d.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		d.in.Close()
		_ = d.cmd.Process.Kill()
		_ = d.cmd.Wait()
	})
	d.lines = bufio.NewScanner(out)
	d.lines.Buffer(nil, 1<<20)
	return d
}

// says sends a message and returns the records of its turn.
func (d *driven) says(text string) (records string) {
	d.t.Helper()
	if _, err := io.WriteString(d.in, `{"type":"message","text":"`+text+`"}`+"\n"); err != nil {
		d.t.Fatal(err)
	}
	for d.lines.Scan() {
		records += d.lines.Text() + "\n"
		if strings.HasPrefix(d.lines.Text(), `{"type":"end"`) {
			return records
		}
	}
	d.t.Fatalf("the session ended: %s", records)
	return ""
}

// Two processes in one workspace see each other. The one whose file the other one changes is told,
// and its model with the next request. A killed one is noticed once.
func TestSessionsSideBySide(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	write := func(file, text string) string {
		return `{"delay_ms":0,"tool_calls":[{"id":"1","name":"write_file","input":{"path":"` + file +
			`","content":"` + text +
			`\n"}}]}`
	}
	const told = `notes.md, which this session has changed, was changed by session `
	list := func() string {
		t.Helper()
		got := p.run("", "sessions")
		if got.code != 0 || got.stderr != "" {
			t.Errorf("sessions: code %d, %s", got.code, got.stderr)
		}
		return got.stdout
	}
	if got := list(); got != "No session of this workspace runs now.\n" {
		t.Errorf("before all: %q", got)
	}
	a := p.drive(write("notes.md", "one"), hi, `{"expect":["`+told+`","Read it again"],"say":"I see.","delay_ms":0}`,
		`{"expect_not":["once more"],"say":"Yes.","delay_ms":0}`)
	a.says("go")
	b := p.drive(write("other.md", "x"), hi, write("notes.md", "two"), hi)
	b.says("go")
	if got := list(); strings.Count(got, "  program, since ") != 2 || strings.Count(got, ", idle\n") != 2 ||
		!regexp.MustCompile(`(?m)^   changed: notes\.md \d\d:\d\d$`).MatchString(got) ||
		!strings.Contains(got, "   changed: other.md ") {
		t.Errorf("two sessions:\n%s", got)
	}
	if got := p.run("", "sessions", "--workspace",
		t.TempDir()).stdout; got != "No session of this workspace runs now.\n" {
		t.Errorf("another workspace: %q", got)
	}
	b.says("on")
	if got := a.says("on"); !strings.Contains(got, told) || strings.Contains(got, `"reason":"script"`) {
		t.Errorf("the first one is not told:\n%s", got)
	}
	if got := a.says("more"); strings.Contains(got, told) {
		t.Errorf("told twice:\n%s", got)
	}
	if err := b.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = b.cmd.Wait()
	if got := list(); strings.Count(got, "\n") != 3 || !strings.Contains(got,
		"ended without closing; agentshell --resume ") {
		t.Errorf("after a kill:\n%s", got)
	}
	if got := list(); strings.Contains(got, "ended") || strings.Count(got, "program") != 1 {
		t.Errorf("and later:\n%s", got)
	}
	if got := p.run("", "sessions", "--json").stdout; !strings.HasPrefix(got, `{"id":"`) || strings.Count(got,
		"\n") != 1 {
		t.Errorf("as JSON: %s", got)
	}
	a.in.Close()
	if err := a.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/running/*/*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
