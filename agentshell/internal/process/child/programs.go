package child

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Programs finds programs by name in the directories of a PATH. It is for programs that are started
// without asking the user. It refuses a program that lies in a root, such as the workspace, or
// whose path leads through one, because anybody who can write there could replace the program.
//
// For the same reason it refuses a shim of a version manager such as mise, if a file in a root
// tells the manager by a path what to run.
//
// A nil *Programs finds every program on the PATH of this process. It is safe for use by several
// goroutines.
type Programs struct {
	dirs []string

	mu    sync.Mutex
	roots []fs.FileInfo
	names []string          // paths of the roots
	found map[string]string // paths by program name; a path that was found once does not change
}

// NewPrograms returns a Programs that searches the directories of path, the value of a PATH
// variable. It refuses programs that lie in one of the directories roots, such as the workspace.
func NewPrograms(path string, roots ...string) *Programs {
	p := &Programs{found: map[string]string{}}
	p.Exclude(roots...)
	for _, dir := range filepath.SplitList(path) {
		if dir = filepath.Clean(dir); filepath.IsAbs(dir) && !slices.Contains(p.dirs, dir) {
			p.dirs = append(p.dirs, dir)
		}
	}
	return p
}

// Exclude adds directories as roots, in which no program may lie. The root directory of the file
// system is ignored, since every program lies in it.
func (p *Programs) Exclude(roots ...string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range roots {
		if info, err := os.Stat(r); err == nil && !isTop(info) {
			p.roots, p.names = append(p.roots, info), append(p.names, r)
		}
	}
	maps.DeleteFunc(p.found, func(_, path string) bool { return p.passesRoot(path) || p.isChosen(path) })
}

func isTop(info fs.FileInfo) bool {
	top, err := os.Stat(string(filepath.Separator))
	return err == nil && os.SameFile(top, info)
}

// Path returns the absolute path of the program with that name. A name with a slash is taken as a
// path. The error is [ErrInside] or [ErrChosen], wrapped, if the program is refused.
func (p *Programs) Path(name string) (string, error) {
	if p == nil {
		return exec.LookPath(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.ContainsRune(name, filepath.Separator) {
		return p.absolute(name)
	}
	if path := p.found[name]; path != "" && !p.isChosen(path) {
		return path, nil
	}
	inRoot, shim := "", ""
	for _, dir := range p.dirs {
		path, err := exec.LookPath(filepath.Join(dir, name))
		switch {
		case err != nil || name == "":
		case p.passesRoot(path):
			inRoot = path
		case p.isChosen(path):
			shim = path
		default:
			p.found[name] = path
			return path, nil
		}
	}
	switch {
	case shim != "":
		return "", fmt.Errorf("%s %w", shim, ErrChosen)
	case inRoot != "":
		return "", fmt.Errorf("%s is not found outside of the workspace: %s %w", name, inRoot, ErrInside)
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// absolute returns the absolute path of a program that was named by its path, or an error if it is
// refused.
func (p *Programs) absolute(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = exec.LookPath(path)
	}
	switch {
	case err != nil:
	case p.passesRoot(path):
		return "", fmt.Errorf("%s %w", path, ErrInside)
	case p.isChosen(path):
		return "", fmt.Errorf("%s %w", path, ErrChosen)
	}
	return path, err
}

// Environ returns environ, a list of NAME=value, with a PATH that has only directories outside of
// all roots, see [NewPrograms].
func (p *Programs) Environ(environ []string) []string {
	if p == nil {
		return environ
	}
	env := slices.Clone(environ)
	for i, v := range env {
		if strings.HasPrefix(v, "PATH=") {
			env[i] = "PATH=" + p.PathValue()
		}
	}
	return env
}

// PathValue returns the value of a PATH variable without the directories in a root, see
// [NewPrograms]. If a file in a root tells a version manager what to run, it also leaves out the
// directories of shims.
func (p *Programs) PathValue() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	path := strings.Join(slices.DeleteFunc(slices.Clone(p.dirs), p.passesRoot), string(filepath.ListSeparator))
	if without := WithoutShims(path); without != path && slices.ContainsFunc(p.names, choosesPrograms) {
		return without
	}
	return path
}

// isChosen reports whether the program at path is a shim of a version manager, while a file in a
// root, such as the workspace, may tell the manager what to run.
func (p *Programs) isChosen(path string) bool {
	return IsShim(path) && slices.ContainsFunc(p.names, choosesPrograms)
}

// maxLinks is the largest number of symbolic links on the way to a program.
const maxLinks = 40

// passesRoot reports whether an absolute path leads through a root, such as the workspace: the path
// has a directory in it, or one of its symbolic links points there.
func (p *Programs) passesRoot(path string) bool {
	top := string(filepath.Separator)
	reached, remaining, links := top, strings.Split(path, top), 0
	for len(remaining) > 0 {
		name := remaining[0]
		remaining = remaining[1:]
		if name == "" || name == "." {
			continue
		}
		reached = filepath.Join(reached, name) // reached has no links, so a .. leads to the directory before
		info, err := os.Lstat(reached)
		if err != nil {
			return !errors.Is(err, fs.ErrNotExist) // it exists but cannot be read
		}
		if slices.ContainsFunc(p.roots, func(r fs.FileInfo) bool { return os.SameFile(r, info) }) {
			return true
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		to, err := os.Readlink(reached)
		if links++; err != nil || links > maxLinks {
			return true
		}
		remaining = append(strings.Split(to, top), remaining...)
		if reached = filepath.Dir(reached); filepath.IsAbs(to) {
			reached = top
		}
	}
	return false
}
