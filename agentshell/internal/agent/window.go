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

// compactToPercent is the size of the conversation after a compaction, in percent of the limit. It
// leaves some room until the next one.
const compactToPercent = 60

// leastRoomPercent is the smallest size of the messages after a compaction, in percent of the limit
// without the system prompt and the tools. In a small window those two fill most of
// compactToPercent.
const leastRoomPercent = 40

// compactedRoom returns how many tokens the messages of a conversation have after a compaction.
func compactedRoom(meter window.Meter, limit int) int {
	return max(meter.EstimateFor(limit*compactToPercent/100), meter.EstimateFor(limit)*leastRoomPercent/100)
}

// minCompactTokens is the number of tokens below which a compaction is not worth it.
const minCompactTokens = 1000

// Compact makes the conversation smaller for the person. keep says what the summary must hold. It
// calls on with Compacting, Compacted or Notice, and TurnEnd. Cancelling ctx leaves the
// conversation as it was. While a turn runs it returns [ErrBusy].
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

// ContextUse returns how many tokens the conversation takes, and how many the model's window holds;
// 0: unknown.
func (a *Agent) ContextUse() (used, window int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.meter.Count(a.conversation), a.modelInfo(a.model).Window
}

// modelInfo returns what is known about m.
func (a *Agent) modelInfo(m provider.Model) window.Model {
	if a.cfg.Budget.Window == nil {
		return window.Model{}
	}
	return a.cfg.Budget.Window(m.Name())
}

// nextTokens returns how many tokens the next request takes.
func (t *turn) nextTokens() int {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	return t.agent.meter.Count(t.agent.conversation)
}

// tokenLimit returns how many tokens a request may take, from what is known about the model and
// from what it has refused; 0: unknown.
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

// compactIfFull compacts a conversation that has reached the limit. If that did not help enough, it
// is tried again only when the conversation has grown.
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

// compactRefused compacts a conversation that the model has refused as too long.
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

// compactRequest tells how the conversation is to be made smaller.
type compactRequest struct {
	keep         string // what the summary must hold, in the person's words
	byPerson     bool
	needsSummary bool // shorter results alone are not enough
}

// compact makes the conversation smaller. First it shortens old results. If that is not enough, a
// message with a model's summary replaces most of the conversation. If there is no summary, that
// message holds only what the shell knows. An error leaves everything as it was.
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

// Line describes the compaction for a person.
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

// requestSummary asks the model for a summary of messages, in a budget of tokens.
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

// retryable reports whether a summary can be requested again, with less to read.
func retryable(err error) bool {
	var e *provider.Error
	return errors.As(err, &e) && (e.TooLong || e.Retryable())
}

// requestAside makes a request to the model that is not part of the conversation.
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

// addCost adds the cost of a request, and reports it.
func (t *turn) addCost(u provider.Usage, aside bool) { t.on(t.agent.countCost(t.model, u, aside)) }

// countCost counts a request of a model, and returns the event that says so. aside is true for one
// that is not of the conversation.
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
