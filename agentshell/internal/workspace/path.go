package workspace

import "path"

// Path is a file or directory inside a root, with all links resolved. Only a resolver makes one; it
// is a value and may be compared.
type Path struct {
	root, rel string
	def       bool // in the default root
}

// Root returns the root's name.
func (p Path) Root() string { return p.root }

// Rel returns the slash path below the root, "." for the root itself.
func (p Path) Rel() string { return p.rel }

// String returns the path as it is shown, `<root>/rest`.
func (p Path) String() string {
	if p.rel == "." {
		return p.root
	}
	return p.root + "/" + p.rel
}

// Match returns the path as rules see it: root-relative in the default root, `<root>/rest` in
// another one.
func (p Path) Match() string {
	if p.def {
		return p.rel
	}
	return p.String()
}

// Base returns the last component.
func (p Path) Base() string { return path.Base(p.rel) }

func (p Path) dir() string { return path.Dir(p.rel) }

// Join returns the path of the entry name of the directory p. The name is a single component of an
// existing entry that is not a link.
func (p Path) Join(name string) Path {
	p.rel = path.Join(p.rel, name)
	return p
}

// Top returns the root that p is in.
func (p Path) Top() Path {
	p.rel = "."
	return p
}
