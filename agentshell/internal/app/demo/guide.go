package demo

import (
	"context"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

// Guide is the model of the demo. It plays the script of the first turn. Then it answers to what
// the person tries: a message that names notes.md, and one behind a compaction. To any other
// message it says that it is a script.
type Guide struct {
	*script.Model
	summary, mentioned, compacted, last []byte // scripts with one line each

	summed atomic.Bool // a summary was asked for, and no message came since
}

// Stream plays the next line. A request without tools asks for a summary and uses no line of the
// script.
func (g *Guide) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	text := g.last
	switch {
	case len(req.Tools) == 0:
		g.summed.Store(true)
		text = g.summary
	case g.UnusedLines() > 0:
		return g.Model.Stream(ctx, req)
	case strings.Contains(lastText(req.Messages), "@notes.md"):
		text = g.mentioned
	case g.summed.Swap(false):
		text = g.compacted
	}
	m, err := script.Parse(Name, text)
	if err != nil {
		return func(yield func(provider.Event, error) bool) { yield(nil, err) }
	}
	return m.Stream(ctx, req)
}

// lastText returns the texts of the last message.
func lastText(messages []provider.Message) string {
	var all strings.Builder
	if len(messages) > 0 {
		for _, part := range messages[len(messages)-1].Parts {
			if text, ok := part.(provider.Text); ok {
				all.WriteString(text.Text)
			}
		}
	}
	return all.String()
}
