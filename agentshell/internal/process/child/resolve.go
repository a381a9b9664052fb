package child

import (
	"os"
	"path/filepath"
	"strings"
)

// ResolveProgram returns the link-free path of the file that a name would run in an absolute
// directory, with the value of a PATH; "" if there is none. A path need not exist: then it is the
// file that would be there.
func ResolveProgram(search, dir, name string) string {
	const slash = string(filepath.Separator)
	if strings.Contains(name, slash) {
		return realPath(within(dir, name))
	}
	for _, entry := range filepath.SplitList(search) {
		path := within(dir, entry) + slash + name
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return realPath(path)
		}
	}
	return ""
}

// within returns a name as it stands in dir. A link may stand before a .., so that nothing is
// cleaned.
func within(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return dir + string(filepath.Separator) + name
}

// realPath returns a path without links, "" if its directory cannot be looked at.
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
