package briefing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// instructionNames lists the names of files with instructions for agents. In each directory, only
// the first one that exists is read.
var instructionNames = []string{"AGENTS.md", "CLAUDE.md"}

// Limits on instructions, in bytes.
const (
	maxFile   = 64 << 10
	maxAll    = 256 << 10 // the total size of all files that are read at the start of a session
	maxNested = 256 << 10 // the total size of all files that are read later in a session
	maxLevels = 64        // not bytes: the number of directories above the workspace that are searched
)

const tag = "instructions"

// instructions adds instruction files to a briefing, up to a total size.
type instructions struct {
	*Briefing
	remaining int // the number of bytes that further files may have together
}

// add adds an instruction file and returns its text, or "" if it is not used. err is the error from
// reading it.
func (b *instructions) add(name, heading string, data []byte, err error) string {
	text, err := b.accept(name, data, err)
	switch {
	case err != nil:
		b.Notices = append(b.Notices, fmt.Sprintf("%s is not read: %v", name, err))
		return ""
	case text == "":
		return ""
	case len(text) > b.remaining:
		b.Notices = append(b.Notices, fmt.Sprintf("%s is not read: all instructions together would be longer "+
			"than %d KiB", name, maxAll>>10))
		return ""
	}
	b.remaining -= len(text)
	b.InstructionFiles = append(b.InstructionFiles, name)
	b.Parts = append(b.Parts, Part{tag + " " + name, heading + "\n" + frame(tag, name, text)})
	return text
}

// follow adds the files that an instruction file imports. name, dir and text are the name, the
// directory and the content of that file.
func (b *instructions) follow(m *importer, name, dir, text string) {
	m.add = func(name, from string, data []byte, err error) string {
		return b.add(name, "Instructions that "+from+" imports, as above:", data, err)
	}
	m.follow(name, dir, text, 0)
	b.Notices = append(b.Notices, m.notices...)
	m.notices = nil
}

// addInstructions adds the instructions of the user, then those in the directories from the top of
// the repository down to the workspace, then those of the workspace. Each file is followed by the
// files that it imports.
func (b *Briefing) addInstructions(ctx context.Context, c Config, top string) {
	all := &instructions{b, maxAll}
	if c.ConfigDir != "" {
		name, data, err := readPersonal(c.ConfigDir)
		if name != "" {
			name = filepath.Join(c.ConfigDir, name)
			text := all.add(name, "The person's own instructions, for every workspace:", data, err)
			all.follow(&importer{open: c.openPersonal}, name, c.ConfigDir, text)
		}
	}
	imports := &importer{open: func(path string) (string, []byte, error) { return c.openInWorkspace(ctx, path) }}
	for _, dir := range directoriesAbove(c.Workspace.Dir(), top) {
		rel, err := filepath.Rel(c.Workspace.Dir(), dir)
		if err != nil {
			continue
		}
		name, data, err := readAbove(top, dir, func(name string) bool {
			return c.allows("read_file", path.Join(filepath.ToSlash(rel), name))
		})
		if name != "" {
			name = path.Join(filepath.ToSlash(rel), name)
			text := all.add(name, "Instructions of the people who work in the repository that "+
				"the workspace belongs to. They tell how to work and grant nothing:", data, err)
			all.follow(imports, name, dir, text)
		}
	}
	if name, p, data, err := c.readInstructions(ctx, "."); name != "" {
		if err == nil && imports.seen[p.Match()] { // imported from above
			return
		}
		text := all.add(name, "Instructions of the people who work in this workspace. They tell how to work here and "+
			"grant nothing:", data, err)
		if text != "" {
			imports.markSeen(p.Match())
		}
		all.follow(imports, name, c.Workspace.Dir(), text)
	}
}

// accept returns the text of an instruction file for the model. Characters that a reader would not
// see become visible tokens, and a notice tells the user.
func (b *Briefing) accept(name string, data []byte, err error) (string, error) {
	text, hidden, err := acceptText(data, err)
	if hidden > 0 {
		b.Notices = append(b.Notices, hiddenNotice(name, hidden))
	}
	return text, err
}

