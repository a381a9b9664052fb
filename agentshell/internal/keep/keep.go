// Package keep removes the oldest files of a set, such as logs, when they are too old, too many or
// too large.
package keep

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Bounds limits which files are kept: the newest ones that are within all of the limits. A limit of
// 0 does not apply. The limits on bytes never remove the newest file.
type Bounds struct {
	// The maximum time since the last change.
	Age time.Duration
	// The maximum number of files.
	Files int
	Bytes int64 // The maximum size of all files together.
	Each  int64 // The maximum size of the files in one directory together.
}

// Trim removes the regular files that match pattern (as in [filepath.Glob]) and are beyond the
// bounds, counted from the newest file. It skips files that cannot be read or removed.
func Trim(pattern string, b Bounds, now time.Time) {
	type file struct {
		name     string
		modified time.Time
		size     int64
	}
	var all []file
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			all = append(all, file{name, info.ModTime(), info.Size()})
		}
	}
	slices.SortFunc(all, func(a, b file) int {
		return cmp.Or(b.modified.Compare(a.modified),
			cmp.Compare(a.name, b.name))
	})
	var total int64
	dirTotals := map[string]int64{}
	for i, f := range all {
		dir := filepath.Dir(f.name)
		first := dirTotals[dir] == 0
		total += f.size
		dirTotals[dir] += f.size
		switch {
		case b.Age > 0 && now.Sub(f.modified) > b.Age,
			b.Files > 0 && i >= b.Files,
			b.Bytes > 0 && i > 0 && total > b.Bytes,
			b.Each > 0 && !first && dirTotals[dir] > b.Each:
			os.Remove(f.name)
		}
	}
}
