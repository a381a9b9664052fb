package crew

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/team"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Limits on the result that the parent of an agent gets. The full result can be read at agent://ID.
const (
	maxOutputBytes = 500_000
	maxOutputLines = 5000
)

// cut returns the beginning of a result that is longer than the limits, and whether it was cut.
func cut(text string) (string, bool) {
	whole := len(text)
	if len(text) > maxOutputBytes {
		text = width.Head(text, maxOutputBytes)
	}
	end := 0
	for range maxOutputLines {
		i := strings.IndexByte(text[end:], '\n')
		if i < 0 {
			return text, len(text) < whole
		}
		end += i + 1
	}
	return text[:end], end < whole
}

// maxReminders limits the reminders to an agent that ends its turn without a result.
const maxReminders = 3

// The causes with which the contexts of turns are cancelled.
var (
	errYielded = errors.New("the agent has given its result")
	errStopped = errors.New("the agent was stopped")
)

// work runs the agent on its assignment, and returns the result.
func (m *mate) work(ctx context.Context, progress func(string)) tool.AgentResult {
	r := tool.AgentResult{ID: m.id, Resource: "agent://" + m.id}
	begin := time.Now()
	ctx, end, err := m.begin(ctx)
	switch {
	case ctx.Err() != nil:
		r.Err, r.Aborted = errors.New("it was stopped before it began"), true
	case m.fault != nil:
		r.Err = fmt.Errorf("the kind %s cannot be used, its output: %w", m.kind.Name, m.fault)
	case err != nil:
		r.Err, r.Aborted = err, true
	default:
		done := m.report(progress)
		m.finish(ctx, &r)
		done()
		m.bringBack(ctx, &r)
	}
	m.mu.Lock()
	r.Steps, r.Tokens, r.Changed = m.steps, m.tokens, slices.Clone(m.changed)
	r.Took, m.whole = time.Since(begin), m.crew.cfg.Secrets.Redact(r.Text)
	r.Text, r.Cut = cut(m.whole)
	m.result = &r
	m.mu.Unlock()
	end()
	if err := m.rest(r.Aborted); err != nil && r.Err == nil {
		r.Warning = strings.TrimSpace(r.Warning + " " + err.Error())
	}
	return r
}

// rest ends a turn. Afterwards the agent is idle, or ended for good if aborted is true. If messages
// wait for it, it starts another turn.
func (m *mate) rest(aborted bool) error {
	if aborted {
		err := m.keep(team.Aborted)
		m.abort()
		m.life.Lock()
		defer m.life.Unlock()
		return errors.Join(err, m.shut())
	}
	if m.task.Isolated {
		return m.lose()
	}
	err := m.keep(team.Idle)
	if m.crew.team.Rest(m.id, time.Now()) {
		m.crew.armParking()
		return err
	}
	m.crew.wake(m)
	return err
}

// finish runs turns until the agent gives its result, fails, or has got maxReminders reminders. It
// stores the outcome in r.
func (m *mate) finish(ctx context.Context, r *tool.AgentResult) {
	message := agent.Message{Text: m.task.Text}
	for reminder := 0; ; reminder++ {
		err := m.turn(ctx, message)
		result, fault, yielded := m.yield.Result()
		words, endErr := m.outcome(err)
		switch {
		case yielded:
			r.Text = result
			if fault != "" {
				r.Text, r.Err = words, errors.New(fault)
			}
			return
		case ctx.Err() != nil:
			r.Text, r.Aborted, r.Err = words, true, stopError(ctx)
			return
		case endErr != nil:
			r.Text, r.Err = words, endErr
			return
		case reminder == maxReminders:
			r.Text = words
			r.Warning = fmt.Sprintf("%s ended without its tool %s after %d reminders: this is its last message",
				m.id, tool.YieldName, maxReminders)
			return
		}
		message = reminderOf(reminder == maxReminders-1)
	}
}

// reminderOf returns the reminder for an agent that ended its turn without giving a result. The
// last one forces the call of the tool yield if the provider can do that.
func reminderOf(last bool) agent.Message {
	if last {
		return agent.Message{Force: tool.YieldName, Origin: provider.Warning,
			Text: fmt.Sprintf("Call the tool %s now, with what you have. This is the last time that you are asked.",
				tool.YieldName)}
	}
	return agent.Message{Origin: provider.Warning, Text: fmt.Sprintf("Your work ends with the tool %s alone, and you "+
		"have not called it: nobody reads this "+
		"conversation. If the work is done, call %s with the result now. If it is not, go on. If it cannot be "+
		"done, call %s with an error.", tool.YieldName, tool.YieldName, tool.YieldName)}
}

// outcome returns the last message of an agent, and, if its last turn failed or was cut off, the
// error. err is the error of that turn.
func (m *mate) outcome(err error) (words string, failed error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case err != nil:
		return m.words, err
	case m.reason == agent.Done:
		return m.words, nil
	case m.reason == agent.Limit:
		return m.words, fmt.Errorf("it reached the limit of %s", m.limit)
	case m.reason == agent.Interrupted:
		return m.words, errors.New("the user stopped it")
	}
	return m.words, fmt.Errorf("its turn ended: %s", m.reason)
}

// stopError returns the error for an agent whose context ctx was cancelled.
func stopError(ctx context.Context) error {
	if e, is := budgetError(context.Cause(ctx)); is {
		return e
	}
	return errors.New("it was stopped")
}
