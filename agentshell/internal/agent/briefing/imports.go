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

// Limits on the files that instructions import.
const (
	maxImportDepth   = 5
	maxImports       = 100 // the number of imported files for the instructions of one origin
	maxImportNotices = 10
)

// errNoFile is returned for an import if the file does not exist.
var errNoFile = errors.New("there is no such file")

// importer reads the files that instruction files import with @path, outside of code. Paths are
// relative to the importing file.
type importer struct {
	// open reads a file with the given absolute path. It returns an error for files that may not be
	// imported.
	open func(path string) (name string, data []byte, err error)
	// add adds an imported file to the briefing, and returns its text, or "" if the file is not
	// used. from is the name of the importing file.
	add     func(name, from string, data []byte, err error) string
	notices []string

	seen  map[string]bool // the names of files that are in the briefing already
	tries int
}

// follow adds the files that text imports, and, recursively, the files that those import. name is
// the name of the file that contains text, and dir its directory.
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

// markSeen records that the file with that name is in the briefing.
func (m *importer) markSeen(name string) {
	if m.seen == nil {
		m.seen = make(map[string]bool)
	}
	m.seen[name] = true
}

// refuse adds a notice that an import was not followed.
func (m *importer) refuse(wanted importRef, from string, err error) {
	if len(m.notices) < maxImportNotices {
		path, _ := visible.Line(wanted.path)
		m.notices = append(m.notices, fmt.Sprintf("@%s in %s is not read: %v", path, from, err))
	}
}

// importRef is an import @path in the text of instructions. It is explicit if it can only be an
// import: it is alone on its line, or names a Markdown file. Otherwise it may be the name of a
// person.
type importRef struct {
	path     string
	explicit bool
}

// importsOf returns the imports in a text in order, without duplicates.
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

// proseLines returns the lines of a Markdown text that are not in code blocks.
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

// fenceOf returns the code fence at the beginning of a line, three or more backquotes or tildes, or
// "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 && !strings.Contains(rest, "`") {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// isListItem reports whether a line of Markdown begins a list item.
func isListItem(line string) bool {
	mark, _, ok := strings.Cut(line, " ")
	number := strings.TrimRight(mark, ".)")
	return ok && (mark == "-" || mark == "*" || mark == "+" ||
		number != mark && strings.Trim(number, "0123456789") == "")
}

// withoutCodeSpans returns a line of Markdown without its code spans.
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

// closingRun returns the index in text of the next run of exactly size backquotes, or -1.
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

// openInWorkspace reads a file that instructions in the workspace import. The file must lie in the
// workspace, and the user's rules must allow reading it.
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

// openPersonal reads a file that the user's own instructions import. It must lie in the
// configuration directory, and symbolic links must not lead out of it.
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
