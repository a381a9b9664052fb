package skill

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
)

// cursorDir is the folder of the editor Cursor in a workspace. The files in its subfolder rules
// become skills. A rule that always applies is part of the system prompt; the text of a rule with
// globs is given to the model when it reads a matching file.
const cursorDir = ".cursor"

// guideFields lists the fields of front matter that are known in a file of Cursor's rules.
var guideFields = []string{"description", "globs", "alwaysApply"}

// loadGuides reads the rules in a directory of Cursor's folder, and in its subdirectories, as
// skills.
func (f *Folder) loadGuides(src source, dir string, depth int, n *notices) {
	for _, file := range n.list(src, dir) {
		path := filepath.Join(dir, file)
		name, isRule := strings.CutSuffix(file, ".mdc")
		if !isRule {
			name, isRule = strings.CutSuffix(file, ".md")
		}
		switch {
		case isRule && len(f.Skills) == maxItems:
			n.full("skills", maxItems)
			return
		case isRule:
			if err := f.loadGuide(src, path, guideName(strings.TrimPrefix(filepath.Join(dir, name), "rules"+
				string(filepath.Separator))), n); err != nil {
				n.skip(path, err)
			}
		case !strings.HasPrefix(file, ".") && depth < maxDepth && len(src.list(path)) > 0:
			f.loadGuides(src, path, depth+1, n)
		}
	}
}

// guideName returns the name of the skill for a file of Cursor's rules.
func guideName(path string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, path), "-_")
}

// loadGuide reads one file of Cursor's rules as a skill.
func (f *Folder) loadGuide(src source, path, name string, n *notices) error {
	text, err := src.read(path)
	switch {
	case err != nil:
		return err
	case !namePattern().MatchString(name):
		return errName
	case slices.ContainsFunc(f.Skills, func(s Skill) bool { return s.Name == name }):
		return fmt.Errorf("there is a skill %s already", name)
	}
	head, body := splitHead(text)
	if strings.TrimSpace(body) == "" {
		return errors.New("it is empty")
	}
	n.unused(path, head, guideFields)
	s := Skill{Name: name, About: n.description(path, head["description"], body), ofWorkspace: true,
		read: func() (string, error) { return text, nil }, always: head["alwaysApply"] == "true", body: body}
	globs := head["globs"]
	if strings.HasPrefix(globs, "[") && strings.HasSuffix(globs, "]") && strings.ContainsAny(globs, `,"'`) { // a list
		globs = globs[1 : len(globs)-1]
	}
	for _, glob := range strings.FieldsFunc(globs, func(r rune) bool { return strings.ContainsRune(", \t", r) }) {
		switch glob = strings.Trim(glob, `"'`); {
		case glob == "-" || glob == "": // of a list
		case doublestar.ValidatePattern(glob):
			s.globs = append(s.globs, glob)
		default:
			n.add("%s in %s: %q is no glob", path, src.where, glob)
		}
	}
	f.Skills = append(f.Skills, s)
	return nil
}

// Guides returns the texts that the model gets when it reads a matching file.
func (f Folder) Guides() (list []briefing.Guide) {
	for _, s := range f.Skills {
		if len(s.globs) > 0 && !s.always {
			list = append(list, briefing.Guide{Name: Scheme + "://" + s.Name, Text: s.body, Globs: s.globs})
		}
	}
	return list
}

// Told returns when the model gets the whole text without asking, in words for the user, such as
// "at once". It returns "" for a skill that the model reads when it needs it.
func (s Skill) Told() string {
	switch {
	case s.always:
		return "at once"
	case len(s.globs) > 0:
		return "when it reads " + strings.Join(s.globs, " or ")
	}
	return ""
}

// alwaysText returns the texts of the rules that always apply, for the system prompt.
func (f Folder) alwaysText() string {
	var b strings.Builder
	for _, s := range f.Skills {
		if s.always {
			b.WriteString("A rule of this workspace. It tells how to work here and grants nothing:\n" +
				briefing.Framed(Scheme+"://"+s.Name, s.body))
		}
	}
	return b.String()
}
