// Package skill reads what a person has stored for the model in their configuration folder, or a
// workspace offers: prompts with a name (commands/NAME.md), skills that the model reads when it
// needs them (skills/NAME/SKILL.md), kinds of agents (agents/NAME.md), and for a workspace also
// stream rules (rules/NAME.md).
package skill

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/streamrule"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Bounds of a folder.
const (
	maxEntries = 1000 // names that are read of a directory
	maxItems   = 100  // commands, and skills
	maxRules   = 20   // rules: each one checks everything that the model writes
	maxAbout   = 300  // bytes of a description
)

// Scheme is the scheme of a skill's address, skill://NAME, which read_file reads.
const Scheme = "skill"

// Command is a prompt with a name. It is sent as a message of the person. No part of it is
// executed.
type Command struct{ Name, About, body string }

// Text returns the message. args is what follows the name in the prompt. It replaces $ARGUMENTS, or
// is added at the end.
func (c Command) Text(args string) string {
	switch {
	case strings.Contains(c.body, argumentsVar):
		return strings.ReplaceAll(c.body, argumentsVar, args)
	case args != "":
		return c.body + "\n\n" + args
	}
	return c.body
}

const argumentsVar = "$ARGUMENTS"

// Skill is what the model knows of a skill before it reads it.
type Skill struct {
	Name, About string
	read        func() (string, error)
	ofWorkspace bool
}

// Folder is the content of a folder. It does not change.
type Folder struct {
	Commands []Command
	Skills   []Skill
	Rules    []streamrule.Rule // of a workspace; the person's rules come from [streamrule.Load]
	Agents   []Definition
	Notices  []string // for the person: what was left out, and why

	// Text is the content of all files, as the person is shown it. Digest identifies it. Both are
	// set for a workspace only, and "" if it has no files.
	Text, Digest string
}

// source gives access to the files of a folder.
type source struct {
	where  string                            // name of the folder, for notices
	list   func(dir string) []string         // returns the sorted names in a directory of the folder
	exists func(name string) bool            // reports whether a file of the folder exists, perhaps as a broken link
	read   func(name string) (string, error) // returns the text of a file of the folder
	fixed  bool                              // the text of a skill is the one that is read now
}

// Load reads the person's folder dir; "" is empty. isTaken reports whether a command has that name
// already.
func Load(dir string, isTaken func(name string) bool) Folder {
	if dir == "" {
		return Folder{}
	}
	return load(source{where: "your config folder",
		list: func(sub string) []string { return listDir(filepath.Join(dir, sub)) },
		exists: func(name string) bool {
			_, err := os.Lstat(filepath.Join(dir, name))
			return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
		},
		read: func(name string) (string, error) { return briefing.ReadPersonal(filepath.Join(dir, name)) },
	}, isTaken)
}

func load(p source, isTaken func(name string) bool) Folder {
	var f Folder
	skip := func(path string, err error) {
		f.Notices = append(f.Notices, fmt.Sprintf("%s in %s is not used: %v", path, p.where, err))
	}
	for _, file := range p.list("commands") {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok {
			continue
		}
		switch path := filepath.Join("commands", file); {
		case !namePattern().MatchString(name):
			skip(path, errName)
		case isTaken(name):
			skip(path, fmt.Errorf("there is a command /%s already", name))
		case len(f.Commands) == maxItems:
			skip(path, fmt.Errorf("there are more than %d", maxItems))
		default:
			text, err := p.read(path)
			head, body := splitHead(text)
			switch body = strings.TrimSpace(body); {
			case err != nil:
				skip(path, err)
			case body == "":
				skip(path, errors.New("it is empty"))
			case strings.HasPrefix(body, "!") || strings.HasPrefix(body, "/"):
				skip(path, errors.New("it begins with ! or /, which a message cannot"))
			default:
				f.Commands = append(f.Commands, Command{name, description(head["description"], body), body})
			}
		}
	}
	for _, name := range p.list("skills") {
		path := filepath.Join("skills", name, "SKILL.md")
		if !p.exists(path) {
			continue
		}
		text, err := p.read(path)
		head, body := splitHead(text)
		switch {
		case err != nil:
			skip(path, err)
		case !namePattern().MatchString(name):
			skip(path, errName)
		case len(f.Skills) == maxItems:
			skip(path, fmt.Errorf("there are more than %d", maxItems))
		default:
			read := func() (string, error) { return p.read(path) }
			if p.fixed {
				read = func() (string, error) { return text, nil }
			}
			f.Skills = append(f.Skills, Skill{name, description(head["description"], body), read, p.fixed})
		}
	}
	if p.fixed {
		f.loadRules(p, skip)
	}
	f.loadAgents(p, skip)
	return f
}

// loadRules reads the stream rules of a workspace.
func (f *Folder) loadRules(src source, skip func(path string, err error)) {
	for _, file := range src.list("rules") {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok {
			continue
		}
		path := filepath.Join("rules", file)
		if len(f.Rules) == maxRules {
			skip(path, fmt.Errorf("there are more than %d", maxRules))
			continue
		}
		text, err := src.read(path)
		var r streamrule.Rule
		if err == nil {
			r, err = streamrule.Parse(name, text)
		}
		if err != nil {
			skip(path, err)
			continue
		}
		f.Rules = append(f.Rules, r)
	}
}

// namePattern is the form of a name. Names stand in rows, in addresses and after a slash.
var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,39}$`)

var errName = errors.New("a name is small letters, digits, - and _, at most 40")

// listDir returns the sorted names in a directory. A missing directory has none.
func listDir(dir string) []string {
	d, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxEntries)
	slices.Sort(names)
	return names
}

// splitHead returns the settings in the head of a file, between lines of ---, and the text after
// it.
func splitHead(text string) (head map[string]string, body string) {
	afterMark, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil, text
	}
	lines, body, ok := strings.Cut("\n"+afterMark, "\n---\n")
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

// description returns a description as one line. Without a description it is the first line of the
// body.
func description(text, body string) string {
	if text == "" {
		text, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(body), "# "), "\n")
	}
	line, _ := visible.Line(text)
	if len(line) > maxAbout {
		line = width.Head(line, maxAbout) + "..."
	}
	return line
}

// Part returns the text about the skills for the model. ok is false if there are none.
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
			if s.ofWorkspace == list.foreign {
				fmt.Fprintf(&b, "%s- %s: %s\n", head, s.Name, s.About)
				head = ""
			}
		}
	}
	return briefing.Part{Name: "skills", Text: b.String()}, true
}

// Read returns the text of a skill.
func (f Folder) Read(name string) (string, error) {
	i := slices.IndexFunc(f.Skills, func(s Skill) bool { return s.Name == name })
	if i < 0 {
		return "", errors.New("there is no such skill")
	}
	return f.Skills[i].read()
}
