// Package streamrule watches the text that a model writes, while it streams, for patterns that the
// user does not want. The user's rules are files in the configuration directory (rules/NAME.md).
// Package skill reads the rules of a workspace.
//
// Patterns are regular expressions of Go, which take time linear in the length of the text. They
// are matched in a window of the stream, so that a match has at most [Span] bytes.
package streamrule

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Limits on the folder of rules, and on each rule.
const (
	maxFiles    = 1000
	maxRules    = 50
	maxPattern  = 1000 // the largest number of bytes of one pattern
	maxPatterns = 10
	maxAbout    = 300 // the largest number of bytes of a rule's description
	maxText     = 16 << 10
)

// Rule is a stream rule: conditions on the text that a model writes, and a text that the model is
// told when one of them matches. It is read from one file. The zero value matches nothing.
type Rule struct {
	Name  string
	Text  string // the text that the model is told when the rule matches
	About string // a description of the rule in one line
	// RepeatAfter is the number of the model's answers after which it may be told the rule again;
	// 0: it is told only once in a conversation.
	RepeatAfter int
	// Gentle says that the rule does not interrupt the model. The model is told the rule after its
	// message, or with the result of the matching call.
	Gentle bool
	// KeepText keeps the text of the interrupted answer in the conversation.
	KeepText bool
	// Always puts the text of the rule into the system prompt. It is false if the rule has a
	// condition.
	Always bool
	// OfWorkspace says that the rule comes from the workspace, not from the user.
	OfWorkspace bool
	Shipped     bool // the rule is built into the program
	// Problems says which settings of the file are ignored, and why.
	Problems []string

	// regular expressions, each compiled at its first use
	patterns   []func() *regexp.Regexp
	needs      []string // one of these texts is part of every possible match; nil: such texts are not known
	structures []string // ast-grep patterns, one of which has to match in the new text of a file
	globs      []string // a matching call must name a path that matches one of these; nil: any call
	scope      []string // what is checked: text, thinking, tool, or tool:NAME
	says       []string // the names of the settings in the file
}

// OnStream reports whether the rule has a condition, so that the model's output has to be checked.
func (r Rule) OnStream() bool { return len(r.patterns)+len(r.structures) > 0 }

