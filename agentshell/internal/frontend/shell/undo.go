package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// handleUndo handles /undo: it takes back a change of this session once the person has approved the
// result, or lists the changes.
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

// nothingChanged says that no change of a file is known.
func (sh *Shell) nothingChanged() string {
	if sh.cfg.Files.CutOff == nil {
		return undo.NoChanges
	}
	return undo.NothingChanged(sh.cfg.Files.CutOff())
}

// listChanges handles /undo list.
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
