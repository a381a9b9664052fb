//go:build unix

package tool

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
)

// grace is the time between the signal that asks a command to end and the one that kills it.
const grace = 2 * time.Second

// execute runs a shell command line in a session of its own, without a controlling terminal, with
// empty input and one pipe for all output (PANE-13). When the command ends, processes that remain
// in its process group are killed. When ctx ends, all processes that it has started are asked to
// end, and killed after a grace period; on Linux also those in sessions of their own.
//
// If confine is not nil, the command runs in a sandbox, which ends with it.
func execute(ctx context.Context, family *child.Family, dir string, env []string, command string, out *output,
	confine cellMaker) (end ending, err error) {
	shell, err := family.Programs.Path("bash")
	if errors.Is(err, exec.ErrNotFound) {
		return end, errors.New("bash is not installed")
	} else if err != nil {
		return end, err
	}
	cmd := exec.Command(shell, "--noprofile", "--norc", "-c", command)
	cmd.Args[0] = "bash" // its own messages begin with it
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = out, out // Stdin nil: the null device
	var cell *sandbox.Cell
	if confine != nil {
		if cell, err = confine(cmd); err != nil {
			return end, err
		}
		defer cell.End()
	}
	start := func() (*child.Process, error) { return family.StartShell(cmd) }
	if cell != nil {
		start = cell.Begin
	}
	p, err := start()
	if err != nil {
		return end, fmt.Errorf("bash does not start: %w", err)
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		p.End(grace)
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case <-p.Done(): // its output is read
		case <-late.C:
			return end, errors.New("the command cannot be ended: the system holds it")
		}
	}
	out.flush()
	err = p.Err()
	if cell != nil && ctx.Err() == nil {
		return inCell(cell, err)
	}
	end.left = p.Survivors()
	var exit *exec.ExitError
	switch {
	case err == nil:
		end.status = exitDone
		return end, nil
	case errors.As(err, &exit):
		end.status = fmt.Sprintf("exit %d", exit.ExitCode())
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			end.status = killedBy(ws.Signal())
		}
		return end, nil
	}
	return end, err
}

// killedBy returns the status text of a command that a signal has ended.
func killedBy(s syscall.Signal) string { return "killed by signal " + s.String() }

// inCell returns how a command in a sandbox has ended. err is the error of the process that runs
// the sandbox.
func inCell(cell *sandbox.Cell, err error) (ending, error) {
	end, ok := cell.End()
	switch {
	case !ok && err == nil:
		return ending{}, errors.New("the sandbox ended without a word")
	case !ok:
		return ending{status: "the sandbox ended early: " + err.Error()}, nil // its output says why
	case end.Error != "":
		return ending{}, errors.New("the command could not be confined: " + end.Error)
	case end.Signal != 0:
		return ending{status: killedBy(syscall.Signal(end.Signal)), left: end.Left}, nil
	}
	return ending{status: fmt.Sprintf("exit %d", end.Exit), left: end.Left}, nil
}
