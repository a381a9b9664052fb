package app

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestOtherProcessesCannotReadOurMemory(t *testing.T) {
	before, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Prctl(unix.PR_SET_DUMPABLE, uintptr(before), 0, 0, 0)
	hideMemory()
	if got, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || got != 0 {
		t.Errorf("dumpable is %d, %v", got, err)
	}
}
