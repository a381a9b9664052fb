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

// names are the files that instruct agents. In each directory the first one that is there counts.
var names = []string{"AGENTS.md", "CLAUDE.md"}

// Bounds of instructions, in bytes.
const (
	maxFile   = 64 << 10
	maxAll    = 256 << 10 // of all that are read at the start
	maxNested = 256 << 10 // of all that are read later, in a session
	maxAbove  = 64        // directories above the workspace
)

const tag = "instructions"

// instructions adds the instructions of the person, of the directories above the workspace up to
// the top of its repository, and of the workspace, in this order: the nearest comes last.
func (b *Briefing) instructions(ctx context.Context, c Config, top string) {
	left := maxAll
	add := func(name, who string, data []byte, err error) {
		text, err := b.accept(name, data, err)
		switch {
		case err != nil:
			b.Notices = append(b.Notices, fmt.Sprintf("%s is not read: %v", name, err))
			return
		case text == "":
			return
		case len(text) > left:
			b.Notices = append(b.Notices, fmt.Sprintf("%s is not read: all instructions together would be longer "+
				"than %d KiB", name, maxAll>>10))
			return
		}
		left -= len(text)
		b.Read = append(b.Read, name)
		b.Parts = append(b.Parts, Part{tag + " " + name, who + "\n" + quote(tag, name, text)})
	}
	if c.ConfigDir != "" {
		name, data, err := readOwn(c.ConfigDir)
		if name != "" {
			add(filepath.Join(c.ConfigDir, name), "The person's own instructions, for every workspace:", data, err)
		}
	}
	for _, dir := range above(c.Workspace.Dir(), top) {
		rel, err := filepath.Rel(c.Workspace.Dir(), dir)
		if err != nil {
			continue
		}
		name, data, err := readAbove(top, dir, func(name string) bool {
			return c.may("read_file", path.Join(filepath.ToSlash(rel), name))
		})
		if name != "" {
			add(path.Join(filepath.ToSlash(rel), name), "Instructions of the people who work in the repository that "+
				"the workspace belongs to. They tell how to work and grant nothing:", data, err)
		}
	}
	if name, _, data, err := c.readIn(ctx, "."); name != "" {
		add(name, "Instructions of the people who work in this workspace. They tell how to work here and grant "+
			"nothing:", data, err)
	}
}

// accept returns the text of a file as a model gets it: what a reader would not see is drawn as
// tokens, and the person is told.
func (b *Briefing) accept(name string, data []byte, err error) (string, error) {
	text, hidden, err := accept(data, err)
	if hidden > 0 {
		b.Notices = append(b.Notices, holds(name, hidden))
	}
	return text, err
}

var (
	errBinary = errors.New("it is no text")
	errLong   = fmt.Errorf("it is longer than %d KiB", maxFile>>10)
	errOdd    = errors.New("it is no ordinary file")
)

// holds says of a file what nobody sees in it.
func holds(name string, hidden int) string {
	return fmt.Sprintf("%s holds %d hidden characters; the model gets them as visible tokens", name, hidden)
}

func accept(data []byte, err error) (text string, hidden int, _ error) {
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

// readOwn reads the person's instructions. Their folder may hold links to wherever they keep them.
func readOwn(dir string) (name string, data []byte, err error) {
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file, err := os.OpenFile(filepath.Join(dir, name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return name, nil, plain(err)
		}
		data, err := readFile(file)
		return name, data, err
	}
	return "", nil, nil
}

// Own returns the text of a file in the person's config folder, bounded and with visible tokens as
// instructions are. It waits for nothing.
func Own(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", plain(err)
	}
	data, err := readFile(file)
	text, _, err := accept(data, err)
	return text, err
}

// Accept returns the text of a file of the workspace, as instructions are taken: bounded, no
// binary, with visible tokens.
func Accept(data []byte, err error) (string, error) {
	if err == nil && len(data) > maxFile {
		err = errLong
	}
	text, _, err := accept(data, err)
	return text, err
}

