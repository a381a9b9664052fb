package keymap

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// twiceCtrlC says how to press Ctrl+C in Emacs, which keeps the first one for itself.
const twiceCtrlC = "Ctrl+C twice"

// KeyOf returns the name of the first key of an action, or "" if the action has no key.
func (m Map) KeyOf(action string) string {
	a, ok := findAction(action)
	if !ok {
		return ""
	}
	name := ""
	for _, k := range m.keysOf(a) {
		switch {
		case !m.noEscape:
			return DisplayName(k)
		case k == terminal.Key{Code: 'c', Mods: terminal.Ctrl}, k == terminal.Key{Code: terminal.KeyEscape}:
			name = twiceCtrlC
		default:
			return DisplayName(k)
		}
	}
	return name
}

// Pair returns the names of the keys of two actions, such as up and down. first has the first key
// of each, and more has all others, separated by blanks. The second action may be "".
func (m Map) Pair(one, other string) (first, more string) {
	var firstKeys, otherKeys []string
	for i := range len(actions) { // no action has more keys
		before := len(firstKeys) + len(otherKeys)
		for _, name := range []string{one, other} {
			a, _ := findAction(name)
			if keys := m.keysOf(a); i < len(keys) && i == 0 {
				firstKeys = append(firstKeys, DisplayName(keys[i]))
			} else if i < len(keys) {
				otherKeys = append(otherKeys, DisplayName(keys[i]))
			}
		}
		if len(firstKeys)+len(otherKeys) == before {
			break
		}
	}
	return joinNames(firstKeys), joinNames(otherKeys)
}

// Expand replaces each name of an action in braces by the name of its key, as in "{stop} stops". It
// returns "" if one of the actions has no key.
func (m Map) Expand(text string) string {
	var b strings.Builder
	for {
		plainText, afterOpen, ok := strings.Cut(text, "{")
		b.WriteString(plainText)
		if !ok {
			return b.String()
		}
		action, afterClose, ok := strings.Cut(afterOpen, "}")
		key := m.KeyOf(action)
		if !ok || key == "" {
			return ""
		}
		b.WriteString(key)
		text = afterClose
	}
}

// ExpandAll expands each text like [Map.Expand] and joins the results that are not empty, with sep
// between them.
func (m Map) ExpandAll(sep string, texts ...string) string {
	var expanded []string
	for _, text := range texts {
		if s := m.Expand(text); s != "" {
			expanded = append(expanded, s)
		}
	}
	return strings.Join(expanded, sep)
}

// Group holds key bindings that are listed together under a title.
type Group struct {
	Title string
	Rows  []Row
}

// Row describes one action and its keys for the user.
type Row struct {
	Name, Keys, About string
	BuiltIn           string // The built-in keys, if the user has configured others; "" otherwise.
	Fixed             bool
}

// List returns all actions with their keys, in groups.
func (m Map) List() (groups []Group) {
	for _, a := range actions {
		if len(groups) == 0 || groups[len(groups)-1].Title != a.Group {
			groups = append(groups, Group{Title: a.Group})
		}
		row := Row{Name: a.Name, About: m.Expand(a.About), Fixed: a.Fixed}
		var keys []string
		for _, k := range m.keysOf(a) {
			keys = append(keys, DisplayName(k))
		}
		row.Keys = joinNames(keys)
		if _, ok := m.personal[a.Name]; ok {
			row.BuiltIn = joinNames(a.Keys)
		}
		g := &groups[len(groups)-1]
		g.Rows = append(g.Rows, row)
	}
	return groups
}
