package approval

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
)

// Traits are what a tool says about itself. Rules and front ends use them, so that each of them
// knows a new tool.
type Traits struct {
	Subject     SubjectKind // what the pattern of a rule about the tool is
	Kind        Kind        // what its calls do
	Shows       bool        // its result has contents of files, so rules about it say what may be read
	SummaryOnly bool        // its summary is enough for a person; the result is for the model
}

// SubjectKind is what the calls of a tool are about, as rules name it.
type SubjectKind uint8

// The kinds of subjects; a tool that says none is not finished.
const (
	_           SubjectKind = iota
	NoSubject               // rules speak of all calls
	PathSubject             // a path of the workspace
	LineSubject             // a command line
	NameSubject             // a name, such as that of a host
)

// Kind is what the calls of a tool do. Front ends choose a sign by it.
type Kind uint8

// The kinds of tools; a tool that says none is not finished.
const (
	_            Kind = iota
	KindReads         // reads what it names
	KindSearches      // finds what it does not name
	KindEdits         // changes files
	KindRuns          // runs commands
	KindKeeps         // keeps what belongs to the conversation
	KindPlans         // changes the mode
	KindOther         // does what nobody here knows
)

// Tools are the traits of tools by the names that rules use. All forms of edit_file have one name.
type Tools map[string]Traits

// Check returns an error if a rule is about a tool that does not exist, or has a pattern that its
// tool does not take.
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

// meant returns the rule that a person may have meant by one about a tool that does not exist; "":
// none is near. It may be written in the words of another program.
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

// showsFiles reports whether a rule about a tool says what may be read. It is true for an unknown
// tool.
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
