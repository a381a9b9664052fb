// Package keymap holds the key bindings of the shell, including those that the user configures.
//
// The code that handles keys knows each action by one built-in key. A [Map] translates a pressed
// key to that built-in key. So a configured key can only do what a built-in key does in the same
// context. The keys that approve or deny a tool call are not translated, so they always do the
// same.
package keymap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/terminal"
)

// Map holds the key bindings: the keys of each action. The zero Map has the built-in keys. A Map is
// a value and does not change.
type Map struct {
	personal map[string][]terminal.Key // The keys that the user has configured, by the name of the action.
	bindings map[press]binding         // The action of each key; nil: the table was not computed yet.
	noEscape bool                      // The Escape key alone does not reach the program, see WithoutEscape.
}

// press is a key that is pressed in one context.
type press struct {
	context Context
	code    rune
	mods    terminal.Mod
}

// binding is the action of a key. codeKey is the key by which the program's code knows the action.
type binding struct {
	action  string
	codeKey terminal.Key
	unbound bool // A built-in key that the user has removed from its action.
}

// Error is the error of a key binding that cannot be used. Text says why, and what to do.
type Error struct{ Action, Text string }

// Error returns the Text.
func (e *Error) Error() string { return e.Text }

// New returns the key bindings of a configuration. settings maps names of actions to the names of
// their keys, which replace the built-in keys of these actions. An empty list leaves an action
// without a key. The error is an [*Error].
func New(settings map[string][]string) (Map, error) {
	m := Map{personal: make(map[string][]terminal.Key)}
	var names []string
	for name := range settings {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		keys, err := parseBinding(name, settings[name])
		if err != "" {
			return Map{}, &Error{Action: name, Text: err}
		}
		m.personal[name] = keys
	}
	for _, name := range names {
		if err := m.findConflict(name); err != "" {
			return Map{}, &Error{Action: name, Text: err}
		}
	}
	m.bindings = m.makeBindings()
	return m, nil
}

// parseBinding converts the names of the keys of one action to keys. If that is not possible, the
// second result is the text of an error.
func parseBinding(name string, texts []string) ([]terminal.Key, string) {
	a, ok := findAction(name)
	switch {
	case !ok:
		return nil, unknownAction(name)
	case a.Fixed && a.Contexts == Decision:
		return nil, "the keys of a decision cannot be changed, so that no key approves what was not read; leave " +
			name + " out"
	case a.Fixed:
		return nil, fmt.Sprintf("%s has to work always, so %s cannot be changed; leave it out", joinNames(a.Keys), name)
	case len(texts) == 0 && a.NeedsKey:
		return nil, name + " needs at least one key"
	}
	var keys []terminal.Key
	for _, text := range texts {
		k, err := parseKey(text)
		switch {
		case err != nil:
			return nil, fmt.Sprintf(`%q is not a key; write it as "Ctrl+X", "Alt+Enter", "Shift+Up" or "F5"`, text)
		case a.Contexts&typing != 0 && k.Text() != "" && !slices.Contains(a.builtinKeys(), k):
			return nil, fmt.Sprintf("%q is a character that you may want to type; use a key with Ctrl or Alt, or F1 "+
				"to F12", text)
		case !slices.Contains(keys, k):
			keys = append(keys, k)
		}
	}
	return keys, ""
}

// unknownAction returns the error text for an action that does not exist, with a suggestion.
func unknownAction(name string) string {
	var names []string
	for _, a := range actions {
		names = append(names, a.Name)
	}
	if near := nearest.Name(name, 3, names...); near != "" {
		return fmt.Sprintf("there is no action %q; did you mean %q?", name, near)
	}
	return fmt.Sprintf("there is no action %q; /keys in the shell lists them", name)
}

// findConflict looks for another action that shares a key and a context with the named action. It
// returns the text of an error, or "".
func (m Map) findConflict(name string) string {
	a, _ := findAction(name)
	for _, k := range m.personal[name] {
		for _, b := range actions {
			if b.Name == name || !slices.Contains(m.keysOf(b), k) || !overlap(a, b) ||
				b.Fixed && slices.Contains(a.builtinKeys(), k) { // as they come: the pane takes its own first
				continue
			}
			problem := fmt.Sprintf("%s is the key of %s, too; ", DisplayName(k), b.Name)
			if b.Fixed {
				return problem + "that one cannot be changed, so use another key here"
			}
			var others []string
			for _, other := range m.keysOf(b) {
				if other != k {
					others = append(others, fmt.Sprintf("%q", DisplayName(other)))
				}
			}
			if len(others) == 0 && b.NeedsKey {
				return problem + "give " + b.Name + " another key, or use another one here"
			}
			return fmt.Sprintf("%suse another key here, or take it away there: %s = [%s]", problem, b.Name,
				strings.Join(others, ", "))
		}
	}
	return ""
}

