package shell

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// showKeys handles the command /keys: it lists the actions whose row contains the text filter, with
// their keys. The filter "vim" instead turns the vim modes of the prompt on or off.
func (sh *Shell) showKeys(filter string) {
	if filter == "vim" {
		sh.editor.Vim = !sh.editor.Vim
		now := "The prompt has the modes of vim: Esc leads to normal mode, i back. "
		if !sh.editor.Vim {
			now = "The prompt no longer has modes. "
		}
		sh.addBlock(notice, paragraphs(false, now+"For every session: vim = "+strconv.FormatBool(sh.editor.Vim)+
			" below [keys] in config.toml."))
		return
	}
	var rows []string
	changed := false
	for _, g := range sh.cfg.Keys.List() {
		head := []string{"", g.Title}
		for _, r := range g.Rows {
			if !strings.Contains(strings.ToLower(r.Name+" "+r.Keys+" "+r.About), strings.ToLower(filter)) {
				continue
			}
			rows, head = append(append(rows, head...), keyRow(r)), nil
			changed = changed || r.BuiltIn != ""
		}
	}
	if len(rows) == 0 {
		sh.addBlock(notice, problem(fmt.Sprintf("No key and no action has %q in its row.", filter),
			"/keys lists them all."))
		return
	}
	rows = append(rows[1:], "",
		`To change one, write newline = ["F2", "Ctrl+J"] below [keys] in config.toml; [] leaves it without a key.`)
	if changed {
		rows = append(rows, "* marks those that you have changed.")
	}
	sh.addBlock(notice, paragraphs(false, rows...))
}

// keyRow returns one row of /keys: the name of the action in the config file, its keys, and what it
// does. A star marks keys that the user has changed.
func keyRow(r keymap.Row) string {
	mark, keys, about := "  ", r.Keys, r.About
	if keys == "" {
		keys = "no key"
	}
	if r.BuiltIn != "" {
		mark = "* "
		about += " (built in: " + r.BuiltIn + ")"
	}
	return fmt.Sprintf("%s%-20s  %-20s  %s", mark, r.Name, keys, about)
}

// keyed wraps a list so that the keys of the user's configuration control it.
type keyed struct {
	*widget.List
	keys keymap.Map
}

// withKeys returns the list l, controlled by the keys of the user's configuration.
func (sh *Shell) withKeys(l *widget.List) keyed {
	if l.Hint == sh.listHint() {
		l.QueryHint = sh.cfg.Keys.ExpandAll(", ", "{list-choose} chooses", "{list-close} clears the search")
	}
	return keyed{l, sh.cfg.Keys}
}

// HandleEvent translates a key of the user's configuration to the built-in key of the list, and
// passes it to the list.
func (l keyed) HandleEvent(ev tui.Event, s tui.Space) bool {
	if k, ok := ev.(tui.Key); ok {
		if k = l.keys.Translate(keymap.List, k); k.Code == 0 {
			return true
		}
		ev = k
	}
	return l.List.HandleEvent(ev, s)
}

// listHint returns the row of key hints below a list.
func (sh *Shell) listHint() string {
	return sh.cfg.Keys.ExpandAll(", ", "{list-choose} chooses", "typing searches", "{list-close} leaves")
}
