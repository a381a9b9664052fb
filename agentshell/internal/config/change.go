package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
)

// Change is a change of one setting in the configuration file. It can be shown to the user before
// it is written.
type Change struct {
	Path     string
	Old, New string // The old and the new lines of the setting; "": none.
	Line     int    // The line number of the setting, from 1: where New will be, or where Old was.

	dir, before, after string
}

// Change returns the change that sets s to the value that the user has typed. The value "default"
// removes the setting from the file. The rest of the file stays the same.
func (f *File) Change(s Setting, typed string) (Change, error) {
	if f.Path == "" {
		return Change{}, errNoFile()
	}
	if s.ByHand {
		return Change{}, fmt.Errorf("%s is changed in the file itself: %s", s.Name, f.Path)
	}
	wanted, value := f.Config, ""
	if strings.TrimSpace(typed) != "default" {
		var err error
		if value, err = s.parse(typed); err != nil {
			return Change{}, err
		}
	}
	c, err := f.edit(s, value)
	if err != nil {
		return Change{}, err
	}
	got, err := Parse([]byte(c.after))
	if err != nil {
		_, why, _ := strings.Cut(err.Error(), ": ") // without the line, which is not written
		return Change{}, errors.New(why)
	}
	// The change must be that of one setting, whatever the form of the file.
	field := s.field(&wanted)
	if field.Set(s.field(&got)); !reflect.DeepEqual(wanted, got) {
		return Change{}, fmt.Errorf("%s stands in a form that is changed by hand: line %d of %s", s.Name,
			f.Line(s), f.Path)
	}
	if value == "" && !field.IsZero() {
		return Change{}, fmt.Errorf("%s stands in a form that is changed by hand: %s", s.Name, f.Path)
	}
	return c, nil
}

// edit returns the change that writes value, in the syntax of TOML, without a check of the result.
// If value is "" it removes the setting.
func (f *File) edit(s Setting, value string) (Change, error) {
	c := Change{Path: f.Path, dir: f.dir, before: f.text}
	lines := slices.Collect(strings.Lines(f.text))
	table, key := "", s.Name
	if i := strings.LastIndexByte(s.Name, '.'); i >= 0 {
		table, key = s.Name[:i], s.Name[i+1:]
	}
	if at := f.Line(s); at > 0 {
		end, ok := settingEnd(lines, at-1)
		left, _, _ := strings.Cut(lines[at-1], "=")
		if !ok || lastKey(left) != key {
			return c, fmt.Errorf("%s stands in a form that is changed by hand: line %d of %s", s.Name, at, f.Path)
		}
		c.Line, c.Old = at, strings.Join(lines[at-1:end], "")
		if value != "" {
			c.New = left + "= " + value + comment(lines[at-1:end]) + "\n"
		}
		c.after = strings.Join(slices.Concat(lines[:at-1], []string{c.New}, lines[end:]), "")
		return c, nil
	}
	if value == "" {
		return c, fmt.Errorf("%s does not stand in %s", s.Name, f.Path)
	}
	at, found := placeFor(lines, table, key)
	c.New = key + " = " + value + "\n"
	if !found {
		c.New = "\n[" + table + "]\n" + c.New
		if f.text == "" {
			c.New = c.New[1:]
		}
	}
	if at > 0 && !strings.HasSuffix(lines[at-1], "\n") { // the last line of the file
		lines[at-1] += "\n"
	}
	c.Line = at + strings.Count(c.New, "\n")
	c.after = strings.Join(slices.Insert(slices.Clone(lines), at, c.New), "")
	return c, nil
}

// lastKey returns the last part of a dotted key, without quotes. left is the text before the equals
// sign.
func lastKey(left string) string {
	parts := strings.Split(left, ".")
	name := strings.TrimSpace(parts[len(parts)-1])
	if s, err := strconv.Unquote(name); err == nil {
		return s
	}
	return name
}

// settingEnd returns the index after the last line of the setting that begins at lines[i]. ok is
// false if no setting begins there.
func settingEnd(lines []string, i int) (end int, ok bool) {
	for end = i + 1; end <= len(lines); end++ {
		var any map[string]any
		if toml.Unmarshal([]byte(strings.Join(lines[i:end], "")), &any) == nil {
			return end, true
		}
	}
	return i, false
}

// comment returns the comment at the end of a setting's lines, with the blanks before it, or "".
func comment(lines []string) string {
	last := strings.TrimRight(lines[len(lines)-1], "\r\n")
	before := strings.Join(lines[:len(lines)-1], "")
	var all map[string]any
	if toml.Unmarshal([]byte(before+last), &all) != nil {
		return ""
	}
	for i, r := range last {
		var cut map[string]any
		if r == '#' && toml.Unmarshal([]byte(before+last[:i]), &cut) == nil && reflect.DeepEqual(all, cut) {
			return last[len(strings.TrimRight(last[:i], " \t")):]
		}
	}
	return ""
}

// placeFor returns the index in lines at which a new setting is inserted: behind its commented-out
// example, or behind the last setting of its table. found reports whether the file contains the
// table. The table "", for the settings at the beginning of the file, always exists.
func placeFor(lines []string, table, key string) (at int, found bool) {
	current := "" // the table of the line
	last := -1
	if table == "" {
		last = 0
	}
	for i := 0; i < len(lines); i++ {
		if head, ok := tableName(lines[i]); ok || strings.HasPrefix(strings.TrimSpace(lines[i]), "[[") {
			current = strings.Join(head, ".")
			if strings.HasPrefix(strings.TrimSpace(lines[i]), "[[") {
				current = "[["
			}
			if current == table {
				last = i + 1
			}
			continue
		}
		text := strings.TrimSpace(lines[i])
		if current != table || text == "" {
			continue
		}
		if example, ok := strings.CutPrefix(text, "#"); ok {
			name, _, _ := strings.Cut(example, "=")
			if strings.TrimSpace(name) == key && !strings.HasPrefix(name, " ") {
				return i + 1, true
			}
			if strings.HasPrefix(example, "[") { // the example of a table follows
				current = "#"
			}
			continue
		}
		if end, ok := settingEnd(lines, i); ok {
			last, i = end, end-1
		}
	}
	if last < 0 {
		return len(lines), false
	}
	return last, true
}

// Patch returns the change as a unified diff.
func (c Change) Patch() string {
	count := func(text string) int { return len(slices.Collect(strings.Lines(text))) }
	var b strings.Builder
	at := c.Line
	if c.Old == "" {
		at -= count(c.New) - 1
	}
	fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", at, count(c.Old), at, count(c.New))
	for _, part := range []struct{ sign, text string }{{"-", c.Old}, {"+", c.New}} {
		for line := range strings.Lines(part.text) {
			b.WriteString(part.sign + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return b.String()
}

// Write writes the change to the file, unless the file has changed since it was read.
func (c Change) Write() error {
	_, err := rewriteFile(c.dir, func(text string) (string, error) {
		if text != c.before {
			return "", fmt.Errorf("%s has changed meanwhile", c.Path)
		}
		return c.after, nil
	})
	return err
}

// Set changes a setting in the configuration file in dir. The value is what a user would type, see
// [File.Change].
func Set(dir, name, value string) error {
	f, err := ReadFile(dir)
	if err != nil {
		return err
	}
	for _, s := range Settings() {
		if s.Name == name {
			c, err := f.Change(s, value)
			if err != nil {
				return err
			}
			return c.Write()
		}
	}
	return fmt.Errorf("there is no setting %q", name)
}