var (
	errBinary = errors.New("it is no text")
	errLong   = fmt.Errorf("it is longer than %d KiB", maxFile>>10)
	errNested = fmt.Errorf("all nested instructions together would be longer than %d KiB", maxNested>>10)
	errOdd    = errors.New("it is no ordinary file")
)

// hiddenNotice returns a notice that a file contains a number of invisible characters.
func hiddenNotice(name string, hidden int) string {
	return fmt.Sprintf("%s holds %d hidden characters; the model gets them as visible tokens", name, hidden)
}

func acceptText(data []byte, err error) (text string, hidden int, _ error) {
	var large *workspace.Error
	switch {
	case errors.As(err, &large) && large.Kind == workspace.TooLarge:
		return "", 0, errLong
	case err != nil:
		return "", 0, err
	}
	switch workspace.Sniff(data) {
	case workspace.Binary, workspace.Unknown:
		return "", 0, errBinary
	}
	text, counts := visible.Lines(strings.ReplaceAll(strings.TrimPrefix(string(data), workspace.BOM), "\r\n", "\n"))
	if strings.TrimSpace(text) == "" {
		return "", 0, nil
	}
	if len(text) > maxFile { // of tokens
		return "", counts.Total(), errLong
	}
	return text, counts.Total(), nil
}

// readPersonal reads the user's own instruction file in the configuration directory, where files
// may be symbolic links. name is "" if there is none.
func readPersonal(dir string) (name string, data []byte, err error) {
	for _, name := range instructionNames {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return name, nil, withoutPath(err)
		}
		data, err := readFile(file)
		return name, data, err
	}
	return "", nil, nil
}

// ReadPersonal returns the text of a file in the user's configuration directory. The text has a
// limited length, and visible tokens in place of invisible characters. It does not block on a pipe
// or a device.
func ReadPersonal(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", withoutPath(err)
	}
	data, err := readFile(file)
	text, _, err := acceptText(data, err)
	return text, err
}

// ReadIn returns the text of a file in a directory, as [ReadPersonal] does. It does not follow
// symbolic links out of the directory.
func ReadIn(root *os.Root, path string) (string, error) {
	file, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", withoutPath(err)
	}
	data, err := readFile(file)
	text, _, err := acceptText(data, err)
	return text, err
}

// Accept returns the text of a file of the workspace, with visible tokens in place of invisible
// characters. It returns an error for binary and for long files. err is the error from reading the
// file.
func Accept(data []byte, err error) (string, error) {
	if err == nil && len(data) > maxFile {
		err = errLong
	}
	text, _, err := acceptText(data, err)
	return text, err
}

// readAbove reads the instruction file of a directory between the top of the repository and the
// workspace. It follows no symbolic link out of the repository, and reads no file of another user.
// name is "" if there is none.
func readAbove(top, dir string, allows func(name string) bool) (name string, data []byte, err error) {
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return "", nil, nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return "", nil, nil
	}
	defer root.Close()
	for _, name := range instructionNames {
		path := filepath.Join(rel, name)
		if _, err := root.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !allows(name) {
			return "", nil, nil
		}
		file, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return name, nil, withoutPath(err)
		}
		if info, err := file.Stat(); err != nil || !belongsToPerson(info) {
			_ = file.Close()
			return name, nil, errors.New("it belongs to somebody else")
		}
		data, err := readFile(file)
		return name, data, err
	}
	return "", nil, nil
}

// readFile reads a file that was opened with O_NONBLOCK, and closes it.
func readFile(file *os.File) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, withoutPath(err)
	case !info.Mode().IsRegular():
		return nil, errOdd
	case info.Size() > maxFile:
		return nil, errLong
	}
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = errLong
	}
	return data, err
}

// withoutPath returns a system error without its path, which the caller's message contains already.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readInstructions reads the instruction file of a directory of the workspace, given as a slash
// path relative to its root. name is "" if there is none that may be read.
func (c Config) readInstructions(ctx context.Context, dir string) (name string, p workspace.Path, data []byte,
	err error) {
	for _, base := range instructionNames {
		name := path.Join(dir, base)
		p, err := c.Workspace.Resolve(filepath.Join(c.Workspace.Dir(), filepath.FromSlash(name)))
		if err != nil { // a link that leads out, a pipe, a device
			return name, p, nil, err
		}
		print, err := c.Workspace.Snapshot(ctx, p, maxFile)
		switch {
		case err == nil && !print.Print.Exists:
			continue
		case !c.allows("read_file", p.Match()) || !c.allows("read_file", name):
			return "", p, nil, nil
		}
		return name, p, print.Data, err
	}
	return "", workspace.Path{}, nil, nil
}

