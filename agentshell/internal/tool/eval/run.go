package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// cellRun is a running code cell.
type cellRun struct {
	client     *connection
	cellNumber int
	cell       Cell
	ctx        context.Context // ctx is the context for its calls of the host.
	clock      *cellClock
	calls      sync.WaitGroup

	mu              sync.Mutex
	openCalls       int             // openCalls is the number of calls that are running.
	callsClosed     bool            // callsClosed says that no more calls are accepted.
	endMessage      *channelMessage // endMessage is the message about its end.
	kernelEnd       cellEnd
	done            chan struct{} // done is closed when endMessage is set.
	reachedMark     int           // reachedMark is the last mark that the output has reached.
	markChanged     chan struct{} // markChanged is closed and replaced when reachedMark changes.
	outputAbandoned chan struct{} // outputAbandoned is closed when nobody waits for the output any more.
}

// lastOutputTimeout is how long to wait for the mark at the end of a cell's output. The mark does
// not come if the cell has closed its output.
const lastOutputTimeout = 10 * time.Second

// programEndTimeout is how long to wait for the end of a program that has closed its channel, in
// order to report how it ended.
const programEndTimeout = 3 * time.Second

// Run runs a code cell. The error says why its program could not be started, or why it ended.
func (s *Service) Run(ctx context.Context, cell Cell) (Outcome, error) {
	k := s.kernels[cell.Language]
	if err := s.Available(cell.Language); err != nil {
		return Outcome{}, err
	}
	select {
	case k.runSlot <- struct{}{}:
		defer func() { <-k.runSlot }()
	case <-ctx.Done():
		return Outcome{Stopped: true}, ctx.Err()
	}
	if cell.Reset {
		k.Stop()
	}
	c, release, err := k.Use(ctx)
	if err != nil {
		return Outcome{Stopped: ctx.Err() != nil}, err
	}
	defer release()
	k.cellCount++
	calls, cancel := context.WithCancel(ctx)
	up := make(chan struct{})
	r := &cellRun{client: c, cellNumber: k.cellCount, cell: cell, ctx: calls, done: make(chan struct{}),
		markChanged: make(chan struct{}), outputAbandoned: make(chan struct{}),
		kernelEnd: cellEnd{interruptible: make(chan struct{})}}
	r.clock = newClock(cell.Timeout, func() { close(up) })
	defer r.clock.end()
	c.begin(r)
	outcome, err := r.wait(ctx, up, k)
	cancel()
	close(r.outputAbandoned)
	c.begin(nil)
	r.mu.Lock()
	r.callsClosed = true
	r.mu.Unlock()
	r.calls.Wait()
	return outcome, err
}

// begin makes r the running code cell. With nil no cell runs any more.
func (c *connection) begin(r *cellRun) {
	c.mu.Lock()
	c.run = r
	clear(c.shown)
	c.shownBytes = 0
	c.signalChange()
	c.mu.Unlock()
	if r == nil {
		c.output.connectCell(nil, nil)
		return
	}
	c.output.connectCell(func(text []byte) { _, _ = r.cell.Out.Write(text) }, r.showAtMark)
}

// wait starts the cell and waits for its end. up is closed when its time is used up.
func (r *cellRun) wait(ctx context.Context, up <-chan struct{}, k *languageKernel) (o Outcome, err error) {
	if err := r.begin(); err != nil {
		return Outcome{Lost: true}, r.endedError()
	}
	select {
	case <-r.done:
	case <-r.client.process.Gone():
		return Outcome{Lost: true}, r.endedError()
	case <-ctx.Done():
		o.Stopped = true
	case <-up:
		o.TimedOut = true
	}
	if (o.Stopped || o.TimedOut) && !r.interrupt() {
		k.Stop()
		o.Lost = true
		return o, nil
	}
	r.awaitOutput()
	o.Error = r.endMessage.Error
	o.Stopped = o.Stopped || r.endMessage.Interrupted && !o.TimedOut
	return o, nil
}

// endedError returns the error that says how the program ended.
func (r *cellRun) endedError() error {
	late := time.NewTimer(programEndTimeout)
	defer late.Stop()
	select {
	case <-r.client.process.Done():
	case <-late.C:
	}
	why := r.client.process.Why()
	if why == nil || errors.Is(why, io.EOF) {
		why = errors.New("it ended by itself")
	}
	return fmt.Errorf("the kernel of %s has ended, and its variables are lost: %s", r.cell.Language.Name(),
		markPattern().ReplaceAllString(why.Error(), ""))
}

