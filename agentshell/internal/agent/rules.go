package agent

import (
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// mostRetries is how often rules may interrupt a turn.
const mostRetries = 3

// ruled says that an attempt was interrupted by rules.
type ruled []streamrule.Rule

func (r ruled) Error() string { return "the answer was interrupted by the rule " + r.names() }

func (r ruled) names() string {
	var names []string
	for _, rule := range r {
		names = append(names, rule.Name)
	}
	return strings.Join(names, ", ")
}

// rules are what this turn has done by stream rules.
type rules struct {
	retries int
	behind  []provider.Part            // what the model is told behind its message
	beside  map[string][]provider.Text // and with the result of a call
}

// SetRules sets the rules that interrupt, from the next answer on.
func (a *Agent) SetRules(rules []streamrule.Rule) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cfg.Rules = rules
}

func (a *Agent) rulesNow() []streamrule.Rule {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cfg.Rules
}

// watch returns the look at the next message: of the rules that may be told now. What was told, and
// when, the conversation says: also that of a session that goes on.
func (t *turn) watch() *streamrule.Watch {
	all := t.agent.rulesNow()
	t.ruled.behind, t.ruled.beside = nil, nil
	if len(all) == 0 || t.ruled.retries >= mostRetries {
		return &streamrule.Watch{}
	}
	told, messages := map[string]int{}, t.agent.conversation().Messages()
	for i, m := range messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case provider.Text:
				if p.Origin == provider.Rule {
					told[p.Rule] = i
				}
			case provider.ToolResult:
				for _, rule := range p.Rules {
					told[rule] = i
				}
			}
		}
	}
	w := &streamrule.Watch{}
	for _, r := range all {
		if at, was := told[r.Name]; !was || r.After > 0 && len(messages)-1-at >= r.After {
			w.Rules = append(w.Rules, r)
		}
	}
	return w
}

// see looks at an event of the model's; an error: rules interrupt.
func (t *turn) see(w *streamrule.Watch, names map[string]string, ev provider.Event) error {
	if len(w.Rules) == 0 {
		return nil
	}
	var hits []streamrule.Rule
	call := ""
	switch ev := ev.(type) {
	case provider.TextDelta:
		hits = w.Text(ev.Text, false)
	case provider.ThinkingDelta:
		hits = w.Text(ev.Text, true)
	case provider.ToolCallStart:
		names[ev.ID] = ev.Name
	case provider.ToolCallDelta:
		call, hits = ev.ID, w.Call(ev.ID, names[ev.ID], ev.JSON)
	case provider.ToolCall:
		call, hits = ev.ID, w.EndCall(ev.ID, ev.Name, string(ev.Input))
	case provider.End:
		hits = w.End()
	}
	var stop ruled
	for _, r := range hits {
		switch text := provider.Remind(r.Name, r.Text); {
		case !r.Gentle:
			stop = append(stop, r)
		case call != "":
			if t.ruled.beside == nil {
				t.ruled.beside = map[string][]provider.Text{}
			}
			t.ruled.beside[call] = append(t.ruled.beside[call], text)
		default:
			t.ruled.behind = append(t.ruled.behind, text)
		}
	}
	if stop != nil {
		return stop
	}
	return nil
}

// retract makes the conversation go on behind an interrupted answer: without its text, said, or
// with it, and with what the rules say.
func (t *turn) retract(by ruled, said string) error {
	t.ruled.retries++
	t.on(Retracted{Rules: by.names(), Retry: t.ruled.retries, Of: mostRetries})
	keep := false
	told := provider.Message{Role: provider.User}
	for _, r := range by {
		keep = keep || r.Keep
		told.Parts = append(told.Parts, provider.Interrupt(r.Name, r.Text))
	}
	if keep && said != "" {
		partial := provider.Message{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: said}}}
		if err := t.add(partial); err != nil {
			return err
		}
	}
	if t.ruled.retries == mostRetries {
		t.on(Notice{"Rules have interrupted this turn as often as they may; the rest of it goes on without them."})
	}
	return t.add(told)
}

// remind puts what gentle rules say with the results of the calls that they are about.
func (t *turn) remind(results []provider.Part) {
	for i, p := range results {
		if r, ok := p.(provider.ToolResult); ok && len(t.ruled.beside[r.ID]) > 0 {
			said := ""
			for _, rule := range t.ruled.beside[r.ID] {
				said += rule.Text + "\n\n"
				r.Rules = append(r.Rules, rule.Rule)
			}
			r.Text = said + r.Text
			results[i] = r
		}
	}
}

// remindBehind tells the model what gentle rules say of its message, and reports whether there was
// something. It makes the turn longer, so it counts as an interruption does.
func (t *turn) remindBehind() (bool, error) {
	if len(t.ruled.behind) == 0 {
		return false, nil
	}
	t.ruled.retries++
	return true, t.add(provider.Message{Role: provider.User, Parts: t.ruled.behind})
}

// Line says so to a person.
func (r Retracted) Line() string {
	return fmt.Sprintf("Retracted by the rule %s: the answer so far does not count. The model is told the rule and "+
		"asked again (%d of at most %d).", r.Rules, r.Retry, r.Of)
}

// asRuled returns the rules that err says have interrupted.
func asRuled(err error) (by ruled, ok bool) {
	ok = errors.As(err, &by)
	return by, ok
}
