// Package skill holds what a person keeps for the model in their config folder: prompts with a name
// (commands/NAME.md) and skills that the model reads when it needs them (skills/NAME/SKILL.md).
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

	"github.com/scrollkeep/scrollkeep/agentshell/briefing"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Bounds of a folder.
const (
	mostEntries = 1000 // that are looked at
	mostKept    = 100  // commands, and skills
	maxAbout    = 300  // bytes of a description
)

// Scheme begins the address of a skill, which read_file reads: skill://NAME.
const Scheme = "skill"

// Command is a prompt with a name. It is sent as a message of the person's, and nothing of it is
// run.
type Command struct{ Name, About, body string }

// Text is the message for what stands behind the name in the prompt: it takes the place of
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
type Skill struct{ Name, About, path string }

// Folder is what a config folder holds. It does not change.
type Folder struct {
	Commands []Command
	Skills   []Skill
	Notices  []string // for the person: what was left out, and why
}

// Load reads the folder dir; "" holds nothing. taken reports whether a command has that name
// already.
func Load(dir string, taken func(name string) bool) Folder {
	var f Folder
	if dir == "" {
		return f
	}
	for _, file := range f.entries(filepath.Join(dir, "commands")) {
		name, is := strings.CutSuffix(file, ".md")
		if !is {
			continue
		}
		switch at := filepath.Join("commands", file); {
		case !named.MatchString(name):
			f.leave(at, errName)
		case taken(name):
			f.leave(at, fmt.Errorf("there is a command /%s already", name))
		case len(f.Commands) == mostKept:
			f.leave(at, fmt.Errorf("there are more than %d", mostKept))
		default:
			head, body, err := read(filepath.Join(dir, at))
			switch body = strings.TrimSpace(body); {
			case err != nil:
				f.leave(at, err)
			case body == "":
				f.leave(at, errors.New("it is empty"))
			case strings.HasPrefix(body, "!") || strings.HasPrefix(body, "/"):
				f.leave(at, errors.New("it begins with ! or /, which a message cannot"))
			default:
				f.Commands = append(f.Commands, Command{name, about(head["description"], body), body})
			}
		}
	}
	for _, name := range f.entries(filepath.Join(dir, "skills")) {
		at := filepath.Join("skills", name, "SKILL.md")
		path := filepath.Join(dir, at)
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			continue
		}
		head, body, err := read(path)
		switch {
		case err != nil:
			f.leave(at, err)
		case !named.MatchString(name):
			f.leave(at, errName)
		case len(f.Skills) == mostKept:
			f.leave(at, fmt.Errorf("there are more than %d", mostKept))
		default:
			f.Skills = append(f.Skills, Skill{name, about(head["description"], body), path})
		}
	}
	return f
}

// named is the form of a name: it stands in a row, in an address and behind a slash.
var named = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,39}$`)

var errName = errors.New("a name is small letters, digits, - and _, at most 40")

func (f *Folder) leave(at string, err error) {
	f.Notices = append(f.Notices, fmt.Sprintf("%s in your config folder is not used: %v", at, err))
}

// entries are the names in a directory, sorted. One that is not there has none.
func (f *Folder) entries(dir string) []string {
	d, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(mostEntries)
	slices.Sort(names)
	return names
}

// read takes a file apart: the lines of its head, between ---, and the rest.
func read(path string) (head map[string]string, body string, err error) {
	text, err := briefing.Own(path)
	if err != nil {
		return nil, "", err
	}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text, nil
	}
	lines, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if !ok {
		return nil, text, nil
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
	return head, body, nil
}

// about is one line of a description, or the first line of the text.
func about(said, body string) string {
	if said == "" {
		said, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(body), "# "), "\n")
	}
	line, _ := visible.Line(said)
	if len(line) > maxAbout {
		line = strings.ToValidUTF8(line[:maxAbout], "") + "..."
	}
	return line
}

// Part is what the model is told of the skills; ok is false if there are none.
func (f Folder) Part() (part briefing.Part, ok bool) {
	if len(f.Skills) == 0 {
		return briefing.Part{}, false
	}
	var b strings.Builder
	b.WriteString("The person keeps these skills for you. Before you do what one is about, read it: read_file " +
		Scheme + "://NAME.\n")
	for _, s := range f.Skills {
		fmt.Fprintf(&b, "- %s: %s\n", s.Name, s.About)
	}
	return briefing.Part{Name: "skills", Text: b.String()}, true
}

// Read is the text of the skill of that name.
func (f Folder) Read(name string) (string, error) {
	i := slices.IndexFunc(f.Skills, func(s Skill) bool { return s.Name == name })
	if i < 0 {
		return "", errors.New("there is no such skill")
	}
	return briefing.Own(f.Skills[i].path)
}
