package crew

import (
	"errors"
	"fmt"
	"time"
)

// Budget limits one piece of work of an agent and of those that it starts. 0: no limit.
// At three quarters of one the agent is told once, and at its end it is aborted.
type Budget struct {
	Requests, Tokens int
	Cost             float64 // in dollars, as far as prices are known
	Time             time.Duration
}

// spent counts what a piece of work has cost so far.
type spent struct {
	requests, tokens int
	cost             float64
	since            time.Time // when it began
	warned           bool      // the agent was told that little is left
}

// errBudget is an end by a budget.
type errBudget struct{ what string }

func (e errBudget) Error() string { return "it reached its limit of " + e.what }

// used returns the part of a budget that is used, at most 1 and more, and the words for the limit
// that is used most.
func (b Budget) used(s spent, now time.Time) (part float64, what string) {
	for _, l := range []struct {
		part float64
		what string
	}{
		{share(float64(s.requests), float64(b.Requests)), fmt.Sprintf("%d requests", b.Requests)},
		{share(float64(s.tokens), float64(b.Tokens)), fmt.Sprintf("%d tokens", b.Tokens)},
		{share(s.cost, b.Cost), fmt.Sprintf("$%.2f", b.Cost)},
		{share(float64(now.Sub(s.since)), float64(b.Time)), b.Time.String()},
	} {
		if l.part > part {
			part, what = l.part, l.what
		}
	}
	return part, what
}

// share returns the part of a limit that is used; 0 is no limit.
func share(used, limit float64) float64 {
	if limit <= 0 {
		return 0
	}
	return used / limit
}

// spend counts what a request has taken for the agent and for those above it.
func (m *mate) spend(requests, tokens int, cost float64) {
	for a := m; a != nil; a = m.crew.mate(a.parent) {
		a.mu.Lock()
		a.spent.requests += requests
		a.spent.tokens += tokens
		a.spent.cost += cost
		a.mu.Unlock()
	}
}

// charge ends the turn of the agent, or of one above it, whose budget is used up. It is called
// before each request of the agent. It returns what the agent is told if little of its own is left,
// "" for nothing.
func (m *mate) charge() string {
	now := time.Now()
	for a := m; a != nil; a = m.crew.mate(a.parent) {
		a.mu.Lock()
		part, what := m.crew.cfg.Budget.used(a.spent, now)
		cancel, warned := a.cancel, a.spent.warned
		a.spent.warned = warned || part >= 0.75
		a.mu.Unlock()
		switch {
		case part >= 1 && cancel != nil:
			cancel(errBudget{what})
		case part >= 0.75 && !warned && a == m:
			return fmt.Sprintf("You and the agents that you have started have used %d percent of %s. Give your result "+
				"before you are ended: what you have until then.", int(part*100), what)
		}
	}
	return ""
}

// budgetError returns the end by a budget that a cause holds.
func budgetError(cause error) (e errBudget, is bool) {
	is = errors.As(cause, &e)
	return e, is
}
