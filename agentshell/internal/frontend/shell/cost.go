package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// cost holds the sum of the prices of requests to models, in US dollars.
type cost struct {
	dollars  float64
	priced   bool // The price of at least one request is known.
	unpriced bool // The price of at least one request is not known, so that the sum is too low.
}

// addCost adds the price of one request.
func (c *cost) addCost(u agent.Usage) { c.addSum(cost{u.Cost, u.Priced, !u.Priced}) }

// addSum adds the sum of other requests.
func (c *cost) addSum(other cost) {
	c.dollars += other.dollars
	c.priced, c.unpriced = c.priced || other.priced, c.unpriced || other.unpriced
}

// costText returns the sum for the screen, such as "$0.03". A plus sign behind it means that the
// prices of some requests are not known. It returns "" if no price is known.
func (c *cost) costText() string {
	switch {
	case !c.priced:
		return ""
	case c.unpriced:
		return fmt.Sprintf("$%.2f+", c.dollars)
	}
	return fmt.Sprintf("$%.2f", c.dollars)
}

// bill counts the requests to models since the shell was started, with their tokens and their cost.
type bill struct {
	// The number of requests, and the tokens that were sent, received, and read from the provider's
	// cache.
	requests, input, output, cacheRead int
	cost
}

// add adds one request.
func (b *bill) add(u agent.Usage) {
	b.addBill(bill{1, u.Input, u.Output, u.CacheRead, cost{u.Cost, u.Priced, !u.Priced}})
}

// addBill adds the requests of another bill.
func (b *bill) addBill(other bill) {
	b.requests += other.requests
	b.input, b.output, b.cacheRead = b.input+other.input, b.output+other.output, b.cacheRead+other.cacheRead
	b.addSum(other.cost)
}

// row returns a row of /cost: who has sent the requests, their number, tokens and cost.
func (b *bill) row(who string) string {
	row := fmt.Sprintf("%-18s  %s: %s in", who, countOf(b.requests, "request"), tokenCount(b.input))
	if b.cacheRead > 0 {
		row += fmt.Sprintf(" (%s from the cache)", tokenCount(b.cacheRead))
	}
	row += ", " + tokenCount(b.output) + " out"
	if text := b.costText(); text != "" {
		row += ", " + text
	}
	return row
}

// tokensUsed returns the number of tokens that the main model and its subagents have read and
// written since the shell was started.
func (sh *Shell) tokensUsed() int {
	return sh.ownBill.input + sh.ownBill.output + sh.agentBill.input + sh.agentBill.output
}

// showCost handles the command /cost: it lists the requests, tokens and cost of the conversation,
// of its subagents, and of other requests that tools have made.
func (sh *Shell) showCost() {
	all := sh.ownBill
	all.addBill(sh.agentBill)
	var beside bill
	if sh.cfg.Beside != nil {
		for _, u := range sh.cfg.Beside() {
			beside.add(u)
		}
	}
	all.addBill(beside)
	if all.requests == 0 {
		text := "No model was asked since the shell was started."
		switch spent := sh.gauge.costText(); { // before it was resumed
		case spent != "":
			text = "The session has cost " + spent + " since it began. " + text
		case sh.gauge.unpriced:
			text = "The cost of the session before it was resumed is not known: its models have no price. " + text
		}
		sh.addBlock(notice, paragraphs(false, text))
		return
	}
	rows := []string{sh.ownBill.row("this conversation")}
	if sh.agentBill.requests > 0 {
		rows = append(rows, sh.agentBill.row("its agents"))
	}
	if beside.requests > 0 {
		rows = append(rows, beside.row("looks at pictures"))
	}
	if len(rows) > 1 {
		rows = append(rows, all.row("together"))
	}
	if all.unpriced {
		some := ""
		if all.priced {
			some = "some "
		}
		rows = append(rows, "The price of "+some+"requests is not known: price_input and price_output below "+
			"[models.NAME] in config.toml set it.")
	}
	if sh.gauge.dollars > all.dollars {
		rows = append(rows, "The session has cost "+sh.gauge.costText()+" since it began. The rows above count what "+
			"came after it was resumed.")
	}
	sh.addBlock(notice, paragraphs(false, rows...))
}
