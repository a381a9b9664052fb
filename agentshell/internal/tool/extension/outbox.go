package extension

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// These constants limit the connection to a program.
const (
	maxMessageBytes   = 1 << 20 // bytes
	maxQueuedMessages = 256     // maxQueuedMessages is the number of messages that wait until the program reads them.
	maxQueuedBytes    = 4 << 20 // maxQueuedBytes is the number of bytes of these messages.
	// eventQueueMessages and eventQueueBytes are the numbers of waiting messages and bytes at which
	// events are dropped.
	eventQueueMessages = 64
	eventQueueBytes    = 1 << 20
)

var (
	errUnread = errors.New("it was ended: it does not read what it is sent")
	errLarge  = errors.New("the message has more than 1 MiB")
)

// messagePace returns the rate limit for the messages of a program.
func messagePace() child.Pace { return child.Pace{Burst: 500, Rate: 200} }

// outbox sends messages on a goroutine of its own, so that nobody waits for a program that does not
// read.
type outbox struct {
	*helper.Stream
	process *helper.Process

	mu          sync.Mutex
	queue       [][]byte
	queuedBytes int
	hasMore     chan struct{} // hasMore receives a value when queue is not empty.
}

func newOutbox(p *helper.Process) *outbox {
	o := &outbox{Stream: helper.NewStream(p, maxMessageBytes, messagePace()), process: p, hasMore: make(chan struct{},
		1)}
	go o.send()
	return o
}

// WriteObject queues a message. It ends a program that has left too many unread.
func (o *outbox) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(data) > maxMessageBytes {
		return errLarge
	}
	o.mu.Lock()
	full := len(o.queue) >= maxQueuedMessages || o.queuedBytes+len(data) > maxQueuedBytes
	if !full {
		o.queue, o.queuedBytes = append(o.queue, data), o.queuedBytes+len(data)
	}
	o.mu.Unlock()
	if full {
		o.process.Fail(errUnread)
		return errUnread
	}
	select {
	case o.hasMore <- struct{}{}:
	default:
	}
	return nil
}

// isCrowded reports whether so many messages wait that events have to be dropped.
func (o *outbox) isCrowded() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.queue) >= eventQueueMessages || o.queuedBytes >= eventQueueBytes
}

// send writes queued messages until the program has ended.
func (o *outbox) send() {
	for {
		select {
		case <-o.hasMore:
		case <-o.process.Gone():
			return
		}
		for {
			o.mu.Lock()
			if len(o.queue) == 0 {
				o.queue = nil
				o.mu.Unlock()
				break
			}
			data := o.queue[0]
			o.queue, o.queuedBytes = o.queue[1:], o.queuedBytes-len(data)
			o.mu.Unlock()
			if err := o.WriteMessage(data); err != nil {
				return
			}
		}
	}
}
