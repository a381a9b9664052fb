package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// confinedPlace returns a place whose config turns the sandbox on, on a system that has one.
func confinedPlace(t *testing.T) place {
	t.Helper()
	need.Program(t, "bash")
	if r := sandbox.Find(context.Background(), new(child.Family), t.TempDir(), ""); r.Box == nil {
		need.Missing(t, "sandbox", r.Reason)
	}
	p := newPlace(t)
	p.config("sandbox = \"auto\"\n")
	return p
}

func (p place) config(text string) {
	p.write(filepath.Join(p.home, ".config", "agentshell", "config.toml"), text)
}

// bashLine returns a line of a script in which the model runs a command.
func bashLine(t *testing.T, input map[string]any) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"delay_ms": 0,
		"tool_calls": []any{map[string]any{"id": "t1", "name": "bash", "input": input}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// one runs a session in which the model runs one command and nobody can be asked. It returns the
// result of the call, what decided about it, and the exit code.
func (p place) one(command string, args ...string) (text, by string, code int) {
	p.t.Helper()
	return p.call(map[string]any{"command": command}, args...)
}

func (p place) call(input map[string]any, args ...string) (text, by string, code int) {
	p.t.Helper()
	script := p.script(bashLine(p.t, input), hi)
	got := p.run("", append([]string{"-p", "go", "--output", "stream-json", "--script", script}, args...)...)
	for line := range strings.Lines(got.stdout) {
		var r struct{ Type, Text, By string }
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			p.t.Fatalf("%v: %q", err, line)
		}
		switch r.Type {
		case "approval":
			by = r.By
		case "tool_result":
			text = r.Text
		}
	}
	if text == "" {
		p.t.Fatalf("no result: %+v", got)
	}
	return text, by, got.code
}

func TestAConfinedCommandRunsUnaskedAndReachesTheWorkspaceOnly(t *testing.T) {
	p := confinedPlace(t)
	outside := t.TempDir()
	p.write(filepath.Join(p.home, ".ssh", "id"), "the key\n")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := l.Addr().(*net.TCPAddr).Port
	command := fmt.Sprintf(`x=in; echo $x > inside; (echo out > %[1]s/f) && echo WROTE; (cat ~/.ssh/id) && echo READ
		(exec 3<>/dev/tcp/127.0.0.1/%[2]d) && echo CONNECTED; (ls -A ~/.config/agentshell ~/.local/state/agentshell)
		(mkdir -p .git/hooks && touch .git/hooks/pre-commit) && echo HOOKED; eval 'exit 7'`, outside, port)
	for _, mode := range []string{"ask", "edits", "trusted"} {
		text, by, code := p.one(command, "--mode", mode)
		if by != "sandbox" || code != 0 || !strings.Contains(text, "[exit 7]\n[this may be because") {
			t.Errorf("mode %s: by %q, code %d:\n%s", mode, by, code, text)
		}
		for _, bad := range []string{"WROTE", "READ", "the key", "CONNECTED", "config.toml", "sessions", "HOOKED"} {
			if strings.Contains(text, bad) {
				t.Errorf("mode %s: %s\n%s", mode, bad, text)
			}
		}
	}
	if got, want := p.tree(), "/inside ---------- \"in\\n\"\n"; got != want {
		t.Errorf("the workspace: %s", got)
	}
	if _, err := os.Lstat(filepath.Join(outside, "f")); err == nil {
		t.Error("it wrote outside")
	}
	if _, err := os.Lstat(filepath.Join(p.work, ".git")); err == nil {
		t.Error("something is left in the workspace")
	}
}

// A confined command reaches the hosts of the config, and a new one only if a person says so.
func TestAConfinedCommandReachesTheHostsOfTheConfigOnly(t *testing.T) {
	p := confinedPlace(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "well, "+r.Host)
	}))
	defer server.Close()
	host := server.Listener.Addr().String()
	get := `exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://%[1]s/ HTTP/1.0\r\nHost: %[1]s\r\n\r\n' >&3
		tail -n 1 <&3`
	p.config("sandbox = \"auto\"\nnetwork_private = [\"" + host + "\"]\n")
	if text, by, code := p.one(fmt.Sprintf(get, host)); text != "well, "+host+"\n" || by != "sandbox" || code != 0 {
		t.Errorf("a host of the config: by %q, code %d: %q", by, code, text)
	}
	if text, _, _ := p.one(fmt.Sprintf(get, "other.example")); !strings.Contains(text, "is not among the hosts that") ||
		!strings.Contains(text, `[the sandbox refused the network: "other.example:80". A call with network [`) {
		t.Errorf("another host: %q", text)
	}
	wants := map[string]any{"command": "true", "network": []string{"other.example:80"}, "reason": "it looks"}
	if text, _, code := p.call(wants, "--mode", "trusted"); code != 4 || strings.Contains(text, "exit 0") {
		t.Errorf("a new host without a person: code %d: %q", code, text)
	}
	p.config("sandbox = \"auto\"\nnetwork = [\"https://x\"]\n")
	if got := p.run("", "-p", "hi"); got.code != 2 || !strings.Contains(got.stderr,
		`network takes host:port, for example "proxy.golang.org:443": "https://x" has no port from 1 to 65535`) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNeverSilentIsAskedAlsoOfAConfinedCommand(t *testing.T) {
	p := confinedPlace(t)
	for _, c := range []struct {
		input map[string]any
		args  []string
		by    string
	}{
		{map[string]any{"command": "git push"}, nil, "sandbox"},
		{map[string]any{"command": "rm -rf ."}, nil, "sandbox"},
		{map[string]any{"command": "true"}, []string{"--ask", "bash(true)"}, "rule"},
		{map[string]any{"command": "true"}, []string{"--deny", "bash(true)"}, "rule"},
		{map[string]any{"command": "true"}, []string{"--mode", "plan", "--deny", "bash(true)"}, "rule"},
		{map[string]any{"command": "touch x"}, []string{"--mode", "plan"}, "mode"},
		{map[string]any{"command": "true", "unconfined": true, "reason": "it needs the network"},
			[]string{"--mode", "trusted", "--allow", "bash"}, "flag"},
	} {
		args := c.args
		if len(args) == 0 || args[0] != "--mode" {
			args = append(args, "--mode", "trusted")
		}
		text, by, code := p.call(c.input, args...)
		if by != c.by || code != 4 {
			t.Errorf("%v %q: by %q, code %d: %s", c.input, args, by, code, text)
		}
	}
}

