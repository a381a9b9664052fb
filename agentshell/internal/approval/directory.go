package approval

import (
	"path"
	"slices"
	"strings"
)

// maxDirs is the number of directories in which a command may run; a line with more is opaque.
const maxDirs = 8

// dirs holds the directories in which the next command may run: after a success, and after any
// result.
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

// changeDir reads a cd to a directory of the workspace. It adds a cd to a subdirectory as a part
// that rules have to cover, because a rule may allow a command here and not there. A cd above the
// top of the workspace does no harm until something runs there.
func (p *partsReader) changeDir(c SimpleCommand, in []string) dirs {
	target, ok := cdTarget(c)
	if !ok {
		p.giveUp("it changes to a directory that is not plainly in the workspace")
		return dirs{in, in}
	}
	var to []string
	for _, d := range in {
		at, ok := p.place.join(d, target)
		if !ok || !isAbove(at) && hiddenPath(at) {
			p.giveUp("it changes to a directory that is not plainly in the workspace")
			return dirs{in, in}
		}
		to = union(to, []string{at})
		if at == "." || isAbove(at) {
			continue
		}
		p.enters = union(p.enters, []string{at})
		if isInside(target) { // as it is spelled
			p.addCd(c, in)
			continue
		}
		p.addCd(SimpleCommand{c[0], {Text: at, Literal: true}}, in)
	}
	return dirs{to, union(in, to)}
}

// addCd adds a cd to the parts, unless it is there already.
func (p *partsReader) addCd(c SimpleCommand, in []string) {
	if !slices.ContainsFunc(p.commands, func(old Part) bool {
		return slices.Equal(old.Words, c) && slices.Equal(old.Dirs, in)
	}) {
		p.commands = append(p.commands, Part{Words: c, Dirs: in})
	}
}

// cdTarget returns the directory in the words of a cd. ok is false for unknown spellings. Symbolic
// links are not considered here.
func cdTarget(c SimpleCommand) (target string, ok bool) {
	words := c[1:]
	physical := false
	for len(words) > 1 && words[0].Literal && slices.Contains([]string{"--", "-L", "-P"}, words[0].Text) {
		physical = physical || words[0].Text == "-P"
		words = words[1:]
	}
	if len(words) != 1 || !words[0].Literal || words[0].Text == "" || words[0].Text[0] == '-' {
		return "", false
	}
	target = words[0].Text
	above := slices.Contains(strings.Split(target, "/"), "..")
	return target, !(above && physical) &&
		!strings.ContainsFunc(target, func(r rune) bool { return r < ' ' || r == 0x7F })
}

// join returns where target leads from dir, a directory of the workspace. Both dir and the result
// are relative to the top of the workspace. ok is false if target is absolute and outside of the
// workspace.
func (at Location) join(dir, target string) (to string, ok bool) {
	if !path.IsAbs(target) {
		return path.Join(dir, target), true
	}
	if at.Top == "" || at.Top == "/" {
		return "", false
	}
	target = path.Clean(target)
	if target == at.Top {
		return ".", true
	}
	return strings.CutPrefix(target, at.Top+"/")
}

// isCd reports whether a command is a cd with a literal name.
func isCd(c SimpleCommand) bool { return c[0].Literal && c[0].Text == "cd" }

// isAbove reports whether a path relative to the top of the workspace leads out of the workspace.
func isAbove(dir string) bool { return dir == ".." || strings.HasPrefix(dir, "../") }
