package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/internal/fold"
	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Rule is one line of the rule language: an action, a tool and a pattern.
//
//	write_file(docs/**)     a glob on the root-relative real path; * does not cross /
//	bash(go test *)         literal words; a last * stands for any further words
//	bash(npm run test:*)    a * in a word stands for further letters of that word
//	bash(cd src && make)    a whole line, word for word (allow only)
//	bash($'rm a?\nls *')     the same; \n is the end of a line in it, and * is itself
//	mcp(server/tool)        one tool of a server, or all: mcp(server/*)
//	mcp(server/tool@0123456789abcdef)   as long as its schema and description have this hash
//	read_file(https://docs.python.org/**)   all pages of a host
//	read_file(~/notes/**)   below the home directory; a folder that is called ~ is ./~
//	read_file               every call of the tool
//
// The switches of PAY-10 are rules, too: read_approval for a path is `ask read_file(path/**)`,
// edit_approval off is `allow edit_file(path/**)`.
type Rule struct {
	Action Action
	text   string
	tool   string
	all    bool     // the rule has no pattern, and applies to all calls
	glob   string   // for file tools: a glob on paths; for mcp: the full name of the tool
	hash   string   // for mcp: the rule applies only to a tool with this hash; "": any
	words  []string // for bash: the words of the command
	open   bool     // for bash: any further words may follow those in words
	line   string   // for bash: the exact line that the rule allows; "": none
	tilde  bool     // glob is relative to the home directory
	inHome InHome   // matches paths if tilde is set; nil: the home directory is not known
	// for read_file: the host of web pages, with *. in front for all its subdomains; "": the rule
	// is about files
	host string
}

// ForeignHash is the number of hexadecimal digits of the hash in a rule for a tool of an MCP
// server.
const ForeignHash = 16

