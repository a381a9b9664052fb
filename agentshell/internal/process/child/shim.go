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

// ErrChosen is the error for a version manager's shim that would run a program which a file of the
// workspace names.
var ErrChosen = errors.New("is put there by a manager of versions, and a file of the workspace tells it by a path " +
	"what to run")

// managers lists version managers that are started under the names of other programs. They read
// from files in the working directory, and in those above it, which program to run.
var managers = []string{"mise", "rtx", "aqua-proxy", "proto-shim", "volta-shim"}

// IsShim reports whether the program at the absolute path is a shim of a version manager: it lies
// in a directory of shims, as mise, asdf and pyenv create them, or it is a link to the manager.
func IsShim(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return isShimDir(filepath.Dir(path)) || err == nil &&
		(isShimDir(filepath.Dir(real)) || slices.Contains(managers, filepath.Base(real)))
}

func isShimDir(dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	return filepath.Base(dir) == "shims" || err == nil && filepath.Base(real) == "shims"
}

// WithoutShims returns path, the value of a PATH, without directories of shims.
func WithoutShims(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), isShimDir)
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// versionFiles lists patterns of the files in which version managers read the versions that a
// directory wants. mise takes a path from each of them without a question, asdf from
// .tool-versions.
var versionFiles = []string{".tool-versions", ".*-version", ".nvmrc"}

// settingFiles lists patterns of the files with mise's settings.
var settingFiles = []string{"mise.toml", ".mise.toml", "mise.*.toml", ".mise.*.toml", "mise/*.toml", ".mise/*.toml",
	".config/mise.toml", ".config/mise.*.toml", ".config/mise/*.toml", ".config/mise/conf.d/*.toml"}

// maxVersionFile is the largest size, in bytes, of such a file that is read. A larger one counts as
// unreadable.
const maxVersionFile = 64 << 10

// choosesPrograms reports whether a file in dir may tell a version manager to run a program by its
// path. A file that cannot be read counts as such a file.
func choosesPrograms(dir string) bool {
	return holds(dir, versionFiles, ":") || holds(dir, settingFiles, "path", `\`)
}

// holds reports whether a file in dir that matches one of the patterns contains one of the words in
// a line that is no comment. It returns true for a file that cannot be read.
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
