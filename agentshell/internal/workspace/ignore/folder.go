package ignore

import "slices"

// folderRules holds the rules that can match entries of one directory and of those in it.
type folderRules struct {
	nameRules []*rule      // nameRules holds the rules about names, in their order.
	pathRules []placedRule // pathRules holds the rules about paths, in their order.
	nextOrder int          // nextOrder is the number of the next rule.
	foldsCase bool
}

// placedRule is a rule about paths, with its progress in matching the directory's path.
type placedRule struct {
	*rule
	progress pathProgress
}

// withFile returns f with the rules in the text of a .gitignore file added.
func (f folderRules) withFile(text string) folderRules {
	if text == "" {
		return f
	}
	names, paths := parsePatterns(text, f.nextOrder, f.foldsCase)
	f.nextOrder += len(names) + len(paths)
	f.nameRules = append(slices.Clip(f.nameRules), names...) // others share it
	f.pathRules = slices.Clip(f.pathRules)
	for _, r := range paths {
		f.pathRules = append(f.pathRules, placedRule{r, r.startProgress()})
	}
	return f
}

// isIgnored reports whether an entry is ignored. The last rule that matches it decides.
func (f folderRules) isIgnored(x *stateScratch, name string, dir bool) bool {
	var found *rule
	for _, r := range slices.Backward(f.nameRules) {
		if (dir || !r.dirOnly) && r.matches(x, name) {
			found = r
			break
		}
	}
	for _, r := range slices.Backward(f.pathRules) {
		if found != nil && found.order > r.order {
			break
		}
		if !dir && r.dirOnly {
			continue
		}
		if at, ok := r.advance(x, r.progress, name); ok && r.isMatch(at) {
			found = r.rule
			break
		}
	}
	return found != nil && !found.negated
}

// rulesInside returns the rules for the directory name in f: their progress includes name and a
// slash. If no progress has changed, it returns the same list, which saves memory in deep trees.
func (f folderRules) rulesInside(x *stateScratch, name string) folderRules {
	var paths []placedRule
	same := true
	for i, r := range f.pathRules {
		at, ok := r.advance(x, r.progress, name)
		if ok {
			at, ok = r.advance(x, at, "/")
		}
		if same && ok && at.text == r.progress.text && at.state.same(r.progress.state) {
			continue
		}
		if same {
			same, paths = false, slices.Clone(f.pathRules[:i])
		}
		if ok {
			at.state = slices.Clone(at.state)
			paths = append(paths, placedRule{r.rule, at})
		}
	}
	if !same {
		f.pathRules = paths
	}
	return f
}
