package skill

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/briefing"
)

// Directories of other programs, which users and workspaces may have.
const (
	claudeDir = ".claude"
	agentsDir = ".agents"
)

// source gives access to the files of one folder, in the user's home directory or in a workspace.
type source struct {
	where  string                            // the name of the folder in notices
	kinds  []string                          // the subdirectories that are read
	list   func(dir string) []string         // returns the sorted names in a subdirectory
	exists func(name string) bool            // reports whether a file exists, even if it is a broken link
	read   func(name string) (string, error) // returns the text of a file
	// returns the text of a file that must lie inside dir, also if links lead to it
	below func(dir, path string) (string, error)
	fixed bool // the text of a skill is stored when the folder is loaded, and not read again
}

// personalSource returns the source for a folder of the user.
func personalSource(dir, where string, kinds ...string) source {
	return source{where: where, kinds: kinds,
		list: func(sub string) []string { return listDir(filepath.Join(dir, sub)) },
		exists: func(name string) bool {
			_, err := os.Lstat(filepath.Join(dir, name))
			return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
		},
		read: func(name string) (string, error) { return briefing.ReadPersonal(filepath.Join(dir, name)) },
		below: func(sub, path string) (string, error) {
			root, err := os.OpenRoot(filepath.Join(dir, sub))
			if err != nil {
				return "", errors.New("its folder cannot be opened")
			}
			defer root.Close()
			return briefing.ReadIn(root, path)
		},
	}
}

// listDir returns the first maxEntries+1 names in a directory, sorted. A missing directory has
// none.
func listDir(dir string) []string {
	d, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxEntries + 1)
	slices.Sort(names)
	return names
}
