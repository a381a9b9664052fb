package approval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// Traits holds the facts about a tool that rules and front ends need, so that they know new tools,
// too.
type Traits struct {
	Subject SubjectKind // what the pattern of a rule for the tool means
	Kind    Kind        // what the tool's calls do
	// results contain contents of files, so that deny and ask rules for the tool limit which files
	// may be read
	Shows       bool
	SummaryOnly bool // the summary is enough for the user; the full result is only for the model
}

// SubjectKind says what the pattern of a rule for a tool means.
type SubjectKind uint8

// The kinds of subjects. The zero value is not used: every tool must have one of these.
const (
	_           SubjectKind = iota
	NoSubject               // rules for the tool have no pattern, and apply to all calls
	PathSubject             // the pattern is a glob on paths of the workspace
	LineSubject             // the pattern is that of a command line
	NameSubject             // the pattern is a name, such as that of a host
)

// Kind says what the calls of a tool do. Front ends choose a symbol by it.
type Kind uint8

// The kinds of tools. The zero value is not used: every tool must have one of these.
const (
	_            Kind = iota
	KindReads         // the tool reads a file that the call names
	KindSearches      // the tool finds files or texts
	KindEdits         // the tool changes files
	KindRuns          // the tool runs commands
	KindKeeps         // the tool stores things that belong to the conversation, such as a todo list
	KindPlans         // the tool ends plan mode with a plan
	KindOther         // the tool does something else
)

// Tools maps the names of tools in rules to their traits. All variants of edit_file have that name.
type Tools map[string]Traits

// Check returns an error if a rule is for a tool that does not exist, or has a pattern although its
// tool takes none.
func (t Tools) Check(r Rule) error {
	traits, known := t[r.tool]
	switch {
	case r.tool == "mcp", isForeignName(r.tool) && r.all:
		return nil
	case !known && !isForeignName(r.tool):
		if meant := t.meant(r); meant != "" {
			return fmt.Errorf("rule %q: there is no tool %q; did you mean %s?", r.text, r.tool, meant)
		}
		return fmt.Errorf("rule %q: there is no tool %q", r.text, r.tool)
	case !r.all && traits.Subject <= NoSubject:
		return fmt.Errorf("rule %q: the tool %q takes no pattern", r.text, r.tool)
	}
	return nil
}

// meant returns the rule that the user may have meant by a rule for a tool that does not exist; "":
// none is similar. The rule may be in the words of another program.
func (t Tools) meant(r Rule) string {
	if i := importRule(r.Action, r.text); len(i.Rules) > 0 {
		return strings.Join(i.Rules, " and ")
	}
	name := strings.ToLower(r.tool)
	if _, known := t[name+"_file"]; known {
		name += "_file"
	} else {
		name = nearest.Name(name, 2, slices.Sorted(maps.Keys(t))...)
	}
	meant := name + strings.TrimPrefix(r.text, r.tool)
	other, err := ParseRule(r.Action, meant)
	if name == "" || err != nil || t.Check(other) != nil || other.WhyNever() != "" {
		return ""
	}
	return meant
}

// showsFiles reports whether results of a tool contain contents of files. It returns true for an
// unknown tool.
func (t Tools) showsFiles(tool string) bool {
	traits, known := t[tool]
	switch {
	case known:
		return traits.Shows
	case tool == "bash", tool == "write_file", tool == "edit_file", tool == "mcp":
		return false
	}
	return !isForeignName(tool)
}
