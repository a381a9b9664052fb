package approval

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// placement is a command that a line may run, with the directories in which it may run.
type placement struct {
	words SimpleCommand
	dirs  dirSet
	// passed is true if another program runs the command. Then a name without a slash may be that
	// of a file in the directory.
	passed bool
}

// dirSet is a set of directories in which a part of a line may run, relative to the top of the
// workspace. If unknown is true, there may be others.
type dirSet struct {
	dirs    []string
	unknown bool
}

func (d dirSet) union(other dirSet) dirSet {
	d.dirs, d.unknown = union(d.dirs, other.dirs), d.unknown || other.unknown
	if len(d.dirs) > maxDirs {
		d.dirs, d.unknown = d.dirs[:maxDirs], true
	}
	return d
}

// changeTo returns the directories after a cd to dir.
func (d dirSet) changeTo(dir Word) dirSet {
	if !dir.Literal || dir.Text == "" || strings.IndexByte("-+", dir.Text[0]) >= 0 {
		return dirSet{d.dirs, true}
	}
	next := dirSet{unknown: d.unknown && !path.IsAbs(dir.Text)}
	for _, d := range d.dirs {
		next = next.union(dirSet{dirs: []string{path.Clean(joinDir(d, dir.Text))}}) // as bash has it
	}
	return next
}

// joinDir returns the path of name relative to dir. It does not clean the path, because a ".." may
// follow a symbolic link.
func joinDir(dir, name string) string {
	if path.IsAbs(name) || dir == "." {
		return name
	}
	return dir + "/" + name
}

// nextDirs holds the directories in which the next command may run: after a success, and after any
// result.
type nextDirs struct{ onSuccess, always dirSet }

// placer finds the commands that a line may run, and the directories in which they may run.
type placer struct {
	found []placement
	depth int
}

// findPlacements returns all commands that a line may run, for deny and ask rules, with the
// directories in which they may run.
func findPlacements(command string) []placement {
	p := placer{}
	p.text(command, dirSet{dirs: []string{"."}})
	return p.found
}

// text reads a command line that runs in one of the directories in. It returns the directories of
// the shell afterwards.
func (p *placer) text(command string, in dirSet) dirSet {
	file, why := parseLine(command)
	if why != "" || p.depth > 4 || whyMisread(command) != "" {
		for _, c := range looseCommands(command) {
			p.addCommand(c, dirSet{in.dirs, true}, true)
		}
		return dirSet{in.dirs, true}
	}
	in.unknown = in.unknown || changesSearchPath(file)
	p.depth++
	defer func() { p.depth-- }()
	return p.list(file.Stmts, in).always
}

// changesSearchPath reports whether a line sets PATH or CDPATH.
func changesSearchPath(file *syntax.File) (found bool) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			found = found || n.Name != nil && slices.Contains([]string{"PATH", "CDPATH"}, n.Name.Value)
		case *syntax.Word:
			text, _ := literal(n)
			found = found || strings.HasPrefix(text, "PATH=")
		}
		return !found
	})
	return found
}

func (p *placer) list(stmts []*syntax.Stmt, in dirSet) nextDirs {
	a := nextDirs{in, in}
	for _, s := range stmts {
		a = p.stmt(s, a.always)
	}
	return a
}

func (p *placer) stmt(s *syntax.Stmt, in dirSet) (out nextDirs) {
	for _, r := range s.Redirs {
		p.addBelow(r, in)
		for _, w := range []*syntax.Word{r.Hdoc, r.Word} { // input that a shell may run
			if text, ok := literal(w); ok && (w == r.Hdoc || r.Op == syntax.WordHdoc) {
				p.text(text, in)
			}
		}
	}
	out = nextDirs{in, in}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		out = p.call(c, in)
	case *syntax.BinaryCmd:
		out = p.binary(c, in)
	case *syntax.Subshell:
		p.list(c.Stmts, in)
	case *syntax.Block:
		out = p.list(c.Stmts, in)
	default: // the order in which its parts run is not known
		_, function := c.(*syntax.FuncDecl)
		if function || changesDir(c) {
			in.unknown = true
		}
		p.addBelow(c, in)
		out = nextDirs{in, in}
	}
	if s.Background || s.Coprocess {
		return nextDirs{in, in}
	}
	if s.Negated {
		out.onSuccess = out.always
	}
	return out
}

func (p *placer) binary(c *syntax.BinaryCmd, in dirSet) nextDirs {
	switch c.Op {
	case syntax.AndStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.onSuccess)
		return nextDirs{y.onSuccess, x.always.union(y.always)}
	case syntax.OrStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.always)
		return nextDirs{x.onSuccess.union(y.onSuccess), x.always.union(y.always)}
	}
	p.stmt(c.X, in)
	p.stmt(c.Y, in)
	return nextDirs{in, in}
}

