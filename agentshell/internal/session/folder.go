package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// Folder returns the directory of the workspace's session logs. It need not exist.
func (c Config) Folder() (string, error) {
	path, err := c.path("any-session")
	return filepath.Dir(path), err
}

// path returns the path of a session's log. It returns an error for an invalid id, and if the logs
// would lie inside the workspace.
func (c Config) path(id string) (string, error) {
	if !ValidID(id) {
		return "", ErrID
	}
	if !filepath.IsAbs(c.Dir) || !filepath.IsAbs(c.Workspace) {
		return "",
			errors.New("session: the workspace and the directory of the logs must be absolute paths: is HOME or " +
				"XDG_STATE_HOME set?")
	}
	dir := c.Dir
	if real, err := realPath(dir); err != nil {
		return "", err
	} else if rel, err := filepath.Rel(c.Workspace, real); err == nil && rel != ".." && !strings.HasPrefix(rel,
		".."+string(filepath.Separator)) {
		return "", ErrInside
	}
	sum := sha256.Sum256([]byte(c.Workspace))
	return filepath.Join(dir, hex.EncodeToString(sum[:8]), id+".jsonl"), nil
}

// realPath resolves the symbolic links in a path, whose last elements need not exist.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return real, err
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("%s is a link that leads nowhere", path)
	}
	if real, err = realPath(parent); err != nil {
		return "", err
	}
	return filepath.Join(real, filepath.Base(path)), nil
}

// makePrivate creates dir and its subdirectory sub, and lets only their owner access them.
func makePrivate(dir, sub string) error {
	if err := os.MkdirAll(sub, 0o700); err != nil {
		return err
	}
	for _, d := range []string{dir, sub} {
		if err := os.Chmod(d, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// newSink returns a sink for the file at path, which is not open yet.
func (c Config) newSink(path string) sink {
	return sink{path: path, open: func(flag int) (File, error) {
		f, err := openLocked(path, flag)
		if err != nil {
			return nil, err
		}
		if c.Wrap != nil {
			return c.Wrap(f), nil
		}
		return f, nil
	}}
}

// openLocked opens a file for appending, and locks it for this process.
func openLocked(path string, flag int) (*os.File, error) {
	file, err := regular.OpenFile(path, flag|os.O_APPEND|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	}
	if err == nil {
		err = lock(file)
	}
	if err == nil {
		err = file.Chmod(0o600)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}
