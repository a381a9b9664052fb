package sandbox

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// kind says what an op puts in its place.
type kind uint8

const (
	dir     kind = iota // an empty directory
	scratch             // an empty directory in memory that can be written
	shut                // one that cannot be
	link                // a symbolic link
	read                // what is there outside, not to be written
	write               // what is there outside
	device              // a device of the system
)

// String is for tests.
func (k kind) String() string {
	return [...]string{"dir", "scratch", "shut", "link", "read", "write", "device"}[k]
}

// op is one step in making the file system of a cell. What is there outside has the same path
// inside.
type op struct {
	Kind kind   `json:"k"`
	Path string `json:"p"`
	To   string `json:"t,omitempty"` // of a link
}

func (o op) String() string {
	return strings.TrimRight(fmt.Sprintf("%s %s %s", o.Kind, o.Path, o.To), " ")
}

// arrange puts ops in an order in which each directory comes before what is in it. Of two with one
// path the later counts. What changes nothing goes.
func arrange(ops []op) []op {
	last := map[string]int{}
	for i, o := range ops {
		last[o.Path] = i
	}
	var kept []op
	for i, o := range ops {
		if last[o.Path] == i {
			kept = append(kept, o)
		}
	}
	slices.SortStableFunc(kept, func(a, b op) int {
		return slices.CompareFunc(strings.Split(a.Path, "/"), strings.Split(b.Path, "/"), cmp.Compare[string])
	})
	return kept
}

// over returns the op in which a path lies, or the one that is there itself: the nearest one.
func over(ops []op, path string) (found op, ok bool) {
	for _, o := range ops {
		if len(o.Path) >= len(found.Path) && within(path, o.Path) {
			found, ok = o, true
		}
	}
	return found, ok
}
