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

// Limits for the output of a tool call that is sent to the client.
const (
	// The number of bytes that are sent of the output while the call runs. They are the last ones.
	maxLive      = 4 << 10
	maxOutput    = 64 << 10
	liveInterval = 250 * time.Millisecond // The shortest time between two messages about a running call.
)

// handleEvent tells the client about an event of the main agent. It must be called on the goroutine
// of the turn.
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

// callFor returns the running tool call with the model's id. If there is none, it adds one.
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

// setPath sets the call's path to the field "path" of its input.
func (c *call) setPath(raw json.RawMessage) {
	var in struct{ Path string }
	if json.Unmarshal(raw, &in) == nil {
		c.path = in.Path
	}
}

// startCall tells the client that a tool call has begun.
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
	if !c.announced { // a call whose proposal is renewed is started again
		c.announced = true
		close(c.started)
	}
}

// sendProgress adds new output of a running tool call. It sends the last part of the call's output
// to the client, at most once in liveInterval.
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

// endCall tells the client the result of a tool call.
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

// resultContent returns what the client shows as the result of a tool call: the diff, a text and
// pictures.
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
		text = e.Result.Text // a part of the call has failed
	}
	if text = strings.TrimRight(text, "\n"); text != "" {
		out = append(out, textContent(head(text, maxOutput)))
	}
	for _, p := range e.Result.Images {
		out = append(out, wire.ToolContent(wire.ImageBlock(base64.StdEncoding.EncodeToString(p.Data), p.Media)))
	}
	return out
}

// sendUsage tells the client how full the model's context window is, and what the session has cost
// so far.
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

// callID returns the client's id for a tool call whose proposal the user is asked about. It waits
// until the client knows the call, or until ctx ends.
func (s *session) callID(ctx context.Context, id string) wire.ToolCallId {
	c := s.callFor(id)
	select {
	case <-c.started:
	case <-ctx.Done():
	}
	return c.id
}

// planEntries returns the items of the todo list for the client. Dropped items are left out,
// because the protocol has no status for them.
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

// kindOf returns the protocol's kind of a tool, by which the client chooses an icon.
func kindOf(name string) wire.ToolKind {
	if name == "undo" { // the user's command /undo
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

// locations returns the file that a tool call is about, for the client; nil if path is "" or not in
// the workspace.
func (s *session) locations(path string) []wire.ToolCallLocation {
	if name := s.absPath(path); name != "" {
		return []wire.ToolCallLocation{{Path: name}}
	}
	return nil
}

// absPath returns the absolute form of a path in the workspace, or "" if path is empty or outside
// of the workspace.
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

// textContent returns text as content of a tool call, in a code block, so that the client does not
// read it as Markdown.
func textContent(text string) wire.ToolCallContent {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return wire.ToolContent(wire.TextBlock(fence + "\n" + visibleText(text) + "\n" + fence))
}

// head returns text if it has at most maxLen bytes. Otherwise it returns the beginning of text, and
// a note that says how much is missing.
func head(text string, maxLen int) string {
	if len(text) <= maxLen {
		return text
	}
	begin := width.Head(text, maxLen)
	return begin + fmt.Sprintf("\n[%d bytes more]", len(text)-len(begin))
}
