package window

import (
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Conversation is messages that only grow, and what was found in each when it joined: a long one is
// not read again for every request. The zero value has no messages. What [Conversation.Messages]
// gave stays as it is while the conversation grows.
type Conversation struct {
	messages []provider.Message
	tokens   []int // that the messages up to this one take, itself included
	size     int   // bytes of their texts
	pictures bool  // there are some
	mark     Checkpoint
	marked   bool // mark is active
}

// NewConversation returns a conversation of messages, which it copies.
func NewConversation(messages []provider.Message) Conversation {
	var c Conversation
	for _, m := range messages {
		c.join(m)
	}
	c.messages = provider.Trim(c.messages)
	return c
}

// Add puts a message at the end. Of older pictures it keeps what [provider.Trim] leaves.
func (c *Conversation) Add(m provider.Message) {
	c.join(m)
	if hasPictures(m) { // else there is nothing new to leave out
		c.messages = provider.Trim(slices.Clone(c.messages))
	}
}

// join puts a message at the end and keeps what is found in it.
func (c *Conversation) join(m provider.Message) {
	c.mark, c.marked = c.mark.behind(c.marked, c.messages, m)
	c.messages = append(c.messages, m)
	c.tokens = append(c.tokens, c.Tokens(0)+Message(m))
	c.size += m.Size()
	c.pictures = c.pictures || hasPictures(m)
}

// hasPictures reports whether a message has pictures.
func hasPictures(m provider.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p provider.Part) bool {
		result, ok := p.(provider.ToolResult)
		_, image := p.(provider.Image)
		return image || ok && len(result.Images) > 0
	})
}

// Messages returns the messages. Whoever gets them must not change them.
func (c Conversation) Messages() []provider.Message { return slices.Clip(c.messages) }

// Sendable returns the messages as a model can take them, as [provider.WithImages] has it.
func (c Conversation) Sendable(sees bool) []provider.Message {
	if !c.pictures {
		return c.Messages()
	}
	return provider.WithImages(c.Messages(), sees)
}

// Len returns how many messages there are.
func (c Conversation) Len() int { return len(c.messages) }

// Size returns about how many bytes the texts take, as [provider.Message.Size] has it.
func (c Conversation) Size() int { return c.size }

// Tokens returns about how many tokens the messages from the n-th on take.
func (c Conversation) Tokens(n int) int {
	last := len(c.tokens) - 1
	switch {
	case n > last:
		return 0
	case n <= 0:
		return c.tokens[last]
	}
	return c.tokens[last] - c.tokens[n-1]
}

// Checkpoint returns the active checkpoint, as [CheckpointOf] has it.
func (c Conversation) Checkpoint() (mark Checkpoint, active bool) { return c.mark, c.marked }
