package agent

import (
	"context"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/hook"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// runCalls runs the tool calls of one message of the model, in order and one at a time (PANE-11),
// and returns their results in the same order. While the user is asked about a call, later
// read-only calls run already. If the message is incomplete, all calls fail and none runs.
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

// withBatch calls work with a new batch on another goroutine, and passes on the batch's events
// until work returns. calls is the expected number of calls.
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

// batch runs the tool calls of one message, or those that the user has asked for together.
type batch struct {
	turn   *turn
	emit   func(Event)
	shares *shares // divides the remaining tokens among the results of the calls
	// preparePersonal prepares the calls of a batch that the user has asked for, to which rules and
	// modes do not apply. nil: the model made the calls, and their tools prepare them.
	preparePersonal func(ctx context.Context, c provider.ToolCall) (tool.Call, error)
	// ruled makes rules, modes and hooks apply even though preparePersonal is set.
	ruled bool

	questionLock      chan struct{} // a semaphore: it holds a value while the user is asked a question
	firstQuestion     chan struct{} // closed when the user is asked for the first time
	firstQuestionOnce sync.Once

	mu          sync.Mutex
	hookAnswers map[string]hook.Answer // the answers of hooks to the question before a call, by the id of the call

	// the names of checkpoint tools that were called successfully; accessed only by read-only calls
	checkpointCalls map[string]bool

	// paths of files for which a change was denied
	refused  map[string]bool
	answered map[int]bool // indexes of calls that were run in the group of an earlier call
}

// isPersonal reports whether the user has asked for the calls, so that rules, modes and hooks do
// not apply.
func (b *batch) isPersonal() bool { return b.preparePersonal != nil && !b.ruled }

// run runs all calls and stores their results in parts. All calls that may change something run on
// one goroutine, so one at a time and in order (SH-8).
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

// readOnly reports whether a call cannot change anything. That includes calls of tools that do not
// exist.
func (b *batch) readOnly(c provider.ToolCall) bool {
	spec, known := b.turn.agent.spec(c.Name)
	return b.preparePersonal == nil && (!known || spec.ReadOnly)
}
