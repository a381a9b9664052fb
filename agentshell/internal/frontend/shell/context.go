package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Compacter is an [Agent] that can make its conversation smaller. keep says what the summary must
// hold.
type Compacter interface {
	Compact(ctx context.Context, keep string, on func(agent.Event)) error
}

// gauge counts how much of the model's context window the conversation takes, and what the session
// has cost. It belongs to the loop.
type gauge struct {
	used, window int
	cost
}

// addUsage adds the usage of one request.
func (g *gauge) addUsage(u agent.Usage) {
	if u.Used > 0 {
		g.used = u.Used
	}
	g.window = u.Window
	g.addCost(u)
}

// refreshCounts reads the context use, the cost and the todo list again, after the conversation was
// replaced. It is called on the loop.
func (sh *Shell) refreshCounts() {
	if sh.cfg.Todo != nil {
		sh.todoList = sh.cfg.Todo.List()
	}
	if sh.cfg.Session.Stored != nil {
		spent := sh.cfg.Session.Stored.Spent()
		sh.gauge.cost = cost{spent.Dollars, spent.Priced, spent.Unpriced}
	}
	if sh.contextUse != nil {
		sh.gauge.used, sh.gauge.window = sh.contextUse()
	}
}

// leftText returns how much of the window is left, such as "62% left". It returns "" if the window
// is unknown.
func (g *gauge) leftText() string {
	if g.window <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%% left", max(100-g.used*100/g.window, 0))
}

// compactConversation handles /compact, after the messages that are queued.
func (sh *Shell) compactConversation(keep string) {
	sh.send(message{text: strings.TrimSpace("/compact " + keep), hidden: true,
		action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			if c, ok := ag.(Compacter); ok {
				return c.Compact(ctx, keep, on)
			}
			return errCannot
		}})
}

// compactedBlock returns the block that follows a compaction. /output shows the summary that the
// model got.
func compactedBlock(e agent.Compacted) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		rows := titleRows(s, t.Glyphs.Tool, t.Accent, e.Line(), "")
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

// rewoundBlock returns the block that follows a rewind by the model.
func rewoundBlock(e agent.Reported) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		return append(titleRows(s, t.Glyphs.Tool, t.Accent, e.Line(), ""),
			s.Wrap(tui.Span{Text: "Files are unchanged, and the text above stays on screen. /output shows what the " +
				"model is told instead; /tree goes back to before it.", Style: t.Dim})...)
	}
}

// limitBlock returns why a turn ended at a limit, and what to do.
func limitBlock(bound agent.Bound) staticBlock {
	switch bound {
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

// joinFitting joins the first facts that fit into one row. The most important fact comes first.
func joinFitting(s tui.Space, facts []string, separator string) string {
	var row string
	for _, fact := range facts {
		if fact == "" {
			continue
		}
		next := strings.TrimPrefix(row+separator+fact, separator)
		if row != "" && s.Columns(next) > s.Width-2 {
			break
		}
		row = next
	}
	return row
}
