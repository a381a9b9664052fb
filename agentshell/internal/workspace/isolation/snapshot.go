package isolation

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/ignore"
)

// These constants limit a copy.
const (
	maxFiles      = 200_000
	maxFileBytes  = 256 << 20 // maxFileBytes is the number of bytes of one file.
	maxTotalBytes = 4 << 30   // maxTotalBytes is the number of bytes of all files.
)

// State is the content of a file, or a link whose target is Data.
type State struct {
	Mode fs.FileMode // Mode is 0644, 0755 or fs.ModeSymlink.
	Data []byte
}

// gitMode returns the mode in git's notation.
func (s State) gitMode() string {
	switch {
	case s.Mode&fs.ModeSymlink != 0:
		return "120000"
	case s.Mode&0o111 != 0:
		return "100755"
	}
	return "100644"
}

// walkFiles calls visit for the files and links of a workspace that git does not ignore.
func walkFiles(ctx context.Context, ws *workspace.Workspace, visit func(t *workspace.Tree) error) error {
	t, err := ws.Tree(ctx, ws.RootPath(), ignore.File)
	if err != nil {
		return err
	}
	defer t.Close()
	ignored := ignore.New(ws, t)
	for t.Next() {
		switch {
		case isGitName(t.Name()) || ignored.Ignores(t):
			t.Skip()
		case t.Mode().IsDir():
			ignored.Enter(t)
		case t.Mode().IsRegular() || t.Mode()&fs.ModeSymlink != 0:
			if err := visit(t); err != nil {
				return err
			}
		}
	}
	return t.Err()
}

// isGitName reports whether git refuses a file name in a repository, because it means .git.
func isGitName(name string) bool {
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// stateOf reads the current entry of a walk. ok is false if it is gone.
func stateOf(t *workspace.Tree) (s State, ok bool, err error) {
	if t.Mode()&fs.ModeSymlink != 0 {
		target, err := t.Link()
		return State{fs.ModeSymlink, []byte(target)}, err == nil, nil
	}
	entry, err := t.Stat()
	if err != nil {
		return s, false, nil //nolint:nilerr // it is gone
	}
	data, err := t.Read(maxFileBytes)
	switch {
	case workspace.KindOf(err) == workspace.NotFound, errors.Is(err, fs.ErrNotExist): // by now
		return s, false, nil
	case err != nil:
		return s, false, err
	}
	s = State{0o644, data}
	if entry.Mode&0o111 != 0 {
		s.Mode = 0o755
	}
	return s, true, nil
}

// copyFiles copies the files of the workspace into the copy, and into a commit of the base
// repository. It returns the id of the commit.
func (c *Copy) copyFiles(ctx context.Context, ws *workspace.Workspace, o userRepository) (commit string, err error) {
	tree, err := os.OpenRoot(c.Dir())
	if err != nil {
		return "", err
	}
	defer tree.Close()
	return c.runFastImport(ctx, func(w *bufio.Writer) error {
		var files strings.Builder // of the commit, which stands behind all blobs
		n, total := 0, int64(0)
		dir := "." // that is there
		err := walkFiles(ctx, ws, func(t *workspace.Tree) error {
			s, ok, err := stateOf(t)
			if err != nil || !ok {
				return err
			}
			path := t.Path().Rel()
			if n++; n > maxFiles {
				return fmt.Errorf("it has more than %d files that git does not ignore", maxFiles)
			}
			if total += int64(len(s.Data)); total > maxTotalBytes {
				return fmt.Errorf("its files have more than %d GiB without what git ignores", maxTotalBytes>>30)
			}
			if up := filepath.Dir(path); up != dir {
				if err := tree.MkdirAll(up, 0o700); err != nil {
					return err
				}
				dir = up
			}
			if err := s.writeTo(tree, path); err != nil {
				return err
			}
			fmt.Fprintf(&files, "M %s :%d %s\n", s.gitMode(), n, quote(path))
			return writeBlob(w, n, s.Data)
		})
		if err != nil {
			return err
		}
		writeCommit(w, "the workspace as it was", o.headCommit)
		_, err = w.WriteString("deleteall\n" + files.String() + "\nget-mark :" + strconv.Itoa(commitMark) + "\n")
		return err
	})
}

// commitMark is the mark of the commit in the input of git fast-import.
const commitMark = 1_000_000

// writeBlob writes the content of a file in the format of git fast-import.
func writeBlob(w *bufio.Writer, mark int, data []byte) error {
	fmt.Fprintf(w, "blob\nmark :%d\ndata %d\n", mark, len(data))
	_, _ = w.Write(data)
	return w.WriteByte('\n') // reports an earlier error, too
}

// writeCommit writes the beginning of a commit in the format of git fast-import.
func writeCommit(w *bufio.Writer, message, parent string) {
	fmt.Fprintf(w, "commit refs/heads/base\nmark :%d\ncommitter Scrollkeep <> 0 +0000\ndata %d\n%s\n", commitMark,
		len(message), message)
	if parent != "" {
		fmt.Fprintf(w, "from %s\n", parent)
	}
}

// writeTo creates the file or link in a directory. It fails if the name exists.
func (s State) writeTo(root *os.Root, name string) error {
	if s.Mode&fs.ModeSymlink != 0 {
		return root.Symlink(string(s.Data), name)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.Mode)
	if err != nil {
		return err
	}
	if _, err = f.Write(s.Data); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
