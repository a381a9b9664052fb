package child

import (
	"os"
	"path/filepath"
	"strings"
)

// ResolveProgram returns the path of the file that runs as the program name in the absolute
// directory dir. Symbolic links in the path are resolved. search is the value of a PATH. It returns
// "" if there is no such file. If name is a path, the file need not exist.
func ResolveProgram(search, dir, name string) string {
	const slash = string(filepath.Separator)
	if strings.Contains(name, slash) {
		return realPath(joinUncleaned(dir, name))
	}
	for _, entry := range filepath.SplitList(search) {
		path := joinUncleaned(dir, entry) + slash + name
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return realPath(path)
		}
	}
	return ""
}

// joinUncleaned returns the path of name relative to dir. It does not remove "..", because the
// directory before it may be a symbolic link.
func joinUncleaned(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return dir + string(filepath.Separator) + name
}

// realPath returns path with its symbolic links resolved, or "" if its directory cannot be read.
// The file itself need not exist.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir, base := filepath.Split(path)
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || base == "" {
		return ""
	}
	return filepath.Join(real, base)
}
