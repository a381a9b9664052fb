package headless

import (
	"context"
	"strings"
	"sync"
	"time"
)

// secondCtrlC is the time within which a second Ctrl+C quits.
const secondCtrlC = 2 * time.Second

// quitHint is what the first Ctrl+C says.
const quitHint = "Ctrl+C again quits"

// interrupts is the state of Ctrl+C and /stop.
type interrupts struct {
	mu    sync.Mutex
	begun bool               // the conversation
	stop  context.CancelFunc // stops the turn that runs; nil: none does
	last  time.Time          // of the last Ctrl+C, if nothing was typed since
}

// begin returns the context of a turn that Ctrl+C and /stop end. done is called at its end.
func (i *interrupts) begin(ctx context.Context) (turn context.Context, done func()) {
	turn, stop := context.WithCancel(ctx)
	i.mu.Lock()
	i.stop = stop
	i.mu.Unlock()
	return turn, func() {
		i.mu.Lock()
		i.stop = nil
		i.mu.Unlock()
		stop()
	}
}

// end stops the turn, and reports whether one runs.
func (i *interrupts) end() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stop == nil {
		return false
	}
	i.stop()
	return true
}

// note records a Ctrl+C and reports whether it is the second one, or comes before the conversation.
func (i *interrupts) note(now time.Time) (second bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	second = !i.begun || now.Sub(i.last) < secondCtrlC
	i.last = now
	return second
}

// allow lets Ctrl+C stop turns from now on.
func (i *interrupts) allow() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.begun = true
}

// typed ends the wait for a second Ctrl+C.
func (i *interrupts) typed() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last = time.Time{}
}

// Interrupt handles a Ctrl+C of the person: the first one stops the turn that runs, or drops the
// line that is typed. It returns false for a second one soon after it, which quits.
func (p *Plain) Interrupt() bool {
	if p.interrupts.note(time.Now()) {
		return false
	}
	running := p.interrupts.end()
	p.out.doLocked(func() { p.out.open = true }) // the terminal shows ^C
	p.out.writeLine(quitHint)
	if !running {
		p.out.writePrompt("> ")
	}
	return true
}

// withoutStops returns lines without each /stop that comes while a turn runs: it stops the turn.
// What is typed before does not delay it.
func (p *Plain) withoutStops(lines <-chan inputLine, left <-chan struct{}) <-chan inputLine {
	passed := make(chan inputLine)
	go func() {
		defer close(passed)
		var waiting []inputLine
		for lines != nil || len(waiting) > 0 {
			var first inputLine
			var to chan inputLine
			if len(waiting) > 0 {
				first, to = waiting[0], passed
			}
			select {
			case l, open := <-lines:
				switch {
				case !open:
					lines = nil
				case strings.TrimSpace(l.text) == "/stop" && p.interrupts.end():
					p.out.markLineEnded()
				default:
					waiting = append(waiting, l)
				}
			case to <- first:
				waiting = waiting[1:]
			case <-left:
				return
			}
		}
	}()
	return passed
}
