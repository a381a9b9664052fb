package approval

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// partsReader reads a command line for allow rules: it collects the commands and the written files
// that rules have to cover. It looks into loops, conditions, assignments, and programs that run
// another one. It gives up at the first thing that it cannot know.
type partsReader struct {
	place        Location
	commands     []Part
	writes       []string         // files that redirections write, relative to the top of the workspace
	inputs       []string         // files of the workspace that redirections read
	enters       []string         // directories of the workspace that cd changes to
	reason       string           // why the reader gave up, or ""
	uncovered    string           // for the first command that no rule with a * covers: the reason; or ""
	patterns     []program.Choice // globs that loops iterate over
	depth        int
	fed          bool               // the current command has an input, see Part.Fed
	posix        bool               // the line runs in sh, which may not be bash
	assignedOnce map[string]holding // what is known about variables that one loop sets and nothing else in the line
	loopValues   map[string]holding // those variables of assignedOnce whose loop is being read
	loops        int

	at        []string                    // the directories in which the shell expands the current words
	items     map[string][]program.Choice // the possible values of the variables in loopValues, if they are known
	set       map[string]bool             // names of variables that the line may set
	variables []string                    // variables that the line takes from the environment
}

// holding says what the parser of a command line knows about the value of a variable.
type holding uint8

const (
	holdsAny   holding = iota
	holdsWord          // the value begins like a name, and may contain blanks
	holdsPlain         // the value begins like a name, and contains no blanks and no glob
)

func (p *partsReader) giveUp(why string) {
	if p.reason == "" {
		p.reason = why
	}
}

func (p *partsReader) list(stmts []*syntax.Stmt, in []string) dirs {
	d := dirs{in, in}
	for _, s := range stmts {
		d = p.stmt(s, d.always)
	}
	return d
}

func (p *partsReader) stmt(s *syntax.Stmt, in []string) dirs {
	if s.Background || s.Coprocess || s.Disown {
		p.giveUp("it runs in the background")
	}
	defer func(fed bool) { p.fed = fed }(p.fed)
	for _, r := range s.Redirs {
		p.redirect(r, in)
		p.fed = p.fed || feeds(r)
	}
	var d dirs
	switch c := s.Cmd.(type) {
	case nil:
		d = dirs{in, in}
		if len(s.Redirs) == 0 {
			p.giveUp("it has no command")
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
		if p.posix {
			p.giveUp("it has time in sh, where that may be a program")
		}
		if c.Stmt != nil {
			d = p.stmt(c.Stmt, in)
		}
	case *syntax.IfClause:
		out := in
		for ; c != nil; c = c.Else {
			cond := p.list(c.Cond, in)
			out = union(out, p.list(c.Then, union(cond.onSuccess, cond.always)).always)
			in = union(in, cond.always)
		}
		out = union(out, in)
		d = dirs{out, out}
	case *syntax.WhileClause:
		p.loop(in, func() []string { return p.list(c.Do, p.list(c.Cond, in).always).always })
		d = dirs{in, in}
	case *syntax.ForClause:
		p.forLoop(c, in)
		d = dirs{in, in}
	case *syntax.FuncDecl:
		p.giveUp("it defines a function")
	default:
		p.giveUp("it has a condition or a declaration of a kind that is not looked into")
	}
	if s.Negated {
		d.onSuccess = d.always
	}
	if len(d.always) > maxDirs {
		p.giveUp("it changes the directory too often")
		return dirs{in, in}
	}
	return d
}

// loop reads the body of a loop, which may run several times. It gives up if the body changes the
// directory.
func (p *partsReader) loop(in []string, body func() []string) {
	if p.loops++; p.loops > 200 {
		p.giveUp("it has too many loops")
		return
	}
	if len(union(in, body())) > len(in) {
		p.giveUp("it changes the directory in a loop")
	}
}

func (p *partsReader) forLoop(c *syntax.ForClause, in []string) {
	w, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select || !w.InPos.IsValid() || w.Name == nil {
		p.giveUp("it has a loop of a kind that is not looked into")
		return
	}
	if name := w.Name.Value; !isLoopName(name) {
		p.giveUp("its loop sets " + name + ", which programs may run or load")
	}
	p.at = in
	name := w.Name.Value
	items := p.loopItems(w.Items)
	// Before the loop the variable may be empty: then the text after it begins the word.
	p.loopValues[name] = p.assignedOnce[name]
	if _, once := p.assignedOnce[name]; once && items != nil {
		p.items[name] = items
	}
	p.loop(in, func() []string { return p.list(c.Do, in).always })
	delete(p.loopValues, name)
	delete(p.items, name)
}

func (p *partsReader) binary(c *syntax.BinaryCmd, in []string) dirs {
	switch c.Op {
	case syntax.AndStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.onSuccess)
		return dirs{y.onSuccess, union(x.always, y.always)}
	case syntax.OrStmt:
		x := p.stmt(c.X, in)
		y := p.stmt(c.Y, x.always)
		return dirs{union(x.onSuccess, y.onSuccess), union(x.always, y.always)}
	}
	if _, timed := c.Y.Cmd.(*syntax.TimeClause); timed {
		p.giveUp("it has time in a pipe, where that is a program") // for bash it is a program, but not for the parser
	}
	p.stmt(c.X, in) // a pipe: each side has a shell of its own
	defer func(fed bool) { p.fed = fed }(p.fed)
	p.fed = true
	p.stmt(c.Y, in)
	return dirs{in, in}
}

