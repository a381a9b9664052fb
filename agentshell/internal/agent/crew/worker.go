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

// Bounds of a result as who started the agent gets it. The whole is at agent://ID.
const (
	maxOutputBytes = 500_000
	maxOutputLines = 5000
)

// cut returns the beginning of a result that is too long, and whether it is.
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

// maxReminders is how often an agent that has ended its turn without a result is reminded.
const maxReminders = 3

// The causes of contexts that end.
var (
	errYielded = errors.New("the agent has given its result")
	errStopped = errors.New("the agent was stopped")
)

// work lets the agent do its assignment, and returns its result.
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

// rest ends a turn: the agent is idle, or aborted for good. One that has messages goes on.
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

// finish plays turns until the agent has yielded, has failed, or was reminded often enough.
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

// reminderOf returns what an agent is told that has ended its turn without a result. The last
// reminder forces the result where the provider can.
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

// outcome returns the last words of an agent, and why its last turn has no result although nobody
// stopped it.
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

// stopError says why an agent was ended from outside.
func stopError(ctx context.Context) error {
	if e, is := budgetError(context.Cause(ctx)); is {
		return e
	}
	return errors.New("it was stopped")
}
