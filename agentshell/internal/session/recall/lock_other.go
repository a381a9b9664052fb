//go:build !unix

package recall

import "os"

func openFile(path string, flag int) (*os.File, error) { return os.OpenFile(path, flag, 0o600) }

func lock(string) (unlock func(), err error) { return func() {}, nil }
