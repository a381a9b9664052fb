package ptyexec

import (
	"context"
	"errors"
	"os/exec"

	"github.com/scrollkeep/scrollkeep/tui"
)

// runOnTerminal returns errors.ErrUnsupported: Windows is not supported yet.
func runOnTerminal(context.Context, *tui.App, *exec.Cmd, int, int) error {
	return errors.ErrUnsupported
}

// leadGroup does nothing: Windows has no process groups.
func leadGroup(*exec.Cmd) {}

// endGroup kills cmd, but not the processes that cmd has started.
func endGroup(cmd *exec.Cmd, _ endMode) { _ = cmd.Process.Kill() }
