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

// maxVariants and maxExpanded limit the simulation of a shell's expansions.
const (
	// maxVariants is the number of variants of one command, for the different values of loop
	// variables.
	maxVariants = 300
	maxExpanded = 3_000 // maxExpanded is the number of names that a glob may match.
)

// emptyWord is the reason to reject a command with an unquoted word that may be empty: the shell
// drops such a word, and the next one takes its place.
const emptyWord = "the shell leaves out a word that is empty"

// expanded is a command after the shell's expansions. Each word is literal, or a text that the
// program only prints. found marks the words that are file names which a glob matched.
type expanded struct {
	words approval.SimpleCommand
	found []bool
}

// expand returns the commands that a simple command in the directory dir becomes after the shell's
// expansions: one variant for each combination of values that its words may have. why is the reason
// if they cannot be determined.
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

// choices returns the possible expansions of one word. Each may consist of several words.
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

// matches returns the texts that one possible value of a word expands to in the directory dir: the
// names that its glob matches, or the value itself.
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

// isLongOption reports whether every match of a glob begins with the same long option, as for
// --include=*.go. Such a word is checked like any other option.
func isLongOption(pattern string) bool {
	name, _, has := strings.Cut(pattern, "=")
	return has && strings.HasPrefix(name, "--") && strings.Trim(name, optionLetters) == ""
}

// optionLetters holds the characters in the names of long options.
const optionLetters = "abcdefghijklmnopqrstuvwxyz-"

// plainName holds the characters that no shell splits or expands.
const plainName = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:,@%="

// glob returns the names that a shell glob matches in the workspace directory dir, in the shell's
// spelling, and hidden names in addition. Slashes at the end are kept, also after a file. It
// returns an error if a wildcard is followed by a component that is empty, "." or "..", because no
// directory lists these.
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

// plainClass matches a bracket expression that means the same to every shell: one of a few listed
// characters.
var plainClass = lazyregexp.New(`^\[[A-Za-z0-9_.,]+\]`)

// byBytes returns a glob for [filepath.Glob] that matches at least everything the shell's glob may
// match. It replaces "?" and most bracket expressions by "*": they match one character for
// filepath.Glob, but one byte for bash in the locale C and in names that are not valid UTF-8.
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

// unescapePattern returns a glob without its backslashes: the text that the shell uses if no name
// matches.
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

// escapePattern returns a glob that matches exactly text.
func escapePattern(text string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(text)
}
