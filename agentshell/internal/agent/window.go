package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/window"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// What a compaction leaves of the limit, in percent: the conversation then goes on for a while
// before the next one.
const compactTo = 60

// smallest is what is not worth a compaction, in tokens.
const smallest = 1000

// Compact makes the conversation smaller, as the person wants; keep is what the summary must have.
// on is told Compacting, Compacted or Notice, and TurnEnd. Cancelling ctx leaves the conversation
// as it was. It must not run beside a turn: then it is [ErrBusy].
func (a *Agent) Compact(ctx context.Context, keep string, on func(Event)) error {
	t, over, err := a.start(ctx, on)
	if err != nil {
		return err
	}
	defer over()
	reason := Done
	err = t.goBack()
	switch talk := a.conversation(); {
	case err != nil:
	case talk.Tokens(0) < smallest:
		t.on(Notice{"The conversation is so short that there is nothing to make smaller."})
	default:
		err = t.compact(compaction{keep: keep, byPerson: true})
	}
	switch {
	case ctx.Err() != nil:
		reason, err = Interrupted, nil
	case err != nil:
		reason = Failed
	}
	t.news()
	t.on(TurnEnd{Reason: reason, Err: err})
	return provider.Redact(err, a.cfg.Secrets)
}

// Room returns how many tokens the conversation takes, and how many the model holds; 0: nobody
// knows.
func (a *Agent) Room() (used, most int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.meter.Count(a.talk), a.known(a.model).Window
}

// known returns what is known of m.
func (a *Agent) known(m provider.Model) window.Model {
	if a.cfg.Budget.Window == nil {
		return window.Model{}
	}
	return a.cfg.Budget.Window(m.Name())
}

// count returns how many tokens the next request takes.
func (t *turn) count() int {
	t.agent.mu.Lock()
	defer t.agent.mu.Unlock()
	return t.agent.meter.Count(t.agent.talk)
}

// limit returns how many it may take, 0 if nobody knows: what is known of the model, or what it has
// refused.
func (t *turn) limit() int {
	percent := t.agent.cfg.Budget.CompactAt
	if percent < 0 { // nothing is compacted before the model refuses it
		percent = 100
	}
	limit := t.agent.known(t.model).Limit(percent)
	if refused := t.agent.refused; refused > 0 && (limit == 0 || refused < limit) {
		limit = refused
	}
	return limit
}

// makeRoom compacts a conversation that has come to the limit. One that could not be brought below
// it is not tried again before it has grown.
func (t *turn) makeRoom() error {
	limit, n := t.limit(), t.count()
	if limit == 0 || n <= limit || t.agent.cfg.Budget.CompactAt < 0 || n <= t.agent.stuck {
		return nil
	}
	switch err := t.compact(compaction{}); {
	case err != nil && t.ctx.Err() != nil:
		return err
	case err == nil && t.progress.compacted(): // else the model may take it as it is
		return errNoProgress
	}
	if n = t.count(); n > limit {
		t.agent.stuck = n * 5 / 4
	}
	return nil
}

// refused compacts a conversation that the model did not take.
func (t *turn) refused() error {
	t.agent.refused = min(t.count()*9/10, max(t.limit(), smallest))
	if err := t.compact(compaction{all: true}); err != nil {
		return err
	}
	if t.progress.compacted() {
		return errNoProgress
	}
	return nil
}

// compaction is a wish to make the conversation smaller.
type compaction struct {
	keep     string // what the summary must have, in the person's words
	byPerson bool
	all      bool // shorter results alone are not enough
}

