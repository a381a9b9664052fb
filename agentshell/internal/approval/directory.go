package approval

import (
	"path"
	"slices"
)

// maxDirs is the number of directories in which a command may run; with more the line counts as
// opaque.
const maxDirs = 8

// dirs are the directories in which the next command may run: if all went well, and in any case.
type dirs struct{ onSuccess, always []string }

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, d := range b {
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// changeDir reads a cd to a directory below. The cd is a part of its own, because a rule may allow
// something here and not there.
func (p *partsReader) changeDir(c SimpleCommand, in []string) dirs {
	if len(c) != 2 || !c[1].Literal || !isInside(c[1].Text) || c[1].Text[0] == '-' || hiddenPath(c[1].Text) {
		p.giveUp("it changes to a directory that is not plainly in the workspace")
		return dirs{in, in}
	}
	p.commands = append(p.commands, c)
	var to []string
	for _, d := range in {
		at := path.Join(d, c[1].Text)
		to = union(to, []string{at})
		p.enters = union(p.enters, []string{at})
	}
	return dirs{to, union(in, to)}
}
