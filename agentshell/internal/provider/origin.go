package provider

import (
	"fmt"
	"slices"
	"strings"
)

// Origin says how a text came into a message of the role User: providers have no other place for
// what the shell has to say. The zero value is what the person typed.
type Origin string

const (
	Typed    Origin = ""
	Command  Origin = "command"  // a command of the person's own, and its output
	Cell     Origin = "cell"     // a cell of the person's own, and its output
	Undone   Origin = "undone"   // the person took a change of a file back
	Restored Origin = "restored" // the person went back, and what that means for files
	Todo     Origin = "todo"     // the list after the person has changed it
	Left     Origin = "left"     // the summary of a branch that the person has left
	Report   Origin = "report"   // of the model, in place of what it has gone back from
	Rule     Origin = "rule"     // a rule on the stream
	Job      Origin = "job"      // background jobs have ended
	Outdated Origin = "outdated" // files that the model has read were changed since
	Findings Origin = "findings" // what language servers have found of changes
	Warning  Origin = "warning"  // what the model has to do
	Aside    Origin = "aside"    // with a message: of the mode, and of hooks
	Peer     Origin = "peer"     // another agent of the session has written it, or the person through it
	Attached Origin = "attached" // with a message: files that it names
)

// IsAside reports whether the text only accompanies the main text of its message.
func (o Origin) IsAside() bool { return o == Aside || o == Attached }

// IsFromPerson reports whether the text tells what the person wrote or did.
func (o Origin) IsFromPerson() bool {
	return slices.Contains([]Origin{Typed, Command, Cell, Undone, Restored, Todo}, o)
}

// MainText returns the text of m without asides, and the origin of that text.
func (m Message) MainText() (text string, from Origin) {
	var said []string
	for _, p := range m.Parts {
		if t, ok := p.(Text); ok && !t.Origin.IsAside() && strings.TrimSpace(t.Text) != "" {
			if len(said) == 0 {
				from = t.Origin
			}
			said = append(said, t.Text)
		}
	}
	return strings.Join(said, "\n\n"), from
}

// The forms of what the shell tells a model that is no message of the person's.
const violation = ` reason="rule_violation" rule="%s">` + "\n"

// Interrupt tells the model that its answer was interrupted by a rule.
func Interrupt(rule, text string) Text {
	return Text{Text: fmt.Sprintf("<system-interrupt"+violation+"%s\n</system-interrupt>", rule, text), Origin: Rule,
		Rule: rule}
}

// Remind tells the model of a rule that what it wrote has violated.
func Remind(rule, text string) Text {
	return Text{Text: fmt.Sprintf("<system-reminder"+violation+"%s\n</system-reminder>", rule, text), Origin: Rule,
		Rule: rule}
}

// Warn tells the model what it has to do.
func Warn(text string) Text {
	return Text{Text: "<system-warning>\n" + text + "\n</system-warning>", Origin: Warning}
}