// addBelow adds the commands within a node of the syntax tree, which may run in the directories in.
func (p *placer) addBelow(n syntax.Node, in dirSet) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			p.list(n.Stmts, in)
			return false
		case *syntax.ProcSubst:
			p.list(n.Stmts, in)
			return false
		case *syntax.CallExpr:
			p.call(n, in)
			return false
		}
		return true
	})
}

// dirChangers lists the shell builtins that may change the directory.
var dirChangers = []string{"cd", "pushd", "popd", "eval", "source", "."}

// changesDir reports whether a command within a node of the syntax tree may change the directory.
func changesDir(n syntax.Node) (found bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			for _, w := range call.Args {
				text, ok := literal(w)
				found = found || !ok || slices.Contains(dirChangers, text)
			}
		}
		return !found
	})
	return found
}

// call adds a command and the commands that it may run. It returns the directories of the shell
// afterwards.
func (p *placer) call(n *syntax.CallExpr, in dirSet) nextDirs {
	for _, a := range n.Assigns {
		p.addBelow(a, in)
	}
	var c SimpleCommand
	for _, w := range n.Args {
		for _, part := range w.Parts {
			p.addBelow(part, in)
		}
		text, ok := literal(w)
		c = append(c, Word{Text: text, Literal: ok})
	}
	if len(c) == 0 {
		return nextDirs{in, in}
	}
	if slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }) {
		if g := guessWords(n.Args); len(g) > 0 {
			p.addCommand(g, dirSet{in.dirs, true}, false)
		}
	}
	p.addCommand(c, in, false)
	for len(c) > 1 && c[0].Literal && (c[0].Text == "builtin" || c[0].Text == "command") {
		c = c[1:]
	}
	return p.change(c, in)
}

// change returns the directories in which the shell may be after a command that ran in one of the
// directories in.
func (p *placer) change(c SimpleCommand, in dirSet) nextDirs {
	name := c[0].Text
	switch {
	case !c[0].Literal || !slices.Contains(dirChangers, name):
		return nextDirs{in, in}
	case name == "eval" && !slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }):
		out := p.text(joinWords(c[1:]), in)
		return nextDirs{out, out}
	case name == "cd" || name == "pushd":
		for len(c) > 2 && c[1].Literal && slices.Contains([]string{"-L", "-e", "--"}, c[1].Text) {
			c = c[1:]
		}
		if len(c) == 2 {
			to := in.changeTo(c[1])
			return nextDirs{to, in.union(to)}
		}
	}
	lost := dirSet{in.dirs, true}
	return nextDirs{lost, lost}
}

// addCommand adds a command and the commands that it may run. passed says that another program runs
// it.
func (p *placer) addCommand(c SimpleCommand, in dirSet, passed bool) {
	if len(p.found) > maxCommands {
		return
	}
	p.found = append(p.found, placement{c, in, passed})
	for _, script := range shellScripts(c) {
		p.text(script, in)
	}
	r := reachWalk{}
	r.command(c, c[0].Literal && runsItsInput(c[0].Text), 0)
	if moved := optionDirs(c, in); isSystemProgram(c[0], "env") && len(moved.dirs) == 1 && !moved.unknown {
		in = moved // env runs it there and nowhere else
	} else {
		in = in.union(moved)
	}
	for _, f := range r.found[1:] {
		p.found = append(p.found, placement{f, in, true})
		if name := strings.TrimLeft(f[0].Text, commandMarks); name != f[0].Text {
			f = slices.Clone(f)
			f[0].Text = name
			p.found = append(p.found, placement{f, in, true})
		}
	}
}

// dirOptions lists options with which programs run another program in another directory.
var dirOptions = []string{"-C", "-D", "--chdir", "--directory", "--working-directory", "--wd", "--cwd", "--workdir"}

// optionDirs returns the directories in which a command may run another program because of its
// options. The set is unknown if a word is a script that changes the directory.
func optionDirs(c SimpleCommand, in dirSet) dirSet {
	all := dirSet{}
	for i, w := range c[1:] {
		next := Word{}
		if i+2 < len(c) {
			next = c[i+2]
		}
		name, value, joined := strings.Cut(w.Text, "=")
		switch {
		case !w.Literal:
		case slices.Contains(dirOptions, name) && joined:
			all = all.union(in.changeTo(Word{Text: value, Literal: true}))
		case slices.Contains(dirOptions, name):
			all = all.union(in.changeTo(next))
		case len(w.Text) > 2 && slices.Contains(dirOptions, w.Text[:2]):
			all = all.union(in.changeTo(Word{Text: w.Text[2:], Literal: true}))
		case w.Text == "-execdir", w.Text == "-okdir":
			all.unknown = true
		default:
			all.unknown = all.unknown || strings.ContainsAny(w.Text, " \t\n;") &&
				slices.ContainsFunc(strings.FieldsFunc(w.Text, func(r rune) bool {
					return strings.ContainsRune(" \t\n;&|()", r)
				}), func(word string) bool { return slices.Contains(dirChangers, word) })
		}
	}
	return all
}
