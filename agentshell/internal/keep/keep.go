// Package keep removes the oldest of the files that are kept for some time only.
package keep

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Bounds say what stays: the newest files up to all of these; 0: no such bound. Of what is bounded
// by bytes the newest file always stays.
type Bounds struct {
	Age   time.Duration
	Files int
	Bytes int64 // of all
	Each  int64 // of those in one directory
}

// Trim removes those of the regular files pattern ([filepath.Glob]) that are beyond the bounds,
// counted from the one that was written last. What cannot be read or removed stays.
func Trim(pattern string, b Bounds, now time.Time) {
	type file struct {
		name string
		at   time.Time
		size int64
	}
	var all []file
	names, _ := filepath.Glob(pattern)
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
			all = append(all, file{name, info.ModTime(), info.Size()})
		}
	}
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.name, b.name)) })
	var sum int64
	each := map[string]int64{}
	for i, f := range all {
		dir := filepath.Dir(f.name)
		first := each[dir] == 0
		sum += f.size
		each[dir] += f.size
		switch {
		case b.Age > 0 && now.Sub(f.at) > b.Age,
			b.Files > 0 && i >= b.Files,
			b.Bytes > 0 && i > 0 && sum > b.Bytes,
			b.Each > 0 && !first && each[dir] > b.Each:
			os.Remove(f.name)
		}
	}
}
