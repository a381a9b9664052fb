package ignore

import "slices"

// folder is what can name something in a directory or below it.
type folder struct {
	names []*rule  // about names, in their order
	paths []placed // about paths, in their order
	order int      // of the next rule
	fold  bool
}

// placed is a rule and how far the path from its file's directory has come in it.
type placed struct {
	*rule
	at pathProgress
}

// with adds the rules of a file.
func (f folder) with(text string) folder {
	if text == "" {
		return f
	}
	names, paths := parse(text, f.order, f.fold)
	f.order += len(names) + len(paths)
	f.names = append(slices.Clip(f.names), names...) // others share it
	f.paths = slices.Clip(f.paths)
	for _, r := range paths {
		f.paths = append(f.paths, placed{r, r.begin()})
	}
	return f
}

// ignores reports whether an entry is ignored by the last rule that matches it.
func (f folder) ignores(x *scratch, name string, dir bool) bool {
	var found *rule
	for _, r := range slices.Backward(f.names) {
		if (dir || !r.dirOnly) && r.matches(x, name) {
			found = r
			break
		}
	}
	for _, r := range slices.Backward(f.paths) {
		if found != nil && found.order > r.order {
			break
		}
		if !dir && r.dirOnly {
			continue
		}
		if at, ok := r.next(x, r.at, name); ok && r.ends(at) {
			found = r.rule
			break
		}
	}
	return found != nil && !found.negated
}

// entered returns the rules of f as they hold in its directory name, each with its progress after
// name and a slash. If no progress has changed, it returns the same list: a tree may be deep.
func (f folder) entered(x *scratch, name string) folder {
	var paths []placed
	same := true
	for i, r := range f.paths {
		at, ok := r.next(x, r.at, name)
		if ok {
			at, ok = r.next(x, at, "/")
		}
		if same && ok && at.text == r.at.text && at.state.same(r.at.state) {
			continue
		}
		if same {
			same, paths = false, slices.Clone(f.paths[:i])
		}
		if ok {
			at.state = slices.Clone(at.state)
			paths = append(paths, placed{r.rule, at})
		}
	}
	if !same {
		f.paths = paths
	}
	return f
}
