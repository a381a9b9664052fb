//go:build !linux && !darwin

package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
)

// Runner runs a program to its end.
type Runner = func(context.Context, *exec.Cmd) error

// Find says that this system has no sandbox that we know of.
func Find(context.Context, Runner, string, string) Report {
	return Report{Why: "there is no sandbox on " + runtime.GOOS}
}

// Stage does nothing here.
func Stage([]string) {}

type cellEnd struct{}

// Cell is an error here.
func (b *Box) Cell(Policy, *exec.Cmd, []string) (*Cell, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// Started does nothing here.
func (c *Cell) Started() {}

// End does nothing here.
func (c *Cell) End() (Ending, bool) { return Ending{}, false }
