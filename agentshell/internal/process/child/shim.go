package child

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/regular"
)

// ErrChosen says that a manager of versions would run what a file of the workspace names.
var ErrChosen = errors.New("is put there by a manager of versions, and a file of the workspace tells it by a path " +
	"what to run")

// managers are programs that run others under the names of those. Which, they read from files of
// the working directory and of those above it.
var managers = []string{"mise", "rtx", "aqua-proxy", "proto-shim", "volta-shim"}

// IsShim reports whether a program was put there by a manager of versions: it stands in a folder of
// shims, as mise, asdf and pyenv make it, or it is a link to the manager. path is absolute.
func IsShim(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return isShimDir(filepath.Dir(path)) || err == nil &&
		(isShimDir(filepath.Dir(real)) || slices.Contains(managers, filepath.Base(real)))
}

func isShimDir(dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	return filepath.Base(dir) == "shims" || err == nil && filepath.Base(real) == "shims"
}

// WithoutShims returns the value of a PATH without folders of shims.
func WithoutShims(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), isShimDir)
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// versionFiles are the files by which managers of versions know what a directory wants. mise takes
// a path from each of them without a question, and asdf from the first.
var versionFiles = []string{".tool-versions", ".*-version", ".nvmrc"}

// settingFiles are files with settings of mise.
var settingFiles = []string{"mise.toml", ".mise.toml", "mise.*.toml", ".mise.*.toml", "mise/*.toml", ".mise/*.toml",
	".config/mise.toml", ".config/mise.*.toml", ".config/mise/*.toml", ".config/mise/conf.d/*.toml"}

// maxVersionFile is the size in bytes of the longest of these files that is looked at.
const maxVersionFile = 64 << 10

// choosesPrograms reports whether a file in dir may tell a manager of versions to run a program by
// its path. What cannot be read counts as such a file.
func choosesPrograms(dir string) bool {
	return holds(dir, versionFiles, ":") || holds(dir, settingFiles, "path", `\`)
}

// holds reports whether one of the files has one of the words, outside of comments.
func holds(dir string, patterns []string, words ...string) bool {
	for _, pattern := range patterns {
		found, _ := fs.Glob(os.DirFS(dir), pattern)
		for _, name := range found {
			f, err := regular.Open(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				return true
			}
			data, err := io.ReadAll(io.LimitReader(f, maxVersionFile+1))
			if _ = f.Close(); err != nil || len(data) > maxVersionFile {
				return true
			}
			for line := range strings.Lines(string(data)) {
				if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(line, w) }) &&
					!strings.HasPrefix(strings.TrimSpace(line), "#") {
					return true
				}
			}
		}
	}
	return false
}
