package demo

import (
	"context"
	"iter"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
)

// Guide is the script's model. A request without tools asks for a summary and uses up no line of
// the tour; behind the tour its last line is said again.
type Guide struct {
	*script.Model
	summary, last []byte // a script of one line each
}

// Stream plays the next line.
func (g *Guide) Stream(ctx context.Context, req provider.Request) iter.Seq2[provider.Event, error] {
	text := g.last
	switch {
	case len(req.Tools) == 0:
		text = g.summary
	case g.Leftover() > 0:
		return g.Model.Stream(ctx, req)
	}
	m, err := script.Parse(Name, text)
	if err != nil {
		return func(yield func(provider.Event, error) bool) { yield(nil, err) }
	}
	return m.Stream(ctx, req)
}
