package shell

import (
	"context"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Compacter is an [Agent] that can replace its conversation by a summary, so that it takes fewer
// tokens (/compact).
//
// The text keep tells the model what the summary must contain; "": nothing in particular. Compact
// reports its events by calling on.
type Compacter interface {
	Compact(ctx context.Context, keep string, on func(agent.Event)) error
}

// gauge holds how many tokens of the model's context window are used, and what the session has
// cost. It belongs to the event loop.
type gauge struct {
	// Numbers of tokens; window is 0 if the size of the context window is not known.
	used, window int
	cost
}

// addUsage updates the numbers after one request to the model.
func (g *gauge) addUsage(u agent.Usage) {
	if u.Used > 0 {
		g.used = u.Used
	}
	g.window = u.Window
	g.addCost(u)
}

// refreshCounts reads the use of the context window, the cost and the todo list anew. It is called
// on the event loop after the conversation was replaced, such as by /clear or /resume.
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

// leftText returns the unused part of the context window for the status row, such as "62% left". It
// returns "" if the size of the window is not known.
func (g *gauge) leftText() string {
	if g.window <= 0 {
		return ""
	}
	return fmt.Sprintf("%d%% left", max(100-g.used*100/g.window, 0))
}

// compactConversation handles the command /compact. The conversation is summarised after the queued
// messages were sent. keep is the user's wish about the summary.
func (sh *Shell) compactConversation(keep string) {
	sh.send(message{text: strings.TrimSpace("/compact " + keep), hidden: true,
		action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			if c, ok := ag.(Compacter); ok {
				return c.Compact(ctx, keep, on)
			}
			return errCannot
		}})
}

// compactedBlock returns the transcript's block about a compaction of the conversation: its effect,
// and where the user finds the summary.
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

// rewoundBlock returns the transcript's block that appears when the model has gone back to a
// checkpoint of the conversation.
func rewoundBlock(e agent.Reported) staticBlock {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		return append(titleRows(s, t.Glyphs.Tool, t.Accent, e.Line(), ""),
			s.Wrap(tui.Span{Text: "Files are unchanged, and the text above stays on screen. /output shows what the " +
				"model is told instead; /tree goes back to before it.", Style: t.Dim})...)
	}
}

// limitBlock returns the transcript's block that says at which limit a turn ended, and how to go
// on.
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

// joinFitting joins the first texts that fit into one row of the width of s. Empty texts are
// skipped. If the first text is too wide, it is returned nevertheless.
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
