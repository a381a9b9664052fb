package crew

import (
	"errors"
	"fmt"
	"time"
)

// Budget limits the work of one turn or assignment of an agent, including the agents that it
// starts. 0: no limit. When three quarters of a limit are used, the agent is told so once; when all
// is used, it is aborted.
type Budget struct {
	Requests, Tokens int
	Cost             float64 // in dollars; requests without a known price count as free
	Time             time.Duration
}

// spent counts the requests, tokens and dollars of an agent since its work began.
type spent struct {
	requests, tokens int
	cost             float64
	since            time.Time // when the work of the agent began
	warned           bool      // the agent was told that little is left
}

// errBudget is the cause with which an agent is cancelled when a limit of its Budget is reached.
type errBudget struct{ what string }

func (e errBudget) Error() string { return "it reached its limit of " + e.what }

// used returns how much of the budget is used: for the limit that is used most, its fraction, which
// may exceed 1, and its name.
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

// share returns used/limit, or 0 if there is no limit.
func share(used, limit float64) float64 {
	if limit <= 0 {
		return 0
	}
	return used / limit
}

// spend counts a request for the agent and for each of its parents.
func (m *mate) spend(requests, tokens int, cost float64) {
	for a := m; a != nil; a = m.crew.mate(a.parent) {
		a.mu.Lock()
		a.spent.requests += requests
		a.spent.tokens += tokens
		a.spent.cost += cost
		a.mu.Unlock()
	}
}

// charge cancels the turn of the agent, or of a parent, whose budget is used up. It is called
// before each request of the agent. It returns a warning for the agent if little of its own budget
// is left, and "" otherwise.
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

// budgetError returns the errBudget in the cause of a cancelled context, if it is one.
func budgetError(cause error) (e errBudget, is bool) {
	is = errors.As(cause, &e)
	return e, is
}
