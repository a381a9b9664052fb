package provider

import (
	"fmt"
	"slices"
	"strings"
)

// Origin says how a text came into a message of the role User, since APIs have no other place for
// what the shell tells a model. The zero value is what the user typed.
type Origin string

const (
	Typed   Origin = ""
	Command Origin = "command" // a shell command that the user ran, with its output
	Cell    Origin = "cell"    // a code cell that the user ran, with its output
	Undone  Origin = "undone"  // a note that the user has undone a change of a file
	// a note that the user went back to an earlier message, and what that means for files
	Restored Origin = "restored"
	Todo     Origin = "todo" // the todo list, after the user has changed it
	Left     Origin = "left" // a summary of the branch of the conversation that the user has left
	// the model's report on a part of the conversation that it has discarded with the tool rewind
	Report   Origin = "report"
	Rule     Origin = "rule"     // a note that the model's output has violated a rule
	Job      Origin = "job"      // a note that background jobs have ended
	Outdated Origin = "outdated" // a note that files were changed since the model has read them
	Findings Origin = "findings" // diagnostics of language servers after changes of files
	Warning  Origin = "warning"  // an instruction of the shell to the model
	Aside    Origin = "aside"    // a text that accompanies a message: about the permission mode, or from hooks
	Peer     Origin = "peer"     // a message from another agent of the session, or from the user through that agent
	Attached Origin = "attached" // files that a message names, attached to the message
)

// IsAside reports whether the text only accompanies the main text of its message.
func (o Origin) IsAside() bool { return o == Aside || o == Attached }

// IsFromPerson reports whether the text is what the user wrote, or says what the user did.
func (o Origin) IsFromPerson() bool {
	return slices.Contains([]Origin{Typed, Command, Cell, Undone, Restored, Todo}, o)
}

// MainText returns the texts of m that only accompany no others, separated by blank lines, and the
// origin of the first of them.
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

// violation is the format of the attributes in a tag that tells a model of a violated rule. Its
// argument is the rule's name.
const violation = ` reason="rule_violation" rule="%s">` + "\n"

// Interrupt returns the text that tells the model that its answer was interrupted because it
// violated the given rule.
func Interrupt(rule, text string) Text {
	return Text{Text: fmt.Sprintf("<system-interrupt"+violation+"%s\n</system-interrupt>", rule, text), Origin: Rule,
		Rule: rule}
}

// Remind returns the text that reminds the model of a rule that its output has violated.
func Remind(rule, text string) Text {
	return Text{Text: fmt.Sprintf("<system-reminder"+violation+"%s\n</system-reminder>", rule, text), Origin: Rule,
		Rule: rule}
}

// Warn returns an instruction of the shell for the model.
func Warn(text string) Text {
	return Text{Text: "<system-warning>\n" + text + "\n</system-warning>", Origin: Warning}
}
