package theme

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
	"github.com/scrollkeep/scrollkeep/tui"
)

const (
	maxFile  = 64 << 10 // bytes of a theme file
	maxFiles = 200      // themes of the person that are listed
)

// Auto is the name of the theme that follows the background of the terminal.
const Auto = "auto"

// Theme is a named look of the shell.
type Theme struct {
	Name      string
	About     string // a few words
	IsPersons bool   // it comes from a file of the person
	// Refused holds a line for each role of the file that is not used: where, which and why. The
	// style of the base is used instead.
	Refused []string

	dark, light *definition // for a dark or a light background; both are the same if the theme is for one kind only
	adjustCaps  func(*tui.Caps)
}

// Look returns the styles of the theme for a terminal. It is made for tui.App.Theme.
func (t *Theme) Look(c tui.Caps) *tui.Theme {
	if t.adjustCaps != nil {
		t.adjustCaps(&c)
	}
	s := t.light
	if c.Dark {
		s = t.dark
	}
	if s == nil {
		return tui.NewTheme(c)
	}
	return s.styleFor(c).result
}

// Base returns "dark" or "light" if the theme is for one kind of background, or "".
func (t *Theme) Base() string {
	switch {
	case t.Name == "dark", t.Name == "light":
		return t.Name
	case t.dark == nil || t.dark != t.light:
		return ""
	case t.dark.dark:
		return "dark"
	}
	return "light"
}

// basicThemes returns the themes that have no file.
func basicThemes() []*Theme {
	ground := func(dark bool) func(*tui.Caps) { return func(c *tui.Caps) { c.Dark = dark } }
	return []*Theme{
		{Name: Auto, About: "dark or light, as the terminal says"},
		{Name: "dark", About: "for a dark ground", adjustCaps: ground(true)},
		{Name: "light", About: "for a light ground", adjustCaps: ground(false)},
		{Name: "none", About: "no colours", adjustCaps: func(c *tui.Caps) { c.Color = 0 }},
	}
}

// builtinFiles lists the built-in themes that are files, one file for each kind of background.
var builtinFiles = []struct{ name, about string }{
	{"high-contrast", "no grey, strong colours"},
	{"blue-orange", "changes in blue and orange, for eyes that see red and green alike"},
}

//go:embed builtin/*.toml
var themeFiles embed.FS

// Shelf is the collection of all themes. The zero value has the built-in themes.
type Shelf struct {
	Dir string // directory of the person's files, NAME.toml; "": none
}

// builtin returns a built-in theme, or nil if there is none of that name.
func builtin(name string) *Theme {
	for _, t := range basicThemes() {
		if t.Name == name {
			return t
		}
	}
	for _, m := range builtinFiles {
		if m.name != name {
			continue
		}
		t := &Theme{Name: name, About: m.about}
		for ground, s := range map[string]**definition{"dark": &t.dark, "light": &t.light} {
			text, err := themeFiles.ReadFile("builtin/" + name + "." + ground + ".toml")
			if err != nil {
				return nil
			}
			if *s, err = parse(text); err != nil { // a test reads them all
				return nil
			}
		}
		return t
	}
	return nil
}

// Names returns the names of all themes, the built-in ones first.
func (s Shelf) Names() (list []string) {
	for _, t := range basicThemes() {
		list = append(list, t.Name)
	}
	for _, m := range builtinFiles {
		list = append(list, m.name)
	}
	return append(list, s.personalNames()...)
}

// personalNames returns the names of the person's theme files. A file with the name of a built-in
// theme is ignored.
func (s Shelf) personalNames() (list []string) {
	if s.Dir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil // Load says why
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".toml")
		if ok && validName(name) && builtin(name) == nil && len(list) < maxFiles {
			list = append(list, name)
		}
	}
	return list
}

// validName reports whether name can be the name of a theme file. Such a name is safe to show.
func validName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return name != "" && len(name) <= 40 && strings.Trim(name, letters) == ""
}

// Load returns the theme of that name; "" is auto. An error names the file and the line, or the
// themes that there are.
func (s Shelf) Load(name string) (*Theme, error) {
	if name == "" {
		name = Auto
	}
	if t := builtin(name); t != nil {
		return t, nil
	}
	if s.Dir == "" || !validName(name) {
		return nil, s.unknownError(name)
	}
	path := filepath.Join(s.Dir, name+".toml")
	text, err := readThemeFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.unknownError(name)
	} else if err != nil {
		return nil, err
	}
	sh, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	t := &Theme{Name: name, IsPersons: true, dark: sh, light: sh}
	t.About = "yours, for a " + t.Base() + " ground"
	for _, line := range sh.refused {
		t.Refused = append(t.Refused, path+":"+line)
	}
	return t, nil
}

// All returns the themes that can be chosen, and an error for each of the others.
func (s Shelf) All() (list []*Theme, problems []error) {
	for _, name := range s.Names() {
		t, err := s.Load(name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		list = append(list, t)
	}
	return list, problems
}

// unknownError returns the error for a name that no theme has.
func (s Shelf) unknownError(name string) error {
	known := s.Names()
	hint := ""
	if near := nearest.Name(name, 2, known...); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	where := ""
	if s.Dir != "" {
		where = ", and a file NAME.toml in " + s.Dir + " would be one more"
	}
	return fmt.Errorf("there is no theme %.60q%s; there are %s%s", name, hint, strings.Join(known, ", "), where)
}

// readThemeFile reads a regular file that is not larger than a theme may be.
func readThemeFile(path string) ([]byte, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d KiB; a theme is a few lines", path, maxFile>>10)
	}
	return text, err
}
