package window

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Tokens for things that are no text: a part of a message with its marks, a picture at the size
// that is sent, and a tool with its name and its structure.
const (
	partTokens    = 6
	pictureTokens = 1600
	toolTokens    = 12
)

// MessageTokens returns about how many tokens a message takes.
func MessageTokens(m provider.Message) int {
	n := partTokens
	for _, p := range m.Parts {
		n += partTokens
		switch p := p.(type) {
		case provider.Text:
			n += provider.Tokens(p.Text)
		case provider.Thinking:
			n += provider.Tokens(p.Text) + provider.Tokens(p.Signature) + provider.Tokens(p.Redacted)
		case provider.ToolCall:
			n += provider.Tokens(p.ID) + provider.Tokens(p.Name) + provider.Tokens(string(p.Input))
		case provider.ToolResult:
			n += provider.Tokens(p.ID) + provider.Tokens(p.Text) + pictureTokens*len(p.Images)
		case provider.Image:
			n += pictureTokens
		case provider.Compaction:
			n += provider.Tokens(p.Text)
		}
	}
	return n
}

// MessagesTokens returns about how many tokens messages take.
func MessagesTokens(messages []provider.Message) int {
	n := 0
	for _, m := range messages {
		n += MessageTokens(m)
	}
	return n
}

// FixedTokens returns about how many tokens a request takes without its messages.
func FixedTokens(system string, tools []provider.Tool) int {
	n := provider.Tokens(system)
	for _, t := range tools {
		n += toolTokens + provider.Tokens(t.Name) + provider.Tokens(t.Description) + provider.Tokens(string(t.Schema))
	}
	return n
}

// Meter counts the tokens of a conversation: those that the provider has reported for the part that
// was sent, and an estimate for the other messages. The zero value has no report yet.
type Meter struct {
	fixed int // estimate for what each request has besides its messages
	sent  int // number of messages that reported is for, including the answer
	// tokens
	reported int
	permille int // reported tokens for 1000 estimated ones; 0: no report yet
}

// NewMeter returns a meter for requests that take fixed tokens without their messages, see
// [FixedTokens].
func NewMeter(fixed int) Meter { return Meter{fixed: fixed} }

// scale corrects an estimate by what the provider has reported, at most fourfold. A higher report
// is not believed.
func (m Meter) scale(n int) int { return n * min(max(m.permille, 1000), 4000) / 1000 }

// Count returns how many tokens the next request with a conversation takes. It is never less than
// what the provider has reported for the part that was sent.
func (m Meter) Count(c Conversation) int {
	if m.reported == 0 || m.sent > c.Len() {
		return m.scale(m.fixed + c.TokensFrom(0))
	}
	return m.reported + m.scale(c.TokensFrom(m.sent))
}

// WithReport returns the meter after a request with a conversation, whose answer is the last
// message. u is the provider's count. If a provider counts nothing, everything stays an estimate.
func (m Meter) WithReport(c Conversation, u Usage) Meter {
	if u.Input <= 0 || c.Len() == 0 {
		return m
	}
	if estimate := m.fixed + c.TokensFrom(0) - c.TokensFrom(c.Len()-1); estimate > 0 {
		m.permille = int(min(int64(u.Input)*1000/int64(estimate), 1<<30))
	}
	m.sent, m.reported = c.Len(), u.Input+u.Output
	return m
}

// Reset returns the meter for another conversation. It keeps what it knows about estimates.
func (m Meter) Reset() Meter { return Meter{fixed: m.fixed, permille: m.permille} }

// EstimateFor returns the estimated tokens that messages may have, so that a request with them
// takes the given tokens.
func (m Meter) EstimateFor(tokens int) int {
	return tokens*1000/min(max(m.permille, 1000), 4000) - m.fixed
}
