package workspace

import "strings"

// maxKnown is how many bytes of paths are remembered.
const maxKnown = 256 << 10

// known are the paths that were resolved, the newest behind: what the model and the person deal
// with.
type known struct {
	paths map[string]bool
	order []string
	size  int // bytes of all
}

// add remembers a path; where they are too many the oldest are forgotten.
func (k *known) add(p Path) {
	path := p.String()
	if p.rel == "." || k.paths[path] {
		return
	}
	if k.paths == nil {
		k.paths = map[string]bool{}
	}
	k.paths[path] = true
	k.order = append(k.order, path)
	for k.size += len(path); k.size > maxKnown; k.order = k.order[1:] {
		k.size -= len(k.order[0])
		delete(k.paths, k.order[0])
	}
}

// trail is an entry on the way to known paths, or at the end of one; nil is one on no such way.
type trail struct {
	below map[string]*trail
}

// trails returns the known paths of a root as a tree.
func (k *known) trails(root string) *trail {
	top := &trail{}
	for _, path := range k.order {
		of, rel, _ := strings.Cut(path, "/")
		if of != root {
			continue
		}
		at := top
		for name := range strings.SplitSeq(rel, "/") {
			next := at.below[name]
			if next == nil {
				next = &trail{}
				if at.below == nil {
					at.below = map[string]*trail{}
				}
				at.below[name] = next
			}
			at = next
		}
	}
	return top
}

// next returns the trail of the entry name.
func (t *trail) next(name []byte) *trail {
	if t == nil {
		return nil
	}
	return t.below[string(name)]
}
