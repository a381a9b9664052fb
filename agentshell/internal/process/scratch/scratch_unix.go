//go:build unix

package scratch

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock locks a file, or returns an error if another process has it locked.
func tryLock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }

// isOwn reports whether a file belongs to the user who runs this process.
func isOwn(info fs.FileInfo) bool {
	s, is := info.Sys().(*syscall.Stat_t)
	return is && int(s.Uid) == os.Getuid()
}
