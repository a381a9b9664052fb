package approval

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// most is how many commands a line may hold, as deny and ask rules look at it; such a rule speaks
// of a line with more.
const most = 20_000

// effort is how many words such a rule compares at the most, over all commands of a line.
const effort = 500_000

// line is a command line as the rules look at it: allow rules at what stands in it, the others at
// what it may run.
type line struct {
	ParsedCommand
	reachable []SimpleCommand
	places    func() []place
	finds     Finder
}

// Finder returns the link-free path of the file that a name runs as a program in a directory of the
// workspace, as a line names it from the top; "" if there is none.
type Finder func(dir, name string) string

func readLine(s Subject, finds Finder) *line {
	if s.Tool != "bash" {
		return &line{}
	}
	p := ParseCommand(s.Command)
	return &line{p, reachable(p), sync.OnceValue(func() []place { return places(s.Command) }), finds.once()}
}

// once returns a Finder that looks for each program once.
func (f Finder) once() Finder {
	known := map[[2]string]string{}
	return func(dir, name string) string {
		if f == nil {
			return ""
		}
		key := [2]string{dir, name}
		file, ok := known[key]
		if !ok {
			file = f(dir, name)
			known[key] = file
		}
		return file
	}
}

// denied reports whether a deny or ask rule speaks of the line, or cannot tell.
func (l *line) denied(r Rule) bool {
	left := effort
	if strings.Contains(r.words[0], "/") {
		return l.resolves(r, &left)
	}
	return len(l.reachable) > most ||
		slices.ContainsFunc(l.reachable, func(c SimpleCommand) bool { return r.denies(c, &left) || left < 0 }) ||
		l.resolves(r, &left)
}

// resolves reports whether a command of the line is one of the rule by what its name resolves to,
// where that part of the line runs.
func (l *line) resolves(r Rule, left *int) bool {
	want := r.words[0]
	file := ""
	if strings.Contains(want, "/") {
		file = l.finds(".", want)
	}
	all := l.places()
	return len(all) > most || slices.ContainsFunc(all, func(p place) bool {
		if *left--; !l.runs(p, want, file) {
			return *left < 0
		}
		c := slices.Clone(p.words)
		c[0].Text = want
		return r.denies(c, left) || *left < 0
	})
}

// runs reports whether a command may run the program that a rule names: file, if its name is a
// path, else one of that name.
func (l *line) runs(p place, want, file string) bool {
	name := p.words[0].Text
	if !p.words[0].Literal || name == "" {
		return false
	}
	named := strings.Contains(want, "/")
	if p.in.unknown && named && path.Base(name) == path.Base(want) {
		return true
	}
	names := []string{name}
	if p.passed && !strings.Contains(name, "/") {
		names = append(names, "./"+name)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(p.in.dirs, func(dir string) bool {
			here := path.Clean(reached(dir, name))
			if named && strings.Contains(name, "/") && strings.EqualFold(here, path.Clean(want)) {
				return true
			}
			found := l.finds(dir, name)
			return found != "" && (named && strings.EqualFold(found, file) || !named && same(found, want))
		})
	})
}

// reachable returns the commands that a line may run, as deny and ask rules look at it. Besides
// those that stand in it they are: what follows in a program that runs other programs or is not
// known, what an option that runs a program says, and what looks like a script there. Rules of this
// kind guard against accidents: a command that is computed, or spelled by a glob or a variable, is
// not seen.
func reachable(p ParsedCommand) []SimpleCommand {
	var r reach
	fed := slices.ContainsFunc(p.Simple, func(c SimpleCommand) bool {
		return c[0].Literal && (program.IsShell(c[0].Text) || feeds(c[0].Text))
	})
	for _, c := range slices.Concat(p.Simple, p.guessed) {
		r.command(c, fed, 0)
	}
	for _, text := range p.input {
		r.script(text, 0)
	}
	return r.found
}

// feeds reports whether a program runs what it reads.
func feeds(name string) bool {
	return slices.Contains([]string{"xargs", "parallel", "at", "batch", "ssh", "crontab", "source", "."},
		path.Base(name))
}

// dashed are programs whose subcommands are also programs of their own: git-push is git push.
var dashed = []string{"git", "cargo", "docker", "kubectl", "gh", "helm"}

// marks are how git and editors mark a command.
const marks = "!:+|@"

type reach struct{ found []SimpleCommand }

