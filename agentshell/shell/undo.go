package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/agent"
)

// undo is /undo: a change of this session is taken back, once the person has seen and approved what
// that does; or the list of changes.
func (sh *Shell) undo(arg string) {
	switch {
	case sh.cfg.Changes == nil:
		sh.append(notice, problem("No changes are kept in this session, so there is no /undo."))
		return
	case arg == "list":
		sh.changes()
		return
	case sh.busy():
		sh.append(notice, problem("A turn is running.", "Esc stops it; then /undo works."))
		return
	}
	n, err := strconv.Atoi(arg)
	if arg != "" && (err != nil || n < 1) {
		sh.append(notice, problem("There is no change "+arg+".", "/undo list lists them with their numbers."))
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

// changes is /undo list.
func (sh *Shell) changes() {
	all := sh.cfg.Changes()
	if len(all) == 0 {
		sh.append(notice, words(false, "No file was changed in this session yet. What commands change is not listed."))
		return
	}
	var rows []string
	for _, l := range all {
		rows = append(rows, fmt.Sprintf("%d  %s, %s", l.N, l, ago(l.Ago)))
	}
	sh.append(notice,
		words(false,
			append(rows, "/undo takes the last one back, /undo N another one. What commands changed is "+
				"not listed.")...))
}
