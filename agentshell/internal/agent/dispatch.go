package agent

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// runCalls runs the calls of one message and returns their results in the same order. The calls run
// one after the other, in their order (PANE-11). But while a person is asked, later read-only calls
// do not wait. If the message is incomplete, none of its calls runs.
func (t *turn) runCalls(calls []provider.ToolCall, incomplete bool) []provider.Part {
	parts := make([]provider.Part, len(calls))
	t.withBatch(len(calls), func(b *batch) {
		if incomplete {
			for i, c := range calls {
				parts[i] = b.endUnprepared(c, "tool_failed",
					"the message was cut off before it was complete; none of its calls was run")
			}
			return
		}
		b.run(calls, parts)
	})
	return parts
}

// withBatch calls work on a goroutine with a new batch, and passes on the events of the batch until
// work returns.
func (t *turn) withBatch(calls int, work func(*batch)) {
	events := make(chan Event)
	b := &batch{turn: t, emit: func(e Event) { events <- e }, questionLock: make(chan struct{}, 1),
		firstQuestion: make(chan struct{}), refused: map[string]bool{}, answered: map[int]bool{},
		hookAnswers: map[string]hook.Answer{}, checkpointCalls: map[string]bool{}, shares: t.share(calls)}
	go func() {
		defer close(events)
		work(b)
	}()
	for e := range events {
		if end, ok := e.(ToolEnd); ok && end.Kind == KindDenied && b.preparePersonal == nil {
			t.denied++
		}
		t.on(e)
	}
}

// batch runs the calls of one message.
type batch struct {
	turn   *turn
	emit   func(Event)
	shares *shares // of the room for results
	// preparePersonal prepares the calls of a batch that the person made. Rules and modes do not
	// apply to them. nil: the calls are the model's.
	preparePersonal func(ctx context.Context, c provider.ToolCall) (tool.Call, error)
	// ruled makes rules, modes and hooks apply to them nevertheless.
	ruled bool

	questionLock      chan struct{} // holds a value while a question is open
	firstQuestion     chan struct{} // closed when a person is asked for the first time
	firstQuestionOnce sync.Once

	mu          sync.Mutex
	hookAnswers map[string]hook.Answer // answers of hooks before calls, by the id of the call

	// names of checkpoint tools that were called successfully; only read-only calls use it
	checkpointCalls map[string]bool

	// paths for which a change was denied
	refused  map[string]bool // paths with a denied change
	answered map[int]bool    // by index: the call was answered together with an earlier one
}

// isPersonal reports whether the person made the calls. Rules, modes and hooks do not apply then.
func (b *batch) isPersonal() bool { return b.preparePersonal != nil && !b.ruled }

// run runs all calls and stores their results in parts. Calls that may change something run on one
// goroutine, so they run one at a time and in order (SH-8).
func (b *batch) run(calls []provider.ToolCall, parts []provider.Part) {
	type changeJob struct {
		index int
		done  chan struct{}
	}
	jobs := make(chan changeJob, len(calls))
	var lane sync.WaitGroup
	lane.Go(func() {
		for j := range jobs {
			b.runChange(calls, parts, j.index)
			close(j.done)
		}
	})
	for index, c := range calls {
		if b.readOnly(c) {
			parts[index] = b.runCall(c)
			continue
		}
		j := changeJob{index, make(chan struct{})}
		jobs <- j
		select {
		case <-j.done:
		case <-b.firstQuestion:
		}
	}
	close(jobs)
	lane.Wait()
}

// readOnly reports whether a call cannot change anything. This holds for an unknown tool, too.
func (b *batch) readOnly(c provider.ToolCall) bool {
	spec, known := b.turn.agent.spec(c.Name)
	return b.preparePersonal == nil && (!known || spec.ReadOnly)
}
