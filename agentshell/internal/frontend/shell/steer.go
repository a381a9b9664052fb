package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// Steer gives the turn that runs what the person has sent meanwhile (SH-25), up to the first thing
// in the queue that is no message: that one, and what is behind it, waits for the end of the turn.
// It is called on the goroutine of the turn, between two steps.
func (sh *Shell) Steer(ctx context.Context) []agent.Message {
	taken := make(chan []message, 1)
	if !sh.app.Do(func() {
		var list []message
		for ctx.Err() == nil && len(sh.queue) > 0 && sh.queue[0].steers() { // a stop gives the queue back
			list, sh.queue = append(list, sh.queue[0]), sh.queue[1:]
		}
		taken <- list
	}) {
		return nil
	}
	var list []message
	select {
	case list = <-taken:
	case <-ctx.Done(): // what was taken before the stop is said
		select {
		case list = <-taken:
		default:
		}
	}
	var all []agent.Message
	for _, m := range list {
		sh.append(person, said(m.String()))
		all = append(all, sh.full(ctx, m))
	}
	return all
}

// steers reports whether m can go into a turn that runs.
func (m message) steers() bool { return !m.own && m.deed == nil }

// takeBack brings the message that was queued last back into the prompt, if that is empty.
func (sh *Shell) takeBack() bool {
	last := len(sh.queue) - 1
	if last < 0 || strings.TrimSpace(sh.editor.Text()) != "" {
		return false
	}
	sh.editor.SetText(sh.queue[last].String())
	sh.queue = sh.queue[:last]
	return true
}
