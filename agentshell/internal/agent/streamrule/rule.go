// Package streamrule finds what a person does not want a model to write while it is being written:
// rules with patterns on the stream, in files of the config folder (rules/NAME.md). Those of a
// workspace are read by package skill.
//
// Patterns are those of Go's regexp, whose time is linear in the text. They see a window of the
// stream: a match is at most [Span] bytes long.
package streamrule

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
)

// Bounds of a folder and of a rule.
const (
	mostFiles   = 1000
	mostRules   = 50
	mostPattern = 1000 // bytes of one
	mostText    = 16 << 10
)

// Rule is one file. The zero value matches nothing.
type Rule struct {
	Name string
	Text string // what the model is told
	// After is how many messages have to come before the rule is told again; 0: it is told once in
	// a conversation.
	After int
	// Gentle rules do not interrupt: they are told behind the message, or with the result of the
	// call.
	Gentle bool
	// Keep leaves what was written until then in the conversation.
	Keep bool

	patterns []*regexp.Regexp
	scope    []string // text, thinking, tool, tool:NAME
}

// named is the form of a name: it stands in a row, and in an attribute for the model.
var named = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// Parse reads the text of a file: lines of a head between ---, and what the model is told. The head
// has condition (a pattern; several lines: any of them), scope, repeat, interrupt and context.
func Parse(name, file string) (Rule, error) {
	r := Rule{Name: name, scope: []string{"text", "tool"}}
	if !named.MatchString(name) {
		return r, errors.New("a name is small letters, digits, - and _, at most 40")
	}
	head, body, ok := strings.Cut(strings.TrimPrefix(strings.ReplaceAll(file, "\r\n", "\n"), "---\n"), "\n---\n")
	if !ok || !strings.HasPrefix(file, "---") {
		return r, errors.New("it has no head between two lines of ---")
	}
	if r.Text = strings.TrimSpace(body); r.Text == "" || len(r.Text) > mostText {
		return r, fmt.Errorf("what the model is told is empty, or longer than %d bytes", mostText)
	}
	for line := range strings.SplitSeq(head, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		if err := r.set(strings.TrimSpace(key), unquoted(strings.TrimSpace(value))); err != nil {
			return r, err
		}
	}
	if len(r.patterns) == 0 {
		return r, errors.New("it has no condition")
	}
	return r, nil
}

// unquoted returns value without quotes around it.
func unquoted(value string) string {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
}

func (r *Rule) set(key, value string) error {
	oneOf := func(yes, no string) (bool, error) {
		if value != yes && value != no {
			return false, fmt.Errorf("%s may be %s or %s, not %q", key, no, yes, value)
		}
		return value == yes, nil
	}
	var err error
	switch key {
	case "description":
	case "condition":
		if len(value) > mostPattern || len(r.patterns) == 10 {
			return fmt.Errorf("a condition is longer than %d bytes, or there are more than 10", mostPattern)
		}
		var re *regexp.Regexp
		if re, err = regexp.Compile(value); err != nil {
			return fmt.Errorf("condition: %w", err)
		}
		r.patterns = append(r.patterns, re)
	case "scope":
		r.scope = nil
		for s := range strings.SplitSeq(value, ",") {
			s = strings.TrimSpace(s)
			tool, is := strings.CutPrefix(s, "tool:")
			if !slices.Contains([]string{"text", "thinking", "tool"}, s) && (!is || tool == "") {
				return fmt.Errorf("scope may have text, thinking, tool and tool:NAME, not %q", s)
			}
			r.scope = append(r.scope, s)
		}
	case "repeat":
		if value == "once" {
			r.After = 0
		} else if r.After, err = strconv.Atoi(value); err != nil || r.After < 1 {
			return fmt.Errorf("repeat may be once, or how many messages have to come before, not %q", value)
		}
	case "interrupt":
		r.Gentle, err = oneOf("never", "always")
	case "context":
		r.Keep, err = oneOf("keep", "discard")
	default:
		return fmt.Errorf("there is no setting %q", key)
	}
	return err
}

// about reports whether the rule is about a source: "text", "thinking", or "tool:NAME".
func (r Rule) about(source string) bool {
	kind, _, _ := strings.Cut(source, ":")
	return slices.Contains(r.scope, source) || slices.Contains(r.scope, kind)
}

// Load reads the rules of a config folder; "" has none. notices say what is not used, and why.
func Load(dir string) (rules []Rule, notices []string) {
	if dir == "" {
		return nil, nil
	}
	d, err := os.OpenFile(filepath.Join(dir, "rules"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(mostFiles)
	slices.Sort(names)
	for _, file := range names {
		name, is := strings.CutSuffix(file, ".md")
		if !is {
			continue
		}
		at := filepath.Join("rules", file)
		text, err := briefing.Own(filepath.Join(dir, at))
		var r Rule
		if err == nil {
			r, err = Parse(name, text)
		}
		if err == nil && len(rules) == mostRules {
			err = fmt.Errorf("there are more than %d", mostRules)
		}
		if err != nil {
			notices = append(notices, fmt.Sprintf("%s in your config folder is not used: %v", at, err))
			continue
		}
		rules = append(rules, r)
	}
	return rules, notices
}
