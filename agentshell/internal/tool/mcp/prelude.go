package mcp

import (
	"errors"
	"fmt"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// What a server may send until it is ready, on all ways. Lists of real servers take less than one
// MiB.
const (
	maxPrelude  = 8 << 20
	maxPreludes = 2000 // messages, and lines that are none
)

// messages returns the pace at which a server is read that is ready: each message costs the SDK
// more than its bytes.
func messages() child.Pace { return child.Pace{Burst: 4000, Rate: 1000} }

// errFlood is why a server is ended that sends too much before it is ready.
var errFlood = fmt.Errorf("it was ended: it sent more than %d MiB, or %d messages, before it was ready",
	maxPrelude>>20, maxPreludes)

// prelude bounds what a server sends before it is ready. It is safe for use by several goroutines.
type prelude struct {
	end func(error) // ends the start

	mu              sync.Mutex
	bytes, messages int
	done            bool // the server is ready, or was ended
}

// count adds bytes and messages that the server has sent. At the limit it ends the start of the
// server and returns errFlood.
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

// ready lifts the limit: the server has answered.
func (p *prelude) ready() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
}

// endedByUs reports whether err says why we ended a server, and not why it ended by itself.
func endedByUs(err error) bool { return errors.Is(err, errFlood) || errors.Is(err, errLong) }

// errLong is why a server is ended that sends too long a message.
var errLong = fmt.Errorf("it was ended: it sent a message of more than %d MiB", maxLine>>20)
