package crew

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// note updates the agent's counters and activity from an event of its turn, and passes the event
// on.
func (m *mate) note(e agent.Event) {
	switch e := e.(type) {
	case agent.MessageEnd:
		m.spend(1, 0, 0)
	case agent.Usage:
		m.spend(0, e.Input+e.Output, e.Cost)
	}
	if m.count(e) {
		m.crew.team.Announce()
	}
	m.watch.add(e)
	m.crew.emit(Event{Agent: m.id, Turn: e})
}

// count updates the agent's counters and activity from an event. It reports whether what a list of
// agents shows may have changed.
func (m *mate) count(e agent.Event) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch e := e.(type) {
	case agent.MessageEnd:
		m.steps++
		if e.Text != "" {
			m.words = e.Text
		}
	case agent.Usage:
		m.tokens += e.Input + e.Output
		m.cost += e.Cost
	case agent.ToolStart:
		m.doing = Doing{What: Calls, Title: e.Title}
	case agent.ToolEnd:
		m.doing = Doing{What: Thinks}
		for _, file := range e.Result.Changed {
			if !slices.Contains(m.changed, file) {
				m.changed = append(m.changed, file)
			}
		}
	case agent.TurnEnd:
		m.reason, m.limit = e.Reason, e.Limit
	default:
		return false
	}
	return true
}

// report calls progress with a line for each tool call of the agent, until stop is called.
func (m *mate) report(progress func(line string)) (stop func()) {
	return m.watch.join(func(e agent.Event) {
		if e, is := e.(agent.ToolStart); is && e.Name != tool.YieldName {
			m.mu.Lock()
			steps := m.steps
			m.mu.Unlock()
			progress(fmt.Sprintf("%s: step %d, %s", m.id, steps, e.Title))
		}
	})
}

// lastLine returns the last line of text that is not blank.
func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
