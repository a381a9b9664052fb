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
	confine cellMaker) (status string, err error) {
	shell, err := family.Programs.Path("bash")
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("bash is not installed")
	} else if err != nil {
		return "", err
	}
	cmd := exec.Command(shell, "--noprofile", "--norc", "-c", command)
	cmd.Args[0] = "bash" // its own messages begin with it
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = out, out // Stdin nil: the null device
	var cell *sandbox.Cell
	if confine != nil {
		if cell, err = confine(cmd); err != nil {
			return "", err
		}
		defer cell.End()
	}
	start := func() (*child.Process, error) { return family.Start(cmd) }
	if cell != nil {
		start = cell.Begin
	}
	p, err := start()
	if err != nil {
		return "", fmt.Errorf("bash does not start: %w", err)
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
			return "", errors.New("the command cannot be ended: the system holds it")
		}
	}
	out.flush()
	err = p.Err()
	if cell != nil && ctx.Err() == nil {
		return inCell(cell, err)
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return exitDone, nil
	case errors.As(err, &exit):
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			return "killed by signal " + ws.Signal().String(), nil
		}
		return fmt.Sprintf("exit %d", exit.ExitCode()), nil
	}
	return "", err
}

// inCell says how a command ended in its cell; err is the end of what runs the cell.
func inCell(cell *sandbox.Cell, err error) (status string, _ error) {
	end, ok := cell.End()
	switch {
	case !ok && err == nil:
		return "", errors.New("the sandbox ended without a word")
	case !ok:
		return "the sandbox ended early: " + err.Error(), nil // its output says why
	case end.Error != "":
		return "", errors.New("the command could not be confined: " + end.Error)
	case end.Signal != 0:
		return "killed by signal " + syscall.Signal(end.Signal).String(), nil
	}
	return fmt.Sprintf("exit %d", end.Exit), nil
}