// compact makes the conversation smaller. First old results are shortened; if that is not enough, a
// message with a model's summary takes the place of most of it. Where no summary comes, what the
// shell knows without one is in that message. An error leaves everything as it was.
func (t *turn) compact(c compaction) error {
	messages, before := t.agent.Messages(), t.count()
	limit := t.limit()
	if limit == 0 || c.byPerson {
		limit = before
	}
	t.agent.mu.Lock()
	meter := t.agent.meter
	t.agent.mu.Unlock()
	room := meter.Room(limit * compactTo / 100)
	if room < smallest/2 {
		if !c.byPerson {
			return fmt.Errorf("what every request holds beside the conversation fills the model's window of %d tokens",
				limit)
		}
		room = smallest
	}
	t.on(Compacting{})
	end := Compacted{Messages: len(messages), Before: before}
	list, n := t.agent.cfg.Budget.Sources.Shorten(messages, window.Tail(messages, room/2))
	if n > 0 && !c.all && !c.byPerson && window.Messages(list) <= room {
		end.Messages, end.Shortened = 0, n
	} else {
		summary, err := t.summary(messages, c.keep, meter, room)
		if t.ctx.Err() != nil {
			return t.ctx.Err()
		}
		end.Why = err
		list = t.agent.cfg.Budget.Sources.Summarised(messages, summary, room)
	}
	for i := range list {
		list[i] = list[i].Redact(t.agent.cfg.Secrets)
	}
	if window.Messages(list) >= window.Messages(messages) {
		return errors.New("the conversation cannot be made smaller")
	}
	smaller := window.NewConversation(list)
	end.After = meter.Anew().Count(smaller)
	if head, ok := list[0].Parts[0].(provider.Compaction); ok && end.Shortened == 0 {
		end.Text = head.Text
		end.Messages -= len(list) - 1
	}
	if err := t.agent.cfg.Observer.Compacted(list, end.Line()); err != nil {
		return err
	}
	t.agent.mu.Lock()
	t.agent.talk, t.agent.meter = smaller, meter.Anew()
	t.agent.mu.Unlock()
	end.Window = t.agent.known(t.model).Window
	t.on(end)
	return nil
}

// Line says what was done, for a person.
func (c Compacted) Line() string {
	what := counted(c.Messages, "message")
	if c.Shortened > 0 {
		what = counted(c.Shortened, "old result") + " shortened"
	}
	return fmt.Sprintf("compacted: %s, %s to %s tokens", what, thousands(c.Before), thousands(c.After))
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
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

// summary asks the model. An error says why there is none.
func (t *turn) summary(messages []provider.Message, keep string, meter window.Meter, room int) (string, error) {
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
		ask := t.agent.cfg.Budget.Sources.SummaryRequest(messages, keep,
			max(room>>attempt, smallest)+max(meter.Room(0), 0))
		var text, stop string
		if text, stop, err = t.aside(ask); err != nil {
			continue
		}
		text = strings.TrimSpace(text)
		switch {
		case stop != "end" && stop != "tool":
			return "", fmt.Errorf("the summary ended with %q", stop)
		case text == "":
			return "", errors.New("the model wrote no summary")
		case provider.Tokens(text) > max(room/4, smallest/2):
			return "", errors.New("the summary is too long")
		}
		return text, nil
	}
	return "", err
}

// retryable reports whether it is worth to ask for a summary again, with less to read.
func retryable(err error) bool {
	var e *provider.Error
	return errors.As(err, &e) && (e.TooLong || e.Retryable())
}

// aside asks the model beside the conversation.
func (t *turn) aside(req provider.Request) (text, stop string, err error) {
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
			t.spend(ev, true)
		case provider.End:
			return b.String(), ev.Stop, nil
		}
	}
	return "", "", &provider.Error{Message: "the summary ended before it was complete"}
}

// spend counts what a request cost, and tells of it.
func (t *turn) spend(u provider.Usage, aside bool) {
	m := t.agent.known(t.model)
	e := Usage{Input: u.Input, Output: u.Output, CacheRead: u.CacheRead, CacheWrite: u.CacheWrite,
		Cost: m.Price.Of(window.Usage(u)), Priced: m.Price.Known(), Window: m.Window}
	if !aside {
		e.Used = u.Input + u.Output
	}
	t.agent.mu.Lock()
	t.agent.spent += e.Cost
	t.agent.tokens += u.Input + u.Output
	t.agent.mu.Unlock()
	t.on(e)
}

// spentAll returns the bound that the requests so far have reached, or "".
func (t *turn) spentAll() Bound {
	a := t.agent
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.cfg.Limits.Cost > 0 && a.spent >= a.cfg.Limits.Cost:
		return Cost
	case a.cfg.Limits.Tokens > 0 && a.tokens >= a.cfg.Limits.Tokens:
		return Tokens
	}
	return ""
}
