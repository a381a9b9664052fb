// Package skill reads what the user has stored for the model in the configuration directory, and
// what a workspace contains for the model: named prompts (commands/NAME.md), skills that the model
// reads when it needs them (skills/NAME/SKILL.md), definitions of sub-agents (agents/NAME.md), and,
// for a workspace, also stream rules (rules/NAME.md).
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

// Limits on a folder.
const (
	maxEntries = 1000 // the number of names that are read of one directory
	maxItems   = 100  // the number of commands, and of skills, that a folder may have
	// the number of rules that a folder may have; each one is matched against everything that the
	// model writes
	maxRules   = 20
	maxAbout   = 1024 // bytes of a description, as specified by the format of skills
	maxNotices = 10   // the number of notices about a folder; one more says how many are left out
)

// Scheme is the scheme of the address skill://NAME, at which the model reads a skill with
// read_file.
const Scheme = "skill"

// Skill is a text with instructions for a certain task. The model knows its name and description,
// and reads the text when it needs it.
type Skill struct {
	Name, About string
	read        func() (string, error)
	file        func(path string) (string, error) // reads another file in the folder of the skill
	ofWorkspace bool
	unlisted    bool // the skill is not listed in the system prompt

	// The following fields are set only for rules of another program, see loadGuides. If always is
	// true, the whole text is in the system prompt.
	always bool
	globs  []string // the model gets the text when it reads a matching file
	body   string
}

// Folder holds the commands, skills, rules and agent definitions of the user or of a workspace. It
// does not change.
type Folder struct {
	Commands []Command
	Skills   []Skill
	Rules    []streamrule.Rule // rules of a workspace; the user's own rules come from [streamrule.Load]
	Agents   []Definition
	Notices  []string // sentences for the user about files that are not used
	From     []string // the names of the folders that were read

	// Text is the content of all files, to be shown to the user, and Digest a hash of it. Both are
	// set only for a workspace, and "" if it has no files.
	Text, Digest string
}

// Load reads the user's configuration directory dir, and the folders of other programs in the home
// directory. Either may be "". isTaken reports whether a command with that name exists already.
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

// load adds the content of a source. An item is left out if one with the same name exists already.
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

// items returns the number of commands, skills, rules and agent definitions.
func (f *Folder) items() int { return len(f.Commands) + len(f.Skills) + len(f.Rules) + len(f.Agents) }

// loadSkills reads the skills of a source.
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

// loadRules reads the stream rules of a source.
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

// namePattern matches valid names. They are shown in lists, and are part of addresses and of slash
// commands.
var namePattern = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,63}$`)

var errName = errors.New("a name is small letters, digits, - and _, at most 64")

// splitHead splits a file into its front matter, between lines of ---, and the text after it. The
// head is nil if there is none.
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

// description returns a description on one line, and whether it was cut. If text is "", it is the
// first line of the body.
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

// Part returns the section of the system prompt that lists the skills. ok is false if there are
// none.
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

// Read returns the text of a skill, or, for NAME/PATH, of another file in its folder. It returns an
// error for links that lead out of the folder.
func (f Folder) Read(id string) (string, error) {
	name, path, isFile := strings.Cut(id, "/")
	skills := slices.Concat(f.Skills, Shipped().Skills)
	i := slices.IndexFunc(skills, func(s Skill) bool { return s.Name == name })
	switch {
	case i < 0:
		return "", errors.New("there is no such skill")
	case !isFile || path == "SKILL.md": // as the user was shown it
		return skills[i].read()
	case skills[i].file == nil || !filepath.IsLocal(filepath.FromSlash(path)):
		return "", errors.New("there is no such file in the folder of the skill")
	}
	return skills[i].file(filepath.FromSlash(path))
}