// command adds c and what it runs. With all its operands are taken for commands, whatever it is.
func (r *reach) command(c SimpleCommand, all bool, depth int) {
	r.found = append(r.found, c)
	if name, sub, ok := strings.Cut(path.Base(c[0].Text), "-"); ok && c[0].Literal && slices.Contains(dashed, name) {
		r.found = append(r.found, slices.Concat(SimpleCommand{{Text: name, Literal: true}, {Text: sub, Literal: true}},
			c[1:]))
	}
	all = all || !c[0].Literal
	var read program.Reading
	if c[0].Literal {
		read = program.Read(c)
		all = all || read.Code || !read.Table
	}
	for i := 1; i < len(c) && len(r.found) <= most; i++ {
		if !all {
			part := read.Parts[i]
			if part.Role == program.Value {
				part = read.Parts[part.Of]
			}
			if part.Role != program.Dangerous && part.Role != program.Unknown && part.Role != program.Passed {
				continue
			}
		}
		r.found = append(r.found, c[i:])
		text := c[i].Text
		r.script(text, depth)
		for _, inner := range attached(text) {
			r.found = append(r.found, slices.Concat(SimpleCommand{{Text: inner, Literal: true}},
				c[i+1:min(i+30, len(c))]))
			r.script(inner, depth)
		}
	}
}

// script adds the commands of a text, if it can be more than a word.
func (r *reach) script(text string, depth int) {
	text = strings.TrimLeft(text, marks)
	if depth >= 4 || !strings.ContainsAny(text, " \t\n;|&()`<>{}'\"\\$") {
		return
	}
	p := ParseCommand(text)
	for _, c := range slices.Concat(p.Simple, p.guessed, loose(text)) {
		r.command(c, false, depth+1)
	}
}

// attached returns the values that a word may hold beside the name of an option.
func attached(w string) (values []string) {
	for _, v, ok := strings.Cut(w, "="); ok && v != "" && len(values) < 3; _, v, ok = strings.Cut(v, "=") {
		values = append(values, v) // --action=exec=command
	}
	if len(w) > 2 && w[0] == '-' && w[1] != '-' {
		values = append(values, w[2:])
	}
	return values
}

// denies reports whether the rule speaks of a command: its words stand there in their order, or its
// options and operands do in whatever spelling the program takes. Options before a subcommand (git
// -C dir push) are passed over. The command may be called by a path.
func (r Rule) denies(c SimpleCommand, left *int) bool {
	if !c[0].Literal || !same(c[0].Text, r.words[0]) {
		return false
	}
	if len(r.words) == 1 && r.open {
		return true
	}
	var parts []program.Part
	for skip := 1; skip <= len(c) && skip < 40 && *left >= 0; skip++ {
		// The words before skip are options, or follow one and may be its value.
		if skip > 1 && !option(c[skip-1]) && (skip == 2 || !option(c[skip-2])) {
			break
		}
		if skip == 2 {
			*left -= len(c)
			parts = program.Read(c).Parts
		}
		if skip > 1 && skip < len(c) && parts[skip].Role == program.Value &&
			parts[parts[skip].Of].Role != program.Unknown {
			continue // of git -C push status
		}
		*left -= len(c)
		rest := slices.Concat(c[:1], c[skip:])
		if r.begins(rest) || r.includes(rest) {
			return true
		}
	}
	return false
}

func option(w Word) bool { return !w.Literal || w.Text != "" && (w.Text[0] == '-' || w.Text[0] == '+') }

// same reports whether a program is the one of a rule, or a version of it (pip3.12).
func same(name, want string) bool {
	base := strings.TrimSuffix(strings.ToLower(path.Base(name)), ".exe")
	version, begins := strings.CutPrefix(base, strings.ToLower(want))
	return name == want || begins && strings.Trim(version, "0123456789.-") == ""
}

func (r Rule) begins(c SimpleCommand) bool {
	if len(c) < len(r.words) || !r.open && len(c) != len(r.words) {
		return false
	}
	for i, want := range r.words[1:] {
		if w := c[i+1]; !w.Literal || w.Text != want {
			return false
		}
	}
	return true
}

func (r Rule) includes(c SimpleCommand) bool {
	rule := SimpleCommand{{Text: c[0].Text, Literal: true}}
	for _, w := range r.words[1:] {
		rule = append(rule, Word{Text: w, Literal: true})
	}
	return program.Includes(c, rule, r.open)
}
