package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// maxInterruptions is the number of times that stream rules may interrupt the model in one turn.
const maxInterruptions = 3

// ruleInterrupt is the error with which a request ends when stream rules interrupt the model's
// answer.
type ruleInterrupt []streamrule.Rule

func (r ruleInterrupt) Error() string { return "the answer was interrupted by the rule " + r.names() }

func (r ruleInterrupt) names() string {
	var names []string
	for _, rule := range r {
		names = append(names, rule.Name)
	}
	return strings.Join(names, ", ")
}

// ruleTracker holds the effects of stream rules in a turn, and texts that the model still has to
// get.
type ruleTracker struct {
	interruptions int
	afterMessage  []provider.Part            // texts of rules that follow the current message of the model
	withResults   map[string][]provider.Text // texts of rules that are added to the result of a call, by its id
}

// SetRules replaces the stream rules. They apply from the next answer of the model on.
func (a *Agent) SetRules(rules []streamrule.Rule) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cfg.Rules = rules
}

func (a *Agent) currentRules() []streamrule.Rule {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cfg.Rules
}

// newWatch returns a watch that matches rules against the model's next message. It has no rules
// that the model was told recently; the stored conversation shows which these are, even after a
// resume.
func (t *turn) newWatch() *streamrule.Watch {
	all := t.agent.currentRules()
	t.ruleState.afterMessage, t.ruleState.withResults = nil, nil
	if len(all) == 0 || t.ruleState.interruptions >= maxInterruptions {
		return &streamrule.Watch{}
	}
	toldAt, answers := map[string]int{}, 0 // toldAt: the number of answers before it was told
	for _, m := range t.agent.snapshot().Messages() {
		if m.Role == provider.Assistant {
			answers++
		}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Text:
				if p.Origin == provider.Rule {
					toldAt[p.Rule] = answers
				}
			case provider.ToolResult:
				for _, rule := range p.Rules {
					toldAt[rule] = answers
				}
			}
		}
	}
	w := &streamrule.Watch{}
	for _, r := range all {
		if !r.OnStream() {
			continue
		}
		if at, known := toldAt[r.Name]; !known || r.RepeatAfter > 0 && answers-at >= r.RepeatAfter {
			w.Rules = append(w.Rules, r)
		}
	}
	return w
}

// applyRules passes an event of the model's answer to the watch. It returns a ruleInterrupt if
// rules match that interrupt the answer. names maps the ids of calls to tools.
func (t *turn) applyRules(watch *streamrule.Watch, names map[string]string, ev provider.Event) error {
	if len(watch.Rules) == 0 {
		return nil
	}
	var matched []streamrule.Rule
	call := ""
	switch ev := ev.(type) {
	case provider.TextDelta:
		matched = watch.Text(ev.Text, false)
	case provider.ThinkingDelta:
		matched = watch.Text(ev.Text, true)
	case provider.ToolCallStart:
		names[ev.ID] = ev.Name
	case provider.ToolCallDelta:
		call, matched = ev.ID, watch.Call(ev.ID, names[ev.ID], ev.JSON)
	case provider.ToolCall:
		call, matched = ev.ID, watch.EndCall(ev.ID, ev.Name, string(ev.Input), patchPaths(ev))
		matched = append(matched, t.findStructures(watch, ev)...)
	case provider.End:
		matched = watch.End()
	}
	var stop ruleInterrupt
	for _, r := range matched {
		switch text := provider.Remind(r.Name, r.Text); {
		case !r.Gentle:
			stop = append(stop, r)
		case call != "":
			if t.ruleState.withResults == nil {
				t.ruleState.withResults = map[string][]provider.Text{}
			}
			t.ruleState.withResults[call] = append(t.ruleState.withResults[call], text)
		default:
			t.ruleState.afterMessage = append(t.ruleState.afterMessage, text)
		}
	}
	if stop != nil {
		return stop
	}
	return nil
}

// retract adds the texts of the interrupting rules to the conversation, after an interrupted
// answer. The text of that answer is added before if one of the rules says so.
func (t *turn) retract(rules ruleInterrupt, text string) error {
	t.ruleState.interruptions++
	t.on(Retracted{Rules: rules.names(), Retry: t.ruleState.interruptions, Of: maxInterruptions})
	keep := false
	reminder := provider.Message{Role: provider.User}
	for _, r := range rules {
		keep = keep || r.KeepText
		reminder.Parts = append(reminder.Parts, provider.Interrupt(r.Name, r.Text))
	}
	if keep && text != "" {
		partial := provider.Message{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: text}}}
		if err := t.addMessage(partial); err != nil {
			return err
		}
	}
	if t.ruleState.interruptions == maxInterruptions {
		t.on(Notice{"Rules have interrupted this turn as often as they may; the rest of it goes on without them."})
	}
	return t.addMessage(reminder)
}

// addReminders adds the texts of rules that do not interrupt to the results of the calls that they
// matched.
func (t *turn) addReminders(results []provider.Part) {
	for i, p := range results {
		if r, ok := p.(provider.ToolResult); ok && len(t.ruleState.withResults[r.ID]) > 0 {
			text := ""
			for _, rule := range t.ruleState.withResults[r.ID] {
				text += rule.Text + "\n\n"
				r.Rules = append(r.Rules, rule.Rule)
			}
			r.Text = text + r.Text
			results[i] = r
			t.on(Notice{"The model was told the rule " + strings.Join(r.Rules, ", ") + " with the result of its call."})
		}
	}
}

// sendReminders sends the model the texts of rules that do not interrupt and that its last message
// matched. It returns false if there are none. It makes the turn longer, and therefore counts as an
// interruption.
func (t *turn) sendReminders() (bool, error) {
	if len(t.ruleState.afterMessage) == 0 {
		return false, nil
	}
	t.ruleState.interruptions++
	var names []string
	for _, p := range t.ruleState.afterMessage {
		names = append(names, p.(provider.Text).Rule)
	}
	t.on(Notice{"The model is told the rule " + strings.Join(names, ", ") + " after its message."})
	return true, t.addMessage(provider.Message{Role: provider.User, Parts: t.ruleState.afterMessage})
}

// Line returns a sentence about the interruption for the user.
func (r Retracted) Line() string {
	return fmt.Sprintf("Retracted by the rule %s: the answer so far does not count. The model is told the rule and "+
		"asked again (%d of at most %d).", r.Rules, r.Retry, r.Of)
}

// asRuleInterrupt returns the ruleInterrupt that err wraps, if it does.
func asRuleInterrupt(err error) (rules ruleInterrupt, ok bool) {
	ok = errors.As(err, &rules)
	return rules, ok
}
