package workspace

import "strings"

// maxKnown is the maximum number of bytes of paths that are remembered.
const maxKnown = 256 << 10

// knownPaths are the paths that were resolved in this session, the newest last: the files that the
// model and the person work with.
type knownPaths struct {
	paths map[string]bool
	order []string
	size  int // of all paths, in bytes
}

// add remembers a path, and forgets the oldest ones if they are too many.
func (k *knownPaths) add(p Path) {
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

// pathTree is a directory or file on the way to known paths. nil stands for one that leads to no
// known path.
type pathTree struct {
	children map[string]*pathTree
}

// tree returns the known paths of a root as a tree.
func (k *knownPaths) tree(root string) *pathTree {
	rootNode := &pathTree{}
	for _, path := range k.order {
		pathRoot, rel, _ := strings.Cut(path, "/")
		if pathRoot != root {
			continue
		}
		node := rootNode
		for name := range strings.SplitSeq(rel, "/") {
			next := node.children[name]
			if next == nil {
				next = &pathTree{}
				if node.children == nil {
					node.children = map[string]*pathTree{}
				}
				node.children[name] = next
			}
			node = next
		}
	}
	return rootNode
}

// child returns the tree below the entry name.
func (t *pathTree) child(name []byte) *pathTree {
	if t == nil {
		return nil
	}
	return t.children[string(name)]
}
