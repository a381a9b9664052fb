package window

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Conversation is a list of messages that only grows. It keeps totals such as the number of tokens
// up to date, so that not all messages are read again for each request. The zero value is empty. A
// slice from [Conversation.Messages] does not change when the conversation grows.
type Conversation struct {
	messages      []provider.Message
	tokens        []int // tokens[i] is the estimated number of tokens of messages[:i+1]
	size          int   // the number of bytes of all texts in the messages
	hasPictures   bool
	checkpoint    Checkpoint
	hasCheckpoint bool // the checkpoint in the field checkpoint is active
}

// NewConversation returns a conversation that consists of a copy of messages.
func NewConversation(messages []provider.Message) Conversation {
	var c Conversation
	for _, m := range messages {
		c.appendMessage(m)
	}
	c.messages = provider.TrimPictures(c.messages)
	return c
}

// Add appends a message. If it contains pictures, old pictures are removed as [provider.Trim] does.
func (c *Conversation) Add(m provider.Message) {
	c.appendMessage(m)
	if containsPicture(m) { // else there is nothing new to leave out
		c.messages = provider.TrimPictures(slices.Clone(c.messages))
	}
}

// appendMessage appends a message and updates the totals.
func (c *Conversation) appendMessage(m provider.Message) {
	c.checkpoint, c.hasCheckpoint = c.checkpoint.afterMessage(c.hasCheckpoint, c.messages, m)
	c.messages = append(c.messages, m)
	c.tokens = append(c.tokens, c.TokensFrom(0)+MessageTokens(m))
	c.size += m.Size()
	c.hasPictures = c.hasPictures || containsPicture(m)
}

// containsPicture reports whether a message contains a picture.
func containsPicture(m provider.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p provider.Part) bool {
		result, ok := p.(provider.ToolResult)
		_, image := p.(provider.Image)
		return image || ok && len(result.Images) > 0
	})
}

// Messages returns the messages. The caller must not change them.
func (c Conversation) Messages() []provider.Message { return slices.Clip(c.messages) }

// Sendable returns the messages in the form that a model accepts, as [provider.WithImages] does.
// seesPictures says whether the model accepts pictures.
func (c Conversation) Sendable(seesPictures bool) []provider.Message {
	if !c.hasPictures {
		return c.Messages()
	}
	return provider.WithImages(c.Messages(), seesPictures)
}

// Len returns the number of messages.
func (c Conversation) Len() int { return len(c.messages) }

// Size returns about how many bytes all texts have together.
func (c Conversation) Size() int { return c.size }

// TokensFrom returns the estimated number of tokens of the messages from index n on.
func (c Conversation) TokensFrom(n int) int {
	last := len(c.tokens) - 1
	switch {
	case n > last:
		return 0
	case n <= 0:
		return c.tokens[last]
	}
	return c.tokens[last] - c.tokens[n-1]
}

// Checkpoint returns the checkpoint that the model has set, and whether it is active.
func (c Conversation) Checkpoint() (checkpoint Checkpoint, active bool) {
	return c.checkpoint, c.hasCheckpoint
}
