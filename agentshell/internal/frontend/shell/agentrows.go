package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/tui"
)

// agentState is what the shell knows of the agents that the model starts. It belongs to the loop.
type agentState struct {
	feed    *crew.Feed // their events; nil: there are no agents
	working int        // as of the last change of their number
	// first is the index of the first one that has begun since none worked. Only those are counted.
	first int
	calls int // calls of the model that talks to the person, and that wait for agents
}

// setWorking records how many of all agents work.
func (a *agentState) setWorking(n, all int) {
	if n == 0 {
		a.first = all
	}
	a.working = n
}

// maxAgentLive is the number of rows about agents above the prompt at most. Only these can change
// with a frame, however many agents work.
const maxAgentLive = 8

// agentProgress is what is shown of agents at one moment.
type agentProgress struct {
	rows   []crew.Agent // those that have a row, with what they do
	others []crew.Agent // those that work and have none
	done   int
	all    int
	tokens int
	cost   float64
	began  time.Time // the first of those that work
}

// progressOf returns what is shown of a list of agents on so many rows below the first one. Those
// that ask come first, since they wait for the person; those that wait for a slot have no row.
func progressOf(list []crew.Agent, first, rows int) (p agentProgress) {
	for i, a := range list {
		if i < first && !works(a) {
			continue
		}
		p.all++
		p.tokens, p.cost = p.tokens+a.Tokens, p.cost+a.Cost
		if works(a) && (p.began.IsZero() || a.Began.Before(p.began)) {
			p.began = a.Began
		}
		switch {
		case !works(a):
			p.done++
		case a.Doing.What == crew.WaitsForSlot:
			p.others = append(p.others, a)
		default:
			p.rows = append(p.rows, a)
		}
	}
	slices.SortStableFunc(p.rows, func(a, b crew.Agent) int { return rank(a) - rank(b) })
	if len(p.others) > 0 || len(p.rows) > rows {
		rows-- // the last one counts the others
	}
	if rows = max(rows, 0); len(p.rows) > rows {
		p.others = append(p.others, p.rows[rows:]...)
		p.rows = p.rows[:rows]
	}
	return p
}

// rank returns 0 for an agent that asks, and 1 for all others.
func rank(a crew.Agent) int {
	if a.Doing.What == crew.Asks {
		return 0
	}
	return 1
}

// agentRows returns the rows above the prompt about agents that work: how far they are in all, what
// each does, and how many more there are. It is one row in a low window. The text of agents is not
// looked at. waits reports whether the turn waits for them: then the first row is that of the turn.
func (sh *Shell) agentRows(s tui.Space) (v tui.View, waits bool) {
	if sh.agents.working == 0 || s.Height <= 0 {
		return tui.View{}, false
	}
	waits = sh.agents.calls > 0 && sh.busy() && !sh.stopped
	rows := min(maxAgentLive, s.Height) - 1
	p := progressOf(sh.cfg.Crew.Agents(), sh.agents.first, rows)
	if p.all == p.done {
		return tui.View{}, false
	}
	status := tui.Status{Text: p.head(s.Now), Hint: "/agents opens"}
	if waits {
		status.Hint = sh.cfg.Keys.Expand("{stop} stops, /agents opens")
	}
	v = status.View(s)
	v.Lines = slices.Clone(v.Lines)
	if v.RefreshAfter == 0 {
		v.RefreshAfter = time.Second
	}
	s.Width = max(s.Width-2, 1)
	column := p.idColumn(s)
	for _, a := range p.rows {
		v.Lines = append(v.Lines, agentRow(a, column, s))
	}
	if line := countOthers(p.others); line != "" && rows > 0 {
		v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "  " + line, Style: s.Look().Dim}))
	}
	return v, waits
}

// head returns the text of the first row.
func (p agentProgress) head(now time.Time) string {
	text := fmt.Sprintf("agents: %d of %d done, %s", p.done, p.all, tui.Elapsed(max(now.Sub(p.began), 0)))
	if n := countDoing(p.rows, crew.Asks) + countDoing(p.others, crew.Asks); n > 0 && len(p.rows) == 0 {
		text += fmt.Sprintf(", %d ask", n)
	}
	if p.tokens > 0 {
		text += ", " + tokenCount(p.tokens)
	}
	if p.cost > 0 {
		text += fmt.Sprintf(", $%.2f", p.cost)
	}
	return text
}

// countOthers returns how many agents without a row do what.
func countOthers(list []crew.Agent) string {
	slots, asks := countDoing(list, crew.WaitsForSlot), countDoing(list, crew.Asks)
	var parts []string
	add := func(n int, one, several string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, several))
		}
	}
	add(len(list)-slots-asks, "more works", "more work")
	add(asks, "more asks", "more ask")
	add(slots, "waits for a slot", "wait for a slot")
	return strings.Join(parts, ", ")
}

func countDoing(list []crew.Agent, what crew.Activity) (n int) {
	for _, a := range list {
		if a.Doing.What == what {
			n++
		}
	}
	return n
}

// idColumn returns the width of the column of ids: a third of the row at most.
func (p agentProgress) idColumn(s tui.Space) (columns int) {
	for _, a := range p.rows {
		columns = max(columns, s.Columns(a.ID))
	}
	return min(columns, max(s.Width/3, 6))
}

// agentRow returns the row of an agent that works.
func agentRow(a crew.Agent, column int, s tui.Space) tui.Line {
	t := s.Look()
	state, text, style := agentDoing(a)
	ask := tui.Style{}
	if a.Doing.What == crew.Asks {
		ask = t.Strong
	}
	id := padTo(s, cutStart(s, a.ID, column), column)
	return s.Cut(tui.Span{Text: "  " + id + "  "}, tui.Span{Text: padTo(s, state, 7) + "  ", Style: ask},
		tui.Span{Text: visibleLine(displayTitle(text), t), Style: style(t)})
}

// agentDoing returns what an agent does: a word or two, and about what.
func agentDoing(a crew.Agent) (state, text string, style func(*tui.Theme) tui.Style) {
	plain := func(*tui.Theme) tui.Style { return tui.Style{} }
	dim := func(t *tui.Theme) tui.Style { return t.Dim }
	step := fmt.Sprintf("step %d", max(a.Steps, 1))
	switch a.Doing.What {
	case crew.Asks:
		return "asks", a.Doing.Title, plain
	case crew.Calls:
		return step, a.Doing.Title, plain
	case crew.WaitsForAgents:
		return "waits", strings.TrimSuffix("for "+a.Doing.Title, "for "), dim
	case crew.WaitsForMessage:
		return "waits", strings.TrimSpace("for a message " + fromWhom(a.Doing.Title)), dim
	case crew.WaitsForSlot:
		return "waits", "for a slot", dim
	}
	if a.LastLine == "" {
		return step, "thinks", dim
	}
	return step, a.LastLine, dim
}

func fromWhom(id string) string {
	if id == "" {
		return ""
	}
	return "from " + id
}

// padTo returns text with blanks behind it, in so many columns.
func padTo(s tui.Space, text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-s.Columns(text), 0))
}
