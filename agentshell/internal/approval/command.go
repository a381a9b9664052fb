package approval

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// ParsedCommand is a parsed command line in the form that rules are applied to (PANE-13).
type ParsedCommand struct {
	// Simple lists the simple commands of the line, including those in substitutions and in strings
	// that a shell is told to run.
	Simple []SimpleCommand
	// Opaque is the reason why no allow rule with a * covers the line, or "". It protects against
	// accidents, not against intent.
	Opaque string
	// unread is the reason why Parts could not be determined, or "".
	unread string
	// only holds the line if it is one simple command of literal words; nil otherwise.
	only SimpleCommand
	// shape is the first feature of the line, such as a redirection or a loop, that makes it more
	// than a list of simple commands, or "".
	shape string
	// input holds the texts of here-documents and here-strings.
	input []string
	// guesses holds commands with computed words in a form that deny rules can compare.
	guesses []SimpleCommand
	// Writes lists the files that redirections write, and Enters the directories that cd changes
	// to. Paths are relative to the top of the workspace.
	Writes, Enters []string
	// Inputs lists the files that redirections read, relative to the top of the workspace.
	Inputs []string
	// Patterns lists the globs that loops iterate over.
	Patterns []program.Choice
	// Variables lists the variables whose values the line takes from the environment.
	Variables []string
	// Parts lists the commands that allow rules have to cover: those in Simple without programs
	// that only run another command.
	Parts []Part
}

// Part is a command of a line, with the directories in which it may run, relative to the top of the
// workspace.
type Part struct {
	Words SimpleCommand
	Dirs  []string
	// Code is the reason why no rule with a * covers the command, or "", for instance that its
	// words contain code.
	Code string
	// Fed is true if the input of the command may be a text, a file or a pipe. If the command runs
	// code, the code may come from there, and its words do not show it.
	Fed bool
}

// Location is the directory in which a command line runs: the top of the workspace, as an absolute
// path without symbolic links. The zero value means that it is not known.
type Location struct {
	Top  string
	Home string // the value of the environment variable HOME; "": not known
}

// SimpleCommand is a command as a list of words without quotes.
type SimpleCommand []Word

// Word is one word of a command. The text of a word that is not literal is not known.
type Word = program.Word

// String returns the command as a user could type it. A word that is not literal becomes `…`.
func (c SimpleCommand) String() string {
	var parts []string
	for _, w := range c {
		parts = append(parts, quoted(w))
	}
	return strings.Join(parts, " ")
}

func quoted(w Word) string {
	if !w.Literal {
		return "…"
	}
	q, err := syntax.Quote(w.Text, syntax.LangBash)
	if err != nil {
		return "…"
	}
	return q
}

// ParseCommand parses a command line for rules, as bash would read it. It does not know the
// directory.
func ParseCommand(command string) ParsedCommand { return Location{}.Parse(command) }

// Parse parses a command line that runs in the given directory, as bash would read it.
func (at Location) Parse(command string) ParsedCommand { return at.parse(command, 0) }

func (at Location) parse(command string, depth int) (p ParsedCommand) {
	shape := func(why string) {
		if p.shape == "" {
			p.shape = why
		}
	}
	if depth > 4 {
		const why = "it nests shells too deeply"
		return ParsedCommand{Opaque: why, unread: why, shape: why}
	}
	file, why := parseLine(command)
	if why != "" {
		p.Opaque, p.unread, p.shape = why, why, why
		p.Simple = looseCommands(command)
		return p
	}
	if why := whyMisread(command); why != "" {
		shape(why)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			if len(n.Assigns) > 0 {
				shape("it sets variables")
			}
			var c SimpleCommand
			for _, w := range n.Args {
				text, ok := literal(w)
				c = append(c, Word{Text: text, Literal: ok})
			}
			if len(c) == 0 {
				return true
			}
			p.Simple = append(p.Simple, c)
			if slices.ContainsFunc(c, func(w Word) bool { return !w.Literal }) {
				if g := guessWords(n.Args); len(g) > 0 {
					p.guesses = append(p.guesses, g)
				}
			}
			for _, script := range shellScripts(c) {
				p.Simple = append(p.Simple, at.parse(script, depth+1).Simple...)
			}
		case *syntax.Redirect:
			for _, w := range []*syntax.Word{n.Hdoc, n.Word} {
				if text, ok := literal(w); ok && (w == n.Hdoc || n.Op == syntax.WordHdoc) {
					p.input = append(p.input, text)
				}
			}
			target, ok := literal(n.Word)
			plain := ok && target == "/dev/null"
			if n.Op == syntax.DplOut {
				plain = ok && isDescriptor(target)
			}
			if !plain || !isNumber(n.N) {
				shape("it redirects")
			}
		case *syntax.Stmt:
			if n.Background || n.Coprocess || n.Disown {
				shape("it runs in the background")
			}
		case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.FuncDecl,
			*syntax.ArithmCmd, *syntax.TestClause,
			*syntax.DeclClause, *syntax.LetClause, *syntax.CoprocClause, *syntax.TimeClause, *syntax.TestDecl:
			shape("it has a loop, a condition or a declaration")
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ParamExp, *syntax.ArithmExp, *syntax.ExtGlob:
			shape("it has an expansion")
		}
		return true
	})
	if len(p.Simple) == 0 {
		shape("it has no command")
	}
	if depth > 0 {
		return p // the caller reads the parts of a script
	}
	if whyMisread(command) == "" {
		p.only = onlyCommand(file)
	}
	whole := partsReader{place: at}
	if why := whyMisread(command); why != "" {
		whole.giveUp(why)
	} else {
		whole.file(file, []string{"."})
	}
	p.unread, p.Opaque = whole.reason, cmp.Or(whole.reason, whole.uncovered)
	if whole.reason == "" {
		p.Patterns = whole.patterns
		p.Parts, p.Writes, p.Enters, p.Inputs = whole.commands, whole.writes, whole.enters, whole.inputs
		p.Variables = whole.variables
	}
	return p
}

