package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// maxEntries is how many entries of a repository are looked at for links.
const maxEntries = 100_000

// LeadsElsewhere reports whether the repository of top may have git read what lies outside of it:
// by a symbolic link, or by a directory of objects that it borrows from and that is not in
// borrowed. Links of hooks do not count, since git only runs those. A repository that cannot be
// looked at counts.
func LeadsElsewhere(top string, borrowed []string) bool {
	elsewhere := func(dir string) bool { return borrows(dir, borrowed) }
	return HasLinks(top) || slices.ContainsFunc(directories(top), elsewhere)
}

// HasLinks reports whether git may find a symbolic link in the repository of top, besides hooks.
func HasLinks(top string) bool {
	dirs := directories(top)
	return len(dirs) == 0 || slices.ContainsFunc(dirs, hasLinks)
}

// HasHook reports whether the repository of top has a hook of that name.
func HasHook(top, name string) bool {
	return slices.ContainsFunc(directories(top), func(dir string) bool {
		_, err := os.Lstat(filepath.Join(dir, "hooks", name))
		return !errors.Is(err, os.ErrNotExist)
	})
}

// directories returns the directory of the repository in top, and the one that it shares with other
// work trees, which has to be the one two levels above, as git makes it. It returns none if that
// cannot be told.
func directories(top string) []string {
	dir := Dir(top)
	if dir == "" {
		return nil
	}
	file := filepath.Join(dir, "commondir")
	if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
		return []string{dir}
	}
	common := trimmedFile(file)
	if !filepath.IsAbs(common) {
		common = filepath.Join(dir, common)
	}
	trees := filepath.Dir(dir)
	if filepath.Base(trees) != "worktrees" || filepath.Clean(common) != filepath.Dir(trees) {
		return nil
	}
	return []string{dir, common}
}

var errLink = errors.New("a link")

// hasLinks reports whether git may find a symbolic link in dir, besides those of its hooks.
func hasLinks(dir string) bool {
	entries := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if entries++; err != nil || entries > maxEntries || d.Type()&fs.ModeSymlink != 0 {
			return errLink
		}
		if path == filepath.Join(dir, "hooks") {
			return fs.SkipDir
		}
		return nil
	})
	return err != nil
}

// borrows reports whether the objects of the repository in dir come from a directory besides those
// that are known.
func borrows(dir string, known []string) bool {
	text, err := regular.ReadFile(filepath.Join(dir, "objects", "info", "alternates"))
	if errors.Is(err, os.ErrNotExist) {
		return false
	}
	if err != nil {
		return true
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !slices.Contains(known, strings.Trim(line, `"`)) {
			return true
		}
	}
	return false
}
