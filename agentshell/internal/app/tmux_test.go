package app

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// pane is a real tmux, on a server of its own, with a shell in its one pane.
type pane struct {
	t      *testing.T
	socket string // a path, for -S
	dir    string // a scratch directory; its sub-directory w is the workspace
	say    io.Writer
	heard  *bufio.Reader
}

// needTmux skips loudly without tmux, and fails if SCROLLKEEP_REQUIRE names it.
func needTmux(t *testing.T) {
	t.Helper()
	need.Time(t)
	need.Program(t, "tmux")
}

// Binary is the path of agentshell, which TestMain has built.
var Binary string

// newPane starts tmux with a pane of cols by rows, in which a shell has already printed some rows.
func newPane(t *testing.T, cols, rows int) *pane {
	t.Helper()
	needTmux(t)
	run, err := os.MkdirTemp("", "tmux") // short, since systems know sockets of a hundred bytes only
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	p := &pane{t: t, socket: filepath.Join(run, "s"), dir: t.TempDir()}
	if err := os.Mkdir(p.path("w"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(Binary, p.path("agentshell")); err != nil {
		t.Fatal(err)
	}
	p.config("sandbox = \"off\"\n") // else whether it is offered depends on the machine
	cmd := exec.Command("tmux", "-S", p.socket, "-f", "/dev/null", "-u", "new-session", "-d", "-x", strconv.Itoa(cols),
		"-y", strconv.Itoa(rows), "exec sh", ";", "set-option", "-g", "history-limit", "50000", ";", "set-option", "-g",
		"status", "off")
	cmd.Dir = p.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "XDG_STATE_HOME=" + p.path("state"),
		"XDG_CONFIG_HOME=" + p.path("config"),
		"LANG=C.UTF-8", "TERM=xterm-256color", "SHELL=/bin/sh", "PS1=$ ", "TMPDIR=" + os.TempDir(), "ENV="}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	t.Cleanup(p.end)
	p.control()
	p.tmux("resize-window", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows))
	p.wait("the shell's prompt", func() bool { return strings.HasPrefix(p.screen(), "$") })
	p.line("clear; seq 1 3")
	p.wait("the shell's rows", func() bool { return strings.HasSuffix(p.history(), "1\n2\n3\n$") })
	return p
}

// config writes the config file.
func (p *pane) config(text string) {
	p.t.Helper()
	dir := filepath.Join(p.path("config"), "agentshell")
	if err := errors.Join(os.MkdirAll(dir, 0o700),
		os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600)); err != nil {
		p.t.Fatal(err)
	}
}

// end closes the pane and waits until its programs are gone, which still write into p.dir then.
func (p *pane) end() {
	pid, _ := exec.Command("tmux", "-S", p.socket, "display-message", "-p", "-t", "0:", "#{pane_pid}").Output()
	exec.Command("tmux", "-S", p.socket, "kill-server").Run()
	session := strings.TrimSpace(string(pid))
	deadline := time.After(5 * time.Second)
	for pause := 10 * time.Millisecond; session != "" && live(session); pause = min(pause*3/2, 100*time.Millisecond) {
		select {
		case <-deadline:
			return // a program that does not hear the hangup is another test's business
		case <-time.After(pause):
		}
	}
}

// live reports whether a process of the session is there. pgrep needs fifty times as long for it,
// and was a fifth of what these tests took. All processes are looked at once the leader is gone.
func live(session string) bool {
	in := func(stat []byte) bool { // PID (NAME) STATE PARENT GROUP SESSION …
		f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		return len(f) > 3 && f[3] == session && f[0] != "Z"
	}
	if leader, _ := os.ReadFile("/proc/" + session + "/stat"); in(leader) {
		return true
	}
	for _, stat := range nasty.Processes("stat") {
		if in(stat) {
			return true
		}
	}
	return false
}

func (p *pane) path(name string) string { return filepath.Join(p.dir, name) }

// control starts the client that gives tmux its commands, one for all of them: a process for each
// took half of the time of these tests. It is attached to a session of its own, so that nothing is
// to the pane.
func (p *pane) control() {
	p.t.Helper()
	cmd := exec.Command("tmux", "-S", p.socket, "-u", "-C", "new-session", "-s", "control", "exec sleep 1000000")
	cmd.Dir = p.dir
	in, err := cmd.StdinPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { // before the end of the pane, which ends the server
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	p.say, p.heard = in, bufio.NewReader(out)
	if out, err := p.block(); err != nil { // of new-session
		p.t.Fatalf("tmux: %v\n%s", err, out)
	}
}

// block returns the next answer of tmux.
func (p *pane) block() (string, error) {
	var out strings.Builder
	end := ""
	for {
		line, err := p.heard.ReadString('\n')
		if err != nil {
			return out.String(), err
		}
		kind, rest, _ := strings.Cut(line, " ")
		switch {
		case end == "" && kind == "%begin":
			end = rest
		case end == "" || rest != end:
			if end != "" { // what is not in a block tells of changes
				out.WriteString(line)
			}
		case kind == "%end":
			return out.String(), nil
		case kind == "%error":
			return out.String(), errors.New("it is an error")
		default:
			out.WriteString(line)
		}
	}
}

// quoted escapes an argument of a tmux command.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "\n", `\n`)

// tmux gives tmux a command, or several with ";" between them, and returns what it printed.
func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	var line, out strings.Builder
	commands := 0
	for i, arg := range args {
		switch {
		case arg == ";":
			line.WriteString("; ")
			continue
		case i == 0 || args[i-1] == ";":
			commands++
			line.WriteString(arg)
			if arg != "set-buffer" {
				line.WriteString(" -t 0:")
			}
		default:
			line.WriteString(`"` + quoted.Replace(arg) + `"`)
		}
		line.WriteByte(' ')
	}
	line.WriteByte('\n')
	if _, err := io.WriteString(p.say, line.String()); err != nil {
		p.t.Fatalf("tmux %v: %v", args, err)
	}
	for range commands {
		text, err := p.block()
		if err != nil {
			p.t.Fatalf("tmux %v: %v\n%s", args, err, text)
		}
		out.WriteString(text)
	}
	return out.String()
}

