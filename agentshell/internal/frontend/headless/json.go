package headless

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf16"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// The records of the stream-json format, one a line. A "retry" record says that the text since the
// last tool_result, or since the start, does not count. "notice" is a message of agentshell, for
// instance about the session log. "compacted" says that the conversation was shortened, and
// "reported" that the model went back to its checkpoint. A reader must ignore types that it does
// not know.
type (
	sessionRecord struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
	textRecord struct {
		Type  string `json:"type"`
		Delta string `json:"delta"`
	}
	callRecord struct {
		Type  string          `json:"type"`
		ID    string          `json:"id"`
		Name  string          `json:"name"`
		Input json.RawMessage `json:"input"`
	}
	approvalRecord struct {
		Type    string `json:"type"`
		ID      string `json:"id"`   // The proposal's id; "" if the call was refused before there was a proposal.
		Call    string `json:"call"` // The id of the tool call.
		Payload any    `json:"payload"`
		// "allow" or "deny"
		Decision string `json:"decision"`
		// What decided, such as "rule" or "person".
		By string `json:"by"`
	}
	resultRecord struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		OK   bool   `json:"ok"`
		Kind string `json:"kind"`
		Text string `json:"text"`
	}
	usageRecord struct {
		Type string `json:"type"`
		// The tokens of the whole request, including those read from the provider's cache.
		Input      int      `json:"input"`
		Output     int      `json:"output"`
		CacheRead  int      `json:"cache_read,omitempty"`
		CacheWrite int      `json:"cache_write,omitempty"`
		Cost       *float64 `json:"cost_usd,omitempty"` // Missing if the model's price is not known.
	}
	compactedRecord struct {
		Type     string `json:"type"`
		Messages int    `json:"messages"` // The number of messages that the summary replaces.
		Results  int    `json:"results"`  // The number of tool results that were shortened.
		Before   int    `json:"before"`   // The tokens of the conversation before; After: those it has now.
		After    int    `json:"after"`
		Text     string `json:"text"`
		Error    string `json:"error,omitempty"` // The reason if there is no summary.
	}
	reportedRecord struct {
		Type     string `json:"type"`
		Messages int    `json:"messages"` // The number of messages that the model's report replaces.
		Before   int    `json:"before"`   // The tokens of the conversation before; After: those it has now.
		After    int    `json:"after"`
		Text     string `json:"text"`
	}
	// jobRecord describes a background job that has ended.
	jobRecord struct {
		Type   string `json:"type"`
		ID     string `json:"id"`
		State  string `json:"state"` // "completed", "failed" or "cancelled"
		TookMS int64  `json:"took_ms"`
		Label  string `json:"label"`
		Text   string `json:"text"` // What the model is told about the job's output.
	}
	retryRecord struct {
		Type    string `json:"type"`
		Attempt int    `json:"attempt"`
		// The number of attempts that are made at most.
		Of     int    `json:"of"`
		WaitMS int64  `json:"wait_ms"`
		Error  string `json:"error"`
	}
	retractedRecord struct {
		Type  string `json:"type"`
		Rules string `json:"rules"`
		Retry int    `json:"retry"`
		Of    int    `json:"of"`
	}
	recastRecord struct {
		Type string `json:"type"`
	}
	noticeRecord struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	// denialRecord describes a tool call that was denied. By names what denied it: rule, flag,
	// mode, sandbox, hook, no_terminal or person.
	denialRecord struct {
		Agent string `json:"agent,omitempty"` // The agent that made the call; missing if it was the main agent.
		// The id of the tool call.
		Call   string `json:"call"`
		Name   string `json:"name"`
		Title  string `json:"title"`
		By     string `json:"by"`
		Reason string `json:"reason,omitempty"`
	}
	endRecord struct {
		Type   string       `json:"type"`
		Reason agent.Reason `json:"reason"`
		// The limit that stopped the turn, if Reason is agent.Limit.
		Limit  agent.Bound `json:"limit,omitempty"`
		Code   int         `json:"code"`
		Turns  int         `json:"turns"`           // The number of answers of the model.
		Input  int         `json:"input,omitempty"` // The input tokens of all requests.
		Output int         `json:"output,omitempty"`
		// The cost of all requests; missing if the price of one is not known.
		Cost    *float64       `json:"cost_usd,omitempty"`
		Error   string         `json:"error,omitempty"`
		Denials []denialRecord `json:"denials,omitempty"`
	}
	turnRecord struct {
		Type    string       `json:"type"` // "result"
		Session string       `json:"session"`
		Text    string       `json:"text"`  // The texts of the model's messages, one after the other.
		Turns   int          `json:"turns"` // The number of answers of the model.
		Calls   int          `json:"calls"`
		Denied  int          `json:"denied"`
		Input   int          `json:"input"` // The input tokens of all requests.
		Output  int          `json:"output"`
		Cost    *float64     `json:"cost_usd,omitempty"`
		Reason  agent.Reason `json:"reason"`
		Limit   agent.Bound  `json:"limit,omitempty"`
		Code    int          `json:"code"`
		Error   string       `json:"error,omitempty"`
		// Denials lists the tool calls that were denied, in the order in which they ended. Calls of
		// started agents come last.
		Denials []denialRecord `json:"denials,omitempty"`
	}
)

