package form

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File asks for the path of an existing file or directory. Tab completes it. Directories are read
// on the loop.
func File(label string, value *string) *Field[string] {
	return Text(label, value).Complete(completePath).Check(checkPath)
}

// maxCompletions is the maximum number of completions of a path.
const maxCompletions = 200

// completePath returns the paths that begin with prefix. Those of directories end with a separator.
func completePath(prefix string) (all []string) {
	dir, base := filepath.Split(prefix)
	name := dir
	if name == "" {
		name = "."
	}
	entries, _ := os.ReadDir(name) // what cannot be read has nothing to offer
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), base) || base == "" && strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := dir + e.Name()
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path += string(filepath.Separator)
		}
		if all = append(all, path); len(all) == maxCompletions {
			break
		}
	}
	return all
}

// checkPath returns an error if there is no file at path.
func checkPath(path string) error {
	_, err := os.Stat(path)
	switch p := (*fs.PathError)(nil); {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.As(err, &p):
		return p.Err
	}
	return err
}
