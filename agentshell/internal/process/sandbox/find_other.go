//go:build !linux && !darwin

package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Find reports that there is no sandbox for this system.
func Find(context.Context, *child.Family, string, string) Report {
	return Report{Reason: "there is no sandbox on " + runtime.GOOS}
}

// Survey does what Find does.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return Find(ctx, family, tempDir, "")
}

// Stage does nothing here.
func Stage([]string) {}

type (
	// cellEnd is what a cell needs until its end.
	cellEnd struct{}
	// spareStages keeps an inner stage that was started ahead, so that the next command need not
	// wait for one. It is for the direct way only: mounts of bubblewrap could be replaced outside
	// meanwhile. Each stage serves one command. A nil *spareStages keeps none. It is safe for use
	// by several goroutines.
	spareStages struct{}
)

// KeepSpare does nothing here.
func (b *Box) KeepSpare() {}

// Cell returns an error: there is no sandbox here.
func (b *Box) Cell(Policy, *exec.Cmd, []string) (*Cell, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// Begin returns an error: there is no sandbox here.
func (c *Cell) Begin() (*child.Process, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// End does nothing here.
func (c *Cell) End() (Ending, bool) { return Ending{}, false }

// Tidy does nothing: no placeholder is put into a workspace here.
func Tidy(Policy, []string) {}
