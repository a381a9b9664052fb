package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/form"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Setting describes one setting of the configuration file.
type Setting struct {
	Name    string // The full name, such as "lsp.enabled".
	Default string // A description of the default.
	About   string
	Choices []string // The allowed values; nil: any.
	// ByHand says that the shell does not change the setting: it has several parts, or may contain
	// a secret.
	ByHand bool
}

// The kinds of values that [Setting.Kind] returns.
const (
	KindText   = "text"
	KindNumber = "number"
	KindSwitch = "switch" // true or false
	KindList   = "list"   // a list of texts in quotes
)

// Hidden is shown in place of a value that may contain a secret.
const Hidden = "(not shown)"

// field returns the field of c that holds the value of the setting.
func (s Setting) field(c *Config) reflect.Value {
	if s.Name == "keys.vim" {
		return reflect.ValueOf(&c.Vim).Elem()
	}
	v := reflect.ValueOf(c).Elem()
	for part := range strings.SplitSeq(s.Name, ".") {
		i := slices.IndexFunc(reflect.VisibleFields(v.Type()),
			func(f reflect.StructField) bool { return f.Tag.Get("toml") == part })
		v = v.Field(i)
	}
	return v
}

// Kind returns the kind of the setting's value, or "" if ByHand is true.
func (s Setting) Kind() string {
	if s.ByHand {
		return ""
	}
	t := s.field(new(Config)).Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return KindSwitch
	case reflect.Int, reflect.Float64:
		return KindNumber
	case reflect.Slice:
		return KindList
	}
	return KindText
}

// Text returns the value of the setting in c, as the file has it. If the value may contain a
// secret, it returns a description.
func (s Setting) Text(c Config) string {
	if s.Name == "keys" {
		return "keys of your own"
	}
	v := s.field(&c)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch v := v.Interface().(type) {
	case string:
		if s.Name == "base_url" && ShownURL(v) == Hidden {
			return Hidden
		}
		return form.Quote(v)
	case []string:
		if s.ByHand && len(v) > 1 { // the program of a key; its arguments may tell more
			return form.Quote(v[0]) + " with arguments"
		}
		return listText(v)
	case map[string]string:
		return strings.Join(slices.Sorted(maps.Keys(v)), ", ") + " " + Hidden
	}
	switch v.Kind() {
	case reflect.Map:
		var names []string
		for _, k := range v.MapKeys() {
			names = append(names, k.String())
		}
		slices.Sort(names)
		return strings.Join(names, ", ")
	case reflect.Slice:
		return strconv.Itoa(v.Len()) + " of them"
	}
	return fmt.Sprint(v.Interface())
}

// ShownURL returns the address, or [Hidden] if a part of it may be a secret.
func ShownURL(address string) string {
	if u, err := url.Parse(address); err != nil || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return Hidden
	}
	return address
}

// listText returns the list in the syntax of TOML.
func listText(list []string) string {
	var quoted []string
	for _, one := range list {
		quoted = append(quoted, form.Quote(one))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// parse converts a value that the user has typed to the syntax of TOML. A text needs no quotes.
func (s Setting) parse(typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	quoted := strings.HasPrefix(typed, `"`) || strings.HasPrefix(typed, "'")
	switch s.Kind() {
	case KindSwitch:
		switch strings.ToLower(typed) {
		case "true", "on", "yes":
			return "true", nil
		case "false", "off", "no":
			return "false", nil
		}
		return "", fmt.Errorf("%s may be true or false, not %q", s.Name, typed)
	case KindNumber:
		if _, err := strconv.ParseFloat(typed, 64); err != nil {
			return "", fmt.Errorf("%s must be a number, not %q", s.Name, typed)
		}
		return typed, nil
	case KindList:
		if strings.HasPrefix(typed, "[") {
			return typed, nil
		}
		if quoted {
			return "[" + typed + "]", nil
		}
		return listText([]string{typed}), nil
	case KindText:
		if quoted {
			return typed, nil
		}
		return form.Quote(typed), nil
	}
	return "", fmt.Errorf("%s is changed in the file itself", s.Name)
}

// File is the configuration file as it was read, with its text.
type File struct {
	Path   string // The path of the file; "": there is none, because neither HOME nor XDG_CONFIG_HOME is set.
	Config Config
	dir    string
	text   string
	lines  map[string]int
}

// ReadFile reads the configuration file in dir. A file that does not exist counts as empty.
func ReadFile(dir string) (*File, error) {
	if dir == "" {
		return &File{}, nil
	}
	f := &File{Path: filepath.Join(dir, "config.toml"), dir: dir}
	text, err := regular.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if f.Config, err = Parse(text); err != nil {
		return nil, fmt.Errorf("%s:%w", f.Path, err)
	}
	f.text, f.lines = string(text), Lines(text)
	return f, nil
}

// Line returns the line of the setting in the file, from 1. It returns 0 if the file does not
// contain the setting.
func (f *File) Line(s Setting) int {
	if s.Name == "keys" && reflect.DeepEqual(f.Config.Keys, keymap.Map{}) {
		return 0
	}
	if line := f.lines[s.Name]; line != 0 {
		return line
	}
	return f.lines[s.Name+"[0]"]
}
