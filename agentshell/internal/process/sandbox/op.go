package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kind says what a step of building the file system puts at its path.
type kind uint8

const (
	dir     kind = iota // an empty directory
	scratch             // an empty writable directory in memory
	sealed              // an empty directory in memory, read-only
	link                // a symbolic link
	read                // the same file or directory as outside, read-only
	write               // the same file or directory as outside, writable
	device              // a device of the system; To has its path
	closed              // an empty directory in memory that nobody can enter
)

// String returns the kind's name, for messages and tests.
func (k kind) String() string {
	return [...]string{"dir", "scratch", "shut", "link", "read", "write", "device", "closed"}[k]
}

// op describes one step in building the file system of a sandbox. A file or directory from outside
// gets the same path inside.
type op struct {
	Kind kind   `json:"k"`
	Path string `json:"p"`
	To   string `json:"t,omitempty"` // target of a link, or path of a device
}

func (o op) String() string {
	return strings.TrimRight(fmt.Sprintf("%s %s %s", o.Kind, o.Path, o.To), " ")
}

// orderOps returns ops sorted so that each directory comes before the paths in it. Of several steps
// with the same path, it returns only the last one.
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

// innermostOp returns the step whose path is path or the nearest directory above it. It returns
// false if there is none.
func innermostOp(ops []op, path string) (found op, ok bool) {
	for _, o := range ops {
		if len(o.Path) >= len(found.Path) && within(path, o.Path) {
			found, ok = o, true
		}
	}
	return found, ok
}
