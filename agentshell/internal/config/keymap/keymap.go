// Package keymap says which key does what in the shell, as a person has it.
//
// The code that handles keys knows each action by one key of its own, and a [Map] turns the key
// that was pressed into that one. So a key of the configuration can only do what a built-in key
// does there, and the keys of a decision, which no Map turns into others, do what they always did.
package keymap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// Map is the keys of all actions. It is a value; the zero Map is the built-in keys.
type Map struct {
	changed map[string][]terminal.Key // by action, of those that a person has set
	bound   map[press]bound           // nil: the built-in keys
}

// press is a key in one context.
type press struct {
	in   Context
	code rune
	mods terminal.Mod
}

// bound is what a key does.
type bound struct {
	action string
	does   terminal.Key
	dead   bool // a built-in key whose action has others now
}

// Error is a setting that cannot be used. Its text says what to do.
type Error struct{ Action, Text string }

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// New returns the built-in keys but for the actions of settings, which get these keys, none for an
// empty list. The error is an [*Error].
func New(settings map[string][]string) (Map, error) {
	m := Map{changed: make(map[string][]terminal.Key)}
	var names []string
	for name := range settings {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		keys, err := set(name, settings[name])
		if err != "" {
			return Map{}, &Error{Action: name, Text: err}
		}
		m.changed[name] = keys
	}
	for _, name := range names {
		if err := m.conflict(name); err != "" {
			return Map{}, &Error{Action: name, Text: err}
		}
	}
	m.bound = m.bind()
	return m, nil
}

// set reads the keys of one action. The second value is an error.
func set(name string, texts []string) ([]terminal.Key, string) {
	a, ok := find(name)
	switch {
	case !ok:
		return nil, unknown(name)
	case a.Fixed && a.In == Decision:
		return nil, "the keys of a decision cannot be changed, so that no key approves what was not read; leave " +
			name + " out"
	case a.Fixed:
		return nil, fmt.Sprintf("%s has to work always, so %s cannot be changed; leave it out", list(a.Keys), name)
	case len(texts) == 0 && a.Kept:
		return nil, name + " needs at least one key"
	}
	var keys []terminal.Key
	for _, text := range texts {
		k, err := parse(text)
		switch {
		case err != nil:
			return nil, fmt.Sprintf(`%q is not a key; write it as "Ctrl+X", "Alt+Enter", "Shift+Up" or "F5"`, text)
		case a.In&typing != 0 && k.Text() != "" && !slices.Contains(a.builtin(), k):
			return nil, fmt.Sprintf("%q is a character that you may want to type; use a key with Ctrl or Alt, or F1 "+
				"to F12", text)
		case !slices.Contains(keys, k):
			keys = append(keys, k)
		}
	}
	return keys, ""
}

func unknown(name string) string {
	var names []string
	for _, a := range actions {
		names = append(names, a.Name)
	}
	if near := nearest.Name(name, 3, names...); near != "" {
		return fmt.Sprintf("there is no action %q; did you mean %q?", name, near)
	}
	return fmt.Sprintf("there is no action %q; /keys in the shell lists them", name)
}

// conflict looks for another action with a key of name, where both could be meant.
func (m Map) conflict(name string) string {
	a, _ := find(name)
	for _, k := range m.changed[name] {
		for _, b := range actions {
			if b.Name == name || !slices.Contains(m.keys(b), k) || !together(a, b) ||
				b.Fixed && slices.Contains(a.builtin(), k) { // as they come: the pane takes its own first
				continue
			}
			what := fmt.Sprintf("%s is the key of %s, too; ", Show(k), b.Name)
			if b.Fixed {
				return what + "that one cannot be changed, so use another key here"
			}
			var others []string
			for _, other := range m.keys(b) {
				if other != k {
					others = append(others, fmt.Sprintf("%q", Show(other)))
				}
			}
			if len(others) == 0 && b.Kept {
				return what + "give " + b.Name + " another key, or use another one here"
			}
			return fmt.Sprintf("%suse another key here, or take it away there: %s = [%s]", what, b.Name,
				strings.Join(others, ", "))
		}
	}
	return ""
}

