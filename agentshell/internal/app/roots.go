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

// rootsOf returns the directories of a session: dir, and those that are added. The name of an added
// directory is the prefix of its paths; :ro at its end makes it read-only. A directory inside of
// another one adds nothing.
func rootsOf(dir string, added, editorDirs []string, home string) (roots []workspace.Root, notes []string, err error) {
	roots = []workspace.Root{{Dir: dir}}
	for i, text := range append(slices.Clone(added), editorDirs...) {
		root := workspace.Root{Dir: text}
		if i < len(added) { // an editor's are paths and nothing else
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

// nextRoot checks a directory that is to be added to roots, and gives it a name. covered tells that
// one of them has it already. note says if another directory was meant.
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

// existingDir returns dir, or if it is not there, the directory whose path looks the same, with a
// note that says so. Several are an error.
func existingDir(dir string) (found, note string, err error) {
	list := pathsAlike(dir)
	switch len(list) {
	case 0:
		return dir, "", nil // the error of what follows says more
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

// pathsAlike returns a path that is there, or else those that look the same.
func pathsAlike(path string) []string {
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	if there(path) {
		return []string{path}
	}
	return nearest.Path(path, there, func(folder string) (names []string) {
		entries, _ := os.ReadDir(folder) // what was read is enough
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	})
}

// addedDir returns the directory of an added text, and whether it is read-only.
func addedDir(text, home string) (dir string, readOnly bool) {
	dir, readOnly = strings.CutSuffix(text, ":ro")
	if rest, ok := strings.CutPrefix(dir, "~/"); ok && home != "" {
		dir = filepath.Join(home, rest)
	}
	return dir, readOnly
}

// checkOverlap compares a new directory with the others. It must not happen that a file has two
// writable paths, because its changes would be recorded twice. Also, a read-only directory must not
// be writable by another path.
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

// isWithin reports whether full is dir or lies in it, after symbolic links are resolved.
func isWithin(dir, full string) bool {
	rel, err := filepath.Rel(resolveLinks(dir), resolveLinks(full))
	return err == nil && filepath.IsLocal(rel)
}

// realPath returns the absolute path of dir without symbolic links.
func realPath(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// resolveLinks returns dir without symbolic links, or dir itself if that fails. The failure is
// reported when the directory is opened.
func resolveLinks(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// furtherDirs returns the directories of the session besides the workspace.
func (r *project) furtherDirs() (list []string) {
	for _, root := range r.roots.further() {
		if root.ReadOnly {
			root.Dir += " (read-only)"
		}
		list = append(list, root.Dir)
	}
	return list
}

// furtherRootsText tells the model which roots there are besides the first one; "" for none.
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

// withoutCall returns an error about a path without the name of the system call.
func withoutCall(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return err
}
