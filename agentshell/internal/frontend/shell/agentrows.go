package shell

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/tui"
)

// agentState holds what the shell knows about the subagents that the model has started. It belongs
// to the event loop.
type agentState struct {
	feed    *crew.Feed // The subscription to the events of subagents; nil: the session has no subagents.
	working int        // The number of subagents that work.
	// first is the index of the first subagent that was started after the last moment when none
	// worked. Only subagents from this index on count for the progress above the prompt.
	first int
	calls int // The number of tool calls of the main model that wait for subagents.
}

// setWorking records that n of all subagents work.
func (a *agentState) setWorking(n, all int) {
	if n == 0 {
		a.first = all
	}
	a.working = n
}

// maxAgentLive is the largest number of rows above the prompt that show working subagents. It
// limits how many rows a frame redraws, however many subagents work.
const maxAgentLive = 8

// agentProgress describes the progress of the working subagents at one moment, for the rows above
// the prompt.
type agentProgress struct {
	rows   []crew.Agent // The subagents that get a row of their own.
	others []crew.Agent // The working subagents without a row; the last row counts them.
	// The number of counted subagents that have finished.
	done int
	// The number of counted subagents, finished or not.
	all int
	// The number of tokens that the counted subagents have used.
	tokens int
	// The cost of the counted subagents in US dollars.
	cost  float64
	began time.Time // When the first of the subagents that still work was started.
}

// progressOf returns the progress of the subagents in list. The result has as many subagents in its
// rows field as fit into the given number of rows below the heading. Idle subagents before index
// first are not counted. Those that ask the user something come first. Those that wait for a slot
// get no row.
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

// rank returns the sort key of a subagent: 0 if it asks the user something, else 1.
func rank(a crew.Agent) int {
	if a.Doing.What == crew.Asks {
		return 0
	}
	return 1
}

// agentRows returns the rows above the prompt about working subagents: their progress in all, what
// each one does, and how many have no row. In a low window it is one row.
//
// waits reports whether the main model's turn waits for them. The first row then also takes the
// place of the turn's own status row.
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

// head returns the text of the first row about working subagents, such as "agents: 1 of 3 done,
// 12s, 4.2k tokens, $0.03".
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

// countOthers returns the text that counts the subagents without a row, such as "2 more work, 1
// waits for a slot". It returns "" for an empty list.
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

// idColumn returns the width of the column with the subagents' ids, at most a third of the row.
func (p agentProgress) idColumn(s tui.Space) (columns int) {
	for _, a := range p.rows {
		columns = max(columns, s.Columns(a.ID))
	}
	return min(columns, max(s.Width/3, 6))
}

// agentRow returns the row of one working subagent: its id in a column of the given width, its
// state, and its current work.
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

// agentDoing returns the activity of a working subagent: state is a word or two, such as "step 3"
// or "waits", and text is its object, such as the title of a tool call. style selects the style of
// text from a theme.
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

// padTo returns text padded with blanks to the given number of terminal columns. A longer text
// stays as it is.
func padTo(s tui.Space, text string, columns int) string {
	return text + strings.Repeat(" ", max(columns-s.Columns(text), 0))
}
