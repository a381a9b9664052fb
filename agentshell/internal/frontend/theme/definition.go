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

// roleStyle holds what a theme file sets for one role. Colours and attributes that it does not set
// come from the base theme.
type roleStyle struct {
	// The colours; nil if the file does not set them.
	fg, bg            *tui.Color
	attrsOn, attrsSet tui.Attr // The attributes that the file turns on, and those that it turns on or off.
	// The line of the role in the file.
	line int
}

// applyTo returns the style base with the colours and attributes of r in place of its own.
func (r roleStyle) applyTo(base tui.Style) tui.Style {
	if r.fg != nil {
		base.Fg = *r.fg
	}
	if r.bg != nil {
		base.Bg = *r.bg
	}
	base.Attr = base.Attr&^r.attrsSet | r.attrsOn
	return base
}

// definition is the parsed content of a theme file.
type definition struct {
	// The base theme is the dark one.
	dark   bool
	styles map[string]roleStyle // The styles by the name of their role, without refused ones.
	// refused holds a message for each role whose style was refused, with the line number and the
	// reason.
	refused []string
}

// parse parses the text of a theme file. An error begins with the line number.
func parse(text []byte) (*definition, error) {
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		return nil, config.Located(err)
	}
	lines := config.Lines(text)
	s := &definition{styles: make(map[string]roleStyle)}
	base, found := all["base"]
	switch {
	case !found:
		return nil, errors.New(`1: the theme has no base: write base = "dark" or base = "light" at the top`)
	case base != "dark" && base != "light":
		return nil, fmt.Errorf(`%d: base must be "dark" or "light", the ground that the colours are for`, lines["base"])
	}
	s.dark = base == "dark"
	delete(all, "base")
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int { return lines[a] - lines[b] })
	for _, name := range names { // in the order of lines, so that the first error is reported
		if !slices.Contains(roleNames(), name) {
			return nil, fmt.Errorf("%d: there is no role %.40q; %s", lines[name], name,
				nameHint(name, "roles are ", roleNames()))
		}
		l, err := readStyle(name, all[name], lines)
		if err != nil {
			return nil, err
		}
		s.styles[name] = l
	}
	s.removeRefused()
	return s, nil
}

// nameHint returns the end of an error message about an unknown name. It suggests the most similar
// name of known or, if there is none, lists all of known after prefix.
func nameHint(name, prefix string, known []string) string {
	if near := nearest.Name(name, 2, known...); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return prefix + strings.Join(known, ", ")
}

// readStyle parses the value of a role in a theme file: a colour or a table. name is the name of
// the role. lines has the line number of each key.
func readStyle(name string, v any, lines map[string]int) (l roleStyle, err error) {
	l.line = lines[name]
	table, ok := v.(map[string]any)
	if !ok {
		c, err := parseColour(v)
		if err != nil {
			return l, fmt.Errorf("%d: %s: %w", l.line, name, err)
		}
		l.fg = &c
		return l, nil
	}
	keys := slices.Sorted(maps.Keys(table))
	slices.SortStableFunc(keys, func(a, b string) int { return lines[name+"."+a] - lines[name+"."+b] })
next:
	for _, key := range keys {
		v, line := table[key], lines[name+"."+key]
		if key == "fg" || key == "bg" {
			c, err := parseColour(v)
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
			if l.attrsSet |= a.attr; yes {
				l.attrsOn |= a.attr
			}
			continue next
		}
		return l, fmt.Errorf("%d: %s has no %.40q; it may have %s", line, name, key, joinWithOr(known))
	}
	return l, nil
}

// removeRefused removes the styles that cannot be used even on a terminal with 24-bit colour, and
// records the reason for each.
func (d *definition) removeRefused() {
	for range roles { // each pass removes at least one role
		checked := d.styleFor(tui.Caps{Color: 1 << 24, Unicode: true})
		if len(checked.refused) == 0 {
			return
		}
		for _, b := range checked.refused {
			line := d.styles[b.role].line
			if line == 0 { // already removed for another reason
				continue
			}
			d.refused = append(d.refused,
				fmt.Sprintf("%d: %s is not used, the base's look is: %s", line, b.role, b.why))
			delete(d.styles, b.role)
		}
	}
}
