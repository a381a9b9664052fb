package shell

import (
	"context"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/session/recall"
)

// loadHistory loads the messages of earlier sessions into the history of the prompt. If they cannot
// be read, the first screen says so.
func (sh *Shell) loadHistory() {
	if sh.cfg.Prompt.History == nil {
		return
	}
	list, err := sh.cfg.Prompt.History.Load()
	if err != nil {
		sh.cfg.Start.Notes = append(slices.Clone(sh.cfg.Start.Notes),
			"what you sent earlier cannot be read: "+err.Error())
	}
	for _, e := range list {
		sh.editor.History = append(sh.editor.History, e.Text)
		sh.editor.Pastes = append(sh.editor.Pastes, e.Pastes...)
	}
	sh.editor.Pastes = sh.editor.Pastes[max(len(sh.editor.Pastes)-32, 0):]
}

// saveToHistory queues a sent message, with the pasted texts in it, for the history file. It never
// waits: if the queue is full, the message is dropped. It is called on the event loop.
func (sh *Shell) saveToHistory(text string) {
	if sh.cfg.Prompt.History == nil || strings.TrimSpace(text) == "" {
		return
	}
	e := recall.Entry{Text: text}
	for _, p := range sh.editor.Pastes {
		if strings.Contains(text, p) {
			e.Pastes = append(e.Pastes, p)
		}
	}
	select {
	case sh.newHistory <- e:
	default: // the disk hangs
	}
}

// writeHistory writes queued messages to the history file until ctx ends, and then those that are
// still in the queue.
func (sh *Shell) writeHistory(ctx context.Context) {
	warned := false
	add := func(e recall.Entry) {
		if err := sh.cfg.Prompt.History.Add(e); err != nil && !warned {
			warned = true
			sh.addBlock(notice, problem("Your messages are not kept for later sessions: "+err.Error()))
		}
	}
	for {
		select {
		case e := <-sh.newHistory:
			add(e)
		case <-ctx.Done():
			for {
				select {
				case e := <-sh.newHistory:
					add(e)
				default:
					return
				}
			}
		}
	}
}