// overlap reports whether one key could mean both actions, because they have a context in common.
func overlap(a, b Action) bool {
	in := a.Contexts
	if in&Pane != 0 {
		in |= Decision
	}
	return in&b.Contexts != 0
}

// findAction returns the action with that name, and false if there is none.
func findAction(name string) (Action, bool) {
	i := slices.IndexFunc(actions, func(a Action) bool { return a.Name == name })
	if i < 0 {
		return Action{}, false
	}
	return actions[i], true
}

// builtinKeys returns the built-in keys of the action.
func (a Action) builtinKeys() []terminal.Key {
	var keys []terminal.Key
	for _, text := range a.Keys {
		k, _ := parseKey(text) // a test reads all of them
		keys = append(keys, k)
	}
	return keys
}

// knownKey returns the key by which the program's code knows the action.
func (a Action) knownKey() terminal.Key {
	if a.codeKey != "" {
		k, _ := parseKey(a.codeKey)
		return k
	}
	return a.builtinKeys()[0]
}

// keysOf returns the keys of the action a in m: those that the user has configured, or else the
// built-in ones.
func (m Map) keysOf(a Action) []terminal.Key {
	if keys, ok := m.personal[a.Name]; ok {
		return keys
	}
	return a.builtinKeys()
}

// WithoutEscape returns a copy of m for a terminal in which the Escape key alone does not reach the
// program (Emacs). Texts then name another key of the same action, or "Ctrl+C twice", which Emacs
// passes on as Ctrl+C.
func (m Map) WithoutEscape() Map {
	m.noEscape = true
	return m
}

// HasEscape reports whether the Escape key alone reaches the program.
func (m Map) HasEscape() bool { return !m.noEscape }

// WithTable returns a copy of m with the computed table of bindings, which makes [Map.Translate]
// and [Map.ActionOf] fast.
func (m Map) WithTable() Map {
	if m.bindings == nil {
		m.bindings = m.makeBindings()
	}
	return m
}

// makeBindings computes the table with the action of each key in each context.
func (m Map) makeBindings() map[press]binding {
	table := make(map[press]binding)
	for _, a := range actions {
		for in := Prompt; in < Decision; in <<= 1 {
			if a.Contexts&in == 0 {
				continue
			}
			for _, k := range append(a.builtinKeys(), a.knownKey()) {
				if at := (press{in, k.Code, k.Mods}); table[at].action == "" {
					table[at] = binding{unbound: true}
				}
			}
			for _, k := range m.keysOf(a) {
				table[press{in, k.Code, k.Mods}] = binding{action: a.Name, codeKey: a.knownKey()}
			}
		}
	}
	return table
}

// ActionOf returns the name of the action that the key k has in a context, or "".
func (m Map) ActionOf(context Context, k terminal.Key) string {
	return m.WithTable().bindings[press{context, k.Code, k.Mods}].action
}

// Translate returns the key by which the program's code knows the action that k has in a context. A
// key without an action is returned unchanged. A built-in key that the user has removed from its
// action becomes the zero Key, unless it types a character.
func (m Map) Translate(context Context, k terminal.Key) terminal.Key {
	b, ok := m.WithTable().bindings[press{context, k.Code, k.Mods}]
	switch {
	case !ok, b.unbound && context&typing != 0 && k.Text() != "":
		return k
	case b.unbound:
		return terminal.Key{}
	}
	b.codeKey.Alone = k.Alone
	return b.codeKey
}

// parseKey parses the name of a key. "Alt+X" means Alt with x, without Shift.
func parseKey(text string) (terminal.Key, error) {
	if i := strings.LastIndexByte(text, '+'); i > 0 && i == len(text)-2 && !strings.Contains(strings.ToLower(text),
		"shift+") {
		text = strings.ToLower(text)
	}
	return terminal.ParseKey(text)
}

// DisplayName returns the name of a key for the user, such as "Ctrl+G", "PageUp" or "j".
func DisplayName(k terminal.Key) string {
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

func joinNames(texts []string) string { return strings.Join(texts, " ") }
