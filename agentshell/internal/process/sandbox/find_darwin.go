package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// sandboxExec is the program of macOS that runs a command under a sandbox profile.
const sandboxExec = "/usr/bin/sandbox-exec"

// Find reports whether this machine can confine commands, by a trial with sandbox-exec. way may be
// "" or [Seatbelt]. The Family starts the trial.
func Find(ctx context.Context, family *child.Family, _, way string) Report {
	f := Fact{Name: Seatbelt, Value: "works"}
	if way != "" && way != Seatbelt {
		return Report{Reason: "there is no " + way + " on this system"}
	}
	trial := exec.Command(sandboxExec, "-p", "(version 1)(allow default)", "/usr/bin/true")
	if err := family.Run(ctx, trial); err != nil {
		f.Value = err.Error()
		f.Advice = "A sandbox cannot be made within another one: start the shell outside of it."
		return Report{Reason: "sandbox-exec: " + err.Error(), Facts: []Fact{f}}
	}
	return Report{Box: &Box{way: Seatbelt, program: sandboxExec, family: family}, Facts: []Fact{f}}
}

// Survey returns the same report as Find, because macOS has only one way to confine commands.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return Find(ctx, family, tempDir, "")
}

// Stage does nothing, because sandbox-exec needs no process between the shell and the command.
func Stage([]string) {}

// spareStages is empty on this system.
type spareStages struct{}

// KeepSpare does nothing, because no process can be started ahead on this system.
func (b *Box) KeepSpare() {}

// cellEnd holds what the shell needs of a sandbox until the sandbox ends.
type cellEnd struct {
	family *child.Family
	cmd    *exec.Cmd
	dir    string
}

// Cell prepares a sandbox for the command cmd, whose Path, Args, Env, Dir and streams are used.
// more lists further paths of the workspace that the command cannot change. After an error there is
// nothing to clean up.
func (b *Box) Cell(p Policy, cmd *exec.Cmd, more []string) (*Cell, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	guards, err := workspaceGuards(p, more)
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	var closed []string
	for _, g := range guards {
		if !g.writable {
			closed = append(closed, g.path)
		}
	}
	dir, err := os.MkdirTemp("", "scrollkeep-tmp-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("no sandbox: %w", err)
	}
	p.Writable = append(p.Writable[:len(p.Writable):len(p.Writable)], dir)
	in := exec.Command(b.program, append([]string{"-p", seatbeltProfile(p, closed), cmd.Path}, cmd.Args[1:]...)...)
	in.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "TMPDIR="+dir)
	in.Dir, in.WaitDelay = cmd.Dir, cmd.WaitDelay
	in.Stdin, in.Stdout, in.Stderr = cmd.Stdin, cmd.Stdout, cmd.Stderr
	return &Cell{end: cellEnd{b.family, in, dir}}, nil
}

// Begin starts the command in its sandbox. Call End when the command has ended, and also after an
// error.
func (c *Cell) Begin() (*child.Process, error) { return c.end.family.Start(c.end.cmd) }

// End removes the temporary directory of the command, and returns how the command ended. ok is
// false if it did not run.
func (c *Cell) End() (ending Ending, ok bool) {
	_ = os.RemoveAll(c.end.dir)
	state := c.end.cmd.ProcessState
	if state == nil {
		return ending, false
	}
	if ws, is := state.Sys().(syscall.WaitStatus); is && ws.Signaled() {
		return Ending{Exit: 128 + int(ws.Signal()), Signal: int(ws.Signal())}, true
	}
	return Ending{Exit: state.ExitCode()}, true
}

// Tidy does nothing, because on this system no placeholders are created in a workspace.
func Tidy(Policy, []string) {}
