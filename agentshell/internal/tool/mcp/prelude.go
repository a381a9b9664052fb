package mcp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// These constants limit what a server may send before it is ready, over any transport. The lists of
// real servers have less than one MiB.
const (
	maxPrelude  = 8 << 20
	maxPreludes = 2000 // maxPreludes is the number of messages, and of lines that are none.
)

// messages returns the rate limit for the messages of a ready server. Handling a message costs the
// SDK more than its size.
func messages() child.Pace { return child.Pace{Burst: 4000, Rate: 1000} }

// errFlood is why a server is ended that sends too much before it is ready.
var errFlood = fmt.Errorf("it was ended: it sent more than %d MiB, or %d messages, before it was ready",
	maxPrelude>>20, maxPreludes)

// prelude limits what a server sends before it is ready. It is safe for use by several goroutines.
type prelude struct {
	end func(error) // end cancels the start of the server.

	mu              sync.Mutex
	bytes, messages int
	done            bool // done says that the server is ready or was ended.
}

// count adds bytes and messages that the server has sent. Above the limit it cancels the start and
// returns errFlood.
func (p *prelude) count(bytes, messages int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return nil
	}
	p.bytes += bytes
	p.messages += messages
	if p.bytes <= maxPrelude && p.messages <= maxPreludes {
		return nil
	}
	p.end(errFlood)
	return errFlood
}

// ready lifts the limit.
func (p *prelude) ready() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
}

// endedByUs reports whether err is a reason for which this program ended the server.
func endedByUs(err error) bool { return errors.Is(err, errFlood) || errors.Is(err, errLong) }

// errLong is why a server is ended that sends a message of more than maxLine bytes.
var errLong = fmt.Errorf("it was ended: it sent a message of more than %d MiB", maxLine>>20)
