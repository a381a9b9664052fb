package child

import (
	"os"
	"path/filepath"
	"strings"
)

// ResolveProgram returns the path, with links resolved, of the file that a name runs in the
// absolute directory dir. search is the value of a PATH. It is "" if there is no such file. A name
// that is a path need not exist: the result is the file that would be there.
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

// joinUncleaned returns name relative to dir. It does not clean the path, because there may be a
// link before a "..".
func joinUncleaned(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return dir + string(filepath.Separator) + name
}

// realPath returns path with its links resolved, "" if its directory cannot be read.
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
