package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// maxWoken is how many turns the model begins by itself until the person writes again. It ends a
// conversation of agents that would never end.
const maxWoken = 20

// wakeState is what a turn without a message of the person depends on.
type wakeState struct {
	overlays int  // that are open, without those of questions
	held     bool // the person has stopped the last turn
	woken    int  // turns that began by themselves since the person wrote
}

// wake begins a turn of the model if something has come for it, unless the person is busy: a turn
// runs or waits, something is typed, or a list or another program has the screen. It is called on
// the loop.
func (sh *Shell) wake() {
	if sh.cfg.Arrived == nil || sh.busy() || len(sh.queue) > 0 || sh.held || sh.closing || sh.woken > maxWoken ||
		sh.overlays > 0 || sh.terminalLent || !sh.editor.Empty() || sh.editor.Searching() || sh.openSpill != nil {
		return
	}
	why := sh.cfg.Arrived()
	if why == "" {
		return
	}
	if sh.woken++; sh.woken > maxWoken {
		sh.addBlock(notice, problem("The model has begun "+countOf(maxWoken, "turn")+" by itself.",
			"It continues after your next message."))
		return
	}
	sh.addBlock(notice, paragraphs(true, "The model goes on: "+why+"."))
	sh.startTurn(message{hidden: true, action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
		return ag.RunTurn(ctx, agent.Message{OnArrival: true}, on)
	}})
}

// noteStart records that a turn begins. Only one of the person lets others follow.
func (sh *Shell) noteStart(m message) {
	sh.held = false
	if m.action == nil && m.work == nil {
		sh.woken = 0
	}
}
