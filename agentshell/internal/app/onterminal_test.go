package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/app/demo"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

func TestTheStandardOutputIsExactInAPipeAndHarmlessOnATerminal(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	args := []string{"-p", "x", "--mode", "plan", "--script",
		p.script(`{"say":"a\u001b[31mb\u202e\u009b","delay_ms":0}`)}
	if got := p.run("", args...); got.stdout != "a\x1b[31mb\u202e\u009b\n" {
		t.Errorf("in a pipe: %q", got.stdout)
	}
	screen, code := p.onTerminal(args, func(io.Writer, string) bool { return true })
	if screen != "a␛[31mb<U+202E><U+009B>\r\n" || code != 0 {
		t.Errorf("on a terminal: code %d, %q", code, screen)
	}
}

// onTerminal runs the program on a terminal. step is called with what was shown so far after each
// read, until it returns true.
func (p place) onTerminal(args []string, step func(keys io.Writer, shown string) bool) (shown string, code int) {
	p.t.Helper()
	return on(p.t, p.command(args...), step)
}

// on runs any command on a terminal, as onTerminal does for agentshell.
func on(t *testing.T, cmd *exec.Cmd, step func(keys io.Writer, shown string) bool) (shown string, code int) {
	t.Helper()
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop() // a step that never comes
	var all bytes.Buffer
	buf := make([]byte, 4096)
	done := false
	for {
		n, err := tty.Read(buf) // EIO when the program has left
		all.Write(buf[:n])
		if err != nil {
			break
		}
		done = done || step(tty, all.String())
	}
	if !done {
		t.Errorf("the program left too early; it showed %q", all.String())
	}
	_ = cmd.Wait()
	return all.String(), cmd.ProcessState.ExitCode()
}

func TestWithoutAKeyATerminalShowsHowToGetOneAndOffersTheDemo(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	asked := false
	shown, code := p.onTerminal(nil, func(keys io.Writer, shown string) bool {
		if !asked && strings.Contains(shown, "q to quit: ") {
			asked = true
			_, _ = io.WriteString(keys, "q\n")
		}
		return asked
	})
	if code != 0 || !strings.Contains(shown, "export ANTHROPIC_API_KEY=") || strings.Contains(shown, "\x1b") {
		t.Errorf("code %d, %q", code, shown)
	}
	if made, _ := filepath.Glob(filepath.Join(p.tmp(), "*")); len(made) > 0 {
		t.Errorf("a workspace was made: %q", made)
	}
}

func (p place) tmp() string {
	for _, e := range p.env {
		if dir, ok := strings.CutPrefix(e, "TMPDIR="); ok {
			return dir
		}
	}
	return ""
}

func TestTheDemoRunsInAWorkspaceOfItsOwnAndLeavesNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	step := 0
	shown, code := p.onTerminal([]string{"--demo"}, func(keys io.Writer, shown string) bool {
		for n, cue := range []string{"Show me what you can do", "I am a script", "stopped"} {
			if step == n && strings.Contains(shown, cue) {
				step++
				_, _ = io.WriteString(keys, []string{"\r", "\x1b", "\x04"}[n])
			}
		}
		return step == 3
	})
	if strings.Contains(shown, "no log") || strings.Contains(shown, "Resume this session") {
		t.Errorf("shown %q: the demo keeps its conversation while it runs, and no longer", shown)
	}
	if kept, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*")); len(kept) > 0 {
		t.Errorf("the demo is among the person's sessions: %q", kept)
	}
	if code != 0 || !strings.Contains(shown, "agentshell-demo-") && !strings.Contains(shown, "workspace: demo-") {
		t.Errorf("code %d, shown %q", code, shown)
	}
	if left, err := os.ReadDir(p.tmp()); err != nil || len(left) != 0 {
		t.Errorf("it left %v, %v", left, err)
	}
	if p.tree() != "" {
		t.Errorf("the current directory holds\n%s", p.tree())
	}
}

