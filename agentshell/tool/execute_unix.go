//go:build unix

package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const grace = 2 * time.Second // between the request to end and the kill

// execute runs a command line in a session of its own without a controlling terminal, with empty input and one pipe for its output
// (PANE-13). Its process group is killed when the command ends, when ctx ends (after a request and a grace), and in no case left running. A
// process that makes a session of its own is out of reach.
func execute(ctx context.Context, dir string, env []string, command string, out *output) (status string, err error) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		return "", errors.New("bash is not installed")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer r.Close()
	cmd := exec.Command(shell, "--noprofile", "--norc", "-c", command)
	cmd.Args[0] = "bash" // its own messages begin with it
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdout, cmd.Stderr = w, w // Stdin nil: the null device
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		w.Close()
		return "", fmt.Errorf("bash does not start: %w", err)
	}
	w.Close()
	group := cmd.Process.Pid
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(out, r)
		out.flush()
	}()
	ended := make(chan func() error, 1)
	go func() { ended <- await(cmd) }()
	var reap func() error
	select {
	case reap = <-ended:
	case <-ctx.Done():
		syscall.Kill(-group, syscall.SIGTERM)
		late := time.NewTimer(grace)
		select {
		case reap = <-ended:
		case <-late.C:
		}
		late.Stop()
	}
	syscall.Kill(-group, syscall.SIGKILL)
	if reap == nil {
		reap = <-ended
	}
	err = reap()
	// Whoever left the group may hold the pipe; what it prints is not waited for.
	drained := time.NewTimer(time.Second)
	defer drained.Stop()
	select {
	case <-read:
	case <-drained.C:
		r.Close()
		<-read
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "exit 0", nil
	case errors.As(err, &exit):
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			return "killed by signal " + ws.Signal().String(), nil
		}
		return fmt.Sprintf("exit %d", exit.ExitCode()), nil
	}
	return "", err
}
