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
	maxPreludeBytes    = 8 << 20
	maxPreludeMessages = 2000 // maxPreludeMessages is the number of messages, and of lines that are none.
)

// messagePace returns the rate limit for the messages of a ready server. Handling a message costs
// the SDK more than its size.
func messagePace() child.Pace { return child.Pace{Burst: 4000, Rate: 1000} }

// errPreludeFlood is why a server is ended that sends too much before it is ready.
var errPreludeFlood = fmt.Errorf("it was ended: it sent more than %d MiB, or %d messages, before it was ready",
	maxPreludeBytes>>20, maxPreludeMessages)

// prelude limits what a server sends before it is ready. It is safe for use by several goroutines.
type prelude struct {
	end func(error) // end cancels the start of the server.

	mu              sync.Mutex
	bytes, messages int
	done            bool // done says that the server is ready or was ended.
}

// count adds bytes and messages that the server has sent. Above the limit it cancels the start and
// returns errPreludeFlood.
func (p *prelude) count(bytes, messages int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return nil
	}
	p.bytes += bytes
	p.messages += messages
	if p.bytes <= maxPreludeBytes && p.messages <= maxPreludeMessages {
		return nil
	}
	p.end(errPreludeFlood)
	return errPreludeFlood
}

// ready lifts the limit.
func (p *prelude) ready() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
}

// isEndedByUs reports whether err is a reason for which this program ended the server.
func isEndedByUs(err error) bool {
	return errors.Is(err, errPreludeFlood) || errors.Is(err, errLongMessage)
}

// errLongMessage is why a server is ended that sends a message of more than maxMessageLineBytes
// bytes.
var errLongMessage = fmt.Errorf("it was ended: it sent a message of more than %d MiB", maxMessageLineBytes>>20)
