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

const grace = 2 * time.Second // between the request to end and the kill

// execute runs a command line in a session of its own without a controlling terminal, with empty
// input and one pipe for its output (PANE-13). What it leaves in its process group is killed when
// it ends. When ctx ends, everything that it has started is: after a request and a grace, and on
// Linux also what has made a session of its own.
//
// With confine it runs in a sandbox, which ends with it.
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

func killedBy(s syscall.Signal) string { return "killed by signal " + s.String() }

// inCell says how a command ended in its cell; err is the end of what runs the cell.
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
