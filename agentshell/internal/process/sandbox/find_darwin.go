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

// sandboxExec is the program of the system that applies a profile.
const sandboxExec = "/usr/bin/sandbox-exec"

// Find finds out whether this machine can confine commands.
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

// Survey returns the same as Find: there is only one way to confine commands here.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return Find(ctx, family, tempDir, "")
}

// Stage does nothing here: sandbox-exec needs no inner stage.
func Stage([]string) {}

// spareStages is not needed here.
type spareStages struct{}

// KeepSpare does nothing here: there is no inner stage to start ahead.
func (b *Box) KeepSpare() {}

// cellEnd is what a cell needs until its end.
type cellEnd struct {
	family *child.Family
	cmd    *exec.Cmd
	dir    string
}

// Cell prepares a command to run confined. The Path, Args, Env, Dir and streams of cmd are those of
// the command. more are further paths of the workspace that the command cannot change. After an
// error there is nothing to clean up.
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

// Begin starts the command. Call End when it has ended, and also after an error.
func (c *Cell) Begin() (*child.Process, error) { return c.end.family.Start(c.end.cmd) }

// End returns how the command ended, and removes what was made for it. ok is false if it did not
// run.
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

// Tidy does nothing: no placeholder is put into a workspace here.
func Tidy(Policy, []string) {}
