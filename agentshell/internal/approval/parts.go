package approval

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// parts takes a command line apart into what allow rules have to cover: its commands, seen through
// loops, conditions, assignments and programs that run another, and the files that it writes. The
// first thing that cannot be known ends it.
type parts struct {
	commands []SimpleCommand
	writes   []string // files of the workspace that redirections write, from its top
	enters   []string // directories of the workspace that the line changes to
	why      string   // what cannot be known, or ""
	depth    int
	once     map[string]holding // what variables hold that are set once in the line, by a loop
	holds    map[string]holding // those of them whose loop is being read
	loops    int
}

// holding is what is known of a variable.
type holding uint8

const (
	holdsAny   holding = iota
	holdsWord          // it begins like a name; blanks may follow
	holdsPlain         // beside that there is no blank and no pattern in it
)

func (p *parts) unknown(why string) {
	if p.why == "" {
		p.why = why
	}
}

func (p *parts) list(stmts []*syntax.Stmt, in []string) dirs {
	d := dirs{in, in}
	for _, s := range stmts {
		d = p.stmt(s, d.any)
	}
	return d
}

func (p *parts) stmt(s *syntax.Stmt, in []string) dirs {
	if s.Background || s.Coprocess || s.Disown {
		p.unknown("it runs in the background")
	}
	for _, r := range s.Redirs {
		p.redirect(r, in)
	}
	var d dirs
	switch c := s.Cmd.(type) {
	case nil:
		d = dirs{in, in}
		if len(s.Redirs) == 0 {
			p.unknown("it has no command")
		}
	case *syntax.CallExpr:
		d = p.call(c, in)
	case *syntax.BinaryCmd:
		d = p.binary(c, in)
	case *syntax.Subshell:
		p.list(c.Stmts, in)
		d = dirs{in, in}
	case *syntax.Block:
		d = p.list(c.Stmts, in)
	case *syntax.TimeClause:
		d = dirs{in, in}
		if c.Stmt != nil {
			d = p.stmt(c.Stmt, in)
		}
	case *syntax.IfClause:
		out := in
		for ; c != nil; c = c.Else {
			cond := p.list(c.Cond, in)
			out = union(out, p.list(c.Then, union(cond.well, cond.any)).any)
			in = union(in, cond.any)
		}
		out = union(out, in)
		d = dirs{out, out}
	case *syntax.WhileClause:
		p.loop(in, func() []string { return p.list(c.Do, p.list(c.Cond, in).any).any })
		d = dirs{in, in}
	case *syntax.ForClause:
		p.each(c, in)
		d = dirs{in, in}
	case *syntax.FuncDecl:
		p.unknown("it defines a function")
	default:
		p.unknown("it has a condition or a declaration of a kind that is not looked into")
	}
	if s.Negated {
		d.well = d.any
	}
	if len(d.any) > mostDirs {
		p.unknown("it changes the directory too often")
		return dirs{in, in}
	}
	return d
}

// loop reads a body that may run again: it must not change the directory.
func (p *parts) loop(in []string, body func() []string) {
	if p.loops++; p.loops > 200 {
		p.unknown("it has too many loops")
		return
	}
	if len(union(in, body())) > len(in) {
		p.unknown("it changes the directory in a loop")
	}
}

func (p *parts) each(c *syntax.ForClause, in []string) {
	w, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select || !w.InPos.IsValid() || w.Name == nil {
		p.unknown("it has a loop of a kind that is not looked into")
		return
	}
	if name := w.Name.Value; !local(name) {
		p.unknown("its loop sets " + name + ", which programs may run or load")
	}
	for _, item := range w.Items {
		p.word(item)
	}
	// Before the loop the variable may be empty, so that what stands behind it begins the word.
	p.holds[w.Name.Value] = p.once[w.Name.Value]
	p.loop(in, func() []string { return p.list(c.Do, in).any })
	delete(p.holds, w.Name.Value)
}

func (p *parts) binary(c *syntax.BinaryCmd, in []string) dirs {
	switch c.Op {
	case syntax.AndStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.well)
		return dirs{y.well, union(x.any, y.any)}
	case syntax.OrStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.any)
		return dirs{union(x.well, y.well), union(x.any, y.any)}
	}
	if _, timed := c.Y.Cmd.(*syntax.TimeClause); timed {
		p.unknown("it has time in a pipe, where that is a program") // to bash, not to the parser
	}
	p.stmt(c.X, in) // a pipe: each side has a shell of its own
	p.stmt(c.Y, in)
	return dirs{in, in}
}

