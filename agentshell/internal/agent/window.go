package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// compactToPercent is the target size of a conversation after a compaction, as a percentage of the
// token limit. The rest is left for the turns until the next one.
const compactToPercent = 60

// leastRoomPercent is the lowest target size of the messages after a compaction, as a percentage of
// the token limit minus the tokens of the system prompt and the tools. In a small context window,
// those two fill most of compactToPercent.
const leastRoomPercent = 40

// compactedRoom returns how many tokens the messages of a conversation may take after a compaction.
func compactedRoom(meter window.Meter, limit int) int {
	return max(meter.EstimateFor(limit*compactToPercent/100), meter.EstimateFor(limit)*leastRoomPercent/100)
}

// minCompactTokens is the smallest number of tokens of a conversation that is worth a compaction.
const minCompactTokens = 1000

// Compact compacts the conversation because the user wants it. keep says, in the user's words, what
// the summary must contain. It calls on with Compacting, with Compacted or Notice, and with
// TurnEnd. Cancelling ctx leaves the conversation as it was. It returns [ErrBusy] while a turn
// runs.
func (a *Agent) Compact(ctx context.Context, keep string, on func(Event)) error {
	return a.ownTurn(ctx, on, func(t *turn) (Reason, error) {
		err := t.rollBack()
		switch talk := a.snapshot(); {
		case err != nil:
		case talk.TokensFrom(0) < minCompactTokens:
			t.on(Notice{"The conversation is so short that there is nothing to make smaller."})
		default:
			err = t.compact(compactRequest{keep: keep, byPerson: true})
		}
		switch {
		case ctx.Err() != nil:
			return Interrupted, nil
		case err != nil:
			return Failed, err
		}
		return Done, nil
	})
}

// ContextUse returns the number of tokens that the conversation takes, and the size of the model's
// context window; 0: unknown.
func (a *Agent) ContextUse() (used, window int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.meter.Count(a.conversation), a.modelInfo(a.model).Window
}

// modelInfo returns the known facts about a model, such as the size of its context window.
func (a *Agent) modelInfo(m provider.Model) window.Model {
	if a.cfg.Budget.Window == nil {
		return window.Model{}
	}
	return a.cfg.Budget.Window(m.Name())
}

// nextTokens returns an estimate of the number of tokens of the next request.
func (t *turn) nextTokens() int {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	return t.agent.meter.Count(t.agent.conversation)
}

// tokenLimit returns the number of tokens at which the conversation is compacted; 0: unknown. It
// depends on the model's context window, and on the size of a request that the model has refused.
func (t *turn) tokenLimit() int {
	percent := t.agent.cfg.Budget.CompactAt
	if percent < 0 { // nothing is compacted before the model refuses it
		percent = 100
	}
	limit := t.agent.modelInfo(t.model).Limit(percent)
	if refused := t.agent.refusedLimit; refused > 0 && (limit == 0 || refused < limit) {
		limit = refused
	}
	return limit
}

// compactIfFull compacts the conversation if it has reached the token limit. If a compaction saves
// too little, the next one is tried only when the conversation has grown by a quarter.
func (t *turn) compactIfFull() error {
	limit, tokens := t.tokenLimit(), t.nextTokens()
	if limit == 0 || tokens <= limit || t.agent.cfg.Budget.CompactAt < 0 || tokens <= t.agent.retryCompactAt {
		return nil
	}
	switch err := t.compact(compactRequest{}); {
	case err != nil && t.ctx.Err() != nil:
		return err
	case err == nil && t.progress.compacted(): // else the model may take it as it is
		return errNoProgress
	}
	if tokens = t.nextTokens(); tokens > limit {
		t.agent.retryCompactAt = tokens * 5 / 4
	}
	return nil
}

// compactRefused compacts the conversation after the model has refused a request as too long.
func (t *turn) compactRefused() error {
	t.agent.refusedLimit = min(t.nextTokens()*9/10, max(t.tokenLimit(), minCompactTokens))
	if err := t.compact(compactRequest{needsSummary: true}); err != nil {
		return err
	}
	if t.progress.compacted() {
		return errNoProgress
	}
	return nil
}

// compactRequest says why and how a conversation is to be compacted.
type compactRequest struct {
	keep         string // what the summary must contain, in the user's words
	byPerson     bool
	needsSummary bool // shortened results alone are not enough; replace the messages with a summary
}

