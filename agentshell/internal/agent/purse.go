package agent

import (
	"slices"
	"sync"
)

// Purse adds up the cost and the tokens of all requests of one or more agents, so that the limits
// of a session apply to all of its agents together. The zero value is empty. It is safe for use by
// several goroutines.
type Purse struct {
	mu       sync.Mutex
	cost     float64 // the cost of all requests with a known price, in dollars
	tokens   int     // the input and output tokens of all requests
	priced   bool    // at least one request had a known price
	unpriced bool    // at least one request had no known price
	beside   []Usage // requests that are not part of any conversation
}

// Spend counts a request that was not part of a conversation.
func (p *Purse) Spend(u Usage) {
	p.add(u.Cost, u.Input+u.Output, u.Priced)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beside = append(p.beside, u)
}

// Beside returns the requests that were counted by [Purse.Spend].
func (p *Purse) Beside() []Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.beside)
}

// Cost returns the cost of all requests whose price is known, in dollars. priced reports whether
// there was such a request, unpriced whether there was one without a known price.
func (p *Purse) Cost() (dollars float64, priced, unpriced bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cost, p.priced, p.unpriced
}

// add counts one request.
func (p *Purse) add(cost float64, tokens int, priced bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.priced, p.unpriced = p.priced || priced, p.unpriced || !priced
	p.cost += cost
	p.tokens += tokens
}

// reached returns which of the limits is reached, "" for none.
func (p *Purse) reached(limits Limits) Bound {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case limits.Cost > 0 && p.cost >= limits.Cost:
		return Cost
	case limits.Tokens > 0 && p.tokens >= limits.Tokens:
		return Tokens
	}
	return ""
}
