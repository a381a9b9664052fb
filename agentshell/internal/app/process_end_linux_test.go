package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/internal/nasty"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

const (
	promptly = 3 * time.Second // from the signal or the last key to the end of the process
	// What waits are counted in: turns that this process got. On a busy machine they take longer,
	// as everything does; on one at rest they are time.
	beat     = 10 * time.Millisecond
	resident = 200 << 10 // KiB that the process may have had in memory
)

// nastyPlace returns a place whose processes are found again by the name of the test, with a server
// that plays do, or several, with a plus between what they play.
func nastyPlace(t *testing.T, do string) place {
	t.Helper()
	p := newPlace(t)
	p.env = append(p.env, nasty.Env("", t.Name())[1])
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var config strings.Builder
	for i, do := range strings.Split(do, "+") {
		if do == "" {
			continue
		}
		name, env := "nasty"+strings.Repeat("2", i), nasty.Env(do, t.Name())
		fmt.Fprintf(&config, "[mcp.%s]\ncommand = [%q]\nenv = [%q, %q]\nstart_timeout_s = 3\n", name, self, env[0],
			env[1])
		if strings.Contains(do, "sample") {
			config.WriteString("sampling = true\n")
		}
	}
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), config.String())
	t.Cleanup(func() { nasty.Gone(t, t.Name()) })
	return p
}

// program returns a program that plays do, for commands.
func program(t *testing.T, do string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte(fmt.Sprintf("#!/bin/sh\n%s exec %s\n", nasty.Env(do, t.Name())[0], self)),
		0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// screen is the program on a terminal: what it has shown, as bytes, and its keys.
type screen struct {
	t    *testing.T
	home string
	cmd  *exec.Cmd
	tty  *os.File
	was  unix.Termios
	mu   sync.Mutex
	all  bytes.Buffer
	more chan struct{}
	gone chan struct{} // the process has ended
}

func (p place) screen(args ...string) *screen {
	p.t.Helper()
	s := &screen{t: p.t, home: p.home, cmd: p.command(args...), more: make(chan struct{}, 1), gone: make(chan struct{})}
	// The slave side stays open here, so that its modes can be looked at when the program has left.
	tty, slave, err := pty.Open()
	if err != nil {
		p.t.Fatal(err)
	}
	s.tty = tty
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		p.t.Fatal(err)
	}
	s.was = s.modes()
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = slave, slave, slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		buf := make([]byte, 64<<10)
		for {
			n, err := tty.Read(buf)
			s.mu.Lock()
			s.all.Write(buf[:n])
			s.mu.Unlock()
			select {
			case s.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		_ = s.cmd.Wait()
		close(s.gone)
	}()
	p.t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.gone
		slave.Close()
		tty.Close()
	})
	return s
}

func (s *screen) modes() unix.Termios {
	m, err := unix.IoctlGetTermios(int(s.tty.Fd()), unix.TCGETS)
	if err != nil {
		s.t.Fatal(err)
	}
	return *m
}

func (s *screen) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// sees waits until text was shown after the first from bytes and returns how many there are then.
func (s *screen) sees(text string, from int) int {
	s.t.Helper()
	late := time.After(30 * time.Second)
	for {
		if all := s.shown(); strings.Contains(all[from:], text) {
			return len(all)
		}
		select {
		case <-s.more:
		case <-s.gone:
			s.t.Fatalf("it has left instead of showing %q; it showed\n%q", text, s.shown())
		case <-late:
			s.t.Fatalf("it does not show %q; it showed\n%q", text, s.shown())
		}
	}
}

func (s *screen) keys(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.t.Fatal(err)
	}
}

// leaves waits for the end of the process and returns its code, or 128 and the signal that ended
// it.
func (s *screen) leaves(most time.Duration) int {
	s.t.Helper()
	took := time.Duration(0)
	for gone := false; !gone; {
		select {
		case <-s.gone:
			gone = true
		case <-time.After(beat):
			if took += beat; took > 20*time.Second {
				s.t.Fatalf("it does not leave; it showed\n%q", s.shown())
			}
		}
	}
	if took > most {
		s.t.Errorf("it left after %v", took)
	}
	if s.modes() != s.was {
		s.t.Error("the modes of the terminal are not restored")
	}
	for _, mode := range []string{"?2004", "?1004", "?25", "?1049"} {
		on, off := mode+"h", mode+"l"
		if mode == "?25" {
			on, off = off, on
		}
		isOff := func() bool {
			all := s.shown()
			return strings.LastIndex(all, on) <= strings.LastIndex(all, off)
		}
		for n := 0; n < 100 && !isOff(); n++ { // its last bytes may not have been read yet
			<-time.After(20 * time.Millisecond)
		}
		if !isOff() {
			s.t.Errorf("the mode %s is left on", mode)
		}
	}
	nasty.Gone(s.t, s.t.Name())
	return code(s.cmd)
}

