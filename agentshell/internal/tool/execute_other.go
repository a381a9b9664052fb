//go:build !unix

package tool

import (
	"context"
	"errors"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// execute returns an error: on this system commands cannot run.
func execute(context.Context, *child.Family, string, []string, string, *output, cellMaker) (ending, error) {
	return ending{}, errors.New("commands do not run on this system")
}
