package approval

import (
	"fmt"
	"strings"
)

// Traits is what a tool says of itself beside its name. Rules and front ends go by it, so that a
// new tool is known to all of them.
type Traits struct {
	Subject SubjectKind // what the pattern of a rule about it is
	Kind    Kind        // what its calls do
	Shows   bool        // its result holds what is in files: rules about it say what may be read
	Quiet   bool        // its summary is enough for a person: what it found is the model's to tell
}

// SubjectKind is what a tool's calls are about, as rules name it.
type SubjectKind uint8

// The kinds of subjects; a tool that says none is not finished.
const (
	_           SubjectKind = iota
	NoSubject               // rules speak of all calls
	PathSubject             // a path of the workspace
	LineSubject             // a command line
)

// Kind is what the calls of a tool do, for the signs of a front end.
type Kind uint8

// The kinds of tools; a tool that says none is not finished.
const (
	_            Kind = iota
	KindReads         // what it was named
	KindSearches      // what it was not named
	KindEdits         // files
	KindRuns          // commands
	KindKeeps         // what belongs to the conversation
	KindPlans         // the mode
	KindOther         // what nobody here knows
)

// Tools are the traits of tools by their names, as rules know them: an edit is one, whatever its
// form.
type Tools map[string]Traits

// Check says why a rule is about no tool that there is, or has a pattern that its tool does not
// take.
func (t Tools) Check(r Rule) error {
	traits, known := t[r.tool]
	switch {
	case r.tool == "mcp", strings.HasPrefix(r.tool, foreignPrefix) && r.all:
		return nil
	case !known && r.all:
		return fmt.Errorf("rule %q: there is no tool %q", r.text, r.tool)
	case !r.all && traits.Subject != PathSubject && traits.Subject != LineSubject:
		return fmt.Errorf("rule %q: the tool %q takes no pattern", r.text, r.tool)
	}
	return nil
}

// foreignPrefix begins the name of a tool of a server.
const foreignPrefix = "mcp__"

// shows reports whether a rule about a tool says what may be read. What a tool that is not known
// shows nobody knows.
func (t Tools) shows(tool string) bool {
	traits, known := t[tool]
	switch {
	case known:
		return traits.Shows
	case tool == "bash", tool == "write_file", tool == "edit_file", tool == "mcp":
		return false
	}
	return !strings.HasPrefix(tool, foreignPrefix)
}
