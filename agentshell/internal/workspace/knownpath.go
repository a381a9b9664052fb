package workspace

import "strings"

// maxKnownBytes is the number of bytes of paths that are remembered.
const maxKnownBytes = 256 << 10

// knownPaths holds the paths that were resolved in this session, the newest last. These are the
// files with which the model and the user work.
type knownPaths struct {
	paths       map[string]bool
	oldestFirst []string
	totalBytes  int // totalBytes is the number of bytes of all paths.
}

// add remembers a path, and forgets the oldest ones beyond maxKnownBytes.
func (k *knownPaths) add(p Path) {
	path := p.String()
	if p.rel == "." || k.paths[path] {
		return
	}
	if k.paths == nil {
		k.paths = map[string]bool{}
	}
	k.paths[path] = true
	k.oldestFirst = append(k.oldestFirst, path)
	for k.totalBytes += len(path); k.totalBytes > maxKnownBytes; k.oldestFirst = k.oldestFirst[1:] {
		k.totalBytes -= len(k.oldestFirst[0])
		delete(k.paths, k.oldestFirst[0])
	}
}

// pathTree is a node in a tree of known paths: a file or a directory. A nil node leads to no known
// path.
type pathTree struct {
	children map[string]*pathTree
}

// tree returns the known paths of a root as a tree.
func (k *knownPaths) tree(root string) *pathTree {
	rootNode := &pathTree{}
	for _, path := range k.oldestFirst {
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

// child returns the node of the entry name, or nil.
func (t *pathTree) child(name []byte) *pathTree {
	if t == nil {
		return nil
	}
	return t.children[string(name)]
}
