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

// Programs finds the programs that are started without a question, by their names in the
// directories of a PATH. It takes none that lies in a root, or is reached through one: who writes
// there would choose what runs. Nil takes every program of the PATH of this process. It is safe for
// use by several goroutines.
type Programs struct {
	dirs []string

	mu    sync.Mutex
	roots []fs.FileInfo
	found map[string]string // paths of names, which hold from then on
}

// NewPrograms makes Programs from the value of a PATH and the directories that programs must lie
// outside of.
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

// Exclude adds directories that programs must lie outside of. The top of the file system leaves
// nothing outside, and does not count.
func (p *Programs) Exclude(roots ...string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range roots {
		if info, err := os.Stat(r); err == nil && !isTop(info) {
			p.roots = append(p.roots, info)
		}
	}
	maps.DeleteFunc(p.found, func(_, path string) bool { return p.reaches(path) })
}

func isTop(info fs.FileInfo) bool {
	top, err := os.Stat(string(filepath.Separator))
	return err == nil && os.SameFile(top, info)
}

// Path returns the absolute path of a program. A name with a slash is the path of one.
func (p *Programs) Path(name string) (string, error) {
	if p == nil {
		return exec.LookPath(name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if strings.ContainsRune(name, filepath.Separator) {
		return p.at(name)
	}
	if path := p.found[name]; path != "" {
		return path, nil
	}
	within := ""
	for _, dir := range p.dirs {
		path, err := exec.LookPath(filepath.Join(dir, name))
		switch {
		case err != nil || name == "":
		case p.reaches(path):
			within = path
		default:
			p.found[name] = path
			return path, nil
		}
	}
	if within != "" {
		return "", fmt.Errorf("%s is not found outside of the workspace: %s %w", name, within, ErrInside)
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// at returns the absolute form of a path of a program.
func (p *Programs) at(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = exec.LookPath(path)
	}
	if err == nil && p.reaches(path) {
		return "", fmt.Errorf("%s %w", path, ErrInside)
	}
	return path, err
}

// Environ returns an environment in which no program finds another one in a root by its name.
func (p *Programs) Environ(environ []string) []string {
	if p == nil {
		return environ
	}
	env := slices.Clone(environ)
	for i, v := range env {
		if strings.HasPrefix(v, "PATH=") {
			env[i] = "PATH=" + p.Search()
		}
	}
	return env
}

// Search returns the directories outside of every root, as a PATH has them.
func (p *Programs) Search() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(slices.DeleteFunc(slices.Clone(p.dirs), p.reaches), string(filepath.ListSeparator))
}

// maxLinks is how many links may stand on the way to a program.
const maxLinks = 40

// reaches reports whether an absolute path passes through a root: by the directories that it names,
// or by those to which links on the way lead.
func (p *Programs) reaches(path string) bool {
	top := string(filepath.Separator)
	at, rest, links := top, strings.Split(path, top), 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == "" || name == "." {
			continue
		}
		at = filepath.Join(at, name) // there are no links in at, so that .. is what stands before
		info, err := os.Lstat(at)
		if err != nil {
			return !errors.Is(err, fs.ErrNotExist) // it cannot be looked at
		}
		if slices.ContainsFunc(p.roots, func(r fs.FileInfo) bool { return os.SameFile(r, info) }) {
			return true
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		to, err := os.Readlink(at)
		if links++; err != nil || links > maxLinks {
			return true
		}
		rest = append(strings.Split(to, top), rest...)
		if at = filepath.Dir(at); filepath.IsAbs(to) {
			at = top
		}
	}
	return false
}
