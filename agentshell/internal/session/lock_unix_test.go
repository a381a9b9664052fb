//go:build unix

package session

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A child process that is just starting has a copy of each descriptor until it runs its program.
func TestACopyOfTheDescriptorDoesNotKeepAClosedLogLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	open := func() *os.File {
		t.Helper()
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err == nil {
			err = lock(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	file := open()
	copied, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(copied)
	if err := closeLocked(file); err != nil {
		t.Fatal(err)
	}
	if err := closeLocked(open()); err != nil {
		t.Error(err)
	}
}
