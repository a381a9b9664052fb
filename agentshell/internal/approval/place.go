package approval

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// place is a command that a line may run, and the directories in which it may.
type place struct {
	words SimpleCommand
	in    where
	// passed: another program runs it or reads it, so that a name without a slash may be a file
	// here.
	passed bool
}

// where are the directories in which a part of a line may run, as the line names them from the top
// of the workspace. unknown: there may be others.
type where struct {
	dirs    []string
	unknown bool
}

func (w where) or(other where) where {
	w.dirs, w.unknown = union(w.dirs, other.dirs), w.unknown || other.unknown
	if len(w.dirs) > mostDirs {
		w.dirs, w.unknown = w.dirs[:mostDirs], true
	}
	return w
}

// to returns where a change of the directory leads.
func (w where) to(dir Word) where {
	if !dir.Literal || dir.Text == "" || strings.IndexByte("-+", dir.Text[0]) >= 0 {
		return where{w.dirs, true}
	}
	next := where{unknown: w.unknown && !path.IsAbs(dir.Text)}
	for _, d := range w.dirs {
		next = next.or(where{dirs: []string{path.Clean(reached(d, dir.Text))}}) // as bash has it
	}
	return next
}

// reached returns a name as it is reached from dir. A link may stand before a .., so that it stays.
func reached(dir, name string) string {
	if path.IsAbs(name) || dir == "." {
		return name
	}
	return dir + "/" + name
}

// after is where the next command runs: if all went well, and whatever happened.
type after struct{ well, any where }

// placing finds the places of the commands of a line.
type placing struct {
	found []place
	depth int
}

// places returns the commands that a line may run, as deny and ask rules look at it, each with the
// directories in which it may run.
func places(command string) []place {
	p := placing{}
	p.text(command, where{dirs: []string{"."}})
	return p.found
}

// text reads a command line, and returns where the shell that runs it is then.
func (p *placing) text(command string, in where) where {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil || p.depth > 4 || misread(command) != "" {
		for _, c := range loose(command) {
			p.derive(c, where{in.dirs, true}, true)
		}
		return where{in.dirs, true}
	}
	in.unknown = in.unknown || setsPath(file)
	p.depth++
	defer func() { p.depth-- }()
	return p.list(file.Stmts, in).any
}

// setsPath reports whether a line changes where programs and directories are looked for.
func setsPath(file *syntax.File) (found bool) {
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

func (p *placing) list(stmts []*syntax.Stmt, in where) after {
	a := after{in, in}
	for _, s := range stmts {
		a = p.stmt(s, a.any)
	}
	return a
}

func (p *placing) stmt(s *syntax.Stmt, in where) (out after) {
	for _, r := range s.Redirs {
		p.within(r, in)
		for _, w := range []*syntax.Word{r.Hdoc, r.Word} { // what a shell may be fed with
			if text, ok := literal(w); ok && (w == r.Hdoc || r.Op == syntax.WordHdoc) {
				p.text(text, in)
			}
		}
	}
	out = after{in, in}
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
	default: // in which order its parts run is not looked into
		_, function := c.(*syntax.FuncDecl)
		if function || moves(c) {
			in.unknown = true
		}
		p.within(c, in)
		out = after{in, in}
	}
	if s.Background || s.Coprocess {
		return after{in, in}
	}
	if s.Negated {
		out.well = out.any
	}
	return out
}

func (p *placing) binary(c *syntax.BinaryCmd, in where) after {
	switch c.Op {
	case syntax.AndStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.well)
		return after{y.well, x.any.or(y.any)}
	case syntax.OrStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.any)
		return after{x.well.or(y.well), x.any.or(y.any)}
	}
	p.stmt(c.X, in)
	p.stmt(c.Y, in)
	return after{in, in}
}

// within adds the commands below a node, which may run in these directories.
func (p *placing) within(n syntax.Node, in where) {
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

// changers are the builtins after which the shell may be elsewhere.
var changers = []string{"cd", "pushd", "popd", "eval", "source", "."}

// moves reports whether a command below a node may change the directory.
func moves(n syntax.Node) (found bool) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok {
			for _, w := range call.Args {
				text, ok := literal(w)
				found = found || !ok || slices.Contains(changers, text)
			}
		}
		return !found
	})
	return found
}

