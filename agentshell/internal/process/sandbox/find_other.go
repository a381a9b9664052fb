//go:build !linux && !darwin

package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Find reports that commands cannot be confined on this system.
func Find(context.Context, *child.Family, string, string) Report {
	return Report{Reason: "there is no sandbox on " + runtime.GOOS}
}

// Survey returns the same report as Find.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return Find(ctx, family, tempDir, "")
}

// Stage does nothing on this system.
func Stage([]string) {}

type (
	// cellEnd is empty on this system.
	cellEnd struct{}
	// spareStages is empty on this system.
	spareStages struct{}
)

// KeepSpare does nothing on this system.
func (b *Box) KeepSpare() {}

// Cell returns an error, because commands cannot be confined on this system.
func (b *Box) Cell(Policy, *exec.Cmd, []string) (*Cell, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// Begin returns an error, because commands cannot be confined on this system.
func (c *Cell) Begin() (*child.Process, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// End does nothing and returns false on this system.
func (c *Cell) End() (Ending, bool) { return Ending{}, false }

// Tidy does nothing, because on this system no placeholders are created in a workspace.
func Tidy(Policy, []string) {}
