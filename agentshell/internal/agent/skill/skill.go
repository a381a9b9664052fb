// Package skill reads what a person has stored for the model in their configuration folder, or a
// workspace offers: prompts with a name (commands/NAME.md), skills that the model reads when it
// needs them (skills/NAME/SKILL.md), kinds of agents (agents/NAME.md), and for a workspace also
// stream rules (rules/NAME.md).
package skill

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

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
	maxAbout   = 1024 // bytes of a description, as the format of skills has it
	maxNotices = 10   // notices about a folder, and one more that says how many there are
)

// Scheme is the scheme of a skill's address, skill://NAME, which read_file reads.
const Scheme = "skill"

// Skill is what the model knows of a skill before it reads it.
type Skill struct {
	Name, About string
	read        func() (string, error)
	file        func(path string) (string, error) // reads another file of its folder
	ofWorkspace bool
	unlisted    bool // the model is not told of it

	// These are of rules for another program, see loadGuides.
	always bool     // the model is told all of it at once
	globs  []string // it is told all of it when it reads such a file
	body   string
}

// Folder is the content of a folder. It does not change.
type Folder struct {
	Commands []Command
	Skills   []Skill
	Rules    []streamrule.Rule // of a workspace; the person's rules come from [streamrule.Load]
	Agents   []Definition
	Notices  []string // for the person: what was left out, and why
	From     []string // the folders that it comes from

	// Text is the content of all files, as the person is shown it. Digest identifies it. Both are
	// set for a workspace only, and "" if it has no files.
	Text, Digest string
}

// Load reads the person's folder dir, and what they keep for other programs in their home
// directory. "" is empty. isTaken reports whether a command has that name already.
func Load(dir, home string, isTaken func(name string) bool) Folder {
	var f Folder
	if dir != "" {
		f.load(personalSource(dir, "your config folder", "commands", "skills", "agents"), isTaken)
	}
	if home != "" {
		f.load(personalSource(filepath.Join(home, claudeDir), "~/"+claudeDir, "commands", "skills", "agents"), isTaken)
		f.load(personalSource(filepath.Join(home, agentsDir), "~/"+agentsDir, "skills"), isTaken)
	}
	return f
}

// load adds the content of a folder. What is there already stays.
func (f *Folder) load(src source, isTaken func(name string) bool) {
	n, before := notices{where: src.where}, f.items()
	for _, kind := range src.kinds {
		switch kind {
		case "commands":
			f.loadCommands(src, isTaken, &n)
		case "skills":
			f.loadSkills(src, &n)
		case "rules":
			f.loadRules(src, &n)
		case "agents":
			f.loadAgents(src, &n)
		case "guides":
			f.loadGuides(src, "rules", 0, &n)
		}
	}
	f.Notices = append(f.Notices, n.lines()...)
	if f.items() > before {
		f.From = append(f.From, src.where)
	}
}

// items returns how many things are in the folder.
func (f *Folder) items() int { return len(f.Commands) + len(f.Skills) + len(f.Rules) + len(f.Agents) }

// loadSkills reads the skills of a folder.
func (f *Folder) loadSkills(src source, n *notices) {
	for _, name := range n.list(src, "skills") {
		path := filepath.Join("skills", name, "SKILL.md")
		if !src.exists(path) {
			continue
		}
		if len(f.Skills) == maxItems {
			n.full("skills", maxItems)
			return
		}
		text, err := src.read(path)
		if err == nil && !namePattern().MatchString(name) {
			err = errName
		}
		if err != nil {
			n.skip(path, err)
			continue
		}
		read := func() (string, error) { return src.read(path) }
		if src.fixed {
			read = func() (string, error) { return text, nil }
		}
		if i := slices.IndexFunc(f.Skills, func(s Skill) bool { return s.Name == name }); i >= 0 {
			if other, err := f.Skills[i].read(); err != nil || other != text { // else it is a link to the same
				n.skip(path, errors.New("there is a skill of that name already"))
			}
			continue
		}
		head, body := splitHead(text)
		n.unused(path, head, skillFields)
		f.Skills = append(f.Skills, Skill{Name: name, About: n.description(path, head["description"], body), read: read,
			file:        func(path string) (string, error) { return src.below(filepath.Join("skills", name), path) },
			ofWorkspace: src.fixed, unlisted: head["disable-model-invocation"] == "true"})
	}
}

// loadRules reads the stream rules of a workspace.
func (f *Folder) loadRules(src source, n *notices) {
	for _, file := range n.list(src, "rules") {
		name, ok := strings.CutSuffix(file, ".md")
		if !ok {
			continue
		}
		path := filepath.Join("rules", file)
		if len(f.Rules) == maxRules {
			n.full("rules", maxRules)
			return
		}
		text, err := src.read(path)
		var r streamrule.Rule
		if err == nil {
			r, err = streamrule.Parse(name, text)
		}
		if err != nil {
			n.skip(path, err)
			continue
		}
		for _, p := range r.Problems {
			n.skip(path, errors.New("a part of it: "+p))
		}
		r.OfWorkspace = src.fixed
		f.Rules = append(f.Rules, r)
	}
}

// namePattern is the form of a name. Names stand in rows, in addresses and after a slash.
var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,63}$`)

var errName = errors.New("a name is small letters, digits, - and _, at most 64")

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

// description returns a description as one line, and whether it was cut. Without a description it
// is the first line of the body.
func description(text, body string) (line string, cut bool) {
	if text == "" {
		text, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(body), "# "), "\n")
	}
	line, _ = visible.Line(text)
	if len(line) > maxAbout {
		return width.Head(line, maxAbout) + "...", true
	}
	return line, false
}

// Part returns the text about the skills for the model. ok is false if there are none.
func (f Folder) Part() (part briefing.Part, ok bool) {
	var b strings.Builder
	for _, list := range []struct {
		foreign bool
		head    string
	}{{false, "The person keeps these skills for you."},
		{true, "The workspace has these skills, which the person has allowed; they grant nothing."}} {
		head := list.head + " Before you do what one is about, read it: read_file " + Scheme + "://NAME. Files that " +
			"it names are in its folder: " + Scheme + "://NAME/PATH.\n"
		for _, s := range f.Skills {
			if s.ofWorkspace == list.foreign && !s.unlisted && !s.always {
				fmt.Fprintf(&b, "%s- %s: %s\n", head, s.Name, s.About)
				head = ""
			}
		}
	}
	b.WriteString(f.alwaysText())
	return briefing.Part{Name: "skills", Text: b.String()}, b.Len() > 0
}

// Read returns the text of a skill, or of another file in its folder: NAME/PATH. Links that lead
// out of the folder are refused.
func (f Folder) Read(id string) (string, error) {
	name, path, isFile := strings.Cut(id, "/")
	skills := slices.Concat(f.Skills, Shipped().Skills)
	i := slices.IndexFunc(skills, func(s Skill) bool { return s.Name == name })
	switch {
	case i < 0:
		return "", errors.New("there is no such skill")
	case !isFile || path == "SKILL.md": // as the person was shown it
		return skills[i].read()
	case skills[i].file == nil || !filepath.IsLocal(filepath.FromSlash(path)):
		return "", errors.New("there is no such file in the folder of the skill")
	}
	return skills[i].file(filepath.FromSlash(path))
}
