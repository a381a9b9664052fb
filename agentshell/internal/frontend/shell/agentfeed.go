package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/tui"
)

// reportAgents keeps the number of working subagents up to date, and begins a turn when a message
// of a subagent waits for the main model. It returns when ctx ends or the app has closed.
func (sh *Shell) reportAgents(ctx context.Context) {
	c := sh.cfg.Crew
	if c == nil {
		return
	}
	defer sh.agents.feed.Stop()
	last := [2]int{-1}
	for {
		changed := c.Changed()
		list := c.Agents()
		if now := [2]int{countWorking(list), len(list)}; now != last {
			last = now
			if !sh.app.Do(func() { sh.agents.setWorking(now[0], now[1]) }) {
				return
			}
		}
		if len(c.MailFrom()) > 0 && !sh.app.Do(sh.wake) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// followAgents subscribes to the events of subagents, so that the transcript and the cost follow
// them. It does nothing if the session has no subagents.
func (sh *Shell) followAgents() {
	if sh.cfg.Crew != nil {
		sh.agents.feed = sh.cfg.Crew.Feed(showsAgentEvent, sh.showAgentEvent)
	}
}

// showsAgentEvent reports whether the shell uses an event of a subagent: the end of a tool call,
// the usage of a request, the end of the subagent, or a message. The text that subagents write is
// ignored.
func showsAgentEvent(e crew.Event) bool {
	switch e.Turn.(type) {
	case agent.ToolEnd, agent.Usage:
		return true
	}
	return e.Ended != nil || e.Mail != nil
}

// kindOf returns the name of the definition by which the subagent with that id was started. It
// returns "" if there is no such subagent.
func (sh *Shell) kindOf(id string) string {
	if sh.cfg.Crew != nil && id != "" {
		for _, a := range sh.cfg.Crew.Agents() {
			if a.ID == id {
				return a.Definition
			}
		}
	}
	return ""
}

// works reports whether a subagent has work to do. A subagent that waits for a free slot works,
// too.
func works(a crew.Agent) bool { return a.State == team.Running }

func countWorking(list []crew.Agent) (n int) {
	for _, a := range list {
		if works(a) {
			n++
		}
	}
	return n
}

// showAgentEvent adds one event of a subagent to the transcript and to the cost of the session.
func (sh *Shell) showAgentEvent(e crew.Event) {
	switch turn := e.Turn.(type) {
	case agent.ToolEnd:
		sh.app.Do(func() { sh.askers.callEnded(e.Agent, turn) })
		sh.showDecided(e.Agent, turn)
	case agent.Usage:
		sh.app.Do(func() {
			sh.agentBill.add(turn)
			sh.gauge.addCost(turn)
		})
	}
	switch {
	case e.Ended != nil:
		sh.addBlock(notice, agentEndBlock(*e.Ended))
	case e.Mail != nil:
		sh.addBlock(mailRow, mailBlock(*e.Mail))
	}
}

// showDecided adds a block about a tool call of a subagent if the user has approved or denied that
// call. It adds nothing for other calls. The parameter by is the id of the subagent.
func (sh *Shell) showDecided(by string, e agent.ToolEnd) {
	if e.Proposal == nil || e.Decision.By != "person" {
		return
	}
	named := *e.Proposal
	named.By = by
	e.Proposal = &named
	if !named.Diff.Identical() {
		sh.app.Do(func() { sh.copies.change = &named })
	}
	sh.addBlock(fileChange, endedCallAs(e, nil, sh.diffs.add(e)))
}

// maxAgentRows is the number of lines of a subagent's result that the transcript shows.
const maxAgentRows = 3

// agentEndBlock returns the transcript's block about a subagent that has ended: a title with the
// outcome, and the first maxAgentRows lines of its result.
func agentEndBlock(r tool.AgentResult) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		glyph, style := t.Glyphs.Tool, t.Accent
		switch {
		case r.Aborted:
			glyph, style = t.Glyphs.No, t.Removed
		case r.Err != nil:
			glyph, style = t.Glyphs.Problem, t.Error
		}
		rows := titleRows(s, glyph, style, r.ID, crew.EndLine(r)+"  "+r.Resource)
		lines := outputLines(r.Text)
		layout := tui.Layout{Width: s.Width, Model: s.Model, FirstPrefix: []tui.Span{{Text: "  "}},
			NextPrefix: []tui.Span{{Text: "  "}}}
		for i, line := range lines {
			if i == maxAgentRows && len(lines) > maxAgentRows+1 {
				more := countOf(len(lines)-i, "row") + " not shown, /agents shows all"
				return append(rows, s.Cut(tui.Span{Text: "  " + t.Glyphs.More + " " + more, Style: t.Dim}))
			}
			text, omitted := clipLine(line)
			if omitted > 0 {
				text += omittedNote(t, omitted)
			}
			rows = layout.Append(rows, 0, tui.Span{Text: text})
		}
		return rows
	}
}

// mailBlock returns the transcript's row about a message that one agent has sent to another.
func mailBlock(m crew.Mail) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		arrow := "→"
		if t.Glyphs.ASCII() {
			arrow = "->"
		}
		return []tui.Line{s.Cut(tui.Span{Text: visibleLine(m.Line(arrow), t), Style: t.Dim})}
	}
}