func code(cmd *exec.Cmd) int {
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// memory returns how much of the process has been resident at most so far, in KiB.
func (s *screen) memory() int { return memory(s.t, s.cmd.Process.Pid) }

func memory(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// stubborn is a tree of processes that ends only by force and by nobody who looks at parents and
// sessions only.
const stubborn = "orphan,ignore,ready,wait"

// states are what the shell is at when somebody wants it to end.
var states = []struct {
	name   string
	server string
	lines  []string
	args   []string
	prog   string // is run by a command
	until  func(s *screen, prog string)
}{
	{"at the prompt", "ignore,serve:well", []string{hi}, nil, "", func(s *screen, _ string) { s.sees("ask", 0) }},
	{"in a pane", "ignore,serve:well", []string{haiku, hi}, nil, "", func(s *screen, _ string) {
		s.sees("ask", 0)
		s.keys("go\r")
		s.sees("[y]es", 0)
	}},
	{"in a call of a server", "ignore,serve:silent",
		[]string{`{"delay_ms":0,"tool_calls":[{"id":"1","name":"mcp__nasty__go","input":{}}]}`},
		[]string{"--allow", "mcp(nasty/go)"}, "", func(s *screen, _ string) {
			s.sees("ask", 0)
			s.keys("go\r")
			s.called()
		}},
	{"in a command", "", []string{hi}, nil, "ignore,again,ready,child,ignore,ready,wait", func(s *screen, prog string) {
		s.sees("ask", 0)
		s.keys("!" + prog + "\r")
		s.sees("ready", 0)
	}},
	{"after a command that left a daemon", "", []string{hi}, nil, stubborn, func(s *screen, prog string) {
		s.sees("ask", 0)
		s.keys("!" + prog + "\r")
		s.sees("exit 0", 0)
	}},
	{"in an answer", "ignore,serve:well", []string{`{"say":"half","delay_ms":0,"hang":true}`}, nil, "",
		func(s *screen, _ string) {
			s.sees("ask", 0)
			s.keys("go\r")
			s.sees("half", 0)
		}},
	{"while a server starts", "ignore,serve:start-silent", []string{hi}, nil, "", func(s *screen, _ string) {
		s.alive("start-silent")
	}},
	{"at a question", "serve:form", []string{hi}, nil, "", aQuestion},
	{"at a question that comes again", "ignore,serve:again-form", []string{hi}, nil, "", aQuestion},
	{"at a page that comes again after a while", "ignore,serve:again-slowly-page", []string{hi}, nil, "", aQuestion},
	{"at what the model is asked again and again", "ignore,serve:again-sample", []string{hi}, nil, "", aQuestion},
	{"at the questions of several servers",
		"ignore,serve:again-form+serve:again-page+serve:again-slowly-form+ignore,serve:again-sample", []string{hi},
		nil, "", aQuestion},
	{"at a question, with the keys", "ignore,serve:again-form", []string{hi}, nil, "", func(s *screen, _ string) {
		s.sees("[n]o", 0)
	}},
	{"at a question, on the whole screen", "ignore,serve:again-form", []string{hi}, nil, "", func(s *screen, _ string) {
		s.sees("[n]o", 0)
		s.keys("f")
		s.sees("small", 0)
	}},
	{"at a question, after many a no", "ignore,serve:again-form", []string{hi}, nil, "", func(s *screen, _ string) {
		at := 0
		for range 5 {
			at = s.sees("[n]o", at)
			s.keys("n")
		}
	}},
	{"in plain mode, at a question", "serve:again-form", []string{hi}, []string{"--plain"}, "",
		func(s *screen, _ string) { s.sees("[y/n]", 0) }},
	{"in plain mode", "ignore,serve:well", []string{hi}, []string{"--plain"}, "", func(s *screen, _ string) {
		s.sees("> ", 0)
	}},
	{"in plain mode, in a call", "ignore,serve:silent",
		[]string{`{"delay_ms":0,"tool_calls":[{"id":"1","name":"mcp__nasty__go","input":{}}]}`},
		[]string{"--plain", "--allow", "mcp(nasty/go)"}, "", func(s *screen, _ string) {
			s.sees("> ", 0)
			s.keys("go\r")
			s.called()
		}},
	{"in one prompt, in a call", "ignore,serve:silent",
		[]string{`{"delay_ms":0,"tool_calls":[{"id":"1","name":"mcp__nasty__go","input":{}}]}`, `{"hang":true}`},
		[]string{"-p", "x", "--allow", "mcp(nasty/go)"}, "", func(s *screen, _ string) { s.called() }},
	{"while the prompt is read", "ignore,serve:well", []string{hi}, []string{"-p", "-"}, "",
		func(s *screen, _ string) { s.ready() }},
}

// aQuestion waits until a question is on the screen.
func aQuestion(s *screen, _ string) {
	s.t.Helper()
	s.sees("MCP server", 0)
}

// called waits until the server was called.
func (s *screen) called() {
	s.t.Helper()
	s.waits("a call", func() bool {
		return strings.Contains(s.serverLog(), "called")
	})
}

// alive waits until a process that does what do says is there.
func (s *screen) alive(do string) {
	s.t.Helper()
	s.waits("a process that does "+do, func() bool {
		for _, one := range nasty.Left(s.t.Name()) {
			if strings.Contains(one, do) {
				return true
			}
		}
		return false
	})
}

// others returns how many processes run beside the shell, which itself is found by root only.
func (s *screen) others() int {
	n := 0
	for _, one := range nasty.Left(s.t.Name()) {
		if !strings.HasPrefix(one, fmt.Sprintf("%d:", s.cmd.Process.Pid)) {
			n++
		}
	}
	return n
}

// ready waits until the process handles signals.
func (s *screen) ready() {
	s.t.Helper()
	s.waits("its handlers", func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
		_, rest, ok := strings.Cut(string(text), "SigCgt:")
		if err != nil || !ok {
			return false
		}
		mask, err := strconv.ParseUint(strings.Fields(rest)[0], 16, 64)
		return err == nil && mask&(1<<(syscall.SIGTERM-1)) != 0 && s.cpu()
	})
}

// cpu reports whether the process has been waiting for a while: it has come to where it reads.
func (s *screen) cpu() bool {
	first := s.ticks()
	<-time.After(200 * time.Millisecond)
	return first == s.ticks()
}

func (s *screen) ticks() string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	return f[11] + " " + f[12]
}

