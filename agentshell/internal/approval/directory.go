package approval

import (
	"path"
	"slices"
)

// mostDirs is in how many directories a command may run, as far as can be told.
const mostDirs = 8

// dirs are the directories in which the next command may run: after all went well, and after
// whatever happened.
type dirs struct{ well, any []string }

func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, d := range b {
		if !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all
}

// cd goes to a directory below. It is a part of its own: what a rule allows here, it need not allow
// there.
func (p *parts) cd(c SimpleCommand, in []string) dirs {
	if len(c) != 2 || !c[1].Literal || !inner(c[1].Text) || c[1].Text[0] == '-' || hiddenPath(c[1].Text) {
		p.unknown("it changes to a directory that is not plainly in the workspace")
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