// ParseRule parses the text of a rule, which does not contain the action.
func ParseRule(action Action, text string) (Rule, error) {
	text = strings.TrimSpace(text)
	r := Rule{Action: action, text: text}
	tool, rest, has := strings.Cut(text, "(")
	if tool == "edit" { // another form of the same
		tool = "edit_file"
	}
	r.tool = tool
	if !has {
		r.all = true
		if !isToolName(tool) {
			return Rule{}, fmt.Errorf("rule %q: there is no tool %q", text, tool)
		}
		return r, nil
	}
	pattern, ok := strings.CutSuffix(rest, ")")
	switch {
	case !ok:
		return Rule{}, fmt.Errorf("rule %q does not end with )", text)
	case pattern == "":
		return Rule{}, fmt.Errorf("rule %q has an empty pattern; write %q for all calls", text, tool)
	case tool == "bash" && action == Allow && strings.HasPrefix(pattern, "$'"):
		line, ok := unquoteLine(pattern)
		if !ok || strings.Trim(line, " \t\n") != line {
			return Rule{}, fmt.Errorf(`rule %q: a line in $'...' has no escapes but \n, \t, \\ and \'`, text)
		}
		if why := whyNotLine(line); why != "" {
			return Rule{}, fmt.Errorf("rule %q: %s", text, why)
		}
		r.line = line
	case tool == "bash":
		words, open, err := commandPattern(pattern)
		if err == nil && action == Allow && CountHidden(pattern) > 0 {
			err = fmt.Errorf("it has hidden characters, and what has some always asks")
		}
		if !open {
			r.line = pattern
		}
		if err != nil && (action != Allow || whyNoLine(pattern) != "") {
			if action == Allow {
				err = fmt.Errorf("%w, and %s", err, whyNoLine(pattern))
			}
			return Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
		r.words, r.open = words, open
	case tool == "mcp":
		pattern, hash, hashed := strings.Cut(pattern, "@")
		if hashed && (len(hash) != ForeignHash || strings.Trim(hash, "0123456789abcdef") != "") {
			return Rule{}, fmt.Errorf("rule %q: the hash has %d digits", text, ForeignHash)
		}
		server, name, ok := strings.Cut(pattern, "/")
		whole := name == "*" && !hashed
		if !ok || server == "" || name == "" || strings.ContainsAny(server, "*?[{") ||
			strings.ContainsAny(name, "*?[{") && !whole {
			return Rule{}, fmt.Errorf("rule %q: mcp takes server/tool or server/*", text)
		}
		r.glob, r.hash = ForeignName(server, name), hash
		if whole {
			r.glob, r.open = strings.TrimSuffix(ForeignName(server, "x"), "x"), true
		}
	case !isToolName(tool) || isForeignName(tool):
		return Rule{}, fmt.Errorf("rule %q: the tool %q takes no pattern", text, tool)
	case tool == "read_file" && isPage(pattern):
		if err := r.parsePages(pattern); err != nil {
			return Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
	default:
		pattern, r.tilde = strings.CutPrefix(pattern, "~/")
		if err := checkGlob(pattern); err != nil {
			return Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
		if r.glob = pattern; !r.tilde {
			r.glob = strings.TrimPrefix(pattern, "./")
		}
	}
	return r, nil
}

// whyNoLine returns why a text cannot be used, unquoted, as the whole line of an allow rule, or "".
func whyNoLine(line string) string {
	if why := whyNotLine(line); why != "" {
		return why
	}
	file, why := parseLine(line)
	if why != "" {
		return "it is no line of bash"
	}
	_, simple := file.Stmts[0].Cmd.(*syntax.CallExpr)
	simple = simple && len(file.Stmts) == 1
	syntax.Walk(file, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok && slices.ContainsFunc(w.Parts, func(p syntax.WordPart) bool {
			l, ok := p.(*syntax.Lit)
			return ok && (l.Value == "*" || simple && strings.Contains(l.Value, "*"))
		}) {
			why = "a whole line is taken word for word, without *"
		}
		return why == ""
	})
	return why
}

// whyNotLine returns why a text cannot be the line of an allow rule, not even in $'...', or "".
func whyNotLine(line string) string {
	if why := whyMisread(line); why != "" {
		return why
	}
	if CountHidden(line) > 0 {
		return "it has hidden characters"
	}
	if file, why := parseLine(line); why != "" || len(file.Stmts) == 0 {
		return "it is no line of bash"
	}
	return ""
}

// quoteLine returns a line in the form $'...' on one line, for a rule whose line cannot be written
// unquoted.
func quoteLine(line string) string {
	return "$'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`).Replace(line) + "'"
}

// unquoteLine undoes [quoteLine]. ok is false if the pattern has another form.
func unquoteLine(pattern string) (line string, ok bool) {
	inner, begins := strings.CutPrefix(pattern, "$'")
	inner, ends := strings.CutSuffix(inner, "'")
	line = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\n`, "\n", `\t`, "\t").Replace(inner)
	return line, begins && ends && quoteLine(line) == pattern
}

// isToolName reports whether tool has the form of a tool's name. [Tools.Check] knows which tools
// exist.
func isToolName(tool string) bool {
	return tool != "" && tool != "mcp" && tool != foreignPrefix && tool != extensionPrefix &&
		!strings.ContainsAny(tool, " ()\t\n")
}

func checkGlob(p string) error {
	switch {
	case !doublestar.ValidatePattern(p):
		return fmt.Errorf("%q is not a glob", p)
	case strings.HasPrefix(p, "~"):
		return fmt.Errorf("%q: only ~/ stands for a home directory, your own; ./~ is a folder of that name", p)
	case p == "":
		return errors.New("~/ alone is no file: write ~/** for all below the home directory")
	case strings.HasPrefix(p, "/"):
		return fmt.Errorf("%q must be relative to the workspace", p)
	case slices.Contains(strings.Split(p, "/"), ".."):
		return fmt.Errorf("%q must not have .. in it", p)
	}
	return nil
}

// commandPattern parses the pattern of a bash rule into words without quotes. open is true if the
// last word is *, which is not in words.
func commandPattern(pattern string) (words []string, open bool, err error) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(pattern), "")
	if err != nil {
		return nil, false, fmt.Errorf("%q is not a simple command", pattern)
	}
	if len(file.Stmts) != 1 || len(file.Stmts[0].Redirs) > 0 || file.Stmts[0].Background || file.Stmts[0].Negated {
		return nil, false, fmt.Errorf("%q is not one simple command", pattern)
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 {
		return nil, false, fmt.Errorf("%q is not one simple command", pattern)
	}
	for i, w := range call.Args {
		if l := w.Lit(); l == "*" {
			switch {
			case i != len(call.Args)-1:
				return nil, false, fmt.Errorf("* must be the last word")
			case i == 0:
				return nil, false, fmt.Errorf("* alone matches every command; write bash")
			}
			return words, true, nil
		}
		text, ok := literal(w)
		if !ok && i > 0 {
			text, ok = starWord(w)
		}
		if !ok {
			return nil, false, fmt.Errorf("words must be literal, but for * last, or in a word that begins otherwise")
		}
		words = append(words, text)
	}
	return words, false, nil
}

// star stands for a * within a word of a rule, in Rule.words. No word of a command can contain it.
const star = "\x00"

// starWord returns the text of a word of a rule that contains * within it. ok is false if it does
// not begin with at least two other characters.
func starWord(w *syntax.Word) (text string, ok bool) {
	l := w.Lit()
	return strings.ReplaceAll(l, "*", star),
		strings.IndexByte(l, '*') > 1 && strings.Trim(l, plainLetters+"-:=+@,*") == ""
}

// matchesWord reports whether a word of a command matches a word of a rule. strict is set for allow
// rules: then a * matches only certain harmless letters, and no path.
func matchesWord(rule, word string, strict bool) bool {
	before, after, has := strings.Cut(rule, star)
	if !has {
		return rule == word
	}
	rest, ok := strings.CutPrefix(word, before)
	for n := 0; ok && n <= len(rest); n++ {
		if strict && n > 0 && (!strings.Contains(starLetters, rest[n-1:n]) || strings.Contains(rest[:n], "..")) {
			return false
		}
		if matchesWord(after, rest[n:], strict) {
			return true
		}
	}
	return false
}

const starLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-"

// String returns the text of the rule, exactly as it was parsed.
func (r Rule) String() string { return r.text }

// matches reports whether the rule applies to the call. An allow rule must cover all of the call;
// for a deny or ask rule, a part of it is enough.
func (r Rule) matches(s Subject, line *line) bool {
	if r.tool == "mcp" {
		return (s.Tool == r.glob || r.open && strings.HasPrefix(s.Tool, r.glob)) && (r.hash == "" || r.hash == s.Hash)
	}
	if s.Tool == "eval" && r.tool == "bash" && r.all && r.Action != Allow {
		return true // cells can start commands
	}
	if s.Tool != r.tool {
		return false
	}
	if r.all {
		// For bash an allow rule without a pattern does not cover an opaque command.
		return r.Action != Allow || r.tool != "bash" || line.Opaque == ""
	}
	if r.tool == "bash" {
		if r.Action == Allow {
			return false // several allow rules may cover one command line together: see allowed
		}
		return line.deniesOrAsks(r)
	}
	if s.Name != "" {
		return r.covers(s.Name)
	}
	if r.host != "" {
		return isPage(s.Path) && r.coversPage(s.Path)
	}
	if s.Path == "" {
		return false
	}
	paths := append([]string{s.Path}, s.Also...)
	if r.Action == Allow {
		return !slices.ContainsFunc(paths, func(p string) bool { return !r.covers(p) })
	}
	return slices.ContainsFunc(paths, r.covers)
}

// matchesFolded reports whether a deny or ask rule applies to a path of the call if differences in
// case are ignored, and the file system ignores them.
func (r Rule) matchesFolded(s Subject, folds func(path string) bool) bool {
	if folds == nil || r.Action == Allow || s.Tool != r.tool || s.Path == "" || r.glob == "" {
		return false
	}
	if r.tilde { // whether the file system folds is known of the real path
		return slices.ContainsFunc(append([]string{s.Path}, s.Also...), func(p string) bool {
			return r.inHome != nil && r.inHome(p, r.glob, HomeMatch{Links: true, Folded: true}) && folds(p)
		})
	}
	wide := Rule{glob: fold.Path(r.glob)}
	return slices.ContainsFunc(append([]string{s.Path}, s.Also...), func(p string) bool {
		return wide.covers(fold.Path(p)) && folds(p)
	})
}

// InHome reports whether a path, as [workspace.Path.Match] returns it, matches a glob relative to
// the home directory.
type InHome func(path, glob string, how HomeMatch) bool

// HomeMatch says how a path is compared with a glob relative to the home directory.
type HomeMatch struct {
	Links  bool // symbolic links in the glob are followed, too; set for deny and ask rules
	Folded bool // differences in case are ignored
}

// NamesHome reports whether the rule is about files in the home directory.
func (r Rule) NamesHome() bool { return r.tilde }

// covers reports whether a path matches the rule. If the home directory is not known, a deny or ask
// rule about it matches every path.
func (r Rule) covers(p string) bool {
	switch {
	case r.tilde && r.inHome == nil:
		return r.Action != Allow
	case r.tilde:
		return r.inHome(p, r.glob, HomeMatch{Links: r.Action != Allow})
	}
	ok, err := doublestar.Match(r.glob, p)
	return err == nil && ok
}

// allows reports whether a simple command matches the words of the rule. Words that match a * of
// the rule must be harmless for the program.
func (r Rule) allows(c SimpleCommand) bool {
	if len(r.words) == 0 || len(c) < len(r.words) || !r.open && len(c) != len(r.words) {
		return false
	}
	var free []int
	for i, want := range r.words {
		if !c[i].Literal || !matchesWord(want, c[i].Text, true) {
			return false
		}
		if strings.Contains(want, star) {
			free = append(free, i)
		}
	}
	return program.Covers(c, len(r.words)) && program.CoversLetters(c, free)
}

// allowsPart reports whether the rule allows a part of a command line. A part that runs code given
// in its words is allowed only by a rule that names each of them. It is not allowed at all if it
// may change the meaning of other parts, or if the code may come from its input: then only a rule
// for the whole line allows it.
func (r Rule) allowsPart(p Part) bool {
	if r.tool != "bash" || r.all || !r.allows(p.Words) || !r.namesDanger(p.Words) {
		return false
	}
	return p.Code == "" || !p.Fed && !r.open && !r.hasStars() && !program.ChangesShell(p.Words)
}

func (r Rule) hasStars() bool {
	return slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(w, star) })
}

// allowsLine reports whether the rule contains exactly this line. Such a rule is obeyed whatever
// the line does, because the user has seen all of it.
func (r Rule) allowsLine(command string, l *line) bool {
	return r.tool == "bash" && r.line != "" &&
		(strings.Trim(command, " \t\n") == r.line ||
			!r.hasStars() && len(l.only) > 0 && slices.EqualFunc(l.only, r.words,
				func(w Word, want string) bool { return w.Literal && w.Text == want }))
}

// WhyNever returns why an allow rule can never apply, or "".
func (r Rule) WhyNever() string {
	if r.Action != Allow || r.tool != "bash" || !r.open && !r.hasStars() {
		return ""
	}
	var c SimpleCommand
	for _, w := range r.words {
		c = append(c, Word{Text: strings.ReplaceAll(w, star, "x"), Literal: true})
	}
	c = program.Inner(c)
	name, word := program.Read(c).Danger(c)
	some := append(slices.Clone(c), Word{Text: "x", Literal: true}) // a script, for an interpreter
	if r.open && !r.hasStars() && program.MustName(some) {
		line := strings.Join(r.words, " ")
		return "the word behind " + line + " names what runs, so a rule has to name it: bash(" + line + " NAME *)"
	}
	switch again, _ := program.Read(some).Danger(some); {
	case name == "" || again == "":
		return ""
	case word != "":
		return withWord(name, word) + " runs code or writes files, so no * can stand behind it; name all words"
	}
	return name + " runs what its words say, so no * can stand for them; name all words, or write the rule for " +
		"the command that it runs"
}
