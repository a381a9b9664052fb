//go:build unix

package briefing

import (
	"io/fs"
	"os"
	"syscall"
)

// belongsToPerson reports whether a file belongs to the user or to root.
func belongsToPerson(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(s.Uid) == os.Geteuid() || s.Uid == 0)
}
