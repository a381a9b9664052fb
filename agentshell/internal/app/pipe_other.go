//go:build !unix

package app

import "os"

// pipe is the standard output or error of the process.
type pipe struct{ *os.File }

func newPipe(f *os.File, _ func()) pipe { return pipe{f} }

func (pipe) watch() {}

func (pipe) die() {}

// exitNoReader is the exit code if nobody reads the output any more.
const exitNoReader = 141