func (p *partsReader) call(n *syntax.CallExpr, in []string) dirs {
	var c SimpleCommand
	for _, w := range n.Args {
		p.at = in
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
		p.assignment(a, len(n.Args) == 0)
	}
	if len(c) == 0 {
		return dirs{in, in}
	}
	if reads {
		p.read(c)
		return dirs{in, in}
	}
	if isCd(c) {
		return p.changeDir(c, in)
	}
	p.command(c, in, 0)
	return dirs{in, in}
}

// read reads a call of the shell builtin read. It understands only the option -r and names of
// variables.
func (p *partsReader) read(c SimpleCommand) {
	for i, w := range c[1:] {
		if !w.Literal || !(i == 0 && w.Text == "-r") && !isLoopName(w.Text) {
			p.giveUp("read takes a word that is not a plain name of a variable")
			return
		}
	}
}

// assignment reads an assignment to a variable. alone is true if it belongs to no command, so that
// it sets a variable of the shell.
func (p *partsReader) assignment(a *syntax.Assign, alone bool) {
	if a.Naked || a.Name == nil || a.Append || a.Index != nil || a.Array != nil {
		p.giveUp("it sets a variable in a way that is not looked into")
		return
	}
	name := a.Name.Value
	if a.Value == nil {
		p.giveUp("it gives " + name + " no value")
		return
	}
	text, ok := literal(a.Value)
	if !ok || !isSettable(name, text) && !(alone && isLoopName(name) && plainValue(text)) {
		p.giveUp("it sets " + name + " to what programs may run or load")
	}
}

// command adds a simple command, or, for a program such as timeout or sh -c, the commands that it
// runs.
func (p *partsReader) command(c SimpleCommand, in []string, depth int) {
	switch {
	case p.reason != "":
		return
	case depth > 6 || len(p.commands) > 2000:
		p.giveUp("it nests commands too deeply")
		return
	case !c[0].Literal:
		p.giveUp("the name of a command is computed")
		return
	case c[0].Text == "" || c[0].Text[0] == '-':
		p.giveUp("the name of a command looks like an option")
		return
	case slices.ContainsFunc(in, isAbove):
		p.giveUp("it may run above the top of the workspace")
		return
	}
	if script, ok := shellScript(c); ok {
		inner := partsReader{place: p.place, depth: p.depth + 1, fed: p.fed, posix: path.Base(c[0].Text) != "bash"}
		inner.text(script, in)
		p.commands = append(p.commands, inner.commands...)
		p.writes, p.enters = union(p.writes, inner.writes), union(p.enters, inner.enters)
		p.inputs = union(p.inputs, inner.inputs)
		p.variables = union(p.variables, inner.variables)
		p.patterns = append(p.patterns, inner.patterns...)
		p.uncovered = cmp.Or(p.uncovered, inner.uncovered)
		if inner.reason != "" {
			p.giveUp(inner.reason)
		}
		return
	}
	if rest, ok := unwrapped(c); ok {
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
			p.giveUp("it is not known in which directory " + name + " runs")
			return
		}
		// A rule names a program relative to the top of the workspace.
		c = slices.Clone(c)
		c[0].Text = "./" + path.Join(in[0], name)
	}
	why := whyOpaque(c)
	if why == "" && p.fed {
		why = whyInputRuns(c)
	}
	if p.uncovered == "" {
		p.uncovered = why
	}
	p.commands = append(p.commands, Part{Words: c, Dirs: in, Code: why, Fed: p.fed})
}

// text reads a command line that runs in one of the given directories.
func (p *partsReader) text(command string, in []string) {
	if p.depth > 4 {
		p.giveUp("it nests shells too deeply")
		return
	}
	if why := whyMisread(command); why != "" {
		p.giveUp(why)
		return
	}
	file, why := parseLine(command)
	if why != "" {
		p.giveUp(why)
		return
	}
	p.file(file, in)
}

func (p *partsReader) file(file *syntax.File, in []string) {
	p.assignedOnce, p.set = loopVariables(file)
	p.loopValues, p.items = map[string]holding{}, map[string][]program.Choice{}
	p.list(file.Stmts, in)
	if len(p.commands) == 0 && len(p.writes) == 0 {
		p.giveUp("it has no command")
	}
}

// whyMisread returns why the parser may read a text in another way than bash does, or "".
func whyMisread(command string) string {
	if strings.ContainsFunc(command, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == 0x7F }) {
		return "it has control characters" // the parser takes a carriage return for a blank, bash for a letter
	}
	if strings.Contains(command, "\\\n") || strings.HasSuffix(command, "\\") {
		return "it has a line continuation" // which they read differently after a comment and at the end
	}
	return ""
}
