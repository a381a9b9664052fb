package agent

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// results runs the calls of one message and gives their results in the same order. The calls run in
// their order (PANE-11), one after the other; but once a person is asked, the read-only calls
// behind do not wait for the answer. cut: the message was cut off, nothing of it may run.
func (t *turn) results(calls []provider.ToolCall, cut bool) []provider.Part {
	parts := make([]provider.Part, len(calls))
	t.serve(len(calls), func(b *batch) {
		if cut {
			for i, c := range calls {
				parts[i] = b.fail(c, "tool_failed",
					"the message was cut off before it was complete; none of its calls was run")
			}
			return
		}
		b.run(calls, parts)
	})
	return parts
}

// serve runs work on a goroutine and hands on the events of its batch of calls until it returns.
func (t *turn) serve(calls int, work func(*batch)) {
	events := make(chan Event)
	b := &batch{turn: t, emit: func(e Event) { events <- e }, asking: make(chan struct{}, 1),
		asked: make(chan struct{}), refused: map[string]bool{}, with: map[int]bool{},
		heardOf: map[string]hook.Answer{}, moved: map[string]bool{}, shares: t.share(calls)}
	go func() {
		defer close(events)
		work(b)
	}()
	for e := range events {
		if end, ok := e.(ToolEnd); ok && end.Kind == KindDenied && b.own == nil {
			t.denied++
		}
		t.on(e)
	}
}

// batch is the calls of one message.
type batch struct {
	turn   *turn
	emit   func(Event)
	shares *shares // of the room for results
	// own prepares the calls of a batch that the person made: no rule and no mode decides on them.
	// Nil: the calls are the model's.
	own func(ctx context.Context, c provider.ToolCall) (tool.Call, error)

	asking chan struct{} // holds one while the person is asked: one question at a time
	asked  chan struct{} // closed when a person is asked for the first time
	once   sync.Once

	mu      sync.Mutex
	heardOf map[string]hook.Answer // what hooks have said before calls, by their ids

	moved map[string]bool // calls that move the conversation and were accepted; read-only calls touch it alone

	// What follows is touched by the lane of the changing calls only.
	refused map[string]bool // paths with a denied change
	with    map[int]bool    // calls that were answered together with an earlier one
}

// run fills parts. The calls that may change something have one goroutine, the lane, and so run
// exclusively and in their order (SH-8).
func (b *batch) run(calls []provider.ToolCall, parts []provider.Part) {
	type job struct {
		i    int
		done chan struct{}
	}
	jobs := make(chan job, len(calls))
	var lane sync.WaitGroup
	lane.Go(func() {
		for j := range jobs {
			b.change(calls, parts, j.i)
			close(j.done)
		}
	})
	for i, c := range calls {
		if b.readOnly(c) {
			parts[i] = b.call(c)
			continue
		}
		j := job{i, make(chan struct{})}
		jobs <- j
		select {
		case <-j.done:
		case <-b.asked:
		}
	}
	close(jobs)
	lane.Wait()
}

// readOnly reports whether a call cannot change anything. An unknown tool cannot.
func (b *batch) readOnly(c provider.ToolCall) bool {
	spec, known := b.turn.agent.spec(c.Name)
	return b.own == nil && (!known || spec.ReadOnly)
}