func (s *screen) waits(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); {
		if time.Now().After(end) {
			s.t.Fatalf("there is not %s; it showed\n%q", what, s.shown())
		}
		<-time.After(20 * time.Millisecond)
	}
}

// ways to end the shell, with the code; 0 is any way that the shell offers.
var ways = []struct {
	name string
	do   func(s *screen)
	code int
}{
	{"SIGTERM", func(s *screen) { s.signal(syscall.SIGTERM) }, 130},
	{"SIGHUP", func(s *screen) { s.signal(syscall.SIGHUP) }, 130},
	{"SIGINT", func(s *screen) { s.signal(syscall.SIGINT) }, 130},
	{"Ctrl+C twice", func(s *screen) {
		from := len(s.shown())
		s.keys("\x03")
		if !strings.Contains(s.shown(), "\x1b[?2004h") { // no screen: the terminal makes it a signal
			<-time.After(50 * time.Millisecond)
		} else {
			s.sees("again quits", from)
		}
		s.keys("\x03")
	}, 0},
	{"SIGTERM twice", func(s *screen) {
		s.signal(syscall.SIGTERM)
		<-time.After(20 * time.Millisecond)
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
	}, 130},
}

func (s *screen) signal(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Fatal(err)
	}
}

// The shell ends within three seconds in each state, whatever the programs do that it has started;
// nothing of them is left, and the terminal is as it was.
func TestTheShellEndsInTimeAndLeavesNothing(t *testing.T) {
	for i, state := range states {
		for j, way := range ways {
			if os.Getenv("SCROLLKEEP_NASTY") == "" && (i+j)%len(ways) != 0 && !(j == 0 && i < 4) {
				// make stress plays all
				continue
			}
			t.Run(state.name+", "+way.name, func(t *testing.T) {
				t.Parallel()
				p := nastyPlace(t, state.server)
				prog := ""
				if state.prog != "" {
					prog = program(t, state.prog)
				}
				s := p.screen(append([]string{"--script", p.script(state.lines...)}, state.args...)...)
				state.until(s, prog)
				way.do(s)
				got := s.leaves(promptly)
				want := []int{way.code}
				switch {
				case way.code == 0:
					want = append(want, 130) // where there is no screen
				case way.name == "SIGTERM twice":
					want = append(want, 143)
				}
				if got != want[0] && got != want[len(want)-1] {
					t.Errorf("code %d, want %v; it showed\n%q", got, want, s.shown())
				}
			})
		}
	}
}