// compact makes the conversation smaller. First it shortens old results. If that does not save
// enough, it replaces most messages with one that holds a summary written by the model. If there is
// no summary, that message holds only the facts that the shell has collected itself. After an error
// the conversation is unchanged.
func (t *turn) compact(request compactRequest) error {
	messages, before := t.agent.Messages(), t.nextTokens()
	limit := t.tokenLimit()
	if limit == 0 || request.byPerson {
		limit = before
	}
	t.agent.mu.Lock()
	meter := t.agent.meter
	t.agent.mu.Unlock()
	budget := compactedRoom(meter, limit)
	if budget < minCompactTokens/2 {
		if !request.byPerson {
			return fmt.Errorf("what every request holds beside the conversation fills the model's window of %d tokens",
				limit)
		}
		budget = minCompactTokens
	}
	t.on(Compacting{})
	event := Compacted{Messages: len(messages), Before: before}
	list, shortened := t.agent.cfg.Budget.Sources.Shorten(messages, window.TailStart(messages, budget/2))
	if shortened > 0 && !request.needsSummary && !request.byPerson && window.MessagesTokens(list) <= budget {
		event.Messages, event.Shortened = 0, shortened
	} else {
		summary, err := t.requestSummary(messages, request.keep, meter, budget)
		if t.ctx.Err() != nil {
			return t.ctx.Err()
		}
		event.Why = err
		list = t.agent.cfg.Budget.Sources.Compact(messages, summary, budget)
	}
	for i := range list {
		list[i] = list[i].Redact(t.agent.cfg.Secrets)
	}
	if window.MessagesTokens(list) >= window.MessagesTokens(messages) {
		return errors.New("the conversation cannot be made smaller")
	}
	smaller := window.NewConversation(list)
	event.After = meter.Reset().Count(smaller)
	if head, ok := list[0].Parts[0].(provider.Compaction); ok && event.Shortened == 0 {
		event.Text = head.Text
		event.Messages -= len(list) - 1
	}
	if err := t.agent.cfg.Observer.Compacted(list, event.Line()); err != nil {
		return err
	}
	t.agent.mu.Lock()
	t.agent.conversation, t.agent.meter = smaller, meter.Reset()
	t.agent.mu.Unlock()
	event.Window = t.agent.modelInfo(t.model).Window
	t.on(event)
	return nil
}

// Line returns a one-line description of the compaction for the user.
func (c Compacted) Line() string {
	subject := plural.Of(c.Messages, "message")
	if c.Shortened > 0 {
		subject = plural.Of(c.Shortened, "old result") + " shortened"
	}
	return fmt.Sprintf("compacted: %s, %s to %s tokens", subject, thousands(c.Before), thousands(c.After))
}

func thousands(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 9950: // of less a little counts
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprintf("%dk", (n+500)/1000)
}

// requestSummary asks the model for a summary of messages. It sends at most about budget tokens of
// them, and half of that with each further attempt.
func (t *turn) requestSummary(messages []provider.Message, keep string, meter window.Meter, budget int) (string,
	error) {
	var err error
	for attempt := range 3 {
		if attempt > 0 && !retryable(err) {
			break
		}
		if attempt > 0 {
			if e := sleep(t.ctx, t.agent.cfg.Retries.Wait); e != nil {
				return "", e
			}
		}
		request := t.agent.cfg.Budget.Sources.SummaryRequest(messages, keep,
			max(budget>>attempt, minCompactTokens)+max(meter.EstimateFor(0), 0))
		var text, stop string
		if text, stop, err = t.requestAside(request); err != nil {
			continue
		}
		text = strings.TrimSpace(text)
		switch {
		case stop != "end" && stop != "tool":
			return "", fmt.Errorf("the summary ended with %q", stop)
		case text == "":
			return "", errors.New("the model wrote no summary")
		case provider.Tokens(text) > max(budget/4, minCompactTokens/2):
			return "", errors.New("the summary is too long")
		}
		return text, nil
	}
	return "", err
}

// retryable reports whether a request for a summary may succeed if it is repeated with less text.
func retryable(err error) bool {
	var e *provider.Error
	return errors.As(err, &e) && (e.TooLong || e.Retryable())
}

// requestAside sends a request to the model that does not become part of the conversation. It
// returns the text of the answer, and why the answer ended.
func (t *turn) requestAside(req provider.Request) (text, stop string, err error) {
	var b strings.Builder
	for ev, err := range t.model.Stream(t.ctx, req) {
		if err != nil {
			return "", "", err
		}
		switch ev := ev.(type) {
		case provider.TextDelta:
			b.WriteString(ev.Text)
		case provider.Notice:
			t.on(Notice(ev))
		case provider.Usage:
			t.addCost(ev, true)
		case provider.End:
			return b.String(), ev.Stop, nil
		}
	}
	return "", "", &provider.Error{Message: "the summary ended before it was complete"}
}

// addCost adds a request to the cost of the session, and emits a Usage event.
func (t *turn) addCost(u provider.Usage, aside bool) { t.on(t.agent.countCost(t.model, u, aside)) }

// countCost adds a request to the cost of the session, and returns the Usage event for it. aside is
// true if the request is not part of the conversation.
func (a *Agent) countCost(model provider.Model, u provider.Usage, aside bool) Usage {
	m := a.modelInfo(model)
	e := Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite,
		Cost: m.Price.Cost(window.Usage(u)), Priced: m.Price.Known(), Window: m.Window}
	if !aside {
		e.Used = u.Input + u.Output
	}
	a.cfg.Purse.add(e.Cost, u.Input+u.Output, e.Priced)
	return e
}
