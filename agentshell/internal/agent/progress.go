package agent

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// mostIdle is how many compactions in a row may lead nowhere.
const mostIdle = 3

// errNoProgress ends a turn whose model asks again and again for what was compacted.
var errNoProgress = errors.New("the conversation was compacted three times in a row, and in between the model only " +
	"read again what it had read before. Ask for a smaller part, or choose a model with a larger window (/model)")

// progress tells whether the compactions of a turn lead anywhere: a model whose window is too small
// for a task reads what was compacted again, and that is compacted again. The zero value has seen
// nothing.
type progress struct {
	seen map[[sha256.Size]byte]bool // calls with their results
	new  bool                       // something came since the last compaction that had not come before
	idle int                        // compactions in a row before which nothing new had come
}

// changed records that something new has come.
func (p *progress) changed() { p.new = true }

// recordResults records the results of calls. One that has not come before counts as something new.
func (p *progress) recordResults(calls []provider.ToolCall, results []provider.Part) {
	for i, c := range calls {
		r, ok := results[i].(provider.ToolResult)
		if !ok {
			continue
		}
		// The names of kept outputs are counted, so that each output has another.
		text := countedNames().ReplaceAllString(r.Text, "output-")
		key := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s", c.Name, c.Input, text))
		if p.seen[key] {
			continue
		}
		if p.seen == nil {
			p.seen = map[[sha256.Size]byte]bool{}
		}
		p.seen[key], p.new = true, true
	}
}

var countedNames = lazyregexp.New(`\boutput-\d+`)

// compacted says that the conversation was compacted, and reports whether that leads nowhere.
func (p *progress) compacted() (stuck bool) {
	p.idle++
	if p.new {
		p.idle = 0
	}
	p.new = false
	return p.idle >= mostIdle
}
