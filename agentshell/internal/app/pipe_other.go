//go:build !unix

package app

import (
	"io"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

func newPipe(w io.Writer, _ *child.Family) io.Writer { return w }
