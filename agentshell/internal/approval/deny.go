package approval

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// maxCommands is the highest number of commands in a line that deny and ask rules examine. They
// apply to every line with more.
const maxCommands = 20_000

// maxComparedWords is the highest number of words, over all commands of a line, that one deny or
// ask rule compares. The rule applies to every line that needs more.
const maxComparedWords = 500_000

// line is a command line as rules see it. Allow rules use the parsed commands. Deny and ask rules
// use all commands that the line may run.
type line struct {
	ParsedCommand
	reachable  []SimpleCommand
	placements func() []placement
	finder     Finder
}

// Finder returns the path, with symbolic links resolved, of the program that a name runs in a
// directory; "": none. dir is relative to the top of the workspace.
type Finder func(dir, name string) string

func readLine(s Subject, finds Finder) *line {
	if s.Tool != "bash" {
		return &line{}
	}
	p := s.Location.Parse(s.Command)
	return &line{p, reachable(p), sync.OnceValue(func() []placement { return findPlacements(s.Command) }),
		finds.cached()}
}

// cached returns a Finder that looks up each program only once.
func (f Finder) cached() Finder {
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

// deniesOrAsks reports whether a deny or ask rule applies to the line. It returns true if that
// cannot be known.
func (l *line) deniesOrAsks(r Rule) bool {
	left := maxComparedWords
	if strings.Contains(r.words[0], "/") {
		return l.resolvesTo(r, &left)
	}
	return len(l.reachable) > maxCommands ||
		slices.ContainsFunc(l.reachable, func(c SimpleCommand) bool { return r.speaksOf(c, &left) || left < 0 }) ||
		l.resolvesTo(r, &left)
}

// resolvesTo reports whether the rule applies to a command of the line because the command's name
// resolves to the program that the rule names. left is the number of words that may still be
// compared.
func (l *line) resolvesTo(r Rule, left *int) bool {
	ruleProgram := r.words[0]
	file := ""
	if strings.Contains(ruleProgram, "/") {
		file = l.finder(".", ruleProgram)
	}
	all := l.placements()
	return len(all) > maxCommands || slices.ContainsFunc(all, func(p placement) bool {
		if *left--; !l.couldBeProgram(p, ruleProgram, file) {
			return *left < 0
		}
		c := slices.Clone(p.words)
		c[0].Text = ruleProgram
		return r.speaksOf(c, left) || *left < 0
	})
}

// couldBeProgram reports whether command p may run ruleProgram, the program that a rule names by a
// name or a path. For a path, file is the file there with symbolic links resolved.
func (l *line) couldBeProgram(p placement, ruleProgram, file string) bool {
	name := p.words[0].Text
	if !p.words[0].Literal || name == "" {
		return false
	}
	named := strings.Contains(ruleProgram, "/")
	if p.dirs.unknown && named && path.Base(name) == path.Base(ruleProgram) {
		return true
	}
	names := []string{name}
	if p.passed && !strings.Contains(name, "/") {
		names = append(names, "./"+name)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(p.dirs.dirs, func(dir string) bool {
			here := path.Clean(joinDir(dir, name))
			if named && strings.Contains(name, "/") && strings.EqualFold(here, path.Clean(ruleProgram)) {
				return true
			}
			found := l.finder(dir, name)
			return found != "" && (named && strings.EqualFold(found, file) || !named &&
				isSameProgram(found, ruleProgram))
		})
	})
}

// reachable returns all commands that a line may run, for deny and ask rules: the commands in the
// line, words that follow a program that runs other programs or is unknown, values of options that
// run a program, and all such words that look like a script.
//
// These rules protect against accidents. A command that is computed, or spelled with a glob or a
// variable, is not found.
func reachable(p ParsedCommand) []SimpleCommand {
	var r reachWalk
	fed := slices.ContainsFunc(p.Simple, func(c SimpleCommand) bool {
		return c[0].Literal && (program.IsShell(c[0].Text) || runsItsInput(c[0].Text))
	})
	for _, c := range slices.Concat(p.Simple, p.guesses) {
		r.command(c, fed, 0)
	}
	for _, text := range p.input {
		r.script(text, 0)
	}
	return r.found
}

// runsItsInput reports whether a program runs commands that it reads from its input or a file.
func runsItsInput(name string) bool {
	return slices.Contains([]string{"xargs", "parallel", "at", "batch", "ssh", "crontab", "source", "."},
		path.Base(name))
}

// dashedPrograms lists programs whose subcommands are also programs: git-push is git push.
var dashedPrograms = []string{"git", "cargo", "docker", "kubectl", "gh", "helm"}

// commandMarks are the characters that git and editors put before a shell command.
const commandMarks = "!:+|@"

// reachWalk collects commands for reachable.
type reachWalk struct{ found []SimpleCommand }

