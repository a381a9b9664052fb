package tool

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval/program"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Limits of what the shell makes of one command.
const (
	maxVariants = 300   // of the command, for the values that a loop gives its words
	maxExpanded = 3_000 // names that a pattern matches
)

// emptyWord says that a word without quotes may be empty. Then the next word stands in its place.
const emptyWord = "the shell leaves out a word that is empty"

// expanded is a command as the shell runs it: each word is literal, or a text that the program only
// prints. found are the words that are names which a pattern matched.
type expanded struct {
	words approval.SimpleCommand
	found []bool
}

// expand returns what the shell makes of a command in a directory of the workspace: one variant for
// each value that a word may have.
func (e Env) expand(c approval.SimpleCommand, dir string) (variants []expanded, why string) {
	variants = []expanded{{}}
	for _, w := range c {
		choices, why := e.choices(w, dir)
		if why != "" {
			return nil, why
		}
		if len(variants)*len(choices) > maxVariants {
			return nil, "its loops run a command in too many ways"
		}
		var next []expanded
		for _, v := range variants {
			for _, more := range choices {
				next = append(next, expanded{slices.Concat(v.words, more.words), slices.Concat(v.found, more.found)})
			}
		}
		variants = next
	}
	return variants, ""
}

// choices returns the words that may stand in the place of a word.
func (e Env) choices(w approval.Word, dir string) (choices []expanded, why string) {
	if w.Literal || w.Values == nil {
		w.Values = nil
		return []expanded{{approval.SimpleCommand{w}, []bool{false}}}, ""
	}
	all := expanded{}
	for _, v := range w.Values.List {
		names, why := e.matches(v, dir)
		if why != "" {
			return nil, why
		}
		for _, name := range names {
			if name == "" && w.Values.All {
				return nil, emptyWord
			}
			word := approval.Word{Text: name, Literal: true}
			all.words, all.found = append(all.words, word), append(all.found, v.Pattern != "")
			if !w.Values.All {
				choices = append(choices, expanded{approval.SimpleCommand{word}, []bool{v.Pattern != ""}})
			}
		}
	}
	if w.Values.All {
		return []expanded{all}, ""
	}
	return choices, ""
}

// matches returns the texts that a choice stands for in a directory of the workspace.
func (e Env) matches(v program.Choice, dir string) (names []string, why string) {
	if v.Pattern == "" {
		names = []string{v.Before + v.After}
	}
	dirs := v.Dirs
	if dirs == nil {
		dirs = []string{dir}
	}
	for _, dir := range dirs {
		if v.Pattern == "" {
			break
		}
		found, err := e.glob(dir, v.Pattern)
		if err != nil || len(found) > maxExpanded {
			return nil, "a pattern matches what cannot be looked at: " + diff.Escape(v.Pattern)
		}
		if len(found) == 0 || strings.ContainsAny(v.Pattern, "?[") { // the shell may find none: then it takes the text
			found = append(found, unescapePattern(v.Pattern))
		}
		for _, name := range found {
			if strings.HasPrefix(v.Before+name, "-") && !isLongOption(v.Before+v.Pattern) {
				return nil, "a pattern matches a name that looks like an option: " + diff.Escape(name)
			}
			names = append(names, v.Before+name+v.After)
		}
	}
	for _, name := range names {
		if v.Plain && strings.Trim(name, plainName) != "" {
			return nil, "the shell may split a word: " + diff.Escape(name)
		}
		if v.Plain && name == "" {
			return nil, emptyWord
		}
	}
	return names, ""
}

// isLongOption reports whether a pattern matches nothing but words of one long option with a value,
// as --include=*.go does. What the option does is looked at like that of any other.
func isLongOption(pattern string) bool {
	name, _, has := strings.Cut(pattern, "=")
	return has && strings.HasPrefix(name, "--") && strings.Trim(name, optionLetters) == ""
}

const optionLetters = "abcdefghijklmnopqrstuvwxyz-"

// plainName are characters that no shell splits or expands.
const plainName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:,@%="

// glob returns the names that a pattern of the shell matches in a directory of the workspace, as
// the shell spells them, and hidden ones besides. A slash at the end stays, also behind a file. It
// does not know a pattern before an empty element, a point or two: those stand in no directory.
func (e Env) glob(dir, pattern string) (names []string, err error) {
	plain := strings.TrimRight(pattern, "/")
	slashes := pattern[len(plain):]
	if at := strings.IndexAny(plain, "*?["); at >= 0 {
		for i, element := range strings.Split(plain[at:], "/") {
			if i > 0 && strings.Trim(element, `.\`) == "" {
				return nil, fs.ErrInvalid
			}
		}
	}
	base := ""
	if !filepath.IsAbs(pattern) {
		base = filepath.Join(e.Workspace.Dir(), dir) + "/"
	}
	names, err = filepath.Glob(escapePattern(base) + byBytes(plain))
	for i, name := range names {
		names[i] = strings.TrimPrefix(name, base) + slashes
	}
	return names, err
}

// plainClass matches brackets that stand for one of a few letters, for every program.
var plainClass = lazyregexp.New(`^\[[A-Za-z0-9_.,]+\]`)

// byBytes returns a pattern that matches all that a pattern of the shell may match: * stands for ?,
// and for other brackets with what follows in the same element of the path. Those match a character
// for filepath.Glob. For bash they match a byte in the locale C, and wherever a name is not valid
// UTF-8.
func byBytes(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			b.WriteString(pattern[i : i+2])
			i++
		case c == '?':
			b.WriteByte('*')
		case c == '[' && plainClass().MatchString(pattern[i:]):
			class := plainClass().FindString(pattern[i:])
			b.WriteString(class)
			i += len(class) - 1
		case c == '[':
			b.WriteByte('*')
			element, _, _ := strings.Cut(pattern[i:], "/")
			i += len(element) - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unescapePattern returns the text of a pattern, which the shell takes if no name matches.
func unescapePattern(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		b.WriteByte(pattern[i])
	}
	return b.String()
}

func escapePattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(text)
}
