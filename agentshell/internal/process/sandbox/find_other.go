//go:build !linux && !darwin

package sandbox

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// Find finds a way to confine commands by running the program true in a sandbox. way is the only
// one to try. With "" it tries all until one works, and makes namespaces directly first, because
// that is faster (see KeepSpare). family starts the programs.
func Find(context.Context, *child.Family, string, string) Report {
	return Report{Reason: "there is no sandbox on " + runtime.GOOS}
}

// Survey does what Find does, but tries all ways. It is for a person who wants to know them.
func Survey(ctx context.Context, family *child.Family, tempDir string) Report {
	return Find(ctx, family, tempDir, "")
}

// Stage is for the first line of main, with the arguments of the program. If this process is the
// inner stage of a cell, it does that work and does not return.
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

// KeepSpare starts the inner stage of the next command ahead, now and after the end of each
// command, where that is possible. The stages end with the family.
func (b *Box) KeepSpare() {}

// Cell prepares a command to run confined. The Path, Args, Env, Dir and streams of cmd are those of
// the command. more are further paths of the workspace that the command cannot change. After an
// error there is nothing to clean up.
func (b *Box) Cell(Policy, *exec.Cmd, []string) (*Cell, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// Begin starts the command. Call End when it has ended, and also after an error.
func (c *Cell) Begin() (*child.Process, error) {
	return nil, errors.New("there is no sandbox on " + runtime.GOOS)
}

// End returns how the command ended, and removes what was made for the cell. ok is false if the
// cell did not report it: it was killed from outside, or the sandbox could not be set up. Then what
// it printed says why.
func (c *Cell) End() (Ending, bool) { return Ending{}, false }

// Tidy removes the placeholders that a session left in the workspace when it was killed during a
// command. It needs no sandbox. more are the further paths that commands could not change.
func Tidy(Policy, []string) {}
