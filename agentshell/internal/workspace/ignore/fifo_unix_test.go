//go:build unix

package ignore_test

import "syscall"

func makeFIFO(path string) error { return syscall.Mkfifo(path, 0o644) }
