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
	maxFile  = 64 << 10 // The size of the largest theme file, in bytes.
	maxFiles = 200      // The largest number of the user's theme files that are listed.
)

// Auto is the name of the theme that is dark or light, as the background of the terminal is.
const Auto = "auto"

// Theme is a set of colours and text styles for the shell, with a name.
type Theme struct {
	Name      string
	About     string // A description of the theme in a few words.
	IsPersons bool   // The theme comes from a file of the user.
	// Refused holds a message for each role of the theme file that is not used, with the file, the
	// line and the reason. Such a role has its style of the base theme.
	Refused []string

	// The styles for a dark and for a light background. They are the same if the theme is for one
	// kind of background; both are nil for a theme without a file.
	dark, light *definition
	// For a theme without a file: changes the terminal's capabilities, such as Dark, from which the
	// styles are computed.
	adjustCaps func(*tui.Caps)
}

// Look returns the styles of the theme for a terminal with the capabilities c. It can be used as
// tui.App.Theme.
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

// Base returns "dark" or "light" if the theme is made for that kind of background only. Otherwise
// it returns "".
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

// basicThemes returns the built-in themes that need no theme file.
func basicThemes() []*Theme {
	ground := func(dark bool) func(*tui.Caps) { return func(c *tui.Caps) { c.Dark = dark } }
	return []*Theme{
		{Name: Auto, About: "dark or light, as the terminal says"},
		{Name: "dark", About: "for a dark ground", adjustCaps: ground(true)},
		{Name: "light", About: "for a light ground", adjustCaps: ground(false)},
		{Name: "none", About: "no colours", adjustCaps: func(c *tui.Caps) { c.Color = 0 }},
	}
}

// builtinFiles lists the built-in themes that come from theme files. Each has one file for a dark
// and one for a light background.
var builtinFiles = []struct{ name, about string }{
	{"high-contrast", "no grey, strong colours"},
	{"blue-orange", "changes in blue and orange, for eyes that see red and green alike"},
}

// themeFiles holds the built-in theme files.
//
//go:embed builtin/*.toml
var themeFiles embed.FS

// Shelf finds themes by their names: the built-in themes, and those of the user. The zero value has
// only the built-in themes.
type Shelf struct {
	Dir string // The directory of the user's theme files, NAME.toml; "" if there is none.
}

// builtin returns the built-in theme of that name, or nil if there is none.
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
			if *s, err = parse(text); err != nil { // never for a built-in file: a test parses all
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

// personalNames returns the names of the user's theme files. It ignores a file that has the name of
// a built-in theme.
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

// validName reports whether name can be the name of a theme file. A valid name has no special
// characters and is safe to print.
func validName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return name != "" && len(name) <= 40 && strings.Trim(name, letters) == ""
}

// Load returns the theme of that name; "" means Auto. An error says which line of the theme file is
// wrong or, if there is no such theme, which themes exist.
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

// All returns all themes that can be used, and an error for each theme file that cannot.
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

// unknownError returns the error for a theme that does not exist. It lists the names of all themes.
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

// readThemeFile reads a theme file. It returns an error if the file is not a regular one or is
// larger than maxFile.
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
