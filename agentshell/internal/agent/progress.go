package agent

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// mostIdle is the number of compactions in a row, each with nothing new before it, after which the
// turn ends.
const mostIdle = 3

// errNoProgress ends a turn in which the model again and again reads what a compaction has removed.
var errNoProgress = errors.New("the conversation was compacted three times in a row, and in between the model only " +
	"read again what it had read before. Ask for a smaller part, or choose a model with a larger window (/model)")

// progress detects a model that makes no progress: its context window is too small for the task, so
// that it reads again what was compacted, which is then compacted again. The zero value is ready to
// use.
type progress struct {
	seen map[[sha256.Size]byte]bool // hashes of the calls so far, each with its result
	new  bool                       // a new result or message has come since the last compaction
	idle int                        // the number of compactions in a row without anything new before them
}

// changed records that the conversation has got something new.
func (p *progress) changed() { p.new = true }

// recordResults records the results of calls. A result counts as something new if the same call has
// not returned the same text before.
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

// compacted records a compaction. It returns true if the turn should end because the model makes no
// progress.
func (p *progress) compacted() (stuck bool) {
	p.idle++
	if p.new {
		p.idle = 0
	}
	p.new = false
	return p.idle >= mostIdle
}
