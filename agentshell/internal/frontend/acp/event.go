package acp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	wire "github.com/coder/acp-go-sdk"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Bounds of what a client is sent of a call's output.
const (
	maxLive   = 4 << 10 // bytes of what runs
	maxOutput = 64 << 10
	everyLive = 250 * time.Millisecond // how often it is sent
)

// event tells the client of a step of the turn, on the goroutine of the turn.
func (s *session) event(e agent.Event) {
	switch e := e.(type) {
	case agent.Text:
		s.send(wire.UpdateAgentMessageText(plain(e.Delta)))
	case agent.Thinking:
		s.send(wire.UpdateAgentThoughtText(plain(e.Delta)))
	case agent.ToolCall:
		s.begun(e.ID).input(e.Input)
	case agent.ToolStart:
		s.start(e)
	case agent.ToolProgress:
		s.progress(e)
	case agent.ToolEnd:
		s.finish(e)
	case agent.Usage:
		s.usage(e)
	case agent.Retry:
		s.say(fmt.Sprintf("The answer broke off and is asked for again in %s (%d of %d): %v", e.Wait.Round(time.Second),
			e.Attempt, e.Of, e.Err))
	case agent.Retracted:
		s.say(fmt.Sprintf("The answer broke the rule %s and is asked for again; what it said counts no more.", e.Rules))
	case agent.Notice:
		s.say(e.Text)
	case agent.Compacting:
		s.send(wire.UpdateAgentThoughtText("The conversation is being shortened.\n"))
	case agent.Compacted:
		if e.Why != nil {
			s.say(fmt.Sprintf("There is no summary of the conversation: %v", e.Why))
			return
		}
		s.send(wire.UpdateAgentThoughtText(fmt.Sprintf("The conversation was shortened: %d tokens before, %d now.\n",
			e.Before, e.After)))
	case agent.Reported:
		s.send(wire.UpdateAgentThoughtText("The model went back to its checkpoint and keeps this:\n" + plain(e.Text)))
	case agent.JobsEnded:
		for _, j := range e.Jobs {
			s.say(fmt.Sprintf("The background job %s has ended: %s, %s", j.ID, j.State, j.Label))
		}
	}
}

// begun returns the call of the model's id, which is a new one if none of that id runs.
func (s *session) begun(id string) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	if c == nil {
		s.count++
		c = &call{id: wire.ToolCallId(fmt.Sprintf("%s-%d", s.id, s.count)), started: make(chan struct{})}
		s.calls[id] = c
	}
	return c
}

// input notes the file that a call is about.
func (c *call) input(raw json.RawMessage) {
	var in struct{ Path string }
	if json.Unmarshal(raw, &in) == nil {
		c.path = in.Path
	}
}

// start tells of a call that begins.
func (s *session) start(e agent.ToolStart) {
	c := s.begun(e.ID)
	path := c.path
	if e.Proposal != nil {
		path = e.Proposal.Path
	}
	u := wire.StartToolCall(c.id, plain(e.Title), wire.WithStartKind(kindOf(e.Name)),
		wire.WithStartStatus(wire.ToolCallStatusPending))
	u.ToolCall.Locations = s.locations(path)
	if e.Proposal != nil {
		u.ToolCall.Content = s.shown(e.Proposal)
	} else {
		u.ToolCall.Status = wire.ToolCallStatusInProgress
	}
	s.send(u)
	if !c.told { // a proposal that is made again begins again
		c.told = true
		close(c.started)
	}
}

// progress tells of the end of what a call prints.
func (s *session) progress(e agent.ToolProgress) {
	c := s.begun(e.ID)
	c.output = width.Tail(c.output+e.Text, maxLive)
	now := s.server.Now()
	if now.Sub(c.shown) < everyLive {
		return
	}
	c.shown = now
	s.send(wire.UpdateToolCall(c.id, wire.WithUpdateStatus(wire.ToolCallStatusInProgress),
		wire.WithUpdateContent([]wire.ToolCallContent{words(c.output)})))
}

// finish tells what came of a call.
func (s *session) finish(e agent.ToolEnd) {
	c := s.begun(e.ID)
	s.mu.Lock()
	delete(s.calls, e.ID)
	s.mu.Unlock()
	status := wire.ToolCallStatusCompleted
	if !e.OK {
		status = wire.ToolCallStatusFailed
	}
	s.send(wire.UpdateToolCall(c.id, wire.WithUpdateStatus(status), wire.WithUpdateContent(s.came(e))))
	if e.Name == "todo" && e.OK && s.parts.Todo != nil {
		s.send(wire.UpdatePlan(entries(s.parts.Todo.List())...))
	}
	s.moved()
}

