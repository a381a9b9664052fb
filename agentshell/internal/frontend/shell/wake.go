package shell

import (
	"context"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
)

// maxWoken is the largest number of turns that the model begins by itself before the user writes
// again. It ends conversations between agents that would go on for ever.
const maxWoken = 20

// wakeState holds what decides whether the model may begin a turn without a message of the user.
type wakeState struct {
	overlays int  // The number of lists and pages that are open over the prompt, without questions.
	held     bool // The user has stopped the last turn.
	woken    int  // The number of turns that the model has begun by itself since the user wrote.
}

// wake begins a turn of the model if something has arrived for it, see Config.Arrived. It does
// nothing while a turn runs or waits, the prompt has text, or a list or another program has the
// screen. It is called on the event loop.
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

// noteStart updates the wakeState for a turn that begins with message m. Only the user's own
// message lets the model begin turns by itself again.
func (sh *Shell) noteStart(m message) {
	sh.held = false
	if m.action == nil && m.work == nil {
		sh.woken = 0
	}
}
