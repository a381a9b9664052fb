package headless

import (
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/crew"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// The records of the stream-json format about agents that the model starts. Each is wrapped in an
// agentRecord, so that a reader that knows nothing about agents does not take their text for the
// answer.
type (
	agentRecord struct {
		Type  string `json:"type"` // "agent"
		Agent string `json:"agent"`
		// A record as in the turn of the main agent, or a beganRecord, endedRecord or mailRecord.
		Event any `json:"event"`
	}
	beganRecord struct {
		Type string `json:"type"` // "began"
	}
	endedRecord struct {
		Type    string   `json:"type"` // "ended"
		OK      bool     `json:"ok"`
		Stopped bool     `json:"stopped,omitempty"`
		Steps   int      `json:"steps"`
		Tokens  int      `json:"tokens"`
		TookMS  int64    `json:"took_ms"`
		Changed []string `json:"changed,omitempty"`
		Text    string   `json:"text"`
		Error   string   `json:"error,omitempty"`
	}
	mailRecord struct {
		Type string `json:"type"` // "message"
		ID   string `json:"id"`
		To   string `json:"to"`
		Text string `json:"text"`
		// Error says why the message was not delivered.
		Error string `json:"error,omitempty"`
	}
)

// feed calls on for each event of the agents of c, until the returned feed is stopped. It returns
// nil if c is nil.
func feed(c *crew.Crew, on func(crew.Event)) *crew.Feed {
	if c == nil {
		return nil
	}
	return c.Feed(func(crew.Event) bool { return true }, on)
}

// agentDenials collects the tool calls of started agents that were denied. The zero value is empty.
type agentDenials struct {
	stop func()

	mu   sync.Mutex
	list []denialRecord
}

// collectDenials begins to collect the calls that are denied to the agents of c. If c is nil,
// nothing is collected.
func collectDenials(c *crew.Crew) *agentDenials {
	d := &agentDenials{}
	if c != nil {
		d.stop = c.Follow(d.event)
	}
	return d
}

func (d *agentDenials) event(e crew.Event) {
	if end, is := e.Turn.(agent.ToolEnd); is && end.Kind == agent.KindDenied {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.list = append(d.list, denialOf(e.Agent, end))
	}
}

// Stop ends the collecting, and returns the calls that were denied.
func (d *agentDenials) Stop() []denialRecord {
	if d.stop != nil {
		d.stop()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.list
}

// agentEvent prints the records of an event of a started agent.
func (s *streamPrinter) agentEvent(e crew.Event) {
	about := func(record any) { s.write(agentRecord{"agent", e.Agent, record}) }
	switch {
	case e.Began:
		about(beganRecord{"began"})
	case e.Ended != nil:
		about(endOf(*e.Ended))
	case e.Mail != nil:
		about(mailRecord{"message", e.Mail.ID, e.Mail.To, e.Mail.Text, e.Mail.Failure()})
	case e.Turn != nil:
		for _, record := range recordsOf(e.Turn) {
			about(record)
		}
	}
}

// endOf returns the stream-json record of an agent's end.
func endOf(r tool.AgentResult) endedRecord {
	return endedRecord{Type: "ended", OK: r.Err == nil, Stopped: r.Aborted, Steps: r.Steps, Tokens: r.Tokens,
		TookMS: r.Took.Milliseconds(), Changed: r.Changed, Text: r.Text, Error: errorText(r.Err)}
}

// agentEvent writes the important events of an agent that the model has started: a change that was
// made or denied, a message to another agent, and the agent's end.
func (t *transcript) agentEvent(e crew.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch turn := e.Turn.(type) {
	case agent.ToolEnd:
		if turn.Proposal != nil {
			turn.Title = e.Agent + ": " + turn.Title
			t.writeCall(turn)
		}
	}
	switch {
	case e.Ended != nil:
		glyph := "* "
		if e.Ended.Err != nil {
			glyph = "! "
		}
		t.write(glyph + e.Agent + "  " + crew.EndLine(*e.Ended))
	case e.Mail != nil:
		t.write("* " + e.Mail.Line("->"))
	}
}

// sayAgentEvent writes a line to Stderr about a tool call of a started agent, as sayCall does.
func (p Print) sayAgentEvent(e crew.Event) {
	if end, is := e.Turn.(agent.ToolEnd); is {
		p.sayCall(e.Agent+": ", end)
	}
}
