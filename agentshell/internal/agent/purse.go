package agent

import (
	"slices"
	"sync"
)

// Purse counts what the requests of one or more agents have cost, so that the limits of a session
// hold for all that works in it. The zero value is empty. It is safe for use by several goroutines.
type Purse struct {
	mu       sync.Mutex
	cost     float64 // dollars
	tokens   int     // sent and answered
	priced   bool    // the cost of some request is known
	unpriced bool    // the cost of some request is not known
	beside   []Usage // the requests beside the conversation
}

// Spend counts a request that was made beside the conversation.
func (p *Purse) Spend(u Usage) {
	p.add(u.Cost, u.Input+u.Output, u.Priced)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.beside = append(p.beside, u)
}

// Beside returns the requests that were made beside the conversation.
func (p *Purse) Beside() []Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.beside)
}

// Cost returns the cost of all requests with a known price, in dollars. priced reports whether a
// request had a known price, unpriced whether a request had none.
func (p *Purse) Cost() (dollars float64, priced, unpriced bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cost, p.priced, p.unpriced
}

// add counts a request.
func (p *Purse) add(cost float64, tokens int, priced bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.priced, p.unpriced = p.priced || priced, p.unpriced || !priced
	p.cost += cost
	p.tokens += tokens
}

// reached returns the bound of limits that is reached, "" for none.
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
