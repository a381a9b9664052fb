package tool

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// confined returns a bench whose commands run in a sandbox.
func confined(t *testing.T) *bench {
	t.Helper()
	need.Program(t, "bash")
	b := newBench(t, map[string]string{"f": "one\n"})
	b.env.Commands.Family = new(child.Family)
	r := sandbox.Find(t.Context(), b.env.Commands.Family, t.TempDir(), "")
	if r.Box == nil {
		need.Missing(t, "sandbox", r.Reason)
	}
	b.env.Confinement.Cell = func(cmd *exec.Cmd, reach Reach) (*sandbox.Cell, error) {
		return r.Box.Cell(sandbox.Policy{Workspace: b.env.Workspace.Dir(), Environ: cmd.Env, Proxy: reach.Out,
			Shared: reach.Shared}, cmd, nil)
	}
	b.env.Commands.Environ = []string{"PATH=" + os.Getenv("PATH"), "ANTHROPIC_API_KEY=k1", "MY_SECRET=k5", "OTHER=kept"}
	b.reg = Builtin(b.env)
	return b
}

// What holds for a command holds for a confined one.
func TestAConfinedCommandIsACommandLikeOthers(t *testing.T) {
	b := confined(t)
	for command, want := range map[string]string{
		"echo hello; echo error >&2": "hello\nerror\n",
		"true":                       "[no output, exit 0]\n",
		"echo x; exit 3":             "x\n[exit 3]\n",
		"kill -KILL $$":              "[killed by signal killed]\n",
		"wc -c":                      "0\n",
		"echo $ANTHROPIC_API_KEY$MY_SECRET$OTHER": "kept\n",
		"echo two > f":    "[no output, exit 0]\n[workspace files changed: workspace/f]\n",
		"touch /usr/x; :": "touch: cannot touch '/usr/x': Read-only file system\n",
		"touch /usr/x": "touch: cannot touch '/usr/x': Read-only file system\n[exit 1]\n" +
			guess("read-only file system"),
		"mv .vscode x": "mv: cannot move '.vscode' to 'x': Device or resource busy\n[exit 1]\n" +
			guess("read-only file system"),
	} {
		if r := b.run("bash", args{"command": command}); r.Text != want {
			t.Errorf("%s: %q, want %q", command, r.Text, want)
		}
	}
	if r := b.run("bash", args{"command": "sleep 60 & sleep 60", "timeout_s": 1}); r.Summary != "timed out after 1s" {
		t.Errorf("%+v", r)
	}
	if r := b.run("bash", args{"command": "head -c 3000000 /dev/zero | tr '\\0' x"}); len(r.Text) > 200_000 {
		t.Errorf("%d bytes of output", len(r.Text))
	}
}

func TestAStopEndsAConfinedCommandAndAllThatItStarted(t *testing.T) {
	b := confined(t)
	call := b.must("bash", args{"command": "(setsid sleep 61 &); echo up; sleep 61"})
	ctx, cancel := context.WithCancel(t.Context())
	at := time.Now()
	r, err := call.Run(ctx, func(text string) {
		if strings.Contains(text, "up") {
			cancel()
		}
	})
	if err == nil || r.Summary != "stopped" || time.Since(at) > 30*time.Second {
		t.Errorf("%v, %+v after %v", err, r, time.Since(at))
	}
	out, _ := exec.Command("pgrep", "-f", "^sleep 61").Output()
	if len(out) > 0 {
		t.Errorf("left: %s", out)
	}
}

func TestAPersonsOwnCommandIsNotConfined(t *testing.T) {
	b := confined(t)
	out := filepath.Join(t.TempDir(), "f")
	call := b.must("bash", args{"command": "echo x > " + out})
	if _, err := call.Run(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(out); err == nil {
		t.Error("the model's command wrote outside")
	}
	if _, err := call.Own(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(out); err != nil {
		t.Error(err)
	}
}

func TestWhatThePaneSaysOfTheReachOfACommand(t *testing.T) {
	b := confined(t)
	note := func(a args) (string, *approval.Proposal) {
		p := b.must("bash", a).Proposal
		return p.Payload.(approval.Command).Note, p
	}
	if got, p := note(args{"command": "true"}); got != "confined: workspace only, no network" || len(p.Flags) > 0 {
		t.Error(got, p.Flags)
	}
	got, p := note(args{"command": "true", "unconfined": true, "reason": "it fetches"})
	if got != "not confined: can change any file" || !p.Flagged(approval.FlagOutside) ||
		!strings.HasSuffix(p.Flags[0].Text, "The model's reason: it fetches") || p.Subject.Confined {
		t.Error(got, p.Flags)
	}
	if _, err := b.reg.Prepare(t.Context(), "bash", "c1", []byte(`{"command":"true","unconfined":true}`)); err == nil {
		t.Error("no reason is needed")
	}
}