// came returns what a client shows of a call that is over.
func (s *session) came(e agent.ToolEnd) (out []wire.ToolCallContent) {
	text := e.Text
	switch {
	case !e.OK:
	case e.Proposal != nil && e.Proposal.File():
		text = e.Result.Summary
	case e.Result.Detail != "":
		text = e.Result.Detail
	case e.Result.Summary != "":
		text = e.Result.Summary
	}
	if e.Proposal != nil && (e.OK || e.Kind == agent.KindDenied) {
		out = s.difference(e.Proposal)
	}
	if e.OK && e.Result.Partial {
		text = e.Result.Text // something in it went wrong
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		out = append(out, words(head(text, maxOutput)))
	}
	for _, p := range e.Result.Images {
		out = append(out, wire.ToolContent(wire.ImageBlock(base64.StdEncoding.EncodeToString(p.Data), p.Media)))
	}
	return out
}

// usage tells how full the model's window is, and what the session has cost.
func (s *session) usage(u agent.Usage) {
	s.mu.Lock()
	s.spent += u.Cost
	spent := s.spent
	s.mu.Unlock()
	if u.Used == 0 || u.Window == 0 {
		return
	}
	update := &wire.SessionUsageUpdate{Used: u.Used, Size: u.Window}
	if u.Priced {
		update.Cost = &wire.Cost{Amount: spent, Currency: "USD"}
	}
	s.send(wire.SessionUpdate{UsageUpdate: update})
}

// callID returns the client's name of a call whose proposal is asked. It waits until the client
// knows of the call.
func (s *session) callID(ctx context.Context, id string) wire.ToolCallId {
	c := s.begun(id)
	select {
	case <-c.started:
	case <-ctx.Done():
	}
	return c.id
}

// entries returns the steps of the todo list. The protocol has no name for a step that was dropped.
func entries(l todo.List) []wire.PlanEntry {
	list := []wire.PlanEntry{}
	for _, item := range l.Items() {
		e := wire.PlanEntry{Content: plain(item.Name), Priority: wire.PlanEntryPriorityMedium,
			Status: wire.PlanEntryStatusPending}
		switch item.State {
		case todo.Active:
			e.Status = wire.PlanEntryStatusInProgress
		case todo.Done:
			e.Status = wire.PlanEntryStatusCompleted
		case todo.Dropped:
			continue
		}
		list = append(list, e)
	}
	return list
}

// kindOf returns the kind of a tool, for the client's signs.
func kindOf(name string) wire.ToolKind {
	if name == "undo" { // of the person
		return wire.ToolKindEdit
	}
	switch tool.Traits()[name].Kind {
	case approval.KindReads:
		return wire.ToolKindRead
	case approval.KindEdits:
		return wire.ToolKindEdit
	case approval.KindSearches:
		return wire.ToolKindSearch
	case approval.KindRuns:
		return wire.ToolKindExecute
	case approval.KindKeeps:
		return wire.ToolKindThink
	case approval.KindPlans:
		return wire.ToolKindSwitchMode
	}
	return wire.ToolKindOther
}

// locations returns the file of a call, "" for none.
func (s *session) locations(path string) []wire.ToolCallLocation {
	if name := s.abs(path); name != "" {
		return []wire.ToolCallLocation{{Path: name}}
	}
	return nil
}

// abs returns the absolute name of a path of the workspace, "" if it is none.
func (s *session) abs(path string) string {
	if path == "" {
		return ""
	}
	p, err := s.parts.Workspace.Resolve(path)
	if err != nil {
		return ""
	}
	return s.parts.Workspace.Abs(p)
}

// words returns a text beside a call, as it stands: not as Markdown.
func words(text string) wire.ToolCallContent {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return wire.ToolContent(wire.TextBlock(fence + "\n" + plain(text) + "\n" + fence))
}

// head returns at most most bytes of text.
func head(text string, most int) string {
	if len(text) <= most {
		return text
	}
	begin := width.Head(text, most)
	return begin + fmt.Sprintf("\n[%d bytes more]", len(text)-len(begin))
}