// call adds a command and what it runs, and returns where the shell is then.
func (p *placing) call(n *syntax.CallExpr, in where) after {
	for _, a := range n.Assigns {
		p.within(a, in)
	}
	var c SimpleCommand
	for _, w := range n.Args {
		for _, part := range w.Parts {
			p.within(part, in)
		}
		text, ok := literal(w)
		c = append(c, Word{Text: text, Literal: ok})
	}
	if len(c) == 0 {
		return after{in, in}
	}
	if slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }) {
		if g := guess(n.Args); len(g) > 0 {
			p.derive(g, where{in.dirs, true}, false)
		}
	}
	p.derive(c, in, false)
	for len(c) > 1 && c[0].Literal && (c[0].Text == "builtin" || c[0].Text == "command") {
		c = c[1:]
	}
	return p.change(c, in)
}

// change returns where a command leaves its shell.
func (p *placing) change(c SimpleCommand, in where) after {
	name := c[0].Text
	switch {
	case !c[0].Literal || !slices.Contains(changers, name):
		return after{in, in}
	case name == "eval" && !slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }):
		out := p.text(texts(c[1:]), in)
		return after{out, out}
	case name == "cd" || name == "pushd":
		for len(c) > 2 && c[1].Literal && slices.Contains([]string{"-L", "-e", "--"}, c[1].Text) {
			c = c[1:]
		}
		if len(c) == 2 {
			to := in.to(c[1])
			return after{to, in.or(to)}
		}
	}
	lost := where{in.dirs, true}
	return after{lost, lost}
}

// derive adds a command, and what it runs.
func (p *placing) derive(c SimpleCommand, in where, passed bool) {
	if len(p.found) > most {
		return
	}
	p.found = append(p.found, place{c, in, passed})
	for _, script := range scripts(c) {
		p.text(script, in)
	}
	r := reach{}
	r.command(c, c[0].Literal && feeds(c[0].Text), 0)
	if moved := placed(c, in); system(c[0], "env") && len(moved.dirs) == 1 && !moved.unknown {
		in = moved // there it runs, and nowhere else
	} else {
		in = in.or(moved)
	}
	for _, f := range r.found[1:] {
		p.found = append(p.found, place{f, in, true})
		if name := strings.TrimLeft(f[0].Text, marks); name != f[0].Text {
			f = slices.Clone(f)
			f[0].Text = name
			p.found = append(p.found, place{f, in, true})
		}
	}
}

// movers are options by which a program runs another one elsewhere.
var movers = []string{"-C", "-D", "--chdir", "--directory", "--working-directory", "--wd", "--cwd", "--workdir"}

// placed returns where a program may run another one, as its options say. Of a text that changes
// the directory by itself nothing is known.
func placed(c SimpleCommand, in where) where {
	all := where{}
	for i, w := range c[1:] {
		next := Word{}
		if i+2 < len(c) {
			next = c[i+2]
		}
		name, value, joined := strings.Cut(w.Text, "=")
		switch {
		case !w.Literal:
		case slices.Contains(movers, name) && joined:
			all = all.or(in.to(Word{Text: value, Literal: true}))
		case slices.Contains(movers, name):
			all = all.or(in.to(next))
		case len(w.Text) > 2 && slices.Contains(movers, w.Text[:2]):
			all = all.or(in.to(Word{Text: w.Text[2:], Literal: true}))
		case w.Text == "-execdir", w.Text == "-okdir":
			all.unknown = true
		default:
			all.unknown = all.unknown || strings.ContainsAny(w.Text, " \t\n;") &&
				slices.ContainsFunc(strings.FieldsFunc(w.Text, func(r rune) bool {
					return strings.ContainsRune(" \t\n;&|()", r)
				}), func(word string) bool { return slices.Contains(changers, word) })
		}
	}
	return all
}
