package workspace

import "path"

// Path is a file or directory in a root, with all links resolved. Only [Workspace.Resolve] and
// similar methods create one. It is a value and can be compared.
type Path struct {
	root, rel string
	isDefault bool // isDefault says that it is in the default root.
}

// Root returns the name of the root.
func (p Path) Root() string { return p.root }

// Rel returns the slash path relative to the root, "." for the root itself.
func (p Path) Rel() string { return p.rel }

// String returns the path for display: the name of the root, a slash, and the path relative to the
// root.
func (p Path) String() string {
	if p.rel == "." {
		return p.root
	}
	return p.root + "/" + p.rel
}

// Match returns the path for comparison with permission rules. In the default root it is relative
// to the root; otherwise it begins with the root's name.
func (p Path) Match() string {
	if p.isDefault {
		return p.rel
	}
	return p.String()
}

// Base returns the last component of the path.
func (p Path) Base() string { return path.Base(p.rel) }

func (p Path) dir() string { return path.Dir(p.rel) }

// Join returns the path of the entry name in the directory p. The name must have no slash, and must
// not be a link.
func (p Path) Join(name string) Path {
	p.rel = path.Join(p.rel, name)
	return p
}

// Dir returns the directory that contains p. It returns the root for the root itself.
func (p Path) Dir() Path {
	p.rel = p.dir()
	return p
}

// Top returns the path of the root of p.
func (p Path) Top() Path {
	p.rel = "."
	return p
}
