package workspace

import "path"

// Path is a file or directory in a root, with all links resolved. Only a resolver makes one. It is
// a value and can be compared.
type Path struct {
	root, rel string
	isDefault bool // it is in the default root
}

// Root returns the root's name.
func (p Path) Root() string { return p.root }

// Rel returns the slash path below the root, "." for the root itself.
func (p Path) Rel() string { return p.rel }

// String returns the path as it is shown to a person: the root's name, a slash and the path below
// it.
func (p Path) String() string {
	if p.rel == "." {
		return p.root
	}
	return p.root + "/" + p.rel
}

// Match returns the path that rules are matched with: relative to the root in the default root, and
// as String returns it in another one.
func (p Path) Match() string {
	if p.isDefault {
		return p.rel
	}
	return p.String()
}

// Base returns the last component of the path.
func (p Path) Base() string { return path.Base(p.rel) }

func (p Path) dir() string { return path.Dir(p.rel) }

// Join returns the path of the entry name in the directory p. The name is a single component, and
// no link.
func (p Path) Join(name string) Path {
	p.rel = path.Join(p.rel, name)
	return p
}

// Dir returns the directory that holds p, the root for the root itself.
func (p Path) Dir() Path {
	p.rel = p.dir()
	return p
}

// Top returns the path of the root that p is in.
func (p Path) Top() Path {
	p.rel = "."
	return p
}
