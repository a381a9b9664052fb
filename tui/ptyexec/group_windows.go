package ptyexec

import (
	"context"
	"errors"
	"os/exec"

	"github.com/scrollkeep/scrollkeep/tui"
)

// onTerminal is not possible yet.
func onTerminal(context.Context, *tui.App, *exec.Cmd, int, int) error { return errors.ErrUnsupported }

// apart does nothing: there are no process groups.
func apart(*exec.Cmd) {}

// end ends cmd; what it has started is left alone.
func end(cmd *exec.Cmd, _ how) { _ = cmd.Process.Kill() }
