package ptyexec

import (
	"context"
	"errors"
	"os/exec"

	"github.com/scrollkeep/scrollkeep/tui"
)

// runOnTerminal fails always: it is not possible yet.
func runOnTerminal(context.Context, *tui.App, *exec.Cmd, int, int) error {
	return errors.ErrUnsupported
}

// leadGroup does nothing: there are no process groups.
func leadGroup(*exec.Cmd) {}

// endGroup ends cmd; what it has started is left alone.
func endGroup(cmd *exec.Cmd, _ endMode) { _ = cmd.Process.Kill() }
