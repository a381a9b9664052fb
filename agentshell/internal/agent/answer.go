package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// requestAnswer asks the model for its next message, and tries again after temporary errors.
//
// If the answer was stopped or cut off, its text so far stays in the conversation, because the user
// has read it; its calls are dropped, because they have no results. Of an attempt that failed,
// nothing stays.
func (t *turn) requestAnswer() (provider.End, error) {
	cfg := t.agent.cfg.Retries
	wait := cfg.Wait
	compacted := false
	for attempt := 1; ; attempt++ {
		end, partialText, err := t.requestOnce()
		if err == nil {
			return end, nil
		}
		if rules, ok := asRuleInterrupt(err); ok && t.ctx.Err() == nil {
			if err := t.retract(rules, partialText); err != nil {
				return provider.End{}, err
			}
			attempt--
			continue
		}
		if t.ctx.Err() != nil || errors.As(err, new(*provider.Excess)) {
			if partialText == "" {
				return provider.End{}, err
			}
			partial := provider.Message{Role: provider.Assistant,
				Parts: []provider.Part{provider.Text{Text: partialText}}}
			return provider.End{}, errors.Join(err, t.addMessage(partial))
		}
		var e *provider.Error
		if errors.As(err, &e) && e.TooLong && !compacted {
			compacted = true
			switch err := t.compactRefused(); {
			case err == nil:
				continue
			case errors.Is(err, errNoProgress):
				return provider.End{}, err
			}
		}
		if !errors.As(err, &e) || !e.Retryable() {
			return provider.End{}, err
		}
		delay := min(wait, cfg.MaxWait)
		if e.RetryAfter > 0 {
			delay = e.RetryAfter
		}
		if attempt == cfg.Attempts || delay > cfg.MaxWait {
			if !t.switchToFallback(err) {
				return provider.End{}, err
			}
			attempt, wait = 0, cfg.Wait
			continue
		}
		t.on(Retry{Err: err, Attempt: attempt + 1, Of: cfg.Attempts, Wait: delay})
		if err := sleep(t.ctx, delay); err != nil {
			return provider.End{}, err
		}
		wait *= 2
	}
}

// switchToFallback lets the fallback model answer for the rest of the turn. It returns false if
// there is no such model, or if it answers already.
func (t *turn) switchToFallback(cause error) bool {
	if t.agent.cfg.Retries.Fallback == nil || t.usesFallback {
		return false
	}
	t.usesFallback = true
	fallback, err := t.agent.cfg.Retries.Fallback()
	switch {
	case err != nil:
		t.on(Notice{fmt.Sprintf("The fallback model cannot be asked either: %v", err)})
		return false
	case fallback.Name() == t.model.Name():
		return false
	}
	t.on(Notice{fmt.Sprintf("%s cannot be reached (%v). %s answers for the rest of this turn.", t.model.Name(), cause,
		fallback.Name())})
	t.model = fallback
	return true
}

// requestOnce sends one request to the model and emits the events of the answer. If the request
// fails, partialText is the text that came before.
func (t *turn) requestOnce() (end provider.End, partialText string, err error) {
	t.agent.refreshTools() // the model may have found tools
	req := provider.Request{System: t.agent.cfg.System,
		Messages: t.agent.snapshot().Sendable(provider.Sees(t.model)), Tools: t.agent.specs,
		Force: t.force, TakenID: t.agent.takenID}
	t.usage = provider.Usage{}
	watch, names := t.newWatch(), map[string]string{}
	ctx, stop := context.WithCancel(t.ctx)
	defer stop()
	var text []byte
	for ev, err := range t.model.Stream(ctx, req) {
		if err == nil {
			err = t.applyRules(watch, names, ev)
		}
		if err != nil {
			return provider.End{}, string(text), err
		}
		switch ev := ev.(type) {
		case provider.TextDelta:
			text = append(text, ev.Text...)
			t.on(Text{Delta: ev.Text})
		case provider.ThinkingDelta:
			t.on(Thinking{Delta: ev.Text})
		case provider.TextWasThinking:
			t.on(TextWasThinking{string(text)})
			text = nil
		case provider.ToolCallStart:
			t.on(ToolStream{ID: ev.ID, Name: ev.Name})
		case provider.ToolCallDelta:
			t.on(ToolStream{ID: ev.ID, JSON: ev.JSON})
		case provider.ToolCall:
			t.on(ToolCall{ID: ev.ID, Name: ev.Name, Input: ev.Input})
		case provider.Notice:
			t.on(Notice(ev))
		case provider.Usage:
			t.usage = ev
			t.addCost(ev, false)
		case provider.End:
			return ev, "", nil
		}
	}
	if err := t.ctx.Err(); err != nil {
		return provider.End{}, string(text), err
	}
	return provider.End{}, string(text), &provider.Error{Message: "the answer ended before it was complete"}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