// A question is left within a second of the second Ctrl+C, however stubborn the server is.
func TestTheSecondCtrlCEndsAQuestionWithinASecond(t *testing.T) {
	t.Parallel()
	for _, server := range []string{"serve:again-form", "ignore,serve:again-form", "ignore,serve:again-slowly-page",
		"ignore,serve:again-form+ignore,serve:again-sample+ignore,serve:again-page"} {
		t.Run(server, func(t *testing.T) {
			p := nastyPlace(t, server)
			s := p.screen("--script", p.script(hi))
			aQuestion(s, "")
			from := len(s.shown())
			s.keys("\x03")
			s.sees("again quits", from)
			s.keys("\x03")
			s.leaves(time.Second)
		})
	}
}

// A server that asks again can be stopped by a key, or by /mcp stop as soon as that is typed. Then
// it asks no more, nothing of it is left, and the shell goes on.
func TestAServerThatAsksAgainIsStopped(t *testing.T) {
	t.Parallel()
	for _, do := range []string{"serve:again-form", "ignore,serve:again-slowly-page", "ignore,serve:again-sample",
		"serve:again-mute-form"} {
		for _, keys := range []string{"x", "/mcp stop nasty\r"} {
			t.Run(do+", "+keys[:1], func(t *testing.T) {
				t.Parallel()
				p := nastyPlace(t, do)
				s := p.screen("--script", p.script(hi))
				at := s.sees("[n]o", 0)
				if strings.Contains(s.shown(), "stop server") {
					t.Error("the first question offers to stop the server")
				}
				s.keys("n")
				if keys == "x" {
					at = s.sees("stop server", at)
					at = s.sees("[n]o", at)
				} else {
					at = s.sees("MCP server", at)
				}
				s.keys(keys)
				s.sees("MCP server nasty is stopped", at)
				s.waits("the end of the server", func() bool { return s.others() == 0 })
				// A question that came meanwhile goes with the server, and takes what is typed.
				s.waits("the end of its questions", func() bool {
					return strings.LastIndex(s.shown(), ": idle") > strings.LastIndex(s.shown(), ": asks")
				})
				at = len(s.shown())
				s.keys("go\r")
				s.sees("hi", at)
				// The log of a server may get its last lines only now.
				if text := s.shown()[at:]; strings.Contains(text, "[n]o") || s.others() > 0 {
					t.Errorf("it runs again, or asks: %d processes, and\n%q", s.others(), text)
				}
				s.keys("\x03\x03")
				s.leaves(promptly)
			})
		}
	}
}

// serverLog returns what the nasty server has written to its log.
func (s *screen) serverLog() string {
	text, _ := os.ReadFile(filepath.Join(s.home, ".local/state/agentshell/mcp/nasty.log"))
	return string(text)
}

// call is a script's call of the nasty server.
const call = `{"delay_ms":0,"tool_calls":[{"id":"1","name":"mcp__nasty__go","input":{}}]}`

// floods are servers that never stop saying or never listen.
var floods = []string{"lines", "notes", "deaf", "asks", "line", "big", "mine", "err", "progress"}

