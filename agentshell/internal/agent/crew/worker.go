package crew

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// maxReminders is how often an agent that has ended its turn without a result is reminded.
const maxReminders = 3

// worker is one agent at work.
type worker struct {
	id       string
	talk     Conversation
	yield    *tool.Yield
	progress func(line string)
	result   *tool.AgentResult

	words  string // the last message that has text
	reason agent.Reason
	limit  agent.Bound
}

// work plays turns until the agent has yielded, has failed, or was reminded often enough.
func (w *worker) work(ctx context.Context, text string) {
	for reminder := 0; ; reminder++ {
		err := w.turn(ctx, text)
		result, fault, yielded := w.yield.Result()
		switch {
		case yielded:
			w.result.Text = result
			if fault != "" {
				w.result.Text, w.result.Err = w.words, errors.New(fault)
			}
			return
		case ctx.Err() != nil:
			w.result.Text, w.result.Aborted, w.result.Err = w.words, true, stopError(ctx)
			return
		case err != nil || w.reason != agent.Done:
			w.result.Text, w.result.Err = w.words, w.endError(err)
			return
		case reminder == maxReminders:
			w.result.Text = w.words
			w.result.Warning = fmt.Sprintf("%s ended without its tool %s after %d reminders: this is its last "+
				"message",
				w.id, tool.YieldName, maxReminders)
			return
		}
		text = fmt.Sprintf("Your work ends with the tool %s alone, and you have not called it: nobody reads this "+
			"conversation. If the work is done, call %s with the result now. If it is not, go on. If it cannot be "+
			"done, "+
			"call %s with an error.", tool.YieldName, tool.YieldName, tool.YieldName)
		if reminder == maxReminders-1 {
			text = fmt.Sprintf("Call the tool %s now, with what you have. This is the last time that you are asked.",
				tool.YieldName)
		}
	}
}

// turn plays one turn. It ends early when the agent yields.
func (w *worker) turn(ctx context.Context, text string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return w.talk.RunText(ctx, text, func(e agent.Event) {
		w.note(e)
		if end, is := e.(agent.ToolEnd); is && end.Name == tool.YieldName && end.OK {
			cancel(errYielded)
		}
	})
}

// note keeps what an event says of the agent's work.
func (w *worker) note(e agent.Event) {
	switch e := e.(type) {
	case agent.MessageEnd:
		w.result.Steps++
		if e.Text != "" {
			w.words = e.Text
		}
	case agent.Usage:
		w.result.Tokens += e.Input + e.Output
	case agent.ToolStart:
		if e.Name != tool.YieldName {
			w.progress(fmt.Sprintf("%s: step %d, %s", w.id, w.result.Steps, e.Title))
		}
	case agent.ToolEnd:
		for _, file := range e.Result.Changed {
			if !slices.Contains(w.result.Changed, file) {
				w.result.Changed = append(w.result.Changed, file)
			}
		}
	case agent.TurnEnd:
		w.reason, w.limit = e.Reason, e.Limit
	}
}

// stopError says why an agent was ended from outside.
func stopError(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), agent.ErrTime) {
		return errors.New("its time was up")
	}
	return errors.New("it was stopped")
}

// endError says why an agent has no result although nobody stopped it.
func (w *worker) endError(err error) error {
	switch {
	case err != nil:
		return err
	case w.reason == agent.Limit:
		return fmt.Errorf("it reached the limit of %s", w.limit)
	case w.reason == agent.Interrupted:
		return errors.New("the user stopped it")
	}
	return fmt.Errorf("its turn ended: %s", w.reason)
}
