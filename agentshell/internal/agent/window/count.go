package window

import (
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Estimated tokens of things other than text: the frame around a message or one of its parts, a
// picture in the size in which it is sent, and the frame around a tool's description.
const (
	partTokens    = 6
	pictureTokens = 1600
	toolTokens    = 12
)

// MessageTokens returns the estimated number of tokens of a message.
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

// MessagesTokens returns the estimated number of tokens of messages.
func MessagesTokens(messages []provider.Message) int {
	n := 0
	for _, m := range messages {
		n += MessageTokens(m)
	}
	return n
}

// FixedTokens returns the estimated number of tokens of the system prompt and the tools, which are
// part of every request.
func FixedTokens(system string, tools []provider.Tool) int {
	n := provider.Tokens(system)
	for _, t := range tools {
		n += toolTokens + provider.Tokens(t.Name) + provider.Tokens(t.Description) + provider.Tokens(string(t.Schema))
	}
	return n
}

// Meter counts the tokens of a conversation. It takes the provider's count for the messages that
// were sent, and an estimate for the others. The zero value knows no count of the provider.
type Meter struct {
	fixed int // the estimated tokens of system prompt and tools
	sent  int // the number of messages that reported counts, including the answer
	// the tokens that the provider has counted
	reported int
	permille int // the provider's count for 1000 estimated tokens; 0: none yet
}

// NewMeter returns a meter for requests whose system prompt and tools take the given number of
// tokens, see [FixedTokens].
func NewMeter(fixed int) Meter { return Meter{fixed: fixed} }

// scale corrects an estimated number of tokens by the ratio between the provider's count and the
// estimate. The ratio is limited to the range from 1 to 4, because a higher one is likely wrong.
func (m Meter) scale(n int) int { return n * min(max(m.permille, 1000), 4000) / 1000 }

// Count returns the number of tokens of the next request with a conversation. It is at least the
// provider's count for the messages that were sent.
func (m Meter) Count(c Conversation) int {
	if m.reported == 0 || m.sent > c.Len() {
		return m.scale(m.fixed + c.TokensFrom(0))
	}
	return m.reported + m.scale(c.TokensFrom(m.sent))
}

// WithReport returns the meter after a request whose answer is the last message of c. u is the
// provider's token count. If the provider has counted nothing, the meter is returned unchanged.
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

// Reset returns the meter for another conversation. It keeps the ratio between counts and
// estimates.
func (m Meter) Reset() Meter { return Meter{fixed: m.fixed, permille: m.permille} }

// EstimateFor returns the estimated number of tokens that the messages may have, so that a whole
// request takes the given number.
func (m Meter) EstimateFor(tokens int) int {
	return tokens*1000/min(max(m.permille, 1000), 4000) - m.fixed
}