// What was approved in the demo stays, and its place is told.
func TestTheDemoLeavesWhatWasApproved(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	step := 0
	shown, code := p.onTerminal([]string{"--demo"}, func(keys io.Writer, shown string) bool {
		haiku, _ := filepath.Glob(filepath.Join(p.tmp(), "agentshell-demo-*", "haiku.txt"))
		switch {
		case step == 0 && strings.Contains(shown, demo.SuggestedMessage):
			_, _ = io.WriteString(keys, "\r")
			step++
		case step == 1 && strings.Contains(shown, "[y]es"):
			_, _ = io.WriteString(keys, "y")
			step++
		case step == 2 && len(haiku) == 1:
			_, _ = io.WriteString(keys, "\x1b")
			step++
		case step == 3 && strings.Contains(shown, "stopped"):
			_, _ = io.WriteString(keys, "\x04")
			step++
		}
		return step == 4
	})
	left, err := os.ReadDir(p.tmp())
	if code != 0 || err != nil || len(left) != 1 {
		t.Fatalf("code %d, it left %v, %v; shown %q", code, left, err, shown)
	}
	dir := filepath.Join(p.tmp(), left[0].Name())
	if text, err := os.ReadFile(filepath.Join(dir, "haiku.txt")); err != nil || len(text) == 0 ||
		!strings.Contains(shown, dir) {
		t.Errorf("%q, %v; shown %q", text, err, shown)
	}
}

// A signal leaves nothing of the demo either.
func TestTheDemoLeavesNothingBehindASignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		p := newPlace(t)
		cmd, sent := p.command("--demo"), false
		shown, _ := on(t, cmd, func(_ io.Writer, shown string) bool {
			if !sent && strings.Contains(shown, "Show me what you can do") {
				sent = true
				if made, _ := filepath.Glob(filepath.Join(p.tmp(), "agentshell-demo-*")); len(made) == 0 {
					t.Error("there is no workspace to look for") // the control
				}
				_ = cmd.Process.Signal(signal)
			}
			return sent
		})
		if left, err := os.ReadDir(p.tmp()); err != nil || len(left) != 0 {
			t.Errorf("%v left %v, %v; shown %q", signal, left, err, shown)
		}
	}
}

func TestAUsageErrorLeavesNoWorkspaceBehind(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.run("", "--demo", "--allow", "nonsense("); got.code != 2 {
		t.Errorf("%+v", got)
	}
	if made, _ := filepath.Glob(filepath.Join(p.tmp(), "*")); len(made) > 0 {
		t.Errorf("%q", made)
	}
}

func TestADumbTerminalGetsPlainText(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "TERM=dumb")
	sent := false
	shown, code := p.onTerminal([]string{"--script", p.script(hi)}, func(keys io.Writer, shown string) bool {
		switch {
		case !sent && strings.Contains(shown, "> "):
			sent = true
			_, _ = io.WriteString(keys, "hello\n")
		case strings.Contains(shown, "hi\r\n"):
			_, _ = io.WriteString(keys, "/quit\n")
			return true
		}
		return false
	})
	if code != 0 || strings.Contains(shown, "\x1b") {
		t.Errorf("code %d, %q", code, shown)
	}
}

// dialogue is what a person types once a text has been shown, so long after it.
type dialogue []struct {
	seen, keys string
	wait       time.Duration
}

// step returns the next of them, for onTerminal.
func (d dialogue) step() func(keys io.Writer, shown string) bool {
	from, i := 0, 0
	return func(keys io.Writer, shown string) bool {
		for ; i < len(d); i++ {
			at := strings.Index(shown[from:], d[i].seen)
			if at < 0 {
				return false
			}
			from += at + len(d[i].seen)
			<-time.After(d[i].wait)
			_, _ = io.WriteString(keys, d[i].keys)
		}
		return true
	}
}

// A file that one session wrote is taken back by a later one that goes on with it: with what it
// displaced, and only when the person says yes.
func TestAResumedSessionTakesAChangeBack(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.env = append(p.env, "TERM=dumb")
	p.write("notes.md", "teh river\n")
	was := p.tree()
	const ripe = 1300 * time.Millisecond
	script := p.script(`{"tool_calls":[{"id":"1","name":"edit_file","input":{"path":"notes.md","old_string":"teh",`+
		`"new_string":"the"}}],"delay_ms":0}`, haiku, hi)
	shown, code := p.onTerminal([]string{"--script", script}, dialogue{
		{"exits", "go\n", 0}, {"[y/n/v(iew full file)] ", "y\n", ripe}, {"[y/n/v(iew all)] ", "y\n", ripe},
		{"hi\r\n", "/undo list\n", 0}, {"1  edit notes.md", "/quit\n", 0},
	}.step())
	between := p.tree()
	if code != 0 || between == was || !strings.Contains(between, "haiku.txt") {
		t.Fatalf("code %d, %s, %q", code, between, shown)
	}
	shown, code = p.onTerminal([]string{"--continue", "--script", p.script(hi)}, dialogue{
		{"exits", "/undo\n", 0}, {"removed 1: river", "", 0}, {"Undo this change? [y/n] ", "y\n", ripe},
		{"+ undo workspace/haiku.txt", "/undo\n", 0}, {"added 1: teh river", "", 0},
		{"[y/n/v(iew full file)] ", "n\n", ripe}, {"x undo workspace/notes.md  denied", "/undo 1\n", 0},
		{"full file)] ", "y\n", ripe},
		{"+ undo workspace/notes.md", "/undo list\n", 0}, {"4  undo 1 notes.md", "/nothing\n", 0},
		{"There is no command /nothing in plain mode.", "/quit\n", 0},
	}.step())
	if code != 0 || p.tree() != was {
		t.Errorf("code %d, %s, %q", code, p.tree(), shown)
	}
	if kept, _ := filepath.Glob(filepath.Join(p.home, ".local/state/agentshell/sessions/*/*.undo/*")); len(kept) != 3 {
		t.Errorf("kept are %q", kept)
	}
}