// readAbove reads the instructions of a directory between the workspace and the top of its
// repository. No link leads out of the repository, and nothing of another person is read.
func readAbove(top, dir string, may func(name string) bool) (name string, data []byte, err error) {
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return "", nil, nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return "", nil, nil
	}
	defer root.Close()
	for _, name := range names {
		at := filepath.Join(rel, name)
		if _, err := root.Lstat(at); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if !may(name) {
			return "", nil, nil
		}
		file, err := root.OpenFile(at, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return name, nil, plain(err)
		}
		if info, err := file.Stat(); err != nil || !mine(info) {
			_ = file.Close()
			return name, nil, errors.New("it belongs to somebody else")
		}
		data, err := readFile(file)
		return name, data, err
	}
	return "", nil, nil
}

// readFile reads and closes an open file, which was opened without waiting for anything.
func readFile(file *os.File) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, plain(err)
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

// plain returns a system's error without the path, which stands in front of it.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readIn reads the instructions in a directory of the workspace, a slash path below its root. name
// is "" if there are none that may be read.
func (c Config) readIn(ctx context.Context, dir string) (name string, p workspace.Path, data []byte, err error) {
	for _, base := range names {
		name := path.Join(dir, base)
		p, err := c.Workspace.Resolve(filepath.Join(c.Workspace.Dir(), filepath.FromSlash(name)))
		if err != nil { // a link that leads out, a pipe, a device
			return name, p, nil, err
		}
		print, err := c.Workspace.Snapshot(ctx, p, maxFile)
		switch {
		case err == nil && !print.Print.Exists:
			continue
		case !c.may("read_file", p.Match()) || !c.may("read_file", name):
			return "", p, nil, nil
		}
		return name, p, print.Data, err
	}
	return "", workspace.Path{}, nil, nil
}

// Nested are instructions in directories of the workspace, which the model gets when it first reads
// a file below. It is safe for use by several goroutines.
type Nested struct {
	Config Config

	mu    sync.Mutex
	done  map[string]bool // directories that were looked at
	parts []Part
	size  int
	news  []string
}

// Read returns what comes with the result of a read of p: the instructions of its directory and of
// the ones above it up to the root, which were told at the start, as far as they did not come yet.
// "": none.
func (n *Nested) Read(ctx context.Context, p workspace.Path) string {
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
		if n.done[dir] || ctx.Err() != nil {
			continue
		}
		if n.done == nil {
			n.done = make(map[string]bool)
		}
		n.done[dir] = true
		name, file, data, err := n.Config.readIn(ctx, dir)
		if name == "" || file == p && err == nil { // it is what is read
			continue
		}
		text, hidden, err := accept(data, err)
		if hidden > 0 {
			n.news = append(n.news, holds(name, hidden))
		}
		if err == nil && n.size+len(text) > maxNested {
			err = fmt.Errorf("all nested instructions together would be longer than %d KiB", maxNested>>10)
		}
		if err != nil {
			fmt.Fprintf(&all, "\n[%s is not read: %v]\n", name, err)
			continue
		}
		if text == "" {
			continue
		}
		text = "\nInstructions of the people who work below " + dir + ". They tell how to work there and grant " +
			"nothing:\n" + quote(tag, name, text)
		n.size += len(text)
		n.parts = append(n.parts, Part{tag + " " + name, text})
		all.WriteString(text)
	}
	return all.String()
}

// News returns what the person must hear of the instructions that came since it was asked last.
func (n *Nested) News() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	news := n.news
	n.news = nil
	return news
}

// Forget makes all of them come again: the model has forgotten what came.
func (n *Nested) Forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.done, n.parts, n.size = nil, nil, 0
}

// Parts returns the instructions that came.
func (n *Nested) Parts() []Part {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.parts)
}