// Whatever a server floods us with, memory is bounded, Esc is answered, and the shell ends in time.
func TestAFloodOfAServerIsBounded(t *testing.T) {
	t.Parallel()
	need.Time(t)
	for i, flood := range floods {
		if os.Getenv("SCROLLKEEP_NASTY") == "" && i%2 == 0 {
			continue
		}
		t.Run(flood, func(t *testing.T) {
			p := nastyPlace(t, "ignore,serve:"+flood)
			s := p.screen("--script", p.script(call, `{"say":"well","delay_ms":0}`, call, hi), "--allow",
				"mcp(nasty/go)")
			s.sees("ask", 0)
			s.keys("go\r")
			s.called()
			if flood == "line" || flood == "mine" { // it is given up, or answers
				s.sees("well", 0)
			} else {
				<-time.After(floodTime())
				s.answersEsc()
			}
			if got := s.memory(); got > resident {
				t.Errorf("%d MiB were resident", got>>10)
			} else {
				t.Logf("%d MiB were resident", got>>10)
			}
			s.keys("\x03\x03")
			s.leaves(promptly)
			info, err := os.Stat(filepath.Join(p.home, ".local/state/agentshell/mcp/nasty.log"))
			if err != nil || info.Size() > 3<<20 {
				t.Errorf("the log has %d bytes, %v", info.Size(), err)
			}
		})
	}
}

func TestAFloodOfACommandIsBounded(t *testing.T) {
	t.Parallel()
	need.Time(t)
	for _, flood := range []string{"ready,out", "orphan,ignore,ready,out"} {
		t.Run(flood, func(t *testing.T) {
			p := nastyPlace(t, "")
			s := p.screen("--script", p.script(hi))
			s.sees("ask", 0)
			s.keys("!" + program(t, flood) + "; sleep 1000\r")
			s.sees("running", 0)
			<-time.After(floodTime())
			s.answersEsc()
			if got := s.memory(); got > resident {
				t.Errorf("%d MiB were resident", got>>10)
			} else {
				t.Logf("%d MiB were resident", got>>10)
			}
			s.waits("the end of the command", func() bool { return s.others() == 0 })
			s.keys("\x03\x03")
			s.leaves(promptly)
		})
	}
}

// floodTime returns how long a flood lasts.
func floodTime() time.Duration {
	if os.Getenv("SCROLLKEEP_NASTY") != "" {
		return 20 * time.Second
	}
	return 600 * time.Millisecond
}

// answersEsc presses Esc, and the screen says that it was heard before the program has worked for
// half a second.
func (s *screen) answersEsc() {
	s.t.Helper()
	from := len(s.shown())
	before := worked(s.cmd.Process.Pid)
	s.keys("\x1b")
	s.sees("stop", from)
	if took := worked(s.cmd.Process.Pid) - before; took > 500*time.Millisecond {
		s.t.Errorf("Esc was answered after %v of work", took)
	}
}

// Where nobody can press Esc, a call that is not answered ends by itself.
func TestOnePromptEndsWhateverAServerDoes(t *testing.T) {
	for _, c := range []struct {
		server, say string
		code        int
	}{
		{"well", "went", 0},
		{"silent", "has not answered the call within 1s", 0},
		{"progress", "has not answered the call within 1s", 0}, // six times as long at most
		{"deaf", "has not answered the call within 1s", 0},
		{"notes", "has not answered the call within 1s", 0},
		{"hold", "the server has exited", 0},
		{"line", "a message of more than", 0},
		{"start-silent", "there is no tool", 0},
		{"start-line", "there is no tool", 0},
		{"start-hold", "there is no tool", 0},
	} {
		t.Run(c.server, func(t *testing.T) {
			t.Parallel()
			p := nastyPlace(t, "ignore,serve:"+c.server)
			file := filepath.Join(p.home, ".config/agentshell/config.toml")
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			timeout := "timeout_s = 1\n"
			if !strings.Contains(c.say, "within 1s") {
				timeout = "timeout_s = 20\n" // a server's end is noticed about a second after it
			}
			p.write(file, string(text)+timeout)
			expect := fmt.Sprintf(`{"expect":%q,"say":"done","delay_ms":0}`, c.say)
			began := time.Now()
			got := p.run("", "-p", "x", "--script", p.script(call, expect), "--allow", "mcp(nasty/go)")
			if got.code != c.code || got.stdout != "done\n" {
				t.Errorf("after %v: %+v", time.Since(began), got)
			}
			nasty.Gone(t, t.Name())
		})
	}
}
