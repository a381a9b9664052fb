package workspace

import (
	"golang.org/x/sys/unix"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// foldFlag is FS_CASEFOLD_FL, which ext4, f2fs and tmpfs set on single directories.
const foldFlag = 0x40000000

// hasFoldFlag reports whether a directory has the flag for ignoring case.
func hasFoldFlag(dir string) bool {
	f, err := regular.OpenDir(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	return err == nil && flags&foldFlag != 0
}
