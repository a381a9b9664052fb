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

// maxSearchedEntries is the number of entries of a repository that are searched for links.
const maxSearchedEntries = 100_000

// LeadsElsewhere reports whether the repository of the work tree top could make git read files
// outside of it: through a symbolic link, or through an objects directory that is not in borrowed.
// Links among the hooks do not count, because git only runs those. It returns true for a repository
// that cannot be read.
func LeadsElsewhere(top string, borrowed []string) bool {
	elsewhere := func(dir string) bool { return borrowsUnknown(dir, borrowed) }
	return HasLinks(top) || slices.ContainsFunc(gitDirectories(top), elsewhere)
}

// HasLinks reports whether the repository of the work tree top contains a symbolic link, except
// among its hooks.
func HasLinks(top string) bool {
	dirs := gitDirectories(top)
	return len(dirs) == 0 || slices.ContainsFunc(dirs, hasLinks)
}

// HasHook reports whether the repository of the work tree top has the hook name.
func HasHook(top, name string) bool {
	return slices.ContainsFunc(gitDirectories(top), func(dir string) bool {
		_, err := os.Lstat(filepath.Join(dir, "hooks", name))
		return !errors.Is(err, os.ErrNotExist)
	})
}

// gitDirectories returns the .git directory of the work tree top, and the one that it shares with
// other work trees. The latter must be two levels above, as git creates it. It returns none if the
// directories cannot be determined.
func gitDirectories(top string) []string {
	dir := Dir(top)
	if dir == "" {
		return nil
	}
	file := filepath.Join(dir, "commondir")
	if _, err := os.Lstat(file); errors.Is(err, os.ErrNotExist) {
		return []string{dir}
	}
	common := readTrimmed(file)
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

// hasLinks reports whether dir contains a symbolic link, except among the hooks.
func hasLinks(dir string) bool {
	entries := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if entries++; err != nil || entries > maxSearchedEntries || d.Type()&fs.ModeSymlink != 0 {
			return errLink
		}
		if path == filepath.Join(dir, "hooks") {
			return fs.SkipDir
		}
		return nil
	})
	return err != nil
}

// borrowsUnknown reports whether the repository in dir borrows objects from a directory that is not
// in known.
func borrowsUnknown(dir string, known []string) bool {
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