// together reports whether a key could mean both.
func together(a, b Action) bool {
	in := a.In
	if in&Pane != 0 {
		in |= Decision
	}
	return in&b.In != 0
}

// find returns the action of that name.
func find(name string) (Action, bool) {
	i := slices.IndexFunc(actions, func(a Action) bool { return a.Name == name })
	if i < 0 {
		return Action{}, false
	}
	return actions[i], true
}

// builtin returns the keys that a has by itself.
func (a Action) builtin() []terminal.Key {
	var keys []terminal.Key
	for _, text := range a.Keys {
		k, _ := parse(text) // a test reads all of them
		keys = append(keys, k)
	}
	return keys
}

// knows returns the key that the code knows a by.
func (a Action) knows() terminal.Key {
	if a.does != "" {
		k, _ := parse(a.does)
		return k
	}
	return a.builtin()[0]
}

// keys returns what a has in m.
func (m Map) keys(a Action) []terminal.Key {
	if keys, ok := m.changed[a.Name]; ok {
		return keys
	}
	return a.builtin()
}

// Ready returns m with its table made, which makes [Map.Key] fast.
func (m Map) Ready() Map {
	if m.bound == nil {
		m.bound = m.bind()
	}
	return m
}

func (m Map) bind() map[press]bound {
	table := make(map[press]bound)
	for _, a := range actions {
		for in := Prompt; in < Decision; in <<= 1 {
			if a.In&in == 0 {
				continue
			}
			for _, k := range append(a.builtin(), a.knows()) {
				if at := (press{in, k.Code, k.Mods}); table[at].action == "" {
					table[at] = bound{dead: true}
				}
			}
			for _, k := range m.keys(a) {
				table[press{in, k.Code, k.Mods}] = bound{action: a.Name, does: a.knows()}
			}
		}
	}
	return table
}

// Does returns the name of what k does in a context, "" for nothing.
func (m Map) Does(in Context, k terminal.Key) string {
	return m.Ready().bound[press{in, k.Code, k.Mods}].action
}

// Key returns the key that the code knows k's action by in a context. A key of no action stays as
// it is; what built-in keys do no longer is the zero Key, unless they type, which they do then.
func (m Map) Key(in Context, k terminal.Key) terminal.Key {
	b, ok := m.Ready().bound[press{in, k.Code, k.Mods}]
	switch {
	case !ok, b.dead && in&typing != 0 && k.Text() != "":
		return k
	case b.dead:
		return terminal.Key{}
	}
	b.does.Alone = k.Alone
	return b.does
}

// parse reads the name of a key. Alt with a letter is not Alt with Shift and that letter, however
// the letter is written.
func parse(text string) (terminal.Key, error) {
	if i := strings.LastIndexByte(text, '+'); i > 0 && i == len(text)-2 && !strings.Contains(strings.ToLower(text),
		"shift+") {
		text = strings.ToLower(text)
	}
	return terminal.ParseKey(text)
}

// Show returns the name of a key for a person: "Ctrl+G", "PageUp", "j".
func Show(k terminal.Key) string {
	parts := strings.Split(k.String(), "+")
	if k.Code == '+' {
		parts = append(parts[:len(parts)-2], "+")
	}
	last := len(parts) - 1
	if upper := strings.ToUpper(parts[last]); k.Mods != 0 && upper == parts[last] && strings.ToLower(upper) != upper {
		parts = slices.Insert(parts, last, "shift") // Alt+B is Alt with b
		last++
	}
	for i, p := range parts {
		switch {
		case i == last && k.Mods == 0 && len(p) == 1:
		case p == "escape":
			parts[i] = "Esc"
		case p == "pageup":
			parts[i] = "PageUp"
		case p == "pagedown":
			parts[i] = "PageDown"
		default:
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "+")
}

func list(texts []string) string { return strings.Join(texts, " ") }
