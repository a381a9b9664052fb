package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// handleUndo runs /undo: it undoes a file change of this session after the user has approved the
// diff, or lists the changes.
func (sh *Shell) handleUndo(arg string) {
	switch {
	case sh.cfg.Files.Changes == nil:
		sh.addBlock(notice, problem("This session keeps no changes, so /undo cannot undo them."))
		return
	case arg == "list":
		sh.listChanges()
		return
	case sh.refuseWhileBusy("/undo"):
		return
	}
	n, err := strconv.Atoi(arg)
	if arg != "" && (err != nil || n < 1) {
		sh.addBlock(notice, problem("There is no change "+arg+".", "/undo list shows their numbers."))
		return
	}
	sh.startTurn(message{text: strings.TrimSpace("/undo " + arg),
		action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			if u, ok := ag.(Undoer); ok {
				return u.Undo(ctx, n, on)
			}
			return errCannot
		}})
}

// nothingChanged returns the sentence that there is no file change to undo. It names a command that
// was cut off and may have changed files.
func (sh *Shell) nothingChanged() string {
	if sh.cfg.Files.CutOff == nil {
		return undo.NoChanges
	}
	return undo.NothingChanged(sh.cfg.Files.CutOff())
}

// listChanges runs /undo list: it lists the file changes that can be undone.
func (sh *Shell) listChanges() {
	all := sh.cfg.Files.Changes()
	if len(all) == 0 {
		sh.addBlock(notice, paragraphs(false, sh.nothingChanged()))
		return
	}
	var rows []string
	for _, l := range all {
		rows = append(rows, fmt.Sprintf("%d  %s, %s", l.N, l, agoText(l.Ago)))
	}
	sh.addBlock(notice,
		paragraphs(false,
			append(rows, undo.UndoHint)...))
}