func (p *parts) call(n *syntax.CallExpr, in []string) dirs {
	var c SimpleCommand
	for _, w := range n.Args {
		c = append(c, p.word(w))
	}
	reads := len(c) > 0 && c[0].Literal && c[0].Text == "read"
	for _, a := range n.Assigns {
		if reads && a.Name != nil && a.Name.Value == "IFS" && !a.Append && a.Index == nil && a.Array == nil {
			if a.Value == nil {
				continue // IFS= read
			}
			if _, ok := literal(a.Value); ok {
				continue
			}
		}
		p.assign(a, len(n.Args) == 0)
	}
	if len(c) == 0 {
		return dirs{in, in}
	}
	if reads {
		p.read(c)
		return dirs{in, in}
	}
	if c[0].Literal && c[0].Text == "cd" {
		return p.cd(c, in)
	}
	p.command(c, in, 0)
	return dirs{in, in}
}

// read returns the builtin with -r and names of variables.
func (p *parts) read(c SimpleCommand) {
	for i, w := range c[1:] {
		if !w.Literal || !(i == 0 && w.Text == "-r") && !local(w.Text) {
			p.unknown("read takes a word that is not a plain name of a variable")
			return
		}
	}
}

// assign returns one that a command gets, or one that stands alone and is not passed on.
func (p *parts) assign(a *syntax.Assign, alone bool) {
	if a.Naked || a.Name == nil || a.Append || a.Index != nil || a.Array != nil {
		p.unknown("it sets a variable in a way that is not looked into")
		return
	}
	name := a.Name.Value
	if a.Value == nil {
		p.unknown("it gives " + name + " no value")
		return
	}
	text, ok := literal(a.Value)
	if !ok || !settable(name, text) && !(alone && local(name) && plainValue(text)) {
		p.unknown("it sets " + name + " to what programs may run or load")
	}
}

// command adds a simple command, or the one that it runs.
func (p *parts) command(c SimpleCommand, in []string, depth int) {
	switch {
	case p.why != "":
		return
	case depth > 6 || len(p.commands) > 2000:
		p.unknown("it nests commands too deeply")
		return
	case !c[0].Literal:
		p.unknown("the name of a command is computed")
		return
	case c[0].Text == "" || c[0].Text[0] == '-':
		p.unknown("the name of a command looks like an option")
		return
	}
	if script, ok := shellScript(c); ok {
		inner := parts{depth: p.depth + 1}
		inner.text(script, in)
		p.commands = append(p.commands, inner.commands...)
		p.writes, p.enters = union(p.writes, inner.writes), union(p.enters, inner.enters)
		if inner.why != "" {
			p.unknown(inner.why)
		}
		return
	}
	if rest, ok := unwrap(c); ok {
		p.command(rest, in, depth+1)
		return
	}
	if search, run, ok := findExec(c); ok {
		p.command(search, in, depth+1)
		p.command(run, in, depth+1)
		return
	}
	if name := c[0].Text; strings.Contains(name, "/") && name[0] != '/' && !slices.Equal(in, []string{"."}) {
		if len(in) != 1 {
			p.unknown("it is not known in which directory " + name + " runs")
			return
		}
		// A rule names a program from the top of the workspace.
		c = slices.Clone(c)
		c[0].Text = "./" + path.Join(in[0], name)
	}
	if why := judge(c); why != "" {
		p.unknown(why)
		return
	}
	p.commands = append(p.commands, c)
}

// text reads a command line that runs in one of these directories.
func (p *parts) text(command string, in []string) {
	if p.depth > 4 {
		p.unknown("it nests shells too deeply")
		return
	}
	if why := misread(command); why != "" {
		p.unknown(why)
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(command), "")
	if err != nil {
		p.unknown("it cannot be parsed")
		return
	}
	p.file(file, in)
}

func (p *parts) file(file *syntax.File, in []string) {
	p.once, p.holds = held(file), map[string]holding{}
	p.list(file.Stmts, in)
	if len(p.commands) == 0 && len(p.writes) == 0 {
		p.unknown("it has no command")
	}
}

// misread says why the parser may read a text otherwise than bash does, or "".
func misread(command string) string {
	if strings.ContainsFunc(command, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7F }) {
		return "it has control characters" // the parser takes a carriage return for a blank, bash for a letter
	}
	if strings.Contains(command, "\\\n") || strings.HasSuffix(command, "\\") {
		return "it has a line continuation" // which they read differently after a comment and at the end
	}
	return ""
}
