package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// answer gets one message from the model, with further attempts after errors that may pass. An
// attempt that is stopped or cut off leaves what it said in the conversation, because the person
// has read it; one that broke leaves nothing. Calls of a message that was not completed are not in
// the conversation: none of them has a result.
func (t *turn) answer() (provider.End, error) {
	cfg := t.agent.cfg.Retries
	wait := cfg.Wait
	compacted := false
	for attempt := 1; ; attempt++ {
		end, said, err := t.attempt()
		if err == nil {
			return end, nil
		}
		if by, ok := asRuled(err); ok && t.ctx.Err() == nil {
			if err := t.retract(by, said); err != nil {
				return provider.End{}, err
			}
			attempt--
			continue
		}
		if t.ctx.Err() != nil || errors.As(err, new(*provider.Excess)) {
			if said == "" {
				return provider.End{}, err
			}
			partial := provider.Message{Role: provider.Assistant, Parts: []provider.Part{provider.Text{Text: said}}}
			return provider.End{}, errors.Join(err, t.add(partial))
		}
		var e *provider.Error
		if errors.As(err, &e) && e.TooLong && !compacted {
			compacted = true
			switch err := t.refused(); {
			case err == nil:
				continue
			case errors.Is(err, errNoProgress):
				return provider.End{}, err
			}
		}
		if !errors.As(err, &e) || !e.Retryable() {
			return provider.End{}, err
		}
		pause := min(wait, cfg.MaxWait)
		if e.RetryAfter > 0 {
			pause = e.RetryAfter
		}
		if attempt == cfg.Attempts || pause > cfg.MaxWait {
			if !t.fallBack(err) {
				return provider.End{}, err
			}
			attempt, wait = 0, cfg.Wait
			continue
		}
		t.on(Retry{Err: err, Attempt: attempt + 1, Of: cfg.Attempts, Wait: pause})
		if err := sleep(t.ctx, pause); err != nil {
			return provider.End{}, err
		}
		wait *= 2
	}
}

// fallBack makes the fallback answer for the rest of the turn. It reports whether there is one.
func (t *turn) fallBack(why error) bool {
	if t.agent.cfg.Retries.Fallback == nil || t.fell {
		return false
	}
	t.fell = true
	m, err := t.agent.cfg.Retries.Fallback()
	switch {
	case err != nil:
		t.on(Notice{fmt.Sprintf("The fallback model cannot be asked either: %v", err)})
		return false
	case m.Name() == t.model.Name():
		return false
	}
	t.on(Notice{fmt.Sprintf("%s cannot be reached (%v). %s answers for the rest of this turn.", t.model.Name(), why,
		m.Name())})
	t.model = m
	return true
}

// attempt returns one call of the model. said is the text so far of an attempt that failed.
func (t *turn) attempt() (end provider.End, said string, err error) {
	t.agent.refresh() // the model may have found tools
	req := provider.Request{System: t.agent.cfg.System,
		Messages: t.agent.conversation().Sendable(provider.Sees(t.model)), Tools: t.agent.specs,
		TakenID: t.agent.takenID}
	t.usage = provider.Usage{}
	watch, names := t.watch(), map[string]string{}
	ctx, stop := context.WithCancel(t.ctx)
	defer stop()
	var text []byte
	for ev, err := range t.model.Stream(ctx, req) {
		if err == nil {
			err = t.see(watch, names, ev)
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
			t.spend(ev, false)
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
