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

// agentList implements the full-screen list of the session's subagents (/agents). From it the user
// can open the transcript of a subagent, write to it, and stop, park or revive it.
type agentList struct {
	sh      *Shell
	agents  []crew.Agent // The subagents as the last frame has shown them.
	current string       // The id of the selected subagent.
	page    *agentPage   // The open transcript of the selected subagent; nil: the list itself is shown.
	field   rowField     // The input field for a message to the selected subagent.
	// The outcome of the last action. It takes the place of the row of keys until the next key.
	note string
	// Closes the list.
	leave func()
}

// openAgents handles the command /agents: it opens the list of subagents, or the transcript of the
// one with that id. It is called on the event loop.
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

// agentArguments returns the ids of all subagents as suggestions for the argument of /agents.
func agentArguments(cfg Config) (list []suggestion) {
	if cfg.Crew == nil {
		return nil
	}
	for _, a := range cfg.Crew.Agents() {
		list = append(list, suggestion{text: a.ID, note: strings.TrimSpace(a.Definition + "  " + string(a.State))})
	}
	return list
}

// choose selects the subagent with that id. It returns false if there is none.
func (l *agentList) choose(id string) bool {
	for _, a := range l.agents {
		if strings.EqualFold(a.ID, id) {
			l.current = a.ID
			return true
		}
	}
	return false
}

// index returns the index of the selected subagent in l.agents. It returns 0 if that subagent is
// gone.
func (l *agentList) index() int {
	for i, a := range l.agents {
		if a.ID == l.current {
			return i
		}
	}
	return 0
}

// View returns the rows of the list, or of the selected subagent's transcript if that is open.
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

// summary returns the number of subagents in all and in each state, such as "3, 1 running, 2 idle".
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

// keyRow returns the text of the last row: the outcome of the last action, or as many key hints as
// fit. page tells whether the transcript of a subagent is open.
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

// agentColumn describes one column of the table that /agents shows.
type agentColumn struct {
	// The title of the column.
	head string
	// The texts of the column, one for each subagent.
	cells []string
	right bool // The cells are numbers and are aligned to the right.
}

// agentColumns returns the columns of the list of subagents that fit into the width of s. If the
// width is too small, the last columns are dropped. The first two, the id and the state, always
// stay.
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

// endedLine returns one line about the result of a subagent that has ended: the first line of its
// text, or why there is none. It returns "" if there is no result.
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

// width returns the number of terminal columns that the title and the widest cell need.
func (c agentColumn) width(s tui.Space) int {
	n := s.Columns(c.head)
	for _, cell := range c.cells {
		n = max(n, s.Columns(cell))
	}
	return n
}

// agentCells returns row i of the list of subagents. For -1 it returns the titles of the columns.
// mark is the text in front of the row: a pointer, or blanks.
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

// HandleEvent handles all keys and pastes while the list is open, so that none reaches the prompt.
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

// handleListKey handles a key while no transcript is open. height is the number of rows that a page
// key moves.
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

// open shows the transcript of the selected subagent. On an error it shows the error below the
// list.
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

// act begins the action that a letter stands for: m writes to the selected subagent, s stops, p
// parks and r revives it. It ignores other keys.
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

// tell sends a message of the user to the subagent with that id. A blank text is not sent.
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

// do runs the function deed on a goroutine of its own. Afterwards the last row of the list shows
// the text in done, or the error.
func (l *agentList) do(done string, deed func() error) {
	go func() {
		note := done
		if err := deed(); err != nil {
			note = "Not done: " + firstLine(err.Error())
		}
		l.sh.app.Do(func() { l.note = note })
	}()
}
