package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// Steer removes and returns the queued messages that the running turn can take now (SH-25). It
// stops at the first one that must wait for the end of the turn. It is called on the goroutine of
// the turn, between two requests to the model.
func (sh *Shell) Steer(ctx context.Context) []agent.Message {
	taken := make(chan []message, 1)
	if !sh.app.Do(func() {
		var queued []message
		for ctx.Err() == nil && len(sh.queue) > 0 && sh.queue[0].fitsRunningTurn() { // a stop gives the queue back
			queued, sh.queue = append(queued, sh.queue[0]), sh.queue[1:]
		}
		taken <- queued
	}) {
		return nil
	}
	var queued []message
	select {
	case queued = <-taken:
	case <-ctx.Done(): // what was taken before the stop is said
		select {
		case queued = <-taken:
		default:
		}
	}
	var all []agent.Message
	for _, m := range queued {
		sh.addBlock(person, personBlock(m.String()))
		all = append(all, sh.withFiles(ctx, m))
	}
	return all
}

// fitsRunningTurn reports whether a running turn can take the message. It cannot take commands,
// code cells and actions.
func (m message) fitsRunningTurn() bool {
	return !m.userCommand && !m.cell && m.action == nil && len(m.lines) == 0
}

// editLastQueued moves the last queued message back into the prompt. It returns false if no message
// is queued, or the prompt is not empty.
func (sh *Shell) editLastQueued() bool {
	last := len(sh.queue) - 1
	if last < 0 || strings.TrimSpace(sh.editor.Text()) != "" {
		return false
	}
	sh.editor.SetText(sh.queue[last].String())
	sh.queue = sh.queue[:last]
	return true
}