// begin sends the code to the program.
func (r *cellRun) begin() error {
	if k := r.client.jupyter; k != nil {
		return k.Execute(r.cellNumber, r.cell.Code)
	}
	return r.client.send(map[string]any{"t": "run", "cell": r.cellNumber, "code": r.cell.Code})
}

// askToStop asks the program to interrupt the cell, and reports whether the program got the
// request.
func (r *cellRun) askToStop() bool {
	if k := r.client.jupyter; k != nil {
		r.noteKernel(func(e *cellEnd) { e.interruptAsked = true })
		ctx, cancel := context.WithTimeout(context.Background(), r.client.config.Grace)
		defer cancel()
		select {
		case <-r.kernelEnd.interruptible: // an earlier interrupt would be lost
			return k.Interrupt(ctx) == nil
		case <-r.done:
			return true
		case <-r.client.process.Gone():
		case <-ctx.Done():
		}
		return false
	}
	return r.client.send(map[string]any{"t": "interrupt", "cell": r.cellNumber}) == nil
}

// markPattern matches marks, and parts of marks at the end of output that was cut.
var markPattern = lazyregexp.New("\x1e[A-Z0-9]*(:[0-9]*)?\x1e?")

// interrupt interrupts the cell, and reports whether it ended. It does nothing for JavaScript,
// where an interrupted cell could leave code running.
func (r *cellRun) interrupt() bool {
	if r.cell.Language == JavaScript {
		return false
	}
	late := time.NewTimer(r.client.config.Grace)
	defer late.Stop()
	if !r.askToStop() {
		return false
	}
	again := time.NewTicker(r.client.config.Grace / 4)
	defer again.Stop()
	for {
		select {
		case <-r.done:
			return true
		case <-again.C: // Python drops an interrupt that comes within a callback of its own
			if r.client.jupyter != nil && !r.askToStop() {
				return false
			}
		case <-late.C:
			return false
		case <-r.client.process.Gone():
			return false
		}
	}
}

// awaitOutput waits until all output of the cell has come.
func (r *cellRun) awaitOutput() {
	late := time.NewTimer(lastOutputTimeout)
	defer late.Stop()
	for {
		r.mu.Lock()
		reached, more := r.reachedMark >= r.endMessage.Mark, r.markChanged
		r.mu.Unlock()
		if reached {
			return
		}
		select {
		case <-more:
		case <-late.C:
			return
		case <-r.client.process.Gone():
			return
		}
	}
}

// noteEnd notes the end of the cell. It returns false if the cell had ended before.
func (r *cellRun) noteEnd(m channelMessage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.endMessage != nil {
		return false
	}
	r.endMessage = &m
	close(r.done)
	return true
}

// reached notes that the output has reached a mark.
func (r *cellRun) reached(mark int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reachedMark = max(r.reachedMark, mark)
	close(r.markChanged)
	r.markChanged = make(chan struct{})
}

// showAtMark displays the value that belongs to a mark, when the output has reached the mark. The
// value comes over the other channel, perhaps a little later.
func (r *cellRun) showAtMark(mark int) {
	defer r.reached(mark)
	for {
		r.mu.Lock()
		ended := r.endMessage != nil // then all that the cell has shown is there
		r.mu.Unlock()
		d, found, changed := r.client.takeShown(mark)
		switch {
		case found:
			r.cell.Show(d)
			return
		case ended:
			return
		}
		select {
		case <-changed:
		case <-r.done:
		case <-r.client.closed:
			return
		case <-r.outputAbandoned:
			return
		}
	}
}

// beginCall notes that the code begins a call of the [Host], and stops the clock of the cell. It
// returns false if no more calls are accepted.
func (r *cellRun) beginCall() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.callsClosed || r.openCalls >= maxCalls {
		return false
	}
	r.openCalls++
	r.calls.Add(1)
	r.clock.pause()
	return true
}

func (r *cellRun) endCall() {
	r.mu.Lock()
	r.openCalls--
	r.mu.Unlock()
	r.clock.resume()
	r.calls.Done()
}