// namePattern matches valid names of rules. Names are shown in lists, and are part of an attribute
// in texts for the model.
var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// Parse parses the file of a rule: settings between lines of ---, followed by the text for the
// model. The settings condition (a regular expression) and astCondition (an ast-grep pattern) say
// when the rule matches; others are globs, scope, repeat, interrupt and context. A rule without a
// condition must have alwaysApply, or a description by which the model finds it.
func Parse(name, file string) (Rule, error) {
	r := Rule{Name: name, scope: []string{"text", "tool"}}
	if !namePattern().MatchString(name) {
		return r, errors.New("a name is small letters, digits, - and _, at most 40")
	}
	head, body, ok := strings.Cut(strings.TrimPrefix(strings.ReplaceAll(file, "\r\n", "\n"), "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(file, "---") {
		return r, errors.New("it has no head between two lines of ---")
	}
	if r.Text = strings.TrimSpace(body); r.Text == "" || len(r.Text) > maxText {
		return r, fmt.Errorf("what the model is told is empty, or longer than %d bytes", maxText)
	}
	for _, s := range settingsOf(head) {
		if err := r.applySetting(s.key, s.value); err != nil {
			return r, err
		}
		r.says = append(r.says, s.key)
	}
	switch {
	case r.OnStream():
		r.Always = false // it is told when it is found
	case len(r.Problems) > 0:
		return r, errors.New(r.Problems[0])
	case r.About == "" && !r.Always:
		return r, errors.New("it has no condition, no description and no alwaysApply")
	}
	return r, nil
}

func (r *Rule) applySetting(key, value string) error {
	oneOf := func(yes, no string) (bool, error) {
		if value != yes && value != no {
			return false, fmt.Errorf("%s may be %s or %s, not %q", key, no, yes, value)
		}
		return value == yes, nil
	}
	var err error
	switch key {
	case "description":
		r.About, _ = visible.Line(value)
		r.About = width.Head(r.About, maxAbout)
	case "alwaysApply":
		r.Always, err = oneOf("true", "false")
	case "condition":
		if len(value) > maxPattern || len(r.patterns) == maxPatterns {
			return fmt.Errorf("a condition is longer than %d bytes, or there are more than %d", maxPattern, maxPatterns)
		}
		re, err := regexp.Compile(value)
		if err != nil { // the other ones hold
			r.Problems = append(r.Problems, fmt.Sprintf("condition: %v", err))
			return nil
		}
		r.patterns = append(r.patterns, func() *regexp.Regexp { return re })
	case "astCondition":
		if value == "" || len(value) > maxPattern || len(r.structures) == maxPatterns {
			return fmt.Errorf("an astCondition is empty or longer than %d bytes, or there are more than %d", maxPattern,
				maxPatterns)
		}
		r.structures = append(r.structures, value)
	case "globs":
		for glob := range strings.SplitSeq(value, ",") {
			if glob = strings.TrimSpace(glob); !doublestar.ValidatePattern(glob) || glob == "" {
				return fmt.Errorf("%q in globs is no glob", glob)
			}
			r.globs = append(r.globs, glob)
		}
	case "scope":
		if !slices.Contains(r.says, "scope") {
			r.scope = nil
		}
		for s := range strings.SplitSeq(value, ",") {
			s = strings.TrimSpace(s)
			tool, ok := strings.CutPrefix(s, "tool:")
			if !slices.Contains([]string{"text", "thinking", "tool"}, s) && (!ok || tool == "") {
				return fmt.Errorf("scope may have text, thinking, tool and tool:NAME, not %q", s)
			}
			r.scope = append(r.scope, s)
		}
	case "repeat":
		if value == "once" {
			r.RepeatAfter = 0
		} else if r.RepeatAfter, err = strconv.Atoi(value); err != nil || r.RepeatAfter < 1 {
			return fmt.Errorf("repeat may be once, or how many answers have to come before, not %q", value)
		}
	case "interrupt":
		r.Gentle, err = oneOf("never", "always")
	case "context":
		r.KeepText, err = oneOf("keep", "discard")
	default:
		return fmt.Errorf("there is no setting %q", key)
	}
	return err
}

// appliesTo reports whether the rule checks text from a source: "text", "thinking", or "tool:NAME".
func (r Rule) appliesTo(source string) bool {
	kind, _, _ := strings.Cut(source, ":")
	return slices.Contains(r.scope, source) || slices.Contains(r.scope, kind)
}

// appliesToPath reports whether a path matches one of the rule's globs, or the rule has none. A
// glob without a slash is compared with the base name.
func (r Rule) appliesToPath(file string) bool {
	file = path.Clean(filepath.ToSlash(file))
	for _, glob := range r.globs {
		name := strings.TrimPrefix(file, "/")
		if !strings.Contains(glob, "/") {
			name = path.Base(file)
		} else if path.IsAbs(file) && !path.IsAbs(glob) { // nobody knows where it begins
			glob = "**/" + glob
		}
		if ok, err := doublestar.Match(strings.TrimPrefix(glob, "/"), name); ok && err == nil {
			return true
		}
	}
	return len(r.globs) == 0
}

// Load reads the rules in the user's configuration directory; "" has none. notices are sentences
// about files that are not used.
func Load(dir string) (rules []Rule, notices []string) {
	if dir == "" {
		return nil, nil
	}
	d, err := os.OpenFile(filepath.Join(dir, "rules"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxFiles)
	slices.Sort(names)
	for _, file := range names {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok {
			continue
		}
		path := filepath.Join("rules", file)
		text, err := briefing.ReadPersonal(filepath.Join(dir, path))
		var r Rule
		if err == nil {
			r, err = Parse(name, text)
		}
		if err == nil && len(rules) == maxRules {
			err = fmt.Errorf("there are more than %d", maxRules)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s in your config folder is not used: %v", path, err))
			continue
		}
		for _, p := range r.Problems {
			notices = append(notices, fmt.Sprintf("a part of %s in your config folder is not used: %s", path, p))
		}
		rules = append(rules, r)
	}
	return rules, notices
}