// turnTotals adds up the tokens and the cost of all requests of a turn, and collects the denied
// tool calls.
type turnTotals struct {
	turns         int
	input, output int
	cost          float64
	unpriced      bool // The price of at least one request is not known.
	denied        []denialRecord
}

// event counts an answer of the model, adds the usage of a request, or records a denied call.
func (t *turnTotals) event(e agent.Event) {
	switch e := e.(type) {
	case agent.MessageEnd:
		t.turns++
	case agent.Usage:
		t.add(e)
	case agent.ToolEnd:
		if e.Kind == agent.KindDenied && !e.UserCommand {
			t.denied = append(t.denied, denialOf("", e))
		}
	}
}

// denialOf returns the record of a denied call that the agent of that name has made; "" is the main
// agent.
func denialOf(name string, e agent.ToolEnd) denialRecord {
	return denialRecord{name, e.ID, e.Name, e.Title, e.Decision.By, e.Decision.Reason}
}

// add adds the tokens and the cost of one request.
func (t *turnTotals) add(u agent.Usage) {
	t.input, t.output, t.cost = t.input+u.Input, t.output+u.Output, t.cost+u.Cost
	t.unpriced = t.unpriced || !u.Priced
}

// knownCost returns the cost of the turn in dollars. It is nil if a price is not known, or if no
// tokens were used.
func (t *turnTotals) knownCost() *float64 {
	if t.unpriced || t.input+t.output == 0 {
		return nil
	}
	return &t.cost
}

// streamPrinter prints the stream-json format. It writes each record with one call of Write.
// Several goroutines may write records.
type streamPrinter struct {
	w io.Writer
	// The sums for the record at the end.
	bill turnTotals
	mu   sync.Mutex
	err  error
}

func (s *streamPrinter) event(e agent.Event) {
	s.bill.event(e)
	for _, record := range recordsOf(e) {
		s.write(record)
	}
}

