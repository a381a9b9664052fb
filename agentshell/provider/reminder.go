package provider

import (
	"fmt"
	"strings"
)

// What the shell itself tells a model within a conversation stands in a message of the person's, or
// in a result, in one of these forms: providers have no other place for it.
const (
	interrupt = "<system-interrupt"
	reminder  = "<system-reminder"
	warning   = "<system-warning"
	violation = ` reason="rule_violation" rule="%s">` + "\n"
)

// Interrupt tells the model that its answer was interrupted by a rule.
func Interrupt(rule, text string) string {
	return fmt.Sprintf(interrupt+violation+"%s\n</system-interrupt>", rule, text)
}

// Remind tells the model of a rule that what it wrote has violated.
func Remind(rule, text string) string {
	return fmt.Sprintf(reminder+violation+"%s\n</system-reminder>", rule, text)
}

// Warn tells the model what it has to do.
func Warn(text string) string { return warning + ">\n" + text + "\n</system-warning>" }

// Told reports whether said is, or begins with, what the shell told the model, and of which rule;
// "" for none.
func Told(said string) (rule string, ok bool) {
	for _, form := range []string{interrupt, reminder} {
		if rest, is := strings.CutPrefix(said, form+` reason="rule_violation" rule="`); is {
			rule, _, ok = strings.Cut(rest, `">`)
			return rule, ok
		}
	}
	return "", strings.HasPrefix(said, warning+">")
}
