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
	maxFile  = 64 << 10 // bytes of a theme
	maxFiles = 200      // themes of the person's that are listed
)

// Auto is the theme that goes by what the terminal says of its ground.
const Auto = "auto"

// A Theme is a look by its name.
type Theme struct {
	Name  string
	About string // a few words
	Own   bool   // the person's
	// Refused are lines about roles of the file that break a guard: where, which and why. The
	// base's look is used for them.
	Refused []string

	dark, light *sheet // by the terminal's ground; the same if the theme is for one
	caps        func(*tui.Caps)
}

// Look returns what tui.App.Theme wants.
func (t *Theme) Look(c tui.Caps) *tui.Theme {
	if t.caps != nil {
		t.caps(&c)
	}
	s := t.light
	if c.Dark {
		s = t.dark
	}
	if s == nil {
		return tui.NewTheme(c)
	}
	return s.dress(c).now
}

// Base returns "dark" or "light" if the theme is for one kind of ground, else "".
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

// basic returns the themes without a file.
func basic() []*Theme {
	ground := func(dark bool) func(*tui.Caps) { return func(c *tui.Caps) { c.Dark = dark } }
	return []*Theme{
		{Name: Auto, About: "dark or light, as the terminal says"},
		{Name: "dark", About: "for a dark ground", caps: ground(true)},
		{Name: "light", About: "for a light ground", caps: ground(false)},
		{Name: "none", About: "no colours", caps: func(c *tui.Caps) { c.Color = 0 }},
	}
}

// more are those that are built in as files, one for each ground.
var more = []struct{ name, about string }{
	{"high-contrast", "no grey, strong colours"},
	{"blue-orange", "changes in blue and orange, for eyes that see red and green alike"},
}

//go:embed builtin/*.toml
var files embed.FS

// A Shelf is the themes that there are. The zero value has those that are built in.
type Shelf struct {
	Dir string // of the person's files, NAME.toml; "": none
}

// builtin returns a theme of ours, nil if there is none of that name.
func builtin(name string) *Theme {
	for _, t := range basic() {
		if t.Name == name {
			return t
		}
	}
	for _, m := range more {
		if m.name != name {
			continue
		}
		t := &Theme{Name: name, About: m.about}
		for ground, s := range map[string]**sheet{"dark": &t.dark, "light": &t.light} {
			text, err := files.ReadFile("builtin/" + name + "." + ground + ".toml")
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

// Names returns all themes, those that are built in first.
func (s Shelf) Names() (list []string) {
	for _, t := range basic() {
		list = append(list, t.Name)
	}
	for _, m := range more {
		list = append(list, m.name)
	}
	return append(list, s.own()...)
}

// own returns the names of the person's files. A file with the name of a built-in theme is not
// used.
func (s Shelf) own() (list []string) {
	if s.Dir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return nil // Load says why
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".toml")
		if ok && valid(name) && builtin(name) == nil && len(list) < maxFiles {
			list = append(list, name)
		}
	}
	return list
}

// valid reports whether name can be that of a file in the folder, and can be shown as it is.
func valid(name string) bool {
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
	if s.Dir == "" || !valid(name) {
		return nil, s.unknown(name)
	}
	path := filepath.Join(s.Dir, name+".toml")
	text, err := read64(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.unknown(name)
	} else if err != nil {
		return nil, err
	}
	sh, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	t := &Theme{Name: name, Own: true, dark: sh, light: sh}
	t.About = "yours, for a " + t.Base() + " ground"
	for _, line := range sh.refused {
		t.Refused = append(t.Refused, path+":"+line)
	}
	return t, nil
}

// All returns the themes that can be chosen, and what is wrong with the others.
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

// unknown returns the error for a name that no theme has.
func (s Shelf) unknown(name string) error {
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

// read64 reads a file that is one, and no larger than a theme.
func read64(path string) ([]byte, error) {
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
