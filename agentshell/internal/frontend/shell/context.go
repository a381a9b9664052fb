package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Compacter is an [Agent] that makes its conversation smaller; keep is what its summary must have.
type Compacter interface {
	Compact(ctx context.Context, keep string, on func(agent.Event)) error
}

// gauge is what the conversation takes of its model, and what the session has cost. It belongs to
// the loop.
type gauge struct {
	used, window int
	cost         float64
	priced       bool // something of the cost is known
	unpriced     bool // something is not
}

// use takes the count of a request.
func (g *gauge) use(u agent.Usage) {
	if u.Used > 0 {
		g.used = u.Used
	}
	g.window = u.Window
	g.cost += u.Cost
	g.priced, g.unpriced = g.priced || u.Priced, g.unpriced || !u.Priced
}

// measure asks what the conversation takes and what is to be done, where it became another one. On
// the loop.
func (sh *Shell) measure() {
	if sh.cfg.Todo != nil {
		sh.todo = sh.cfg.Todo.List()
	}
	if sh.room != nil {
		sh.gauge.used, sh.gauge.window = sh.room()
	}
}

// left returns "62% left", "" where the window is unknown.
func (g *gauge) left() string {
	if g.window <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%% left", max(100-g.used*100/g.window, 0))
}

// dollars returns what the session has cost: "$0.03", "$12.40+" where a part of it is not known.
func (g *gauge) dollars() string {
	switch {
	case !g.priced:
		return ""
	case g.unpriced:
		return fmt.Sprintf("$%.2f+", g.cost)
	}
	return fmt.Sprintf("$%.2f", g.cost)
}

// compact handles /compact, behind what waits.
func (sh *Shell) compact(keep string) {
	sh.send(message{text: strings.TrimSpace("/compact " + keep), quiet: true,
		deed: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			if c, ok := ag.(Compacter); ok {
				return c.Compact(ctx, keep, on)
			}
			return errCannot
		}})
}

// compacted returns the block that a compaction leaves. What the model is told instead is to be had
// with /output.
func compacted(e agent.Compacted) still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		rows := heading1(s, t.Glyphs.Tool, t.Accent, e.Line(), "")
		note := "Tool results are shorter for the model; the text above stays on screen."
		if e.Text != "" {
			note = "/output shows what the model is told instead; /tree goes back to before it. The text above stays " +
				"on screen."
		}
		rows = append(rows, s.Wrap(tui.Span{Text: note, Style: t.Dim})...)
		if e.Why != nil {
			rows = append(rows, s.Wrap(tui.Span{Text: "There is no summary: " + e.Why.Error() +
				". What you said, the files, the todo list and what was decided are carried on without one.",
				Style: t.Warning})...)
		}
		return rows
	}
}

// reported returns the block that a rewind of the model's leaves.
func reported(e agent.Reported) still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		return append(heading1(s, t.Glyphs.Tool, t.Accent, e.Line(), ""),
			s.Wrap(tui.Span{Text: "Files are unchanged, and the text above stays on screen. /output shows what the " +
				"model is told instead; /tree goes back to before it.", Style: t.Dim})...)
	}
}

// atBound returns why a turn ended at a limit, and what to do.
func atBound(b agent.Bound) still {
	switch b {
	case agent.Steps:
		return problem("Stopped at the limit of steps: the model was asked too often in one turn.",
			"Send another message to continue.")
	case agent.Length:
		return problem("The answer hit the model's output limit.",
			"Tool calls in it were not run. Ask it to continue.")
	case agent.Window:
		return problem("The answer was cut: the context window is full.",
			"Tool calls in it were not run. /compact makes room; then ask it to continue.")
	case agent.Refusal:
		return problem("The model refused to answer.", "Rephrase, or switch models with /model.")
	case agent.Filter:
		return problem("The provider's content filter cut the answer.", "Rephrase, or switch models with /model.")
	case agent.Cost:
		return problem("Stopped: the session has cost what max_cost in the config file or --max-cost allows.",
			"Raise max_cost, or start a new session.")
	case agent.Tokens:
		return problem("Stopped: the session has taken as many tokens as --max-tokens allows.",
			"Start again with a higher limit: agentshell --continue --max-tokens N.")
	}
	return problem("Stopped at a limit.")
}

// shortest returns facts, the important ones first, as many as fit beside each other.
func shortest(s tui.Space, facts []string, between string) string {
	var row string
	for _, f := range facts {
		if f == "" {
			continue
		}
		next := strings.TrimPrefix(row+between+f, between)
		if row != "" && s.Columns(next) > s.Width-2 {
			break
		}
		row = next
	}
	return row
}
