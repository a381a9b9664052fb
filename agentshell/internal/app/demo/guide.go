package demo

import (
	"context"
	"iter"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

// Guide is the model of the script. A request without tools asks for a summary and uses no line of
// the tour. After the tour the last line is repeated.
type Guide struct {
	*script.Model
	summary, last []byte // scripts with one line each
}

// Stream plays the next line.
func (g *Guide) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	text := g.last
	switch {
	case len(req.Tools) == 0:
		text = g.summary
	case g.UnusedLines() > 0:
		return g.Model.Stream(ctx, req)
	}
	m, err := script.Parse(Name, text)
	if err != nil {
		return func(yield func(provider.Event, error) bool) { yield(nil, err) }
	}
	return m.Stream(ctx, req)
}
