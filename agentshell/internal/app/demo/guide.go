package demo

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

// Guide is the model of the demo. In its first turn it plays a script. After that it reacts to two
// things that the user may try: a message that names notes.md, and a message after a compaction. To
// any other message it says that it is a script.
type Guide struct {
	*script.Model
	// Scripts of one line each: the answers to the request for a summary, to a message that names
	// notes.md, to a message after a compaction, and to any other message.
	summary, mentioned, compacted, last []byte
}

// Stream answers a request. A request without tools wants a summary and uses no line of the script.
func (g *Guide) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	text := g.last
	switch {
	case len(req.Tools) == 0:
		text = g.summary
	case g.UnusedLines() > 0:
		return g.Model.Stream(ctx, req)
	case strings.Contains(textOf(req.Messages[max(len(req.Messages)-1, 0):]), "@notes.md"):
		text = g.mentioned
	case isFirstSince(req.Messages):
		text = g.compacted
	}
	m, err := script.Parse(Name, text)
	if err != nil {
		return func(yield func(provider.Event, error) bool) { yield(nil, err) }
	}
	return m.Stream(ctx, req)
}

// isFirstSince reports whether the messages were compacted and the script has not yet said anything
// about that.
func isFirstSince(messages []provider.Message) bool {
	compacted := slices.ContainsFunc(messages, func(m provider.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p provider.Part) bool {
			_, ok := p.(provider.Compaction)
			return ok
		})
	})
	return compacted && !strings.Contains(textOf(messages), "Now `/rewind`")
}

// textOf returns the texts of messages, each with a newline.
func textOf(messages []provider.Message) string {
	var all strings.Builder
	for _, m := range messages {
		for _, part := range m.Parts {
			if text, ok := part.(provider.Text); ok {
				all.WriteString(text.Text + "\n")
			}
		}
	}
	return all.String()
}
