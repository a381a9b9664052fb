//go:build unix

package document

import (
	"io/fs"
	"syscall"
)

// hardLinkCount returns the number of hard links of a file.
func hardLinkCount(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
