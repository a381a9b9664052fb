package approval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/scrollkeep/scrollkeep/internal/fold"
	"mvdan.cc/sh/v3/syntax"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
)

// Rule is one line of the rule language: a verb, a tool and a pattern.
//
//	write_file(docs/**)     a glob on the root-relative real path; * does not cross /
//	bash(go test *)         literal words; a last * stands for any further words
//	mcp(server/tool)        one tool of a server
//	mcp(server/tool@0123456789abcdef)   as long as its schema and description have this hash
//	read_file               every call of the tool
//
// The switches of PAY-10 are rules, too: read_approval for a path is `ask read_file(path/**)`,
// edit_approval off is `allow edit_file(path/**)`.
type Rule struct {
	Action Action
	text   string
	tool   string
	all    bool     // it has no pattern
	glob   string   // for a file tool; for mcp the name of the tool
	hash   string   // for mcp: only the tool with this hash
	words  []string // for bash
	open   bool     // for bash: any further words may follow
}

// ForeignHash is the number of hexadecimal digits of the hash in a rule of a foreign tool.
const ForeignHash = 16

// ParseRule reads the text of a rule.
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
	case tool == "bash":
		words, open, err := commandPattern(pattern)
		if err != nil {
			return Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
		r.words, r.open = words, open
	case tool == "mcp":
		pattern, hash, hashed := strings.Cut(pattern, "@")
		if hashed && (len(hash) != ForeignHash || strings.Trim(hash, "0123456789abcdef") != "") {
			return Rule{}, fmt.Errorf("rule %q: the hash has %d digits", text, ForeignHash)
		}
		server, name, ok := strings.Cut(pattern, "/")
		if !ok || server == "" || name == "" || strings.ContainsAny(pattern, "*?[{") {
			return Rule{}, fmt.Errorf("rule %q: mcp takes server/tool", text)
		}
		r.glob, r.hash = ForeignName(server, name), hash
	case !isToolName(tool) || strings.HasPrefix(tool, foreignPrefix):
		return Rule{}, fmt.Errorf("rule %q: the tool %q takes no pattern", text, tool)
	default:
		if err := checkGlob(pattern); err != nil {
			return Rule{}, fmt.Errorf("rule %q: %w", text, err)
		}
		r.glob = pattern
	}
	return r, nil
}

// isToolName reports whether tool can be the name of a tool. [Tools.Check] knows which tools exist.
func isToolName(tool string) bool {
	return tool != "" && tool != "mcp" && tool != foreignPrefix && !strings.ContainsAny(tool, " ()\t\n")
}

func checkGlob(p string) error {
	switch {
	case !doublestar.ValidatePattern(p):
		return fmt.Errorf("%q is not a glob", p)
	case strings.HasPrefix(p, "/"), strings.HasPrefix(p, "./"), strings.HasPrefix(p, "~"):
		return fmt.Errorf("%q must be relative to the workspace, without ./", p)
	case slices.Contains(strings.Split(p, "/"), ".."):
		return fmt.Errorf("%q must not have .. in it", p)
	}
	return nil
}

// commandPattern returns the words of a bash rule, without the quotes of the shell. open is true if
// the last word was *.
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
		if l, ok := w.Parts[0].(*syntax.Lit); ok && len(w.Parts) == 1 && l.Value == "*" {
			switch {
			case i != len(call.Args)-1:
				return nil, false, fmt.Errorf("* must be the last word")
			case i == 0:
				return nil, false, fmt.Errorf("* alone matches every command; write bash")
			}
			return words, true, nil
		}
		text, ok := literal(w)
		if !ok {
			return nil, false, fmt.Errorf("words must be literal, * only last and alone")
		}
		words = append(words, text)
	}
	return words, false, nil
}

// String returns the exact text of the rule.
func (r Rule) String() string { return r.text }

// matches reports whether the rule applies to the call. An allow rule must cover the whole call, a
// deny or ask rule any part of it.
func (r Rule) matches(s Subject, line *line) bool {
	if r.tool == "mcp" {
		return s.Tool == r.glob && (r.hash == "" || r.hash == s.Hash)
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
	if s.Path == "" {
		return false
	}
	paths := append([]string{s.Path}, s.Also...)
	if r.Action == Allow {
		return !slices.ContainsFunc(paths, func(p string) bool { return !r.covers(p) })
	}
	return slices.ContainsFunc(paths, r.covers)
}

// matchesFolded reports whether a deny or ask rule applies to another spelling of the path.
func (r Rule) matchesFolded(s Subject, folds func(path string) bool) bool {
	if folds == nil || r.Action == Allow || s.Tool != r.tool || s.Path == "" || r.glob == "" {
		return false
	}
	wide := Rule{glob: fold.Path(r.glob)}
	return slices.ContainsFunc(append([]string{s.Path}, s.Also...), func(p string) bool {
		return wide.covers(fold.Path(p)) && folds(p)
	})
}

func (r Rule) covers(p string) bool {
	ok, err := doublestar.Match(r.glob, p)
	return err == nil && ok
}

// allows reports whether the rule covers a simple command word for word.
func (r Rule) allows(c SimpleCommand) bool {
	if len(c) < len(r.words) || !r.open && len(c) != len(r.words) {
		return false
	}
	for i, w := range c {
		if i < len(r.words) && (!w.Literal || w.Text != r.words[i]) {
			return false
		}
	}
	return program.Covers(c, len(r.words))
}
