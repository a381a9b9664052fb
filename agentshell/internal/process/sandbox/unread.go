package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// unread adds steps that keep commands from reading the content of the file or directory at path,
// if it is visible.
func (p *planner) unread(path string) {
	if o, ok := innermostOp(p.ops, path); !ok || o.Kind != write && o.Kind != read {
		return
	}
	info, err := os.Lstat(path)
	switch real, linkErr := filepath.EvalSymlinks(path); {
	case errors.Is(err, fs.ErrNotExist), err == nil && isPlaceholder(info):
		return
	case err != nil:
		p.fail(err)
	case linkErr != nil:
		p.fail(linkErr)
	case real != path:
		p.fail(fmt.Errorf("%s leads to %s: it must be named without links", path, real))
	case info.IsDir():
		p.ops = slices.DeleteFunc(p.ops, func(o op) bool { return within(o.Path, path) })
		p.missing = slices.DeleteFunc(p.missing, func(g guard) bool { return within(g.path, path) })
		p.add(op{Kind: closed, Path: path})
	default:
		p.add(op{Kind: device, Path: path, To: os.DevNull})
	}
	// A directory on which something is mounted cannot be moved. Otherwise a command could give the
	// file another name, by which the next command reads it.
	for up := filepath.Dir(path); up != "/"; up = filepath.Dir(up) {
		o, ok := innermostOp(p.ops, up)
		if !ok || o.Kind != write || o.Path == up {
			return
		}
		p.add(op{Kind: write, Path: up})
	}
}

// Shows reports whether a command sees anything at dir or below it, by the directories that the
// policy lists or that every command sees. The workspace is not considered.
func (p Policy) Shows(dir string) bool {
	writable, readable := p.defaultDirs()
	return slices.ContainsFunc(slices.Concat(writable, readable, p.Readable, p.Writable), func(shown string) bool {
		real, err := filepath.EvalSymlinks(shown)
		return err == nil && (within(dir, real) || within(real, dir))
	})
}
