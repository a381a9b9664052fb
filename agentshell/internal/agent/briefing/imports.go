package briefing

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// Bounds of imports.
const (
	maxImportDepth   = 5
	maxImports       = 100 // files that are looked for, for the instructions of one place
	maxImportNotices = 10
)

// errNoFile is the error for an import of a file that is not there.
var errNoFile = errors.New("there is no such file")

// importer follows the imports of instructions: @path outside of code. Paths are relative to the
// file that names them.
type importer struct {
	// open returns the content of a file, given by its absolute path. It refuses what lies outside.
	open func(path string) (name string, data []byte, err error)
	// add adds the content of a file, and returns its text; "" if it is not used.
	add     func(name, from string, data []byte, err error) string
	notices []string

	seen  map[string]bool // names of files that are told already
	tries int
}

// follow adds the files that text imports, and those that they import. name is the name of the file
// with text, and dir its directory.
func (m *importer) follow(name, dir, text string, depth int) {
	m.markSeen(name)
	for _, wanted := range importsOf(text) {
		path := filepath.FromSlash(wanted.path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if m.tries++; m.tries > maxImports {
			if m.tries == maxImports+1 {
				m.refuse(wanted, name, fmt.Errorf("more than %d imports are not followed", maxImports))
			}
			return
		}
		imported, data, err := m.open(path)
		switch {
		case err == nil && m.seen[imported]: // told already, or a cycle
			continue
		case err == nil && depth == maxImportDepth:
			err = fmt.Errorf("imports are followed %d files deep", maxImportDepth)
		}
		if err != nil {
			if !errors.Is(err, errNoFile) || wanted.explicit {
				m.refuse(wanted, name, err)
			}
			continue
		}
		if text := m.add(imported, name, data, nil); text != "" {
			m.follow(imported, filepath.Dir(path), text, depth+1)
		}
	}
}

// markSeen notes that the file of that name is told.
func (m *importer) markSeen(name string) {
	if m.seen == nil {
		m.seen = make(map[string]bool)
	}
	m.seen[name] = true
}

// refuse adds a notice about an import.
func (m *importer) refuse(wanted importRef, from string, err error) {
	if len(m.notices) < maxImportNotices {
		path, _ := visible.Line(wanted.path)
		m.notices = append(m.notices, fmt.Sprintf("@%s in %s is not read: %v", path, from, err))
	}
}

// importRef is a word @path of instructions. It is explicit if it must be an import: it stands
// alone in its line, or names Markdown. Others may be the name of a person.
type importRef struct {
	path     string
	explicit bool
}

// importsOf returns the imports in a text, in their order, and each once.
func importsOf(text string) (list []importRef) {
	found := map[string]bool{}
	for _, line := range proseLines(text) {
		words := strings.Fields(withoutCodeSpans(line))
		for _, word := range words {
			path, ok := strings.CutPrefix(word, "@")
			path = strings.TrimRight(path, ".,;:!?)]}'\"")
			if !ok || path == "" || found[path] {
				continue
			}
			found[path] = true
			list = append(list, importRef{path, len(words) == 1 || strings.HasSuffix(path, ".md")})
		}
	}
	return list
}

// proseLines returns the lines of Markdown that are no code block.
func proseLines(text string) (prose []string) {
	fence, blank, list := "", true, false
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
		run := fenceOf(trimmed)
		switch {
		case fence != "":
			if strings.HasPrefix(run, fence) && trimmed == run {
				fence = ""
			}
			blank = true
			continue
		case run != "":
			fence = run
			continue
		case indented && blank && !list: // and what follows it
			continue
		}
		if blank = trimmed == ""; !blank && !indented {
			list = isListItem(trimmed)
		}
		prose = append(prose, line)
	}
	return prose
}

// fenceOf returns the fence that a line begins with: three backquotes or tildes or more.
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 && !strings.Contains(rest, "`") {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// isListItem reports whether a line begins an item of a list.
func isListItem(line string) bool {
	mark, _, ok := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	return ok && (mark == "-" || mark == "*" || mark == "+" ||
		number != mark && strings.Trim(number, "0123456789") == "")
}

// withoutCodeSpans returns a line without the text between equal runs of backquotes.
func withoutCodeSpans(line string) string {
	var b strings.Builder
	for line != "" {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			break
		}
		b.WriteString(line[:i])
		line = line[i:]
		rest := strings.TrimLeft(line, "`")
		size := len(line) - len(rest)
		end := closingRun(rest, size)
		if end < 0 { // it opens nothing
			b.WriteString(line[:size])
			line = rest
			continue
		}
		b.WriteString("`") // so that what follows is no word of its own
		line = rest[end+size:]
	}
	return b.String() + line
}

// closingRun returns the index of the next run of size backquotes in text, or -1.
func closingRun(text string, size int) int {
	for at := 0; at < len(text); {
		i := strings.IndexByte(text[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		n := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if n == size {
			return at
		}
		at += n
	}
	return -1
}

// openInWorkspace returns a file that instructions in the workspace import. It lies in a root of
// the workspace, and the rules allow that it is read.
func (c Config) openInWorkspace(ctx context.Context, path string) (name string, data []byte, err error) {
	p, err := c.Workspace.Resolve(path)
	switch workspace.KindOf(err) {
	case workspace.NotPermitted:
		return "", nil, errors.New("it is outside of the workspace")
	case workspace.IsDirectory:
		return "", nil, errNoFile
	}
	if err != nil {
		return "", nil, err
	}
	if !c.allows("read_file", p.Match()) {
		return "", nil, errors.New("a rule does not let it be read")
	}
	file, err := c.Workspace.Snapshot(ctx, p, maxFile)
	if err == nil && !file.Print.Exists {
		err = errNoFile
	}
	return p.Match(), file.Data, err
}

// openPersonal returns a file that the person's instructions import. It lies in their folder, and
// no link leads out of it.
func (c Config) openPersonal(path string) (name string, data []byte, err error) {
	rel, err := filepath.Rel(c.ConfigDir, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", nil, errors.New("it is outside of your config folder")
	}
	root, err := os.OpenRoot(c.ConfigDir)
	if err != nil {
		return "", nil, withoutPath(err)
	}
	defer root.Close()
	file, err := root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, errNoFile
	case err != nil:
		return "", nil, errors.New("it is outside of your config folder or cannot be opened")
	}
	data, err = readFile(file)
	return path, data, err
}
