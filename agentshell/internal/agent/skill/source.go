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

// Folders that people and workspaces have for other programs, too.
const (
	claudeDir = ".claude"
	agentsDir = ".agents"
)

// source gives access to the files of a folder.
type source struct {
	where  string                            // name of the folder, for notices
	kinds  []string                          // directories that are read
	list   func(dir string) []string         // returns the sorted names in a directory of the folder
	exists func(name string) bool            // reports whether a file exists, perhaps as a broken link
	read   func(name string) (string, error) // returns the text of a file of the folder
	// below returns the text of a file, which is not outside dir
	below func(dir, path string) (string, error)
	fixed bool // the text of a skill is the one that is read now
}

// personalSource returns the files of a folder of the person.
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

// listDir returns the sorted names in a directory, one more than maxEntries at most. A missing
// directory has none.
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
