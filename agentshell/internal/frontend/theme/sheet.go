package theme

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/tui"
)

// look is what a file says of a role. What it does not say is the base's.
type look struct {
	fg, bg      *tui.Color
	attrs, says tui.Attr // those that it has, of those that the file speaks of
	line        int
}

// over returns base with what l says.
func (l look) over(base tui.Style) tui.Style {
	if l.fg != nil {
		base.Fg = *l.fg
	}
	if l.bg != nil {
		base.Bg = *l.bg
	}
	base.Attr = base.Attr&^l.says | l.attrs
	return base
}

// sheet is the text of a theme.
type sheet struct {
	dark  bool
	looks map[string]look // by role; those that were refused are not there
	// refused are lines of what is not used of the text, and why.
	refused []string
}

// parse reads the text of a theme. An error begins with the line.
func parse(text []byte) (*sheet, error) {
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, config.Located(err)
	}
	at := config.Lines(text)
	s := &sheet{looks: make(map[string]look)}
	base, found := all["base"]
	switch {
	case !found:
		return nil, errors.New(`1: the theme has no base: write base = "dark" or base = "light" at the top`)
	case base != "dark" && base != "light":
		return nil, fmt.Errorf(`%d: base must be "dark" or "light", the ground that the colours are for`, at["base"])
	}
	s.dark = base == "dark"
	delete(all, "base")
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int { return at[a] - at[b] })
	for _, name := range names { // the first error is the one of the first line
		if !slices.Contains(roleNames(), name) {
			return nil, fmt.Errorf("%d: there is no role %.40q; %s", at[name], name,
				meant(name, "roles are ", roleNames()))
		}
		l, err := read(name, all[name], at)
		if err != nil {
			return nil, err
		}
		s.looks[name] = l
	}
	s.judge()
	return s, nil
}

// meant returns the end of an error about a name that is not known.
func meant(name, are string, known []string) string {
	if near := nearest.Name(name, 2, known...); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return are + strings.Join(known, ", ")
}

// read reads the look of a role: a colour, or a table.
func read(name string, v any, at map[string]int) (l look, err error) {
	l.line = at[name]
	table, ok := v.(map[string]any)
	if !ok {
		c, err := colour(v)
		if err != nil {
			return l, fmt.Errorf("%d: %s: %w", l.line, name, err)
		}
		l.fg = &c
		return l, nil
	}
	keys := slices.Sorted(maps.Keys(table))
	slices.SortStableFunc(keys, func(a, b string) int { return at[name+"."+a] - at[name+"."+b] })
next:
	for _, key := range keys {
		v, line := table[key], at[name+"."+key]
		if key == "fg" || key == "bg" {
			c, err := colour(v)
			if err != nil {
				return l, fmt.Errorf("%d: %s.%s: %w", line, name, key, err)
			}
			if key == "fg" {
				l.fg = &c
			} else {
				l.bg = &c
			}
			continue
		}
		known := []string{"fg", "bg"}
		for _, a := range attributes {
			if known = append(known, a.name); a.name != key {
				continue
			}
			yes, ok := v.(bool)
			if !ok {
				return l, fmt.Errorf("%d: %s.%s must be true or false", line, name, key)
			}
			if l.says |= a.attr; yes {
				l.attrs |= a.attr
			}
			continue next
		}
		return l, fmt.Errorf("%d: %s has no %.40q; it may have %s", line, name, key, enumerated(known))
	}
	return l, nil
}

// judge takes out what breaks a guard on a terminal with all colours, and remembers why.
func (s *sheet) judge() {
	for range roles { // each time at least one is taken out
		d := s.dress(tui.Caps{Color: 1 << 24, Unicode: true})
		if len(d.broken) == 0 {
			return
		}
		for _, b := range d.broken {
			line := s.looks[b.role].line
			if line == 0 { // for two reasons
				continue
			}
			s.refused = append(s.refused,
				fmt.Sprintf("%d: %s is not used, the base's look is: %s", line, b.role, b.why))
			delete(s.looks, b.role)
		}
	}
}
