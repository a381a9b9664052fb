// Package streamrule finds text that a person does not want a model to write, while the model
// writes it. Rules with patterns are files in the configuration folder (rules/NAME.md). Package
// skill reads the rules of a workspace.
//
// Patterns are those of Go's regexp, whose time is linear in the text. They are matched in a window
// of the stream, so a match has at most [Span] bytes.
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
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Bounds of a folder and of a rule.
const (
	maxFiles   = 1000
	maxRules   = 50
	maxPattern = 1000 // bytes of a pattern
	maxText    = 16 << 10
)

// Rule is one file. The zero value matches nothing.
type Rule struct {
	Name string
	Text string // for the model
	// RepeatAfter is the number of messages after which the rule is told again; 0: it is told once
	// in a conversation.
	RepeatAfter int
	// Gentle rules do not interrupt. They are told after the message, or with the result of the
	// call.
	Gentle bool
	// KeepText keeps the interrupted text in the conversation.
	KeepText bool

	patterns []*regexp.Regexp
	scope    []string // text, thinking, tool, tool:NAME
}

// namePattern is the form of a name. Names stand in rows, and in an attribute for the model.
var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,39}$`)

// Parse reads a rule: settings between lines of ---, then the text for the model. The settings are
// condition (a pattern; one of several lines has to match), scope, repeat, interrupt and context.
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
	for line := range strings.SplitSeq(head, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		if err := r.applySetting(strings.TrimSpace(key), unquoted(strings.TrimSpace(value))); err != nil {
			return r, err
		}
	}
	if len(r.patterns) == 0 {
		return r, errors.New("it has no condition")
	}
	return r, nil
}

// unquoted returns value without surrounding quotes.
func unquoted(value string) string {
	if n := len(value); n >= 2 && value[0] == value[n-1] && (value[0] == '"' || value[0] == '\'') {
		return value[1 : n-1]
	}
	return value
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
	case "condition":
		if len(value) > maxPattern || len(r.patterns) == 10 {
			return fmt.Errorf("a condition is longer than %d bytes, or there are more than 10", maxPattern)
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
			return fmt.Errorf("repeat may be once, or how many messages have to come before, not %q", value)
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

// appliesTo reports whether the rule is for a source: "text", "thinking", or "tool:NAME".
func (r Rule) appliesTo(source string) bool {
	kind, _, _ := strings.Cut(source, ":")
	return slices.Contains(r.scope, source) || slices.Contains(r.scope, kind)
}

// Load reads the rules of a configuration folder; "" has none. notices tell which are not used, and
// why.
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
		rules = append(rules, r)
	}
	return rules, notices
}
