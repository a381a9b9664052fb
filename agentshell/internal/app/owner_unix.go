//go:build unix

package app

import (
	"io/fs"
	"syscall"
)

// fileOwner returns the user who owns a file, and the number of the file's names (hard links). ok
// is false if the system does not tell.
func fileOwner(info fs.FileInfo) (uid int, links uint64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(st.Uid), uint64(st.Nlink), true
}
