package keys

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Map holds bindings with their current keys. The zero value has none. A Map does not change;
// [Map.With] returns a changed copy.
type Map struct {
	bindings []Binding
	keys     [][]tui.Key // the keys of each binding
}

// New returns a Map of bindings with their built-in keys. The error lists all mistakes in the
// bindings. They are mistakes of the program, so a test that calls New will find them.
func New(bindings ...Binding) (*Map, error) {
	m := &Map{bindings: slices.Clone(bindings)}
	var wrong []error
	seen := map[string]bool{}
	for _, b := range bindings {
		switch {
		case b.Name == "":
			wrong = append(wrong, errors.New("keys: a binding has no name"))
		case seen[b.Name]:
			wrong = append(wrong, fmt.Errorf("keys: two bindings are called %q", b.Name))
		}
		seen[b.Name] = true
		keys, err := parseKeys(b.Name, b.Keys)
		wrong = append(wrong, err...)
		m.keys = append(m.keys, keys)
	}
	if err := errors.Join(append(wrong, m.conflicts()...)...); err != nil {
		return nil, err
	}
	return m, nil
}

// With returns a copy of m with the keys that the user has configured. changes maps the name of a
// binding to all of its keys, in the form of [terminal.ParseKey]; an empty list means that it has
// no key. The error lists all unknown names, unknown keys, and keys of two bindings that are active
// together.
func (m *Map) With(changes map[string][]string) (*Map, error) {
	n := &Map{bindings: m.bindings, keys: slices.Clone(m.keys)}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		i := m.index(name)
		if i < 0 {
			wrong = append(wrong, fmt.Errorf("keys: nothing is called %q; there are %s", name, m.names()))
			continue
		}
		keys, err := parseKeys(name, changes[name])
		wrong = append(wrong, err...)
		n.keys[i] = keys
	}
	if err := errors.Join(append(wrong, n.conflicts()...)...); err != nil {
		return nil, err
	}
	return n, nil
}

// parseKeys parses the keys of the binding called name, without duplicates. It also returns all
// errors.
func parseKeys(name string, texts []string) (keys []tui.Key, wrong []error) {
	for _, text := range texts {
		k, err := terminal.ParseKey(text)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("keys: %q: no key is called %q", name, text))
			continue
		}
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys, wrong
}

// conflicts returns an error for each key of two bindings that are active together.
func (m *Map) conflicts() (wrong []error) {
	for i := range m.bindings {
		for j := range i {
			a, b := &m.bindings[j], &m.bindings[i]
			if !a.overlaps(b) {
				continue
			}
			for _, k := range m.keys[i] {
				if slices.Contains(m.keys[j], k) {
					wrong = append(wrong, fmt.Errorf("keys: %s is both %q and %q", Label(k), a.Name, b.Name))
				}
			}
		}
	}
	return wrong
}

func (m *Map) index(name string) int {
	return slices.IndexFunc(m.bindings, func(b Binding) bool { return b.Name == name })
}

// names returns the names of all bindings as a list for an error message.
func (m *Map) names() string {
	var all []string
	for _, b := range m.bindings {
		all = append(all, b.Name)
	}
	return strings.Join(all, ", ")
}

// Name returns the name of the binding that k triggers in the context in, or "" if there is none.
// in is a value of [Binding].In; bindings without one are active everywhere.
func (m *Map) Name(k tui.Key, in string) string {
	k = tui.Key{Code: k.Code, Mods: k.Mods}
	for i, b := range m.bindings {
		if (b.In == "" || b.In == in) && slices.Contains(m.keys[i], k) {
			return b.Name
		}
	}
	return ""
}

// Keys returns the labels of the keys of the binding called name. It returns nil if there is no
// such binding, or if it has no keys.
func (m *Map) Keys(name string) (labels []string) {
	if i := m.index(name); i >= 0 {
		for _, k := range m.keys[i] {
			labels = append(labels, Label(k))
		}
	}
	return labels
}

// Hints returns the first key and the help text of each binding that is active in the context in,
// in the order of the bindings. It leaves out bindings without a key or a help text. The result is
// for [widget.KeyHelp].
func (m *Map) Hints(in string) (hints []widget.KeyHint) {
	for i, b := range m.bindings {
		if (b.In == "" || b.In == in) && len(m.keys[i]) > 0 && b.Help != "" {
			hints = append(hints, widget.KeyHint{Key: Label(m.keys[i][0]), Help: b.Help})
		}
	}
	return hints
}
