package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kind is what an op puts at its path.
type kind uint8

const (
	dir     kind = iota // an empty directory
	scratch             // an empty writable directory in memory
	sealed              // an empty directory in memory, read-only
	link                // a symbolic link
	read                // the file or directory outside, read-only
	write               // the file or directory outside
	device              // a device of the system
	closed              // an empty directory in memory that nobody can enter
)

// String returns the kind's name, for tests.
func (k kind) String() string {
	return [...]string{"dir", "scratch", "shut", "link", "read", "write", "device", "closed"}[k]
}

// op is one step in making the file system of a cell. A file or directory from outside has the same
// path inside.
type op struct {
	Kind kind   `json:"k"`
	Path string `json:"p"`
	To   string `json:"t,omitempty"` // target of a link
}

func (o op) String() string {
	return strings.TrimRight(fmt.Sprintf("%s %s %s", o.Kind, o.Path, o.To), " ")
}

// orderOps returns ops so that each directory comes before what is in it. Of several ops with one
// path it keeps the last.
func orderOps(ops []op) []op {
	last := map[string]int{}
	for i, o := range ops {
		last[o.Path] = i
	}
	var result []op
	for i, o := range ops {
		if last[o.Path] == i {
			result = append(result, o)
		}
	}
	slices.SortStableFunc(result, func(a, b op) int {
		return slices.CompareFunc(strings.Split(a.Path, "/"), strings.Split(b.Path, "/"), cmp.Compare[string])
	})
	return result
}

// innermostOp returns the op with the longest path that is path or lies above it.
func innermostOp(ops []op, path string) (found op, ok bool) {
	for _, o := range ops {
		if len(o.Path) >= len(found.Path) && within(path, o.Path) {
			found, ok = o, true
		}
	}
	return found, ok
}
