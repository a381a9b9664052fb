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

// Bounds of a call's output that is sent to the client.
const (
	maxLive      = 4 << 10 // bytes of the output while the call runs
	maxOutput    = 64 << 10
	liveInterval = 250 * time.Millisecond // between two messages about a running call
)

// handleEvent tells the client about one event. It is called on the goroutine of the turn.
func (s *session) handleEvent(e agent.Event) {
	switch e := e.(type) {
	case agent.Text:
		s.send(wire.UpdateAgentMessageText(visibleText(e.Delta)))
	case agent.Thinking:
		s.send(wire.UpdateAgentThoughtText(visibleText(e.Delta)))
	case agent.ToolCall:
		s.callFor(e.ID).setPath(e.Input)
	case agent.ToolStart:
		s.startCall(e)
	case agent.ToolProgress:
		s.sendProgress(e)
	case agent.ToolEnd:
		s.endCall(e)
	case agent.Usage:
		s.sendUsage(e)
	case agent.Retry:
		s.sendNotice(fmt.Sprintf("The answer broke off and is asked for again in %s (%d of %d): %v",
			e.Wait.Round(time.Second),
			e.Attempt, e.Of, e.Err))
	case agent.Retracted:
		s.sendNotice(fmt.Sprintf("The answer broke the rule %s and is asked for again; what it said counts no more.",
			e.Rules))
	case agent.TextWasThinking:
		s.sendNotice(e.Line())
	case agent.Notice:
		s.sendNotice(e.Text)
	case agent.Compacting:
		s.send(wire.UpdateAgentThoughtText("The conversation is being shortened.\n"))
	case agent.Compacted:
		if e.Why != nil {
			s.sendNotice(fmt.Sprintf("There is no summary of the conversation: %v", e.Why))
			return
		}
		s.send(wire.UpdateAgentThoughtText(fmt.Sprintf("The conversation was shortened: %d tokens before, %d now.\n",
			e.Before, e.After)))
	case agent.Reported:
		s.send(wire.UpdateAgentThoughtText("The model went back to its checkpoint and keeps this:\n" +
			visibleText(e.Text)))
	case agent.JobsEnded:
		for _, j := range e.Jobs {
			s.sendNotice(fmt.Sprintf("The background job %s has ended: %s, %s", j.ID, j.State, j.Label))
		}
	}
}

// callFor returns the running call with the model's id, or a new one.
func (s *session) callFor(id string) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[id]
	if c == nil {
		s.callCount++
		c = &call{id: wire.ToolCallId(fmt.Sprintf("%s-%d", s.id, s.callCount)), started: make(chan struct{})}
		s.calls[id] = c
	}
	return c
}

// setPath sets the path from the input of the call.
func (c *call) setPath(raw json.RawMessage) {
	var in struct{ Path string }
	if json.Unmarshal(raw, &in) == nil {
		c.path = in.Path
	}
}

// startCall tells the client that a call begins.
func (s *session) startCall(e agent.ToolStart) {
	c := s.callFor(e.ID)
	path := c.path
	if e.Proposal != nil {
		path = e.Proposal.Path
	}
	u := wire.StartToolCall(c.id, visibleText(e.Title), wire.WithStartKind(kindOf(e.Name)),
		wire.WithStartStatus(wire.ToolCallStatusPending))
	u.ToolCall.Locations, u.ToolCall.Meta = s.locations(path), c.meta()
	if e.Proposal != nil {
		u.ToolCall.Content = s.proposalContent(e.Proposal)
	} else {
		u.ToolCall.Status = wire.ToolCallStatusInProgress
	}
	s.send(u)
	if !c.announced { // a proposal that is made again begins again
		c.announced = true
		close(c.started)
	}
}

// sendProgress sends the end of a running call's output.
func (s *session) sendProgress(e agent.ToolProgress) {
	c := s.callFor(e.ID)
	c.output.Limit = maxLive
	_, _ = c.output.Write([]byte(e.Text))
	now := s.server.Now()
	if now.Sub(c.sentAt) < liveInterval {
		return
	}
	c.sentAt = now
	text, _ := c.output.Text()
	s.send(c.update(wire.WithUpdateStatus(wire.ToolCallStatusInProgress),
		wire.WithUpdateContent([]wire.ToolCallContent{textContent(text)})))
}

// endCall tells the client the result of a call.
func (s *session) endCall(e agent.ToolEnd) {
	c := s.callFor(e.ID)
	s.mu.Lock()
	delete(s.calls, e.ID)
	s.mu.Unlock()
	status := wire.ToolCallStatusCompleted
	if !e.OK {
		status = wire.ToolCallStatusFailed
	}
	s.send(c.update(wire.WithUpdateStatus(status), wire.WithUpdateContent(s.resultContent(e))))
	if e.Name == "todo" && e.OK && s.parts.Todo != nil {
		s.send(wire.UpdatePlan(planEntries(s.parts.Todo.List())...))
	}
	s.reportModeChange()
}

// resultContent returns the content that a client shows for a call that has ended.
func (s *session) resultContent(e agent.ToolEnd) (out []wire.ToolCallContent) {
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
		out = s.diffContent(e.Proposal)
	}
	if e.OK && e.Result.Partial {
		text = e.Result.Text // something in it went wrong
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		out = append(out, textContent(head(text, maxOutput)))
	}
	for _, p := range e.Result.Images {
		out = append(out, wire.ToolContent(wire.ImageBlock(base64.StdEncoding.EncodeToString(p.Data), p.Media)))
	}
	return out
}

// sendUsage tells the client how full the model's window is, and what the session has cost.
func (s *session) sendUsage(u agent.Usage) {
	s.mu.Lock()
	s.cost += u.Cost
	spent := s.cost
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

// callID returns the client's id of a call whose proposal is asked. It waits until the client knows
// the call.
func (s *session) callID(ctx context.Context, id string) wire.ToolCallId {
	c := s.callFor(id)
	select {
	case <-c.started:
	case <-ctx.Done():
	}
	return c.id
}

// planEntries returns the items of the todo list. Dropped items are left out, since the protocol
// has no status for them.
func planEntries(l todo.List) []wire.PlanEntry {
	list := []wire.PlanEntry{}
	for _, item := range l.Items() {
		e := wire.PlanEntry{Content: visibleText(item.Name), Priority: wire.PlanEntryPriorityMedium,
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

// kindOf returns the kind of a tool, for which the client has icons.
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

// locations returns the file of a call, or nothing if path is "".
func (s *session) locations(path string) []wire.ToolCallLocation {
	if name := s.absPath(path); name != "" {
		return []wire.ToolCallLocation{{Path: name}}
	}
	return nil
}

// absPath returns the absolute path of a path in the workspace, or "" if it is not in there.
func (s *session) absPath(path string) string {
	if path == "" {
		return ""
	}
	p, err := s.parts.Workspace.Resolve(path)
	if err != nil {
		return ""
	}
	return s.parts.Workspace.Abs(p)
}

// textContent returns text as content of a call, between fences, so that it is not taken for
// Markdown.
func textContent(text string) wire.ToolCallContent {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return wire.ToolContent(wire.TextBlock(fence + "\n" + visibleText(text) + "\n" + fence))
}

// head returns at most the first maxLen bytes of text, and a note on the others.
func head(text string, maxLen int) string {
	if len(text) <= maxLen {
		return text
	}
	begin := width.Head(text, maxLen)
	return begin + fmt.Sprintf("\n[%d bytes more]", len(text)-len(begin))
}
