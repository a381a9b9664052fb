// Package skill holds what a person keeps for the model in their config folder, or a workspace for
// whoever works there: prompts with a name (commands/NAME.md), skills that the model reads when it
// needs them (skills/NAME/SKILL.md), and of a workspace rules on the stream (rules/NAME.md).
package skill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Bounds of a folder.
const (
	mostEntries = 1000 // that are looked at
	mostKept    = 100  // commands, and skills
	mostRules   = 20   // rules: each looks at all that the model writes
	maxAbout    = 300  // bytes of a description
)

// Scheme begins the address of a skill, which read_file reads: skill://NAME.
const Scheme = "skill"

// Command is a prompt with a name. It is sent as a message of the person's, and nothing of it is
// run.
type Command struct{ Name, About, body string }

// Text returns the message for what stands behind the name in the prompt: it takes the place of
// $ARGUMENTS, or comes last where there is none.
func (c Command) Text(args string) string {
	switch {
	case strings.Contains(c.body, arguments):
		return strings.ReplaceAll(c.body, arguments, args)
	case args != "":
		return c.body + "\n\n" + args
	}
	return c.body
}

const arguments = "$ARGUMENTS"

// Skill is what the model knows of a skill before it reads it.
type Skill struct {
	Name, About string
	read        func() (string, error)
	foreign     bool // of a workspace
}

// Folder is what a folder holds. It does not change.
type Folder struct {
	Commands []Command
	Skills   []Skill
	Rules    []streamrule.Rule // of a workspace; those of the person are [streamrule.Load]'s
	Notices  []string          // for the person: what was left out, and why

	// Text is all of it, file by file, as a person is shown it, and Digest names its bytes; both
	// are of a workspace's folder alone, "" if it holds nothing.
	Text, Digest string
}

// place is where a folder lies.
type place struct {
	where string                            // for notices
	names func(dir string) []string         // of a directory below it, sorted
	there func(name string) bool            // a file below it, perhaps a broken link
	read  func(name string) (string, error) // a file below it
	fixed bool                              // a skill is what was read now
}

// Load reads the person's folder dir; "" holds nothing. taken reports whether a command has that
// name already.
func Load(dir string, taken func(name string) bool) Folder {
	if dir == "" {
		return Folder{}
	}
	return load(place{where: "your config folder",
		names: func(sub string) []string { return entries(filepath.Join(dir, sub)) },
		there: func(name string) bool {
			_, err := os.Lstat(filepath.Join(dir, name))
			return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
		},
		read: func(name string) (string, error) { return briefing.Own(filepath.Join(dir, name)) },
	}, taken)
}

func load(p place, taken func(name string) bool) Folder {
	var f Folder
	leave := func(at string, err error) {
		f.Notices = append(f.Notices, fmt.Sprintf("%s in %s is not used: %v", at, p.where, err))
	}
	for _, file := range p.names("commands") {
		name, is := strings.CutSuffix(file, ".md")
		if !is {
			continue
		}
		switch at := filepath.Join("commands", file); {
		case !named.MatchString(name):
			leave(at, errName)
		case taken(name):
			leave(at, fmt.Errorf("there is a command /%s already", name))
		case len(f.Commands) == mostKept:
			leave(at, fmt.Errorf("there are more than %d", mostKept))
		default:
			text, err := p.read(at)
			head, body := parts(text)
			switch body = strings.TrimSpace(body); {
			case err != nil:
				leave(at, err)
			case body == "":
				leave(at, errors.New("it is empty"))
			case strings.HasPrefix(body, "!") || strings.HasPrefix(body, "/"):
				leave(at, errors.New("it begins with ! or /, which a message cannot"))
			default:
				f.Commands = append(f.Commands, Command{name, about(head["description"], body), body})
			}
		}
	}
	for _, name := range p.names("skills") {
		at := filepath.Join("skills", name, "SKILL.md")
		if !p.there(at) {
			continue
		}
		text, err := p.read(at)
		head, body := parts(text)
		switch {
		case err != nil:
			leave(at, err)
		case !named.MatchString(name):
			leave(at, errName)
		case len(f.Skills) == mostKept:
			leave(at, fmt.Errorf("there are more than %d", mostKept))
		default:
			read := func() (string, error) { return p.read(at) }
			if p.fixed {
				read = func() (string, error) { return text, nil }
			}
			f.Skills = append(f.Skills, Skill{name, about(head["description"], body), read, p.fixed})
		}
	}
	if p.fixed {
		f.rules(p, leave)
	}
	return f
}

// rules reads the rules of a workspace.
func (f *Folder) rules(p place, leave func(at string, err error)) {
	for _, file := range p.names("rules") {
		name, is := strings.CutSuffix(file, ".md")
		if !is {
			continue
		}
		at := filepath.Join("rules", file)
		if len(f.Rules) == mostRules {
			leave(at, fmt.Errorf("there are more than %d", mostRules))
			continue
		}
		text, err := p.read(at)
		var r streamrule.Rule
		if err == nil {
			r, err = streamrule.Parse(name, text)
		}
		if err != nil {
			leave(at, err)
			continue
		}
		f.Rules = append(f.Rules, r)
	}
}

// named is the form of a name: it stands in a row, in an address and behind a slash.
var named = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)

var errName = errors.New("a name is small letters, digits, - and _, at most 40")

// entries returns the names in a directory, sorted. One that is not there has none.
func entries(dir string) []string {
	d, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(mostEntries)
	slices.Sort(names)
	return names
}

// parts takes a file apart: the lines of its head, between ---, and the rest.
func parts(text string) (head map[string]string, body string) {
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	lines, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if !ok {
		return nil, text
	}
	head = make(map[string]string)
	key := ""
	for l := range strings.SplitSeq(lines, "\n") {
		name, value, ok := strings.Cut(l, ":")
		switch {
		case strings.HasPrefix(l, " ") && key != "": // a text goes on
			head[key] = strings.TrimSpace(head[key] + " " + strings.TrimSpace(l))
		case ok:
			key = name
			head[key] = strings.Trim(strings.TrimSpace(value), `"'>|`)
		}
	}
	return head, body
}

// about returns one line of a description, or the first line of the text.
func about(said, body string) string {
	if said == "" {
		said, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(body), "# "), "\n")
	}
	line, _ := visible.Line(said)
	if len(line) > maxAbout {
		line = width.Head(line, maxAbout) + "..."
	}
	return line
}

// Part returns what the model is told of the skills; ok is false if there are none.
func (f Folder) Part() (part briefing.Part, ok bool) {
	if len(f.Skills) == 0 {
		return briefing.Part{}, false
	}
	var b strings.Builder
	for _, list := range []struct {
		foreign bool
		head    string
	}{{false, "The person keeps these skills for you."},
		{true, "The workspace has these skills, which the person has allowed; they grant nothing."}} {
		head := list.head + " Before you do what one is about, read it: read_file " + Scheme + "://NAME.\n"
		for _, s := range f.Skills {
			if s.foreign == list.foreign {
				fmt.Fprintf(&b, "%s- %s: %s\n", head, s.Name, s.About)
				head = ""
			}
		}
	}
	return briefing.Part{Name: "skills", Text: b.String()}, true
}

// Read returns the text of the skill of that name.
func (f Folder) Read(name string) (string, error) {
	i := slices.IndexFunc(f.Skills, func(s Skill) bool { return s.Name == name })
	if i < 0 {
		return "", errors.New("there is no such skill")
	}
	return f.Skills[i].read()
}
