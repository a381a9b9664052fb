package app

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// openAgents holds the open logs of the agents that a conversation has started, by the agents' ids.
type openAgents struct {
	mu   sync.Mutex
	logs map[string]*session.Log
}

// with calls do with the log of an agent. If the log is not open, it is opened for the call.
func (o *openAgents) with(parent *session.Log, id string, do func(*session.Log) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if log := o.logs[id]; log != nil {
		return do(log)
	}
	log, _, err := parent.ResumeAgent(id)
	if err != nil {
		return err
	}
	return errors.Join(do(log), log.Close())
}

// openAgentLog opens the log of an agent that parent has started, and loads the agent's messages.
// If parent has no log, the agent has none, either.
func (c *conversation) openAgentLog(o *crew.Opening, parent *conversation) error {
	c.id, c.messages = parent.id, o.Messages
	if parent.log == nil {
		return nil
	}
	open := &parent.agents
	open.mu.Lock()
	defer open.mu.Unlock()
	log, messages, err := parent.log.ResumeAgent(o.ID)
	if errors.Is(err, session.ErrNoAgent) {
		var by string
		if i := strings.LastIndexByte(o.ID, '.'); i >= 0 {
			by = o.ID[:i]
		}
		log, err = parent.log.CreateAgent(session.Agent{ID: o.ID, Parent: cmp.Or(by, team.Main), Kind: o.Kind.Name,
			Context: o.Told, Description: o.Description, Isolated: o.Isolated})
		messages = o.Messages
	}
	if err != nil {
		return fmt.Errorf("the log of the agent %s cannot be opened: %w", o.ID, err)
	}
	if open.logs == nil {
		open.logs = map[string]*session.Log{}
	}
	c.log, c.messages, open.logs[o.ID] = log, messages, log
	return nil
}

// closeAgentLog closes the log of the agent whose conversation this is.
func (c *conversation) closeAgentLog() error {
	open := &c.parent.agents
	open.mu.Lock()
	defer open.mu.Unlock()
	delete(open.logs, c.agentOpening.ID)
	return c.log.Close()
}

// agentLogs stores the states and results of agents in their logs. It implements crew.Archive.
type agentLogs struct{ c *conversation }

// Stores implements [crew.Archive]: it reports whether the session has a log.
func (l agentLogs) Stores() bool { return l.c.log != nil }

// Keep implements [crew.Archive]. It stores the result before the entry that says that the agent
// has ended.
func (l agentLogs) Keep(a crew.Agent) error {
	log := l.c.log
	if log == nil {
		return nil
	}
	kept := session.Agent{ID: a.ID, Parent: a.Parent, Kind: a.Definition, Description: a.Description,
		State: string(a.State), Steps: a.Steps, Tokens: a.Tokens}
	if r := a.Result; r != nil && a.State != team.Running {
		kept.Warning = r.Warning
		if r.Err != nil {
			kept.Error = r.Err.Error()
		}
		if err := log.KeepArtifact(a.ID, session.ResultFile, []byte(r.Text)); err != nil {
			return fmt.Errorf("the result of %s is not kept: %w", a.ID, err)
		}
	}
	err := l.c.agents.with(log, a.ID, func(own *session.Log) error { return own.AppendAgent(kept) })
	if errors.Is(err, session.ErrNoAgent) { // the agent was stopped before it had a log
		return nil
	}
	return err
}

// Messages implements [crew.Archive]: it reads an agent's messages from its log.
func (l agentLogs) Messages(id string) ([]provider.Message, error) {
	if l.c.log == nil {
		return nil, session.ErrNoAgent
	}
	return l.c.log.AgentMessages(id)
}