// command adds c and the commands that c may run. If all is true, each word of c is taken for the
// beginning of a command.
func (r *reachWalk) command(c SimpleCommand, all bool, depth int) {
	r.found = append(r.found, c)
	if name, sub, ok := strings.Cut(path.Base(c[0].Text), "-"); ok && c[0].Literal &&
		slices.Contains(dashedPrograms, name) {
		r.found = append(r.found, slices.Concat(SimpleCommand{{Text: name, Literal: true}, {Text: sub, Literal: true}},
			c[1:]))
	}
	all = all || !c[0].Literal
	var read program.Reading
	if c[0].Literal {
		read = program.Read(c)
		all = all || read.Code || !read.Table
	}
	for i := 1; i < len(c) && len(r.found) <= maxCommands; i++ {
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
		for _, inner := range attachedValues(text) {
			r.found = append(r.found, slices.Concat(SimpleCommand{{Text: inner, Literal: true}},
				c[i+1:min(i+30, len(c))]))
			r.script(inner, depth)
		}
	}
}

// script adds the commands in a text, unless the text is a plain word.
func (r *reachWalk) script(text string, depth int) {
	text = strings.TrimLeft(text, commandMarks)
	if depth >= 4 || !strings.ContainsAny(text, " \t\n;|&()`<>{}'\"\\$") {
		return
	}
	p := ParseCommand(text)
	for _, c := range slices.Concat(p.Simple, p.guesses, looseCommands(text)) {
		r.command(c, false, depth+1)
	}
}

// attachedValues returns the texts in a word that may be the value of an option, as in --name=value
// or -xvalue.
func attachedValues(w string) (values []string) {
	for _, v, ok := strings.Cut(w, "="); ok && v != "" && len(values) < 3; _, v, ok = strings.Cut(v, "=") {
		values = append(values, v) // --action=exec=command
	}
	if len(w) > 2 && w[0] == '-' && w[1] != '-' {
		values = append(values, w[2:])
	}
	return values
}

// speaksOf reports whether a deny or ask rule applies to a command: the command has the words of
// the rule in order, or its options and operands in any order and spelling that the program
// accepts. Options before a subcommand (git -C dir push) are skipped. The program may be given by a
// path. left is the number of words that may still be compared.
func (r Rule) speaksOf(c SimpleCommand, left *int) bool {
	if !c[0].Literal || !isSameProgram(c[0].Text, r.words[0]) {
		return false
	}
	if len(r.words) == 1 && r.open {
		return true
	}
	var parts []program.Part
	for skip := 1; skip <= len(c) && skip < 40 && *left >= 0; skip++ {
		// The words before skip are options, or follow one and may be its value.
		if skip > 1 && !isOption(c[skip-1]) && (skip == 2 || !isOption(c[skip-2])) {
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
		if r.startsWords(rest) || r.includesWords(rest) {
			return true
		}
	}
	return false
}

func isOption(w Word) bool {
	return !w.Literal || w.Text != "" && (w.Text[0] == '-' || w.Text[0] == '+')
}

// isSameProgram reports whether name runs the program of a rule, or a version of it such as
// pip3.12.
func isSameProgram(name, want string) bool {
	base := strings.TrimSuffix(strings.ToLower(path.Base(name)), ".exe")
	version, begins := strings.CutPrefix(base, strings.ToLower(want))
	return name == want || begins && strings.Trim(version, "0123456789.-") == ""
}

func (r Rule) startsWords(c SimpleCommand) bool {
	if len(c) < len(r.words) || !r.open && len(c) != len(r.words) {
		return false
	}
	for i, want := range r.words[1:] {
		if w := c[i+1]; !w.Literal || !matchesWord(want, w.Text, false) {
			return false
		}
	}
	return true
}

// includesWords reports whether a command has the options and operands of the rule, in any order
// and spelling. A word of the rule with * may be any word that it matches.
func (r Rule) includesWords(c SimpleCommand) bool {
	rules := []SimpleCommand{{{Text: c[0].Text, Literal: true}}}
	for _, want := range r.words[1:] {
		words := []string{want}
		if strings.Contains(want, star) {
			words = nil
			for _, w := range c[1:] {
				if w.Literal && matchesWord(want, w.Text, false) && len(words) < maxStarWords {
					words = append(words, w.Text)
				}
			}
		}
		var next []SimpleCommand
		for _, rule := range rules {
			for _, w := range words {
				next = append(next, append(slices.Clone(rule), Word{Text: w, Literal: true}))
			}
		}
		rules = next[:min(len(next), maxStarWords)]
	}
	return slices.ContainsFunc(rules, func(rule SimpleCommand) bool {
		return program.Includes(c, rule, r.open || r.hasStars())
	})
}

// maxStarWords is the highest number of words of a command that a * in a rule is compared with.
const maxStarWords = 50