func TestTheDoctorReportsWithoutSecrets(t *testing.T) {
	t.Parallel()
	const key = "sk-ant-test-0123456789"
	p := newPlace(t)
	p.env = append(p.env, "ANTHROPIC_API_KEY="+key)
	got := p.run("", "doctor", "--json")
	found := map[string]string{}
	for line := range strings.Lines(got.stdout) {
		var f struct{ About, Name, Value, From string }
		if err := json.Unmarshal([]byte(line), &f); err != nil {
			t.Fatal(line, err)
		}
		found[f.About+" "+f.Name] = f.Value + " " + f.From
	}
	for name, want := range map[string]string{"terminal terminal": "none ", "model key": "set ANTHROPIC_API_KEY",
		"model model": "claude-sonnet-5-5 (default) "} {
		if found[name] != want {
			t.Errorf("%s: %q, want %q", name, found[name], want)
		}
	}
	if !strings.HasPrefix(found["files workspace"], "/") || got.code != 0 ||
		strings.Contains(got.stdout+got.stderr, key) {
		t.Errorf("%+v", got)
	}
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "nonsense = 1\n")
	if got := p.run("", "doctor"); got.code != 1 ||
		!strings.Contains(got.stdout, `config.toml:1: there is no setting "nonsense"`) {
		t.Errorf("with a broken config: %+v", got)
	}
	if got := p.run("", "doctor", "--nonsense"); got.code != 2 {
		t.Errorf("with an unknown flag: %+v", got)
	}
	p.write("config.toml", "nonsense = 1\n") // the workspace's: nobody reads it
	homeless := p
	homeless.env = []string{"PATH=" + os.Getenv("PATH")}
	if got := homeless.run("", "doctor"); got.code != 0 || strings.Contains(got.stdout, "config.toml") ||
		!strings.Contains(got.stdout, "neither HOME nor XDG_CONFIG_HOME") {
		t.Errorf("without a home: %+v", got)
	}
	if got := homeless.run("", "-p", "x", "--script", p.script(hi), "--continue"); got.code != 1 ||
		!strings.Contains(got.stderr, "is HOME or XDG_STATE_HOME set?") {
		t.Errorf("without a home, going on: %+v", got)
	}
	shown, code := p.onTerminal([]string{"doctor"}, func(keys io.Writer, shown string) bool {
		return strings.Contains(shown, "session logs")
	})
	if code != 1 || !strings.Contains(shown, "colours") || strings.Contains(shown, key) {
		t.Errorf("on a terminal: code %d, %q", code, shown)
	}
}

// In a pipeline the standard output is no terminal; the person's is there all the same.
func TestTheDoctorFindsTheTerminalAlsoWhereItsOutputIsAFile(t *testing.T) {
	t.Parallel()
	sh := need.Program(t, "sh")
	p := newPlace(t)
	report := filepath.Join(t.TempDir(), "report")
	cmd := p.command()
	cmd.Path, cmd.Args = sh, []string{"sh", "-c", `"$0" doctor --json >"$REPORT"`, binary}
	cmd.Env = append(cmd.Env, "REPORT="+report)
	answered := false
	shown, code := on(t, cmd, func(keys io.Writer, shown string) bool {
		if !answered && strings.Contains(shown, "\x1b[c") {
			answered = true
			_, _ = io.WriteString(keys, "\x1bP>|wez 1.0\x1b\\\x1b[?62;22c")
		}
		return answered
	})
	text, err := os.ReadFile(report)
	if err != nil || code != 0 || !strings.Contains(string(text), "wez 1.0") {
		t.Errorf("code %d, %v; the terminal got %q; the report:\n%s", code, err, shown, text)
	}
}
