package app

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
)

// rootsOf returns the directories of a session: dir, and the added ones. The name of an added
// directory is the first part of its paths. In added, ":ro" at the end makes a directory read-only.
// A directory that is inside of another one is left out.
func rootsOf(dir string, added, editorDirs []string, home string) (roots []workspace.Root, notes []string, err error) {
	roots = []workspace.Root{{Dir: dir}}
	for i, text := range append(slices.Clone(added), editorDirs...) {
		root := workspace.Root{Dir: text}
		if i < len(added) { // directories of an editor are plain paths
			root.Dir, root.ReadOnly = addedDir(text, home)
		}
		root, note, covered, err := nextRoot(roots, root)
		switch {
		case err != nil:
			return nil, nil, UsageErrorf("--add-dir: %w", err)
		case note != "":
			notes = append(notes, "--add-dir: "+note)
		}
		if !covered {
			roots = append(roots, root)
		}
	}
	return roots, notes, nil
}

// nextRoot checks a directory that is about to be added to roots, and chooses its name. covered
// says that it is inside of one of them, so that it need not be added. note says that another path
// was taken than the one that was typed.
func nextRoot(roots []workspace.Root, root workspace.Root) (next workspace.Root, note string, covered bool, err error) {
	if root.Dir == "" {
		return root, "", false, errors.New("no directory is named")
	}
	if root.Dir, err = filepath.Abs(root.Dir); err != nil {
		return root, "", false, err
	}
	if root.Dir, note, err = existingDir(root.Dir); err != nil {
		return root, "", false, err
	}
	if info, err := os.Stat(root.Dir); err != nil {
		return root, "", false, withoutCall(err)
	} else if !info.IsDir() {
		return root, "", false, fmt.Errorf("%s is not a directory", root.Dir)
	}
	if covered, err = checkOverlap(roots, root); err != nil || covered {
		return root, note, covered, err
	}
	base := filepath.Base(root.Dir)
	root.Name = base
	taken := func(r workspace.Root) bool { return cmp.Or(r.Name, "workspace") == root.Name }
	for n := 2; slices.ContainsFunc(roots, taken); n++ {
		root.Name = base + "-" + strconv.Itoa(n)
	}
	return root, note, false, nil
}

// existingDir returns dir if it exists. Otherwise it returns the directory whose path looks the
// same (other characters that look alike), and a note that says so. Several such directories are an
// error.
func existingDir(dir string) (found, note string, err error) {
	list := pathsAlike(dir)
	switch len(list) {
	case 0:
		return dir, "", nil // opening dir fails, with a better error
	case 1:
		if list[0] == dir {
			return dir, "", nil
		}
		return list[0], fmt.Sprintf("there is no %s; %s is the same but for characters that look alike",
			diff.Escape(dir), diff.Escape(list[0])), nil
	}
	for i, path := range list {
		list[i] = fmt.Sprintf("%+q", path)
	}
	return "", "", fmt.Errorf("there is no %s; did you mean %s?", diff.Escape(dir),
		strings.Join(list, " or "))
}

// pathsAlike returns path alone if it exists. Otherwise it returns the existing paths that look the
// same.
func pathsAlike(path string) []string {
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	if there(path) {
		return []string{path}
	}
	return nearest.Path(path, there, func(folder string) (names []string) {
		entries, _ := os.ReadDir(folder) // the entries before an error are enough
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	})
}

// addedDir parses a directory that the user has added, such as "~/lib:ro": "~/" stands for home,
// and ":ro" at the end makes it read-only.
func addedDir(text, home string) (dir string, readOnly bool) {
	dir, readOnly = strings.CutSuffix(text, ":ro")
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && home != "" {
		dir = filepath.Join(home, rest)
	}
	return dir, readOnly
}

// checkOverlap compares a new directory with the others. No file may have two writable paths,
// because its changes would be recorded twice, and a read-only directory may not be writable by
// another path. covered says that one of roots contains the directory, so that it need not be
// added.
func checkOverlap(roots []workspace.Root, root workspace.Root) (covered bool, err error) {
	for _, r := range roots {
		switch {
		case isWithin(r.Dir, root.Dir) && r.ReadOnly == root.ReadOnly:
			return true, nil
		case isWithin(r.Dir, root.Dir) && root.ReadOnly:
			return false, fmt.Errorf("%s lies in %s, which may be written, so it cannot be read-only",
				root.Dir, r.Dir)
		case isWithin(root.Dir, r.Dir) && !root.ReadOnly:
			return false,
				fmt.Errorf("%s contains %s: add it read-only (%s:ro), or work in it (--workspace %s)",
					root.Dir, r.Dir, root.Dir, root.Dir)
		}
	}
	return false, nil
}

// isWithin reports whether full is dir or inside of dir, after symbolic links are resolved.
func isWithin(dir, full string) bool {
	rel, err := filepath.Rel(resolveLinks(dir), resolveLinks(full))
	return err == nil && filepath.IsLocal(rel)
}

// realPath returns the absolute path of dir, with symbolic links resolved.
func realPath(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// resolveLinks returns dir without symbolic links. If that fails it returns dir, and the failure is
// reported when the directory is opened.
func resolveLinks(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// furtherDirs returns the paths of the session's directories besides the workspace, for the user.
func (r *project) furtherDirs() (list []string) {
	for _, root := range r.roots.further() {
		if root.ReadOnly {
			root.Dir += " (read-only)"
		}
		list = append(list, root.Dir)
	}
	return list
}

// furtherRootsText returns a text for the model about the session's directories besides the
// workspace, or "" if there are none.
func furtherRootsText(roots []workspace.Root) string {
	var list []string
	for _, r := range roots[1:] {
		about := r.Name + " (" + r.Dir + ")"
		if r.ReadOnly {
			about = r.Name + " (" + r.Dir + ", read-only)"
		}
		list = append(list, about)
	}
	if len(list) == 0 {
		return ""
	}
	return " There are further roots, whose name stands in front of a path, as in " + roots[1].Name + "/file: " +
		strings.Join(list, ", ") + "."
}

// withoutCall returns err without the name of the system call, if err is about a path.
func withoutCall(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
