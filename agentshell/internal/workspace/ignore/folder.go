package ignore

import "slices"

// folder holds the rules that can match entries of one directory and of those in it.
type folder struct {
	names []*rule  // names holds the rules about names, in their order.
	paths []placed // paths holds the rules about paths, in their order.
	order int      // order is the number of the next rule.
	fold  bool
}

// placed is a rule about paths, with its progress in matching the directory's path.
type placed struct {
	*rule
	at pathProgress
}

// with returns f with the rules in the text of a .gitignore file added.
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

// ignores reports whether an entry is ignored. The last rule that matches it decides.
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

// entered returns the rules for the directory name in f: their progress includes name and a slash.
// If no progress has changed, it returns the same list, which saves memory in deep trees.
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
