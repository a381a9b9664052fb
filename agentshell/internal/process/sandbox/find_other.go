//go:build !linux && !darwin

package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Find says that this system has no sandbox that we know of.
func Find(context.Context, *child.Family, string, string) Report {
	return Report{Why: "there is no sandbox on " + runtime.GOOS}
}

// Survey is Find: there is one way.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return Find(ctx, family, tempDir, "")
}

// Stage does nothing here.
func Stage([]string) {}

type (
	cellEnd struct{}
	spares  struct{}
)

// KeepSpare does nothing here.
func (b *Box) KeepSpare() {}

// Cell is an error here.
func (b *Box) Cell(Policy, *exec.Cmd, []string) (*Cell, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// Begin is an error here.
func (c *Cell) Begin() (*child.Process, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// End does nothing here.
func (c *Cell) End() (Ending, bool) { return Ending{}, false }

// Tidy does nothing: nothing is put into a workspace here.
func Tidy(Policy, []string) {}