// recordsOf returns the stream-json records of an event of a turn. Many events have none.
func recordsOf(e agent.Event) (records []any) {
	add := func(record any) { records = append(records, record) }
	switch e := e.(type) {
	case agent.Text:
		add(textRecord{"text", e.Delta})
	case agent.ToolCall:
		add(callRecord{"tool_call", e.ID, e.Name, inputValue(e.Input)})
	case agent.Approval:
		r := approvalRecord{Type: "approval", Call: e.Call, Decision: "deny", By: e.Decision.By}
		if e.Decision.Allow {
			r.Decision = "allow"
		}
		if e.Proposal != nil {
			r.ID, r.Payload = e.Proposal.ID, e.Proposal.Payload
		}
		add(r)
	case agent.ToolEnd:
		add(resultRecord{"tool_result", e.ID, e.OK, e.Kind, e.Text})
	case agent.Usage:
		r := usageRecord{Type: "usage", Input: e.Input, Output: e.Output, CacheRead: e.CacheRead,
			CacheWrite: e.CacheWrite}
		if e.Priced {
			r.Cost = &e.Cost
		}
		add(r)
	case agent.Compacted:
		add(compactedRecord{"compacted", e.Messages, e.Shortened, e.Before, e.After, e.Text, errorText(e.Why)})
	case agent.Reported:
		add(reportedRecord{"reported", e.Messages, e.Before, e.After, e.Text})
	case agent.JobsEnded:
		for _, j := range e.Jobs {
			add(jobRecord{"job", j.ID, string(j.State), j.Took.Milliseconds(), j.Label, j.Result})
		}
	case agent.Retry:
		add(retryRecord{"retry", e.Attempt, e.Of, e.Wait.Milliseconds(), e.Err.Error()})
	case agent.Retracted:
		add(retractedRecord{"retracted", e.Rules, e.Retry, e.Of})
	case agent.TextWasThinking:
		add(recastRecord{"text_was_thinking"})
	case agent.Notice:
		add(noticeRecord{"notice", e.Text})
	}
	return records
}

func (s *streamPrinter) end(end agent.TurnEnd, toAgents []denialRecord, code int) error {
	s.write(endRecord{"end", end.Reason, end.Limit, code, s.bill.turns, s.bill.input, s.bill.output, s.bill.knownCost(),
		errorText(end.Err), append(s.bill.denied, toAgents...)})
	return s.err
}

func (s *streamPrinter) write(record any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return
	}
	var line []byte
	if line, s.err = Encode(record); s.err == nil {
		_, s.err = s.w.Write(line)
	}
}

// jsonPrinter prints the json format: one object at the end of the turn.
type jsonPrinter struct {
	w       io.Writer
	session string
	record  turnRecord
	text    textPrinter
	// The model's messages.
	said bytes.Buffer
	// The sums for the object at the end.
	bill turnTotals
}

func (p *jsonPrinter) event(e agent.Event) {
	p.text.w = &p.said
	p.text.event(e)
	p.bill.event(e)
	if _, ok := e.(agent.ToolEnd); ok {
		p.record.Calls++
	}
}

func (p *jsonPrinter) end(end agent.TurnEnd, toAgents []denialRecord, code int) error {
	r := p.record
	r.Type, r.Session, r.Text, r.Denied = "result", p.session, p.said.String(), end.Denied
	r.Reason, r.Limit, r.Code, r.Error = end.Reason, end.Limit, code, errorText(end.Err)
	r.Turns, r.Denials = p.bill.turns, append(p.bill.denied, toAgents...)
	r.Input, r.Output, r.Cost = p.bill.input, p.bill.output, p.bill.knownCost()
	line, err := Encode(r)
	if err != nil {
		return err
	}
	_, err = p.w.Write(line)
	return err
}

// errorText returns the text of err, or "" for nil.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// inputValue returns the input of a tool call as a JSON value. An input that is not valid JSON
// becomes a JSON string.
func inputValue(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	quoted, _ := json.Marshal(string(raw))
	return quoted
}

// Encode returns a record as one line of JSON. It escapes everything that a terminal could execute
// or a reader would not see. The JSON encoder leaves DEL, C1 controls, bidirectional controls and
// fillers unescaped, but somebody may look at the stream in a terminal.
func Encode(record any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(record); err != nil {
		return nil, err
	}
	line := make([]byte, 0, b.Len())
	for _, r := range b.String() {
		switch {
		case r < 0x7f || unicode.IsPrint(r) && visible.Rune(r) == visible.Text:
			line = append(line, string(r)...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			line = fmt.Appendf(line, `\u%04x\u%04x`, hi, lo)
		default:
			line = fmt.Appendf(line, `\u%04x`, r)
		}
	}
	return line, nil
}
