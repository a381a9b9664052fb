package keymap

import "strings"

// Name returns the first key of an action for a person, "" if it has none.
func (m Map) Name(action string) string {
	a, ok := find(action)
	if !ok {
		return ""
	}
	if keys := m.keys(a); len(keys) > 0 {
		return Show(keys[0])
	}
	return ""
}

// Pair returns the first keys of two actions that belong together, and their other keys. The second
// one may be "".
func (m Map) Pair(one, other string) (first, more string) {
	var heads, rest []string
	for i := range len(actions) { // no action has more keys
		n := len(heads) + len(rest)
		for _, name := range []string{one, other} {
			a, _ := find(name)
			if keys := m.keys(a); i < len(keys) && i == 0 {
				heads = append(heads, Show(keys[i]))
			} else if i < len(keys) {
				rest = append(rest, Show(keys[i]))
			}
		}
		if len(heads)+len(rest) == n {
			break
		}
	}
	return list(heads), list(rest)
}

// Say returns text with the key of an action in the place of its name in braces: "{stop} stops". It
// is "" if one of them has no key.
func (m Map) Say(text string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		action, after, ok := strings.Cut(rest, "}")
		key := m.Name(action)
		if !ok || key == "" {
			return ""
		}
		b.WriteString(key)
		text = after
	}
}

// Join returns the texts, as Say has them, with sep between those that are left.
func (m Map) Join(sep string, texts ...string) string {
	var said []string
	for _, text := range texts {
		if s := m.Say(text); s != "" {
			said = append(said, s)
		}
	}
	return strings.Join(said, sep)
}

// Group is actions that are listed together.
type Group struct {
	Title string
	Rows  []Row
}

// Row is an action with its keys, for a person.
type Row struct {
	Name, Keys, About string
	Was               string // its built-in keys, if a person has changed them; else ""
	Fixed             bool
}

// List returns all actions, in groups.
func (m Map) List() (groups []Group) {
	for _, a := range actions {
		if len(groups) == 0 || groups[len(groups)-1].Title != a.Group {
			groups = append(groups, Group{Title: a.Group})
		}
		row := Row{Name: a.Name, About: m.Say(a.About), Fixed: a.Fixed}
		var keys []string
		for _, k := range m.keys(a) {
			keys = append(keys, Show(k))
		}
		row.Keys = list(keys)
		if _, ok := m.changed[a.Name]; ok {
			row.Was = list(a.Keys)
		}
		g := &groups[len(groups)-1]
		g.Rows = append(g.Rows, row)
	}
	return groups
}
