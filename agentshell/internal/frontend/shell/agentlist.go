package shell

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// agentList lists the agents of the session on the alternate screen. One of them can be looked at,
// written to, stopped, parked and revived.
type agentList struct {
	sh      *Shell
	agents  []crew.Agent // as in the last frame
	current string       // the id of the chosen one
	page    *agentPage   // its transcript; nil: the list is shown
	field   rowField     // of a message to an agent
	note    string       // what became of the last deed
	leave   func()
}

// openAgents handles /agents. It is called on the loop.
func (sh *Shell) openAgents(id string) {
	if sh.cfg.Crew == nil {
		sh.addBlock(notice, problem("There are no agents in this session.",
			"[agents] max in the config file says how many the model may start at the same time."))
		return
	}
	l := &agentList{sh: sh, agents: sh.cfg.Crew.Agents()}
	if len(l.agents) == 0 {
		sh.addBlock(notice, paragraphs(false, "The model has started no agents yet."))
		return
	}
	l.current = l.agents[len(l.agents)-1].ID
	for _, a := range l.agents { // the first one that works
		if works(a) {
			l.current = a.ID
			break
		}
	}
	if id != "" && !l.choose(id) {
		sh.addBlock(notice, problem("There is no agent "+id+".", "/agents lists them."))
		return
	}
	if id != "" {
		l.open()
	}
	l.leave = sh.overlay(l, tui.Place{Full: true})
}

// agentArguments offers the ids of agents for /agents.
func agentArguments(cfg Config) (list []suggestion) {
	if cfg.Crew == nil {
		return nil
	}
	for _, a := range cfg.Crew.Agents() {
		list = append(list, suggestion{text: a.ID, note: strings.TrimSpace(a.Definition + "  " + string(a.State))})
	}
	return list
}

// choose makes the agent of that id the chosen one.
func (l *agentList) choose(id string) bool {
	for _, a := range l.agents {
		if strings.EqualFold(a.ID, id) {
			l.current = a.ID
			return true
		}
	}
	return false
}

// index returns the place of the chosen agent.
func (l *agentList) index() int {
	for i, a := range l.agents {
		if a.ID == l.current {
			return i
		}
	}
	return 0
}

// View returns the list, or the transcript of the chosen agent.
func (l *agentList) View(s tui.Space) tui.View {
	l.agents = l.sh.cfg.Crew.Agents()
	i := l.index()
	if l.page != nil {
		v := l.page.view(s, l.agents[i], l.keyRow(true, s))
		l.field.show(&v, s)
		return v
	}
	t := s.Look()
	v := tui.View{RefreshAfter: 250 * time.Millisecond}
	v.Lines = append(v.Lines, s.Cut(tui.Span{Text: "agents", Style: t.Strong},
		tui.Span{Text: "  " + l.summary(), Style: t.Dim}))
	columns := agentColumns(l.agents, s)
	height := bodyHeight(s) - 1
	v.Lines = append(v.Lines, agentCells(columns, -1, s, t.Dim, "  "))
	from := max(min(i-height/2, len(l.agents)-height), 0)
	for k := from; k < len(l.agents) && k < from+height; k++ {
		mark, style := "  ", tui.Style{}
		if k == i {
			mark, style = t.Glyphs.Prompt+" ", t.Strong
		}
		v.Lines = append(v.Lines, agentCells(columns, k, s, style, mark))
	}
	padRows(&v, s.Height-1)
	v.Lines = append(v.Lines, s.Cut(tui.Span{Text: l.keyRow(false, s), Style: t.Dim}))
	l.field.show(&v, s)
	return v
}