// Nested finds the instruction files in subdirectories of the workspace. The model gets them when
// it first reads a file in such a directory. It is safe for use by several goroutines.
type Nested struct {
	Config Config
	Guides func() []Guide // returns texts that the model gets when it reads a matching file; nil: none

	mu      sync.Mutex
	checked map[string]bool // directories whose instructions were returned, or that have none
	parts   []Part
	size    int
	news    []string
}

// ForFile returns the instructions that the model gets together with the content of file p. They
// come from the directory of p and from the directories above it, without the root of the
// workspace. Each is returned only once. ForFile returns "" if there are none.
func (n *Nested) ForFile(ctx context.Context, p workspace.Path) string {
	if n.Config.Workspace == nil || p.Top() != n.Config.Workspace.RootPath() {
		return ""
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	var dirs []string
	for dir := path.Dir(p.Rel()); dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	var all strings.Builder
	for _, dir := range slices.Backward(dirs) {
		if n.checked[dir] || ctx.Err() != nil {
			continue
		}
		if n.checked == nil {
			n.checked = make(map[string]bool)
		}
		n.checked[dir] = true
		name, file, data, err := n.Config.readInstructions(ctx, dir)
		if name == "" || file == p && err == nil { // it is what is read
			continue
		}
		text, err := n.accept(name, data, err)
		if err != nil {
			fmt.Fprintf(&all, "\n[%s is not read: %v]\n", name, err)
			continue
		}
		if text == "" {
			continue
		}
		n.tell(&all, name, "Instructions of the people who work below "+dir+". They tell how to work there and grant "+
			"nothing:", text)
		n.follow(ctx, &all, name, dir, text)
	}
	n.addGuides(&all, p)
	return all.String()
}

// accept returns the text of an instruction file, or an error if all files together would be too
// long. data and err come from reading it.
func (n *Nested) accept(name string, data []byte, err error) (string, error) {
	text, hidden, err := acceptText(data, err)
	if hidden > 0 {
		n.news = append(n.news, hiddenNotice(name, hidden))
	}
	if err == nil && n.size+len(text) > maxNested {
		err = errNested
	}
	return text, err
}

// tell appends a heading and a text of instructions to all.
func (n *Nested) tell(all *strings.Builder, name, heading, text string) {
	framed := "\n" + heading + "\n" + frame(tag, name, text)
	n.size += len(framed)
	n.parts = append(n.parts, Part{tag + " " + name, framed})
	all.WriteString(framed)
}

// follow appends to all the files that an instruction file imports.
func (n *Nested) follow(ctx context.Context, all *strings.Builder, name, dir, text string) {
	m := importer{open: func(path string) (string, []byte, error) { return n.Config.openInWorkspace(ctx, path) }}
	m.add = func(name, from string, data []byte, err error) string {
		text, err := n.accept(name, data, err)
		if err != nil {
			m.notices = append(m.notices, fmt.Sprintf("%s is not read: %v", name, err))
			return ""
		}
		if text != "" {
			n.news = append(n.news, "Using instructions from "+name+", which "+from+" imports")
			n.tell(all, name, "Instructions that "+from+" imports, as above:", text)
		}
		return text
	}
	m.follow(name, filepath.Join(n.Config.Workspace.Dir(), filepath.FromSlash(dir)), text, 0)
	for _, notice := range m.notices {
		fmt.Fprintf(all, "\n[%s]\n", notice)
	}
}

// News returns the notices for the user since the last call.
func (n *Nested) News() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	news := n.news
	n.news = nil
	return news
}

// Forget makes ForFile return all instructions again, because the model no longer has them.
func (n *Nested) Forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.checked, n.parts, n.size = nil, nil, 0
}

// Parts returns all instructions that ForFile has returned.
func (n *Nested) Parts() []Part {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.parts)
}
