package isolation

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // the ids of git's objects
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// These constants limit the changes that an agent may have made in a copy.
const (
	maxChanges     = 1000
	maxChangeBytes = 256 << 20
)

// Change is a file that differs from the state when the copy was made. Before is nil for a new
// file, and After for a removed one.
type Change struct {
	Path          string // Path is a slash path relative to the root.
	Before, After *State
}

// baseEntry is a file in the base commit: its mode and id in git.
type baseEntry struct{ mode, id string }

// Changes returns the files that differ from the state when the copy was made, sorted by path. It
// leaves out files that git ignores, unless the copy was made with them.
func (c *Copy) Changes(ctx context.Context) (list []Change, err error) {
	base, err := c.treeEntries(ctx, c.baseCommit)
	if err != nil {
		return nil, err
	}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: c.Dir()}}})
	if err != nil {
		return nil, err
	}
	defer ws.Close()
	found := changeCollector{base: base, seenPaths: map[string]bool{}}
	if err := walkFiles(ctx, ws, func(t *workspace.Tree) error {
		s, ok, err := stateOf(t)
		if err != nil || !ok {
			return err
		}
		return found.addFile(t.Path().Rel(), &s)
	}); err != nil {
		return nil, err
	}
	if err := found.addUnseen(c.Dir()); err != nil {
		return nil, err
	}
	slices.SortFunc(found.changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return found.changes, c.readBefore(ctx, base, found.changes)
}

// treeEntries returns the files of a commit or tree in the base repository, by path.
func (c *Copy) treeEntries(ctx context.Context, of string) (map[string]baseEntry, error) {
	out, err := c.runGitInBase(ctx, nil, "ls-tree", "-r", "-z", "--full-tree", of)
	if err != nil {
		return nil, err
	}
	base := map[string]baseEntry{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		head, name, ok := strings.Cut(line, "\t")
		if fields := strings.Fields(head); ok && len(fields) == 3 {
			base[name] = baseEntry{fields[0], fields[2]}
		}
	}
	return base, nil
}

// changeCollector compares files with those of the base commit.
type changeCollector struct {
	base         map[string]baseEntry
	seenPaths    map[string]bool
	changes      []Change
	changedBytes int
}

// addFile compares a file. A nil s means that the file is gone.
func (c *changeCollector) addFile(path string, s *State) error {
	before, known := c.base[path]
	c.seenPaths[path] = true
	if s != nil && known && before.mode == s.gitMode() && before.id == blobID(s.Data, len(before.id)) {
		return nil
	}
	if s != nil {
		c.changedBytes += len(s.Data)
	}
	c.changes = append(c.changes, Change{Path: path, After: s})
	switch {
	case len(c.changes) > maxChanges:
		return fmt.Errorf("more than %d files were changed, which nobody can look through: keep what programs make "+
			"out of the work by .gitignore", maxChanges)
	case c.changedBytes > maxChangeBytes:
		return fmt.Errorf("the changed files have more than %d MiB", maxChangeBytes>>20)
	}
	return nil
}

