package shell

import (
	"fmt"
	"strconv"
	"strings"
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
	sh.begin(message{text: strings.TrimSpace("/undo " + arg), undo: true, n: n})
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
