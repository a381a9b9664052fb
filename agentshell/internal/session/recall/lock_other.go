//go:build !unix

package recall

import (
	"os"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

func openFile(path string, flag int) (*os.File, error) { return regular.OpenFile(path, flag, 0o600) }

func lock(string) (unlock func(), err error) { return func() {}, nil }