// keys presses keys by tmux's names; text types.
func (p *pane) keys(names ...string) { p.typed(append([]string{"send-keys"}, names...)...) }
func (p *pane) text(s string)        { p.typed("send-keys", "-l", s) }

// typed gives tmux keys, and the program the time to read them by themselves: with what comes next
// they would be a paste.
func (p *pane) typed(args ...string) {
	p.t.Helper()
	p.tmux(args...)
	<-time.After(15 * time.Millisecond)
}

func (p *pane) line(s string) { p.text(s); p.keys("Enter") }

func trimRows(s string) string {
	rows := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, r := range rows {
		rows[i] = strings.TrimRight(r, " ")
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

// history returns every row of the pane, with what has scrolled out; screen only those on the grid.
// joined has rows joined that the terminal wrapped.
func (p *pane) history() string { return trimRows(p.tmux("capture-pane", "-p", "-S", "-")) }
func (p *pane) screen() string  { return trimRows(p.tmux("capture-pane", "-p")) }
func (p *pane) joined() string  { return trimRows(p.tmux("capture-pane", "-p", "-J", "-S", "-")) }

// wait polls until cond holds. Each look is a process of tmux: what takes long is looked at less
// often.
func (p *pane) wait(what string, cond func() bool) {
	p.t.Helper()
	deadline := time.After(20 * time.Second)
	for pause := 15 * time.Millisecond; !cond(); pause = min(pause*3/2, 120*time.Millisecond) {
		select {
		case <-deadline:
			p.t.Fatalf("waited too long for %s; the pane holds\n%s", what, p.history())
		case <-time.After(pause):
		}
	}
}

// sees waits until the pane shows text.
func (p *pane) sees(text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("%q", text), func() bool { return strings.Contains(p.screen(), text) })
}

// armed waits until the keys of an approval question work, so that y approves.
func (p *pane) armed() {
	p.t.Helper()
	(&film{pane: p}).bright("[y]es")
}

// readThrough has each row of a question in sight, and waits until y approves.
func (p *pane) readThrough() {
	p.t.Helper()
	(&film{pane: p}).bright("[n]o")
	for before := ""; !strings.Contains(before, "100%"); {
		before = p.screen()
		p.keys("Space")
		p.wait("the next page", func() bool {
			now := p.screen()
			return now != before || strings.Contains(now, "100%")
		})
	}
	p.keys("Space") // the last row may have more lines
	read := time.Now()
	p.wait("the keys that wait after it", func() bool { // what is bright now may be from before
		return strings.Contains(p.screen(), "(y)es") || time.Since(read) > 2*time.Second
	})
	p.armed()
}

// start writes a script with these lines and starts agentshell with it in the pane.
func (p *pane) start(lines ...string) {
	p.t.Helper()
	if err := os.WriteFile(p.path("script"), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.line("./agentshell --script script --workspace w")
	p.sees("Type a message")
}

func (p *pane) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.path("w"), name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pane) read(name string) string {
	b, err := os.ReadFile(filepath.Join(p.path("w"), name))
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(b)
}

// tree returns a hash over names, modes and contents of the workspace.
func (p *pane) tree() string {
	p.t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(p.path("w"), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %s\n", path, info.Mode())
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			h.Write(b)
		}
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// kill kills agentshell.
func (p *pane) kill() {
	p.t.Helper()
	shell := strings.TrimSpace(p.tmux("display-message", "-p", "#{pane_pid}"))
	out, err := exec.Command("ps", "-o", "pid=", "--ppid", shell).Output()
	if err != nil {
		p.t.Fatal(err)
	}
	fields := bytes.Fields(out)
	if len(fields) != 1 {
		p.t.Fatalf("children of the shell: %q", out)
	}
	pid, err := strconv.Atoi(string(fields[0]))
	if err != nil {
		p.t.Fatal(err)
	}
	program, err := os.FindProcess(pid)
	if err == nil {
		err = program.Kill()
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