// onlyCommand returns the words of a line that is one simple command of literal words, and nil for
// any other line.
func onlyCommand(file *syntax.File) (c SimpleCommand) {
	if len(file.Stmts) != 1 || len(file.Stmts[0].Redirs) > 0 || file.Stmts[0].Background || file.Stmts[0].Negated ||
		file.Stmts[0].Coprocess || file.Stmts[0].Disown {
		return nil
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		return nil
	}
	for _, w := range call.Args {
		text, ok := literal(w)
		if !ok {
			return nil
		}
		c = append(c, Word{Text: text, Literal: true})
	}
	return c
}

// literal returns the text of a word without its quotes. It returns false if the shell would expand
// something in the word.
func literal(w *syntax.Word) (string, bool) {
	if w == nil {
		return "", false
	}
	if l := w.Lit(); l == "[" || isRevision(l) {
		return l, true // the name of a command: a pattern would need the other bracket
	}
	var b strings.Builder
	for i, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text, ok := unescape(part.Value, i == 0)
			if !ok {
				return "", false
			}
			b.WriteString(text)
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			if part.Dollar {
				return "", false
			}
			for _, inner := range part.Parts {
				l, ok := inner.(*syntax.Lit)
				if !ok {
					return "", false
				}
				b.WriteString(unescapeQuoted(l.Value))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape removes the backslashes from an unquoted part of a word. first says that the part begins
// the word. It returns false if the shell would expand something in it.
func unescape(s string, first bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
		case strings.IndexByte("*?[{", c) >= 0:
			return "", false
		case c == '~' && (i == 0 && first || i > 0 && (s[i-1] == ':' || s[i-1] == '=')):
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// isRevision reports whether a word contains one pair of braces that bash does not expand, as in
// @{upstream} and HEAD@{1}. With a comma, a backslash or further braces, bash might expand it.
func isRevision(w string) bool {
	before, rest, open := strings.Cut(w, "{")
	inner, after, closed := strings.Cut(rest, "}")
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	return open && closed && strings.Trim(inner, letters) == "" && strings.Trim(before+after, letters+"_./:@^+") == ""
}

func unescapeQuoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\\\"$`\n", s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// looseCommands splits a line that cannot be parsed into commands and words, for deny rules.
func looseCommands(command string) []SimpleCommand {
	var all []SimpleCommand
	for part := range strings.FieldsFuncSeq(command, func(r rune) bool {
		return strings.ContainsRune("\n;|&()`{}", r)
	}) {
		var c SimpleCommand
		for w := range strings.FieldsSeq(part) {
			c = append(c, Word{Text: strings.Trim(w, `"'\`), Literal: true})
		}
		if len(c) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// whyOpaque returns why no allow rule with a * covers a simple command, or "".
func whyOpaque(c SimpleCommand) string {
	if !c[0].Literal {
		return "the command is not a literal word"
	}
	if strings.Contains(c[0].Text, "=") {
		return "it sets variables"
	}
	if program.Reads(c) == "" {
		return "" // a script that only prints
	}
	c = program.Inner(c)
	reading := program.Read(c)
	switch name, word := reading.Danger(c); {
	case name == "" && program.Computed(c) >= 0:
		return "a computed word of " + c[0].Text + " may be an option or a name that means more"
	case name == "":
		return ""
	case word == "" && (name == "sed" || name == "gsed"):
		return name + " takes a script, which can run code and write files"
	case word == "" && reading.Code:
		return name + " runs code"
	case word == "":
		return name + " changes what later commands mean"
	default:
		return withWord(name, word) + " runs code or writes files"
	}
}

// withWord returns the name of a program followed by the word that makes it dangerous, unless the
// name ends with that word.
func withWord(name, word string) string {
	if strings.HasSuffix(name, " "+word) {
		return name
	}
	return name + " " + word
}

// shellScripts returns the texts that a command passes to a shell to run: the words of eval, and
// the word after sh -c, even if another program starts the shell.
func shellScripts(c SimpleCommand) (found []string) {
	if !c[0].Literal {
		return nil
	}
	if path.Base(c[0].Text) == "eval" {
		return []string{joinWords(c[1:])}
	}
	code := program.Read(c).Code
	for i, w := range c {
		if !program.IsShell(w.Text) || i > 0 && !code {
			continue
		}
		for j := i + 1; j < len(c); j++ {
			if t := c[j].Text; strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(t, "c") &&
				j+1 < len(c) {
				found = append(found, c[j+1].Text)
				break
			}
		}
	}
	return found
}

func joinWords(ws SimpleCommand) string {
	var parts []string
	for _, w := range ws {
		parts = append(parts, w.Text)
	}
	return strings.Join(parts, " ")
}
