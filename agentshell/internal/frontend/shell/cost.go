package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// cost counts the dollars of requests.
type cost struct {
	dollars  float64
	priced   bool // the cost of some request is known
	unpriced bool // the cost of some request is not known
}

// addCost adds the cost of a request, which may be one of another agent.
func (c *cost) addCost(u agent.Usage) { c.addSum(cost{u.Cost, u.Priced, !u.Priced}) }

// addSum adds another cost.
func (c *cost) addSum(other cost) {
	c.dollars += other.dollars
	c.priced, c.unpriced = c.priced || other.priced, c.unpriced || other.unpriced
}

// costText returns the cost, such as "$0.03". A plus sign means that the cost of some requests is
// not known.
func (c *cost) costText() string {
	switch {
	case !c.priced:
		return ""
	case c.unpriced:
		return fmt.Sprintf("$%.2f+", c.dollars)
	}
	return fmt.Sprintf("$%.2f", c.dollars)
}

// bill counts what requests to models have taken since the shell was started.
type bill struct {
	requests, input, output, cacheRead int
	cost
}

// add adds a request.
func (b *bill) add(u agent.Usage) {
	b.addBill(bill{1, u.Input, u.Output, u.CacheRead, cost{u.Cost, u.Priced, !u.Priced}})
}

// addBill adds another bill.
func (b *bill) addBill(other bill) {
	b.requests += other.requests
	b.input, b.output, b.cacheRead = b.input+other.input, b.output+other.output, b.cacheRead+other.cacheRead
	b.addSum(other.cost)
}

// row returns a row of /cost about those who have sent the requests.
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

// tokensUsed returns the number of tokens that all requests and answers have taken.
func (sh *Shell) tokensUsed() int {
	return sh.ownBill.input + sh.ownBill.output + sh.agentBill.input + sh.agentBill.output
}

// showCost handles /cost: it shows what the session has taken, its agents included.
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