// restoreAgents restores the agents of a resumed session. It also finds the agents that were
// interrupted by the end of an earlier process.
func (c *conversation) restoreAgents() {
	c.interrupted = nil
	if c.crew == nil || c.log == nil {
		return
	}
	records, err := c.log.Agents()
	if err != nil {
		c.remarks = append(c.remarks, "the agents of this session cannot be read: "+err.Error())
		return
	}
	var list []crew.Past
	for _, r := range records {
		p := crew.Past{Agent: team.Agent{ID: r.ID, Parent: r.Parent, Definition: r.Kind, Description: r.Description,
			State: team.State(r.State), Active: r.Began, Lost: r.Isolated}, Context: r.Context, Steps: r.Steps,
			Tokens: r.Tokens, Began: r.Began}
		if !r.Interrupted() {
			p.Result = c.pastResult(r)
		} else if !r.Isolated {
			c.interrupted = append(c.interrupted, interruptedLine(r))
		}
		list = append(list, p)
	}
	c.crew.Restore(list)
	if len(records) > 0 {
		c.remarks = append(c.remarks, agentsLine(records))
	}
}

// pastResult returns the stored result of an agent that has ended.
func (c *conversation) pastResult(r session.AgentRecord) *tool.AgentResult {
	text, _ := c.log.Artifact(r.ID, session.ResultFile) // if it fails, the result has no text
	result := &tool.AgentResult{ID: r.ID, Text: string(text), Warning: r.Warning, Steps: r.Steps, Tokens: r.Tokens,
		Aborted: r.State == string(team.Aborted), Resource: "agent://" + r.ID}
	if r.Error != "" {
		result.Err = errors.New(r.Error)
	}
	return result
}

// agentsLine returns a line for the user about the agents of a resumed session.
func agentsLine(records []session.AgentRecord) string {
	var parts []string
	unfinished := false
	for _, r := range records {
		unfinished = unfinished || r.Interrupted() && !r.Isolated
		parts = append(parts, r.ID+" "+agentState(r))
	}
	line := "Agents of this session: " + strings.Join(parts, "; ") + "."
	if unfinished {
		line += " Ask the model to resume those that are not done."
	}
	return line
}

// agentState returns a phrase that says how an agent ended, such as "done".
func agentState(r session.AgentRecord) string {
	switch {
	case r.Interrupted() && r.Isolated: // it cannot be resumed; the user is asked about its changes
		return "not done, in a copy of the workspace"
	case r.Interrupted() && len(r.Open) > 0:
		return "not done, was about to " + callLine(r.Open[0])
	case r.Interrupted():
		return "not done"
	case r.State == string(team.Aborted):
		return "stopped"
	case r.Error != "":
		return "failed"
	}
	return "done"
}

// interruptedLine returns a phrase for the model about an agent that was interrupted by the end of
// the process.
func interruptedLine(r session.AgentRecord) string {
	var open []string
	for _, call := range r.Open {
		open = append(open, callLine(call))
	}
	if len(open) == 0 {
		return r.ID
	}
	return r.ID + " (its calls had no result: " + strings.Join(open, ", ") + ")"
}

// interruptedText returns a text for the model about all agents that were interrupted by the end of
// an earlier process.
func (c *conversation) interruptedText() string {
	return "These agents were working when the shell ended: " + strings.Join(c.interrupted, "; ") + ". They are " +
		"parked, with their conversations: a message resumes one. history://ID has the work of each."
}

// maxCallLine is the number of bytes that callLine shows of a tool call.
const maxCallLine = 120

// callLine returns a short description of a tool call: its tool, and its path or command.
func callLine(c provider.ToolCall) string {
	var in struct{ Path, Command string }
	_ = json.Unmarshal(c.Input, &in) // broken input has no path and no command
	text := strings.Join(strings.Fields(c.Name+" "+cmp.Or(in.Path, in.Command)), " ")
	if len(text) > maxCallLine {
		text = strings.ToValidUTF8(width.Head(text, maxCallLine), "") + "..."
	}
	return diff.Escape(text)
}

// endAgents ends all agents, before the conversation continues with another session.
func (c *conversation) endAgents() error {
	if c.crew == nil {
		return nil
	}
	return c.crew.Replace(nil)
}