func TestWhereNothingIsConfinedNothingRunsUnasked(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, config := range []string{"", "sandbox = \"off\"\n"} {
		p.config(config)
		for command, want := range map[string]string{"eval x": "flag", "echo x; touch y": "no_terminal"} {
			if text, by, code := p.one(command); by != want || code != 4 {
				t.Errorf("config %q, %s: by %q, code %d: %s", config, command, by, code, text)
			}
		}
	}
	// A home directory is too wide for a sandbox.
	p.config("sandbox = \"auto\"\n")
	p.work = p.home
	script := p.script(bashLine(t, map[string]any{"command": "touch x"}), hi)
	got := p.run("", "-p", "go", "--script", script)
	if got.code != 4 || !strings.Contains(got.stderr, "commands are not confined, so you are asked about them: ") {
		t.Errorf("%+v", got)
	}
}

func TestInModeUnconfinedEverythingRuns(t *testing.T) {
	p := confinedPlace(t)
	outside := filepath.Join(t.TempDir(), "f")
	text, by, code := p.one("f="+outside+"; eval 'echo x > $f'; rm -rf gone", "--mode", "unconfined")
	if _, err := os.Lstat(outside); err != nil || by != "mode" || code != 0 {
		t.Errorf("by %q, code %d, %v: %s", by, code, err, text)
	}
	if text, by, code := p.one("true", "--mode", "unconfined", "--deny", "bash(true)"); by != "rule" || code != 4 {
		t.Errorf("by %q, code %d: %s", by, code, text)
	}
	p.config("mode = \"unconfined\"\n")
	if got := p.run("", "-p", "go", "--script", p.script(hi)); got.code != 2 ||
		!strings.Contains(got.stderr, "mode unconfined is chosen with --mode unconfined only") {
		t.Errorf("%+v", got)
	}
}

func TestTheDoctorSaysWhatConfines(t *testing.T) {
	p := confinedPlace(t)
	for config, want := range map[string]string{
		"sandbox = \"auto\"\n": "confined by ", "": "not confined\n      /sandbox on ",
	} {
		p.config(config)
		got := p.run("", "doctor")
		if !strings.Contains(got.stdout, "\nsandbox\n  commands of the model      "+want) ||
			!strings.Contains(got.stdout, "  seccomp  ") {
			t.Errorf("config %q:\n%s", config, got.stdout)
		}
	}
	bare := p
	bare.env = append([]string{}, p.env...)
	for i, v := range bare.env {
		if strings.HasPrefix(v, "PATH=") {
			bare.env[i] = "PATH=" + t.TempDir() // neither bubblewrap nor true
		}
	}
	for _, config := range []string{"", "sandbox = \"auto\"\n"} { // why it is not offered, or does not work
		p.config(config)
		if got := bare.run("", "doctor"); !strings.Contains(got.stdout, "not confined: direct: ") ||
			!strings.Contains(got.stdout, "; bubblewrap: not installed\n") ||
			!strings.Contains(got.stdout, "Install the package bubblewrap") {
			t.Errorf("config %q: %+v", config, got)
		}
	}
	script := p.script(bashLine(t, map[string]any{"command": "touch x"}), hi)
	if got := bare.run("", "-p", "go", "--mode", "ask", "--script", script); got.code != 4 ||
		!strings.Contains(got.stderr, "commands are not confined, so you are asked about them: direct: ") {
		t.Errorf("%+v", got)
	}
}

// -p without a sandbox says in its first line which commands are denied, as far as the mode denies
// any.
func TestPrintSaysWhatIsDeniedWithoutASandbox(t *testing.T) {
	p := newPlace(t)
	for mode, want := range map[string]string{
		"ask":        "agentshell: no sandbox: commands that do more than read are denied.",
		"edits":      "agentshell: no sandbox: commands that do more than read are denied.",
		"trusted":    "agentshell: no sandbox: commands that delete folders, discard changes",
		"plan":       "",
		"unconfined": "",
	} {
		got := p.run("", "-p", "go", "--script", p.script(hi), "--mode", mode)
		if !strings.HasPrefix(got.stderr, want) || want == "" && strings.Contains(got.stderr, "sandbox") ||
			got.code != 0 {
			t.Errorf("mode %s: %+v", mode, got)
		}
	}
	for mode, said := range map[string]bool{"ask": true, "trusted": true, "unconfined": true, "plan": false} {
		got := p.run("", "-p", "go", "--script", p.script(hi), "--mode", mode, "--deny", "read_file(.env)")
		if said != strings.HasPrefix(got.stderr, "agentshell: no sandbox, and the rule read_file(.env) keeps files "+
			"from being read: all commands are denied. ") {
			t.Errorf("mode %s with a rule: %+v", mode, got)
		}
	}
	confined := confinedPlace(t)
	if got := confined.run("", "-p", "go", "--script", p.script(hi)); got.stderr != "" {
		t.Errorf("with a sandbox: %+v", got)
	}
}
