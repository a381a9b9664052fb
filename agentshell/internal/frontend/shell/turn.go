package shell

import (
	"context"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/tui"
)

// runTurns runs the turns and the work of runBeside, one after the other, until ctx ends. It is the
// main function of the app.
func (sh *Shell) runTurns(ctx context.Context, ag Agent) error {
	sh.refreshBranch()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m := <-sh.turnStart:
			turnCtx, cancel := context.WithCancel(ctx)
			sh.app.Do(func() {
				sh.running = cancel
				if sh.stopped { // before it began
					cancel()
				}
			})
			if m.work != nil {
				finish := m.work(turnCtx)
				cancel()
				sh.refreshBranch()
				sh.app.Do(func() {
					sh.clearStatus()
					finish()
					sh.startQueued()
					sh.updateTitle()
					sh.wake()
				})
				continue
			}
			startedAt := time.Now()
			view := &turnView{sh: sh, ctx: turnCtx, calls: make(map[string]*callBlock),
				proposedTitles: make(map[string]string)}
			err := sh.runMessage(turnCtx, ag, m, view.handleEvent)
			cancel()
			view.closeText()
			if err != nil && !view.ended {
				sh.addBlock(notice, problem("The turn could not run: "+err.Error()))
			}
			duration := time.Since(startedAt)
			sh.refreshBranch()
			sh.app.Do(func() { sh.endTurn(duration) })
		}
	}
}

// submit handles a text that the user has sent from the prompt: it runs a slash command, or sends a
// message. It is called on the event loop.
func (sh *Shell) submit(text string) {
	if name, argument, ok := mention.Command(text); ok {
		sh.runSlashCommand(name, argument)
		sh.wake()
		return
	}
	sh.send(sh.parseMessage(text))
}

// send starts a turn with a message. While a turn runs it queues the message. It is called on the
// event loop.
func (sh *Shell) send(m message) {
	switch {
	case m.text == "":
	case sh.busy():
		sh.queue = append(sh.queue, m)
	default:
		sh.startTurn(m)
	}
}

// busy reports whether a turn runs or is about to start.
func (sh *Shell) busy() bool { return sh.status.Text != "" }

// startTurn starts a turn with message m. It is called on the event loop while no turn runs.
func (sh *Shell) startTurn(m message) {
	sh.quitWarned = false
	sh.stopped = false
	sh.noteStart(m)
	sh.spoke = sh.spoke || m.action == nil
	sh.editor.Placeholder = ""
	if !m.hidden {
		sh.addBlock(person, personBlock(m.String()))
	}
	sh.status = tui.Status{Text: "working", Hint: sh.cfg.Keys.Expand("{stop} stops")}
	sh.updateTitle()
	sh.turnStart <- m
}

// longTurn is the least duration of a turn whose end is announced by a desktop notification. During
// such a turn the user may look at another window.
const longTurn = 20 * time.Second

// endTurn updates the screen after a turn of that duration, and starts the turn of the next queued
// message. It is called on the event loop.
func (sh *Shell) endTurn(duration time.Duration) {
	if duration >= longTurn && !sh.stopped && len(sh.queue) == 0 {
		sh.app.Notify("agentshell", "The turn has ended.")
	}
	sh.clearStatus()
	if sh.closing {
		sh.closing = false
		sh.quit()
		return
	}
	sh.startQueued()
	sh.updateTitle()
	sh.wake()
}

// clearStatus notes that no turn runs any more. It is called on the event loop.
func (sh *Shell) clearStatus() {
	sh.running, sh.status, sh.stopped, sh.hidesStatus = nil, tui.Status{}, false, false
}

// startQueued starts a turn with the first queued message, if there is one and no turn runs. It is
// called on the event loop.
func (sh *Shell) startQueued() {
	if len(sh.queue) > 0 && !sh.busy() {
		m := sh.queue[0]
		sh.queue = sh.queue[1:]
		sh.startTurn(m)
	}
}

// handleStop runs /stop: it stops the turn, for users whose terminal does not pass the stop key on.
func (sh *Shell) handleStop() {
	if !sh.busy() {
		sh.addBlock(notice, paragraphs(false, "No turn is running."))
		return
	}
	sh.stopTurn()
}

// stopTurn stops the running turn, and moves queued messages back into the prompt (SH-25). It is
// called on the event loop.
func (sh *Shell) stopTurn() {
	if !sh.busy() {
		return
	}
	sh.stopped, sh.held = true, true
	sh.status.Text, sh.status.Hint = "stopping", ""
	if sh.running != nil {
		sh.running()
	}
	if len(sh.queue) > 0 {
		var text string
		for i, m := range sh.queue {
			if i > 0 {
				text += "\n\n"
			}
			text += m.String()
		}
		if draft := sh.editor.Text(); strings.TrimSpace(draft) != "" {
			text += "\n\n" + draft
		}
		sh.queue = nil
		sh.editor.SetText(text)
	}
}
