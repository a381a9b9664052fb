package shell

import (
	"context"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/mention"
	"github.com/scrollkeep/scrollkeep/tui"
)

// runTurns runs one turn after the other until ctx ends. It is the main function of the app.
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

// submit runs a command or sends a message from the prompt. It is called on the loop.
func (sh *Shell) submit(text string) {
	if name, argument, ok := mention.Command(text); ok {
		sh.runSlashCommand(name, argument)
		sh.wake()
		return
	}
	sh.send(sh.parseMessage(text))
}

// send starts a turn with a message, or queues the message while a turn runs. It is called on the
// loop.
func (sh *Shell) send(m message) {
	switch {
	case m.text == "":
	case sh.busy():
		sh.queue = append(sh.queue, m)
	default:
		sh.startTurn(m)
	}
}

// busy reports whether a turn runs or is about to.
func (sh *Shell) busy() bool { return sh.status.Text != "" }

// startTurn starts a turn. It is called on the loop.
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

// longTurn is the duration from which on the person is notified of the end of a turn, since they
// may look elsewhere.
const longTurn = 20 * time.Second

// endTurn ends a turn that took duration. It is called on the loop.
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

// clearStatus records that nothing runs. It is called on the loop.
func (sh *Shell) clearStatus() {
	sh.running, sh.status, sh.stopped, sh.hidesStatus = nil, tui.Status{}, false, false
}

// startQueued starts the turn of the first queued message. It is called on the loop.
func (sh *Shell) startQueued() {
	if len(sh.queue) > 0 && !sh.busy() {
		m := sh.queue[0]
		sh.queue = sh.queue[1:]
		sh.startTurn(m)
	}
}

// handleStop handles /stop, for those whose terminal does not pass the key on.
func (sh *Shell) handleStop() {
	if !sh.busy() {
		sh.addBlock(notice, paragraphs(false, "No turn is running."))
		return
	}
	sh.stopTurn()
}

// stopTurn stops the turn and moves queued messages back into the prompt (SH-25). It is called on
// the loop.
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