// summary returns how many agents there are, and what they do.
func (l *agentList) summary() string {
	counts := map[team.State]int{}
	for _, a := range l.agents {
		counts[a.State]++
	}
	parts := []string{strconv.Itoa(len(l.agents))}
	for _, state := range []team.State{team.Running, team.Idle, team.Parked, team.Aborted} {
		if n := counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if n := countDoing(l.agents, crew.Asks); n > 0 {
		parts = append(parts, fmt.Sprintf("%d ask", n))
	}
	return strings.Join(parts, ", ")
}

// keyRow returns the last row: what became of the last deed, or as many keys as fit.
func (l *agentList) keyRow(page bool, s tui.Space) string {
	if l.note != "" {
		return l.note
	}
	row := "Esc back"
	if !l.sh.cfg.Keys.HasEscape() {
		row = "q back"
	}
	keys := []string{"Enter opens", "m message", "s stop", "p park", "r revive"}
	if page {
		find := l.sh.cfg.Keys.ExpandAll("  ", "{find} search", "{pager-next-match} next")
		keys = []string{find, "m message", "s stop"}
	}
	for _, key := range keys {
		if key != "" && s.Columns(row)+2+s.Columns(key) <= s.Width {
			row += "  " + key
		}
	}
	return row
}

// agentColumn is a column of the list.
type agentColumn struct {
	head  string
	cells []string
	right bool // numbers
}

// agentColumns returns the columns that fit into s. Those on the right are dropped first, but the
// state, which is the second one, is the last to go.
func agentColumns(list []crew.Agent, s tui.Space) []agentColumn {
	t := s.Look()
	all := []agentColumn{{head: "id"}, {head: "state"}, {head: "step", right: true}, {head: "tokens", right: true},
		{head: "cost", right: true}, {head: "unread", right: true}, {head: "last line"}}
	for _, a := range list {
		state, text, _ := agentDoing(a)
		if !works(a) {
			state, text = string(a.State), cmp.Or(endedLine(a), a.LastLine)
		} else if strings.HasPrefix(state, "step") {
			state = "works"
		}
		cost, unread := "", ""
		if a.Cost > 0 {
			cost = fmt.Sprintf("$%.2f", a.Cost)
		}
		if a.Unread > 0 {
			unread = strconv.Itoa(a.Unread)
		}
		for i, cell := range []string{a.ID, state, strconv.Itoa(a.Steps), strings.TrimSuffix(tokenCount(a.Tokens),
			" tokens"), cost, unread, visibleLine(displayTitle(text), t)} {
			all[i].cells = append(all[i].cells, cell)
		}
	}
	const lastLine = 12 // columns without which it says nothing
	used := 2
	for i, c := range all {
		need := c.width(s)
		if i == len(all)-1 {
			need = min(need, lastLine)
		}
		if i > 1 && used+need > s.Width {
			return all[:i]
		}
		used += need + 2
	}
	return all
}

// endedLine returns what an agent that has ended leaves in one line: the first one of its result,
// or why there is none.
func endedLine(a crew.Agent) string {
	switch r := a.Result; {
	case r == nil:
		return ""
	case r.Aborted:
		return "stopped"
	case r.Err != nil:
		return "failed: " + firstLine(r.Err.Error())
	default:
		return firstLine(r.Text)
	}
}

// width returns the width of the widest cell.
func (c agentColumn) width(s tui.Space) int {
	n := s.Columns(c.head)
	for _, cell := range c.cells {
		n = max(n, s.Columns(cell))
	}
	return n
}

// agentCells returns row i of the columns, or the row of their heads for -1.
func agentCells(columns []agentColumn, i int, s tui.Space, style tui.Style, mark string) tui.Line {
	var b strings.Builder
	for k, c := range columns {
		cell := c.head
		if i >= 0 {
			cell = c.cells[i]
		}
		w := c.width(s)
		if k == 0 && len(columns) <= 2 { // the state stays in sight
			w = min(w, max(s.Width-2-2-columns[1].width(s), 4))
			cell = cutStart(s, cell, w)
		}
		pad := strings.Repeat(" ", max(w-s.Columns(cell), 0))
		switch {
		case c.right:
			cell = pad + cell
		case k < len(columns)-1:
			cell += pad
		}
		if k > 0 {
			b.WriteString("  ")
		}
		b.WriteString(cell)
	}
	return s.Cut(tui.Span{Text: mark, Style: s.Look().Accent}, tui.Span{Text: b.String(), Style: style})
}

// HandleEvent handles every key, so that none reaches the prompt.
func (l *agentList) HandleEvent(ev tui.Event, s tui.Space) bool {
	k, isKey := ev.(tui.Key)
	if !isKey {
		p, paste := ev.(tui.Paste)
		if paste && l.field.isOpen() {
			l.field.editor.HandleEvent(p, s)
		} else if paste && l.page != nil && l.page.field.isOpen() {
			l.page.field.editor.HandleEvent(p, s)
		}
		return paste
	}
	l.note = ""
	switch {
	case l.field.isOpen():
		l.field.handleKey(k, l.sh.cfg.Keys, s)
	case l.page != nil && !l.page.field.isOpen() && (k.Text() == "m" || k.Text() == "s"):
		l.act(k.Text())
	case l.page != nil:
		if !l.page.handleKey(k, l.sh.cfg.Keys, s) {
			l.closePage()
			if k.Is("ctrl+c") {
				l.leave()
			}
		}
	default:
		l.handleListKey(l.sh.cfg.Keys.Translate(keymap.Pager, k), bodyHeight(s)-1)
	}
	return true
}

// handleListKey handles a key of the list.
func (l *agentList) handleListKey(k tui.Key, height int) {
	move := func(n int) {
		l.current = l.agents[max(min(l.index()+n, len(l.agents)-1), 0)].ID
	}
	switch {
	case k.Code == terminal.KeyEscape, k.Text() == "q", k.Is("ctrl+c"):
		l.leave()
	case k.Code == terminal.KeyEnter:
		l.open()
	case k.Text() == "g", k.Code == terminal.KeyHome:
		move(-len(l.agents))
	case k.Text() == "G", k.Code == terminal.KeyEnd:
		move(len(l.agents))
	default:
		if n := pageStep(k, height, 0); n != 0 {
			move(n)
		} else {
			l.act(k.Text())
		}
	}
}

// open opens the transcript of the chosen agent.
func (l *agentList) open() {
	p, err := l.sh.openAgentPage(l.current)
	if err != nil {
		l.note = err.Error()
		return
	}
	l.page = p
}

func (l *agentList) closePage() {
	if l.page != nil {
		l.page.stop()
		l.page = nil
	}
}

// act begins what a key does with the chosen agent.
func (l *agentList) act(key string) {
	id, c := l.current, l.sh.cfg.Crew
	switch key {
	case "m":
		l.field.open("to "+id+": ", func(text string) { l.tell(id, text) })
	case "s":
		l.do(id+" is stopped", func() error { return c.Stop(id) })
	case "p":
		l.do(id+" is parked", func() error { return c.Park(id) })
	case "r":
		l.do(id+" is revived", func() error { return c.Revive(id) })
	}
}

// tell sends a message of the person to an agent.
func (l *agentList) tell(id, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	l.do("the message is on its way to "+id, func() error {
		for _, r := range l.sh.cfg.Crew.Tell(id, text) {
			if r.Err != nil {
				return r.Err
			}
		}
		return nil
	})
}

// do does something beside the loop, and says what became of it.
func (l *agentList) do(done string, deed func() error) {
	go func() {
		note := done
		if err := deed(); err != nil {
			note = "Not done: " + firstLine(err.Error())
		}
		l.sh.app.Do(func() { l.note = note })
	}()
}
