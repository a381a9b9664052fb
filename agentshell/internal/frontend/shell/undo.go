package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// undo handles /undo: a change of this session is taken back, once the person has seen and approved
// what that does; or the list of changes.
func (sh *Shell) undo(arg string) {
	switch {
	case sh.cfg.Files.Changes == nil:
		sh.append(notice, problem("This session keeps no changes, so /undo cannot undo them."))
		return
	case arg == "list":
		sh.changes()
		return
	case sh.waits("/undo"):
		return
	}
	n, err := strconv.Atoi(arg)
	if arg != "" && (err != nil || n < 1) {
		sh.append(notice, problem("There is no change "+arg+".", "/undo list shows their numbers."))
		return
	}
	sh.begin(message{text: strings.TrimSpace("/undo " + arg),
		deed: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			if u, ok := ag.(Undoer); ok {
				return u.Undo(ctx, n, on)
			}
			return errCannot
		}})
}

// changes handles /undo list.
func (sh *Shell) changes() {
	all := sh.cfg.Files.Changes()
	if len(all) == 0 {
		sh.append(notice, words(false, undo.None))
		return
	}
	var rows []string
	for _, l := range all {
		rows = append(rows, fmt.Sprintf("%d  %s, %s", l.N, l, ago(l.Ago)))
	}
	sh.append(notice,
		words(false,
			append(rows, undo.Hint)...))
}
