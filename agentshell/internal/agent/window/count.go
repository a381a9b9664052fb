package window

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// What things take that are no text, in tokens: a part of a message with its marks, a picture at
// the size that is sent, and a tool with its name and its place.
const (
	perPart    = 6
	perPicture = 1600
	perTool    = 12
)

// Message returns about how many tokens a message takes.
func Message(m provider.Message) int {
	n := perPart
	for _, p := range m.Parts {
		n += perPart
		switch p := p.(type) {
		case provider.Text:
			n += provider.Tokens(p.Text)
		case provider.Thinking:
			n += provider.Tokens(p.Text) + provider.Tokens(p.Signature) + provider.Tokens(p.Redacted)
		case provider.ToolCall:
			n += provider.Tokens(p.ID) + provider.Tokens(p.Name) + provider.Tokens(string(p.Input))
		case provider.ToolResult:
			n += provider.Tokens(p.ID) + provider.Tokens(p.Text) + perPicture*len(p.Images)
		case provider.Image:
			n += perPicture
		case provider.Compaction:
			n += provider.Tokens(p.Text)
		}
	}
	return n
}

// Messages returns about how many tokens messages take.
func Messages(messages []provider.Message) int {
	n := 0
	for _, m := range messages {
		n += Message(m)
	}
	return n
}

// Fixed returns about how many tokens a request takes beside its messages.
func Fixed(system string, tools []provider.Tool) int {
	n := provider.Tokens(system)
	for _, t := range tools {
		n += perTool + provider.Tokens(t.Name) + provider.Tokens(t.Description) + provider.Tokens(string(t.Schema))
	}
	return n
}

// Meter counts a conversation: what the provider has reported of the part that was sent, and an
// estimate of the rest. The zero value has heard nothing yet.
type Meter struct {
	fixed    int // estimate of what each request has beside its messages
	sent     int // messages that reported is about, the answer among them
	reported int
	permille int // what the provider has reported of an estimate of 1000; 0: nothing yet
}

// NewMeter returns a meter for requests with that much beside their messages, as [Fixed] has it.
func NewMeter(fixed int) Meter { return Meter{fixed: fixed} }

// scale returns how far estimates have been too low, at most fourfold: what a provider says is
// believed, but not that each letter is a token.
func (m Meter) scale(n int) int { return n * min(max(m.permille, 1000), 4000) / 1000 }

// Count returns how many tokens the next request with a conversation takes. It is never less than
// what the provider has reported of that part which was sent.
func (m Meter) Count(c Conversation) int {
	if m.reported == 0 || m.sent > c.Len() {
		return m.scale(m.fixed + c.Tokens(0))
	}
	return m.reported + m.scale(c.Tokens(m.sent))
}

// Sent returns the meter after a request with a conversation, whose answer is the last message, for
// which the provider has counted u. Of a provider that counts nothing everything stays an estimate.
func (m Meter) Sent(c Conversation, u Usage) Meter {
	if u.Input <= 0 || c.Len() == 0 {
		return m
	}
	if estimate := m.fixed + c.Tokens(0) - c.Tokens(c.Len()-1); estimate > 0 {
		m.permille = int(min(int64(u.Input)*1000/int64(estimate), 1<<30))
	}
	m.sent, m.reported = c.Len(), u.Input+u.Output
	return m
}

// Anew returns the meter for another conversation. What it knows of estimates stays.
func (m Meter) Anew() Meter { return Meter{fixed: m.fixed, permille: m.permille} }

// Room returns the estimate that messages may have so that a request with them takes tokens.
func (m Meter) Room(tokens int) int {
	return tokens*1000/min(max(m.permille, 1000), 4000) - m.fixed
}