// addUnseen compares the files of the base commit that the walk has not visited: they are gone, or
// git ignores them now.
func (c *changeCollector) addUnseen(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	dirs := map[string]bool{".": true} // directories, and not links to some
	for name := range c.base {
		if c.seenPaths[name] {
			continue
		}
		s, err := readAt(root, name, dirs)
		if err == nil {
			err = c.addFile(name, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAt reads a file or a link. It returns nil if there is none, or if a link is in its path. dirs
// holds the results of isDir.
func readAt(root *os.Root, name string, dirs map[string]bool) (*State, error) {
	if !isDir(root, path.Dir(name), dirs) {
		return nil, nil
	}
	info, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := root.Readlink(name)
		return &State{fs.ModeSymlink, []byte(target)}, err
	case !info.Mode().IsRegular():
		return nil, nil
	case info.Size() > maxFileBytes:
		return nil, fmt.Errorf("%s is too large", name)
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, info.Size())
	n, err := f.ReadAt(data, 0)
	if err != nil && n < len(data) {
		return nil, err
	}
	s := &State{0o644, data}
	if info.Mode()&0o111 != 0 {
		s.Mode = 0o755
	}
	return s, nil
}

// isDir reports whether name is a directory without links in its path. known holds earlier results.
func isDir(root *os.Root, name string, known map[string]bool) bool {
	is, looked := known[name]
	if !looked {
		info, err := root.Lstat(name)
		is = isDir(root, path.Dir(name), known) && err == nil && info.IsDir()
		known[name] = is
	}
	return is
}

// blobID returns the id that git gives a file's content. digits is the length of ids.
func blobID(data []byte, digits int) string {
	var h hash.Hash = sha1.New() //nolint:gosec // see above
	if digits == 2*sha256.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// readBefore sets Before of the changes in list to the files of the base commit.
func (c *Copy) readBefore(ctx context.Context, base map[string]baseEntry, list []Change) error {
	var wanted strings.Builder
	for _, change := range list {
		if b, known := base[change.Path]; known {
			wanted.WriteString(b.id + "\n")
		}
	}
	if wanted.Len() == 0 {
		return nil
	}
	out, err := c.runGitInBase(ctx, strings.NewReader(wanted.String()), "cat-file", "--batch")
	if err != nil {
		return err
	}
	r := bufio.NewReader(bytes.NewReader(out))
	for i, change := range list {
		b, known := base[change.Path]
		if !known {
			continue
		}
		data, err := readObject(r)
		if err != nil {
			return fmt.Errorf("what %s was is not there any more: %w", change.Path, err)
		}
		list[i].Before = &State{modeFromGit(b.mode), data}
	}
	return nil
}

// modeFromGit converts a mode in git's notation.
func modeFromGit(git string) fs.FileMode {
	switch git {
	case "120000":
		return fs.ModeSymlink
	case "100755":
		return 0o755
	}
	return 0o644
}

// readObject reads one object in the output of git cat-file --batch.
func readObject(r *bufio.Reader) ([]byte, error) {
	head, err := r.ReadString('\n')
	fields := strings.Fields(head)
	if err != nil || len(fields) != 3 {
		return nil, errors.New(strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size > maxFileBytes {
		return nil, errors.New("its size is wrong")
	}
	data := make([]byte, size+1) // with a newline
	_, err = io.ReadFull(r, data)
	return data[:size], err
}

// writeBlobs writes the new contents of changes in the format of git fast-import. It returns the
// lines that make the changes in a commit.
func writeBlobs(w *bufio.Writer, changes []Change) (lines string, err error) {
	var files strings.Builder
	for i, change := range changes {
		if change.After == nil {
			fmt.Fprintf(&files, "D %s\n", quote(change.Path))
			continue
		}
		fmt.Fprintf(&files, "M %s :%d %s\n", change.After.gitMode(), i+1, quote(change.Path))
		if err := writeBlob(w, i+1, change.After.Data); err != nil {
			return "", err
		}
	}
	return files.String(), nil
}

// Patch returns changes as a patch for git apply.
func (c *Copy) Patch(ctx context.Context, changes []Change) ([]byte, error) {
	commit, err := c.runFastImport(ctx, func(w *bufio.Writer) error {
		files, err := writeBlobs(w, changes)
		if err != nil {
			return err
		}
		writeCommit(w, "what "+c.Agent+" changed", c.baseCommit)
		_, err = fmt.Fprintf(w, "%s\nget-mark :%d\n", files, commitMark)
		return err
	})
	if err != nil {
		return nil, err
	}
	return c.runGitInBase(ctx, nil, "diff-tree", "-r", "-p", "--binary", "--full-index", "--no-ext-diff",
		"--no-textconv",
		"--no-renames", c.baseCommit, commit)
}
