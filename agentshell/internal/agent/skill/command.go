package skill

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Limits on commands.
const (
	maxHint  = 80 // the number of bytes to which a hint about arguments is cut
	maxDepth = 3  // the number of levels of subfolders in which commands are read
)

// Command is a stored prompt with a name, such as /review. It is sent as a message of the user.
type Command struct {
	Name, About string
	Args        string // a hint about its arguments; "": none
	body        string
	fallback    string // the arguments if the user gives none
}

// commandLoader reads all commands of a folder.
type commandLoader struct {
	*notices
	folder  *Folder
	src     source
	isTaken func(name string) bool
	files   int // the number of files and directories seen so far
}

// loadCommands reads the commands of a folder and of its subfolders: git/commit.md is the command
// git:commit.
func (f *Folder) loadCommands(src source, isTaken func(name string) bool, n *notices) {
	l := commandLoader{notices: n, folder: f, src: src, isTaken: isTaken}
	l.walk("commands", "", 0)
}

// walk reads the commands below a directory. It returns false if the limits are reached, and no
// further command may be read.
func (l *commandLoader) walk(dir, prefix string, depth int) (more bool) {
	for _, file := range l.list(l.src, dir) {
		if len(l.folder.Commands) == maxItems {
			l.full("commands", maxItems)
			return false
		}
		if l.files++; l.files > maxEntries {
			l.add("commands in %s has more than %d files; the others are not read", l.where, maxEntries)
			return false
		}
		path := filepath.Join(dir, file)
		if name, is := strings.CutSuffix(file, ".md"); is {
			if err := l.load(path, prefix, name); err != nil {
				l.skip(path, err)
			}
			continue
		}
		if strings.HasPrefix(file, ".") || len(l.src.list(path)) == 0 {
			continue
		}
		switch {
		case depth == maxDepth:
			l.skip(path, fmt.Errorf("it is more than %d folders deep", maxDepth))
		case !namePattern().MatchString(file):
			l.skip(path, errName)
		case !l.walk(path, prefix+file+":", depth+1):
			return false
		}
	}
	return true
}

// load reads one command. The error says why the command is not used.
func (l *commandLoader) load(path, prefix, name string) error {
	full := prefix + name
	if !namePattern().MatchString(name) {
		return errName
	}
	taken := l.isTaken(full)
	if taken { // it is reached by a longer name
		mark := "user:"
		if l.src.fixed {
			mark = "project:"
		}
		if full = mark + full; l.isTaken(full) {
			return fmt.Errorf("there is a command /%s already", full)
		}
	}
	text, err := l.src.read(path)
	if err != nil {
		return err
	}
	head, body := splitHead(text)
	c := Command{Name: full, Args: argumentHint(head["argument-hint"]), body: strings.TrimSpace(body)}
	switch {
	case c.body == "":
		return errors.New("it is empty")
	case strings.HasPrefix(c.body, "!") || strings.HasPrefix(c.body, "/"):
		return errors.New("it begins with ! or /, which a message cannot")
	}
	others := l.folder.Commands
	if i := slices.IndexFunc(others, func(o Command) bool { return o.Name == full }); i >= 0 {
		if others[i].body == c.body { // a link to the same
			return nil
		}
		return fmt.Errorf("there is a command /%s already", full)
	}
	if taken {
		_, plain, _ := strings.Cut(full, ":")
		l.add("%s in %s is the command /%s, since there is a command /%s already", shownPath(path), l.where,
			full, plain)
	}
	l.unused(path, head, commandFields)
	c.About = l.description(path, head["description"], body)
	l.folder.Commands = append(others, c)
	return nil
}

// argumentHint returns a hint on one line, cut to maxHint bytes.
func argumentHint(text string) string {
	line, _ := visible.Line(text)
	if len(line) > maxHint {
		line = width.Head(line, maxHint) + "..."
	}
	return line
}

const argumentsVar = "$ARGUMENTS"

// Text returns the message for the given arguments. They replace $ARGUMENTS, and their words
// replace $1 to $9. Without such placeholders they are added at the end. Command lines (!`LINE`)
// stay as they are in the file.
func (c Command) Text(args string) string {
	var outputs []string
	for _, line := range c.Lines(args) {
		outputs = append(outputs, "!`"+line+"`")
	}
	return c.Filled(args, outputs)
}

// Lines returns the shell commands in the message, written as !`LINE`, with arguments filled in.
// Arguments cannot add further ones.
func (c Command) Lines(args string) (lines []string) {
	args = cmp.Or(args, c.fallback)
	for _, part := range commandLine().FindAllStringSubmatch(c.body, -1) {
		line, _ := substitute(part[2], args)
		lines = append(lines, line)
	}
	return lines
}

// Filled returns the message with the outputs in place of its shell commands.
func (c Command) Filled(args string, outputs []string) string {
	args = cmp.Or(args, c.fallback)
	var b strings.Builder
	anyUsed, from := false, 0
	write := func(text string) {
		text, used := substitute(text, args)
		b.WriteString(text)
		anyUsed = anyUsed || used
	}
	for i, at := range commandLine().FindAllStringSubmatchIndex(c.body, -1) {
		write(c.body[from:at[3]]) // with the blank before it
		_, used := substitute(c.body[at[4]:at[5]], args)
		anyUsed = anyUsed || used
		if from = at[1]; i < len(outputs) {
			b.WriteString(outputs[i])
		}
	}
	write(c.body[from:])
	if !anyUsed && args != "" {
		b.WriteString("\n\n" + args)
	}
	return b.String()
}

// commandLine matches a shell command in the text of a command: !`git status`.
var commandLine = lazyregexp.New("(^|\\s)!`([^`\n]+)`")

// substitute replaces the placeholders in text with arguments. used is false if there is no
// placeholder.
func substitute(text, args string) (result string, used bool) {
	var b strings.Builder
	words := splitWords(args)
	for text != "" {
		i := strings.IndexByte(text, '$')
		if i < 0 {
			b.WriteString(text)
			break
		}
		b.WriteString(text[:i])
		value, size := placeholder(text[i:], args, words)
		used = used || size > 0
		if size == 0 {
			value, size = "$", 1
		}
		b.WriteString(value)
		text = text[i+size:]
	}
	return b.String(), used
}

// placeholder returns the value of the placeholder at the beginning of text, and the number of
// bytes that it replaces. size is 0 if there is no placeholder, as at the beginning of $10.
func placeholder(text, args string, words []string) (value string, size int) {
	isDigit := func(i int) bool { return i < len(text) && text[i] >= '0' && text[i] <= '9' }
	switch {
	case strings.HasPrefix(text, argumentsVar):
		return args, len(argumentsVar)
	case !isDigit(1) || text[1] == '0' || isDigit(2):
		return "", 0
	}
	if n := int(text[1] - '0'); n <= len(words) {
		value = words[n-1]
	}
	return value, 2
}

// splitWords splits arguments at white space. A word in quotes may contain white space. A quote
// that is not closed is an ordinary character.
func splitWords(args string) (words []string) {
	for {
		args = strings.TrimLeftFunc(args, unicode.IsSpace)
		if args == "" {
			return words
		}
		if q := args[0]; q == '"' || q == '\'' {
			if word, after, ok := strings.Cut(args[1:], string(q)); ok {
				words, args = append(words, word), after
				continue
			}
		}
		end := strings.IndexFunc(args, unicode.IsSpace)
		if end < 0 {
			end = len(args)
		}
		words, args = append(words, args[:end]), args[end:]
	}
}
