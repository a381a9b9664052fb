package headless

import (
	"context"
	"strings"
	"sync"
	"time"
)

// secondCtrlC is the time within which a second Ctrl+C quits the program.
const secondCtrlC = 2 * time.Second

// quitHint is the message that is shown after the first Ctrl+C.
const quitHint = "Ctrl+C again quits"

// interrupts holds what decides about the effect of Ctrl+C and /stop: whether a turn runs, and when
// Ctrl+C was last pressed.
type interrupts struct {
	mu    sync.Mutex
	begun bool               // The conversation has begun, so that a first Ctrl+C does not quit.
	stop  context.CancelFunc // Stops the running turn; nil if no turn runs.
	last  time.Time          // The time of the last Ctrl+C; zero if a line was typed since.
}

// begin returns a context for a turn that Ctrl+C and /stop cancel. The caller must call done at the
// end of the turn.
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

// end stops the running turn. It returns false if no turn runs.
func (i *interrupts) end() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stop == nil {
		return false
	}
	i.stop()
	return true
}

// note records a Ctrl+C at the time now. It reports whether the program has to quit: the Ctrl+C is
// the second one within secondCtrlC, or the conversation has not begun.
func (i *interrupts) note(now time.Time) (second bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	second = !i.begun || now.Sub(i.last) < secondCtrlC
	i.last = now
	return second
}

// allow records that the conversation begins. From now on the first Ctrl+C stops a turn and does
// not quit.
func (i *interrupts) allow() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.begun = true
}

// typed records that the user has typed a line, so that the next Ctrl+C counts as the first one.
func (i *interrupts) typed() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last = time.Time{}
}

// Interrupt handles Ctrl+C. The first one stops the running turn or discards the line that the user
// is typing. For a second one soon after it, Interrupt returns false: the program has to quit.
func (p *Plain) Interrupt() bool {
	if p.interrupts.note(time.Now()) {
		return false
	}
	running := p.interrupts.end()
	p.out.doLocked(func() { p.out.open = true }) // the terminal has printed ^C
	p.out.writeLine(quitHint)
	if !running {
		p.out.writePrompt("> ")
	}
	return true
}

// withoutStops returns a channel with the lines of the input, except each /stop that the user types
// during a turn. Such a /stop stops the turn at once, even if earlier lines have not been handled
// yet.
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
