package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// The names of the program's directories in the XDG base directories. Before version 0.4 they had
// the name of the module.
const (
	folderName    = "agentshell"
	oldFolderName = "scrollkeep"
)

// Dir returns the configuration directory: $XDG_CONFIG_HOME/agentshell or ~/.config/agentshell. If
// only the directory of earlier versions exists, it returns that. It returns "" if neither variable
// is set.
//
// A relative XDG_CONFIG_HOME is ignored, as the XDG specification demands. Otherwise a workspace
// could become the configuration directory.
func Dir(getenv func(string) string) string { return existingFolder(configBase(getenv)) }

// StateDir returns the directory for data that outlives a session: $XDG_STATE_HOME/agentshell or
// ~/.local/state/agentshell. The rules of [Dir] apply.
func StateDir(getenv func(string) string) string { return existingFolder(stateBase(getenv)) }

func configBase(getenv func(string) string) string {
	return xdgBase(getenv, "XDG_CONFIG_HOME", ".config")
}

func stateBase(getenv func(string) string) string {
	return xdgBase(getenv, "XDG_STATE_HOME", filepath.Join(".local", "state"))
}

// xdgBase returns the directory in the environment variable, or homeSubdir in the home directory,
// or "".
func xdgBase(getenv func(string) string, variable, homeSubdir string) string {
	if base := getenv(variable); filepath.IsAbs(base) {
		return base
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, homeSubdir)
	}
	return ""
}

// existingFolder returns the program's directory in base, or the directory of earlier versions if
// only that exists. It returns "" if base is "".
func existingFolder(base string) string {
	if base == "" {
		return ""
	}
	dir, old := filepath.Join(base, folderName), filepath.Join(base, oldFolderName)
	if isMissing(dir) && !isMissing(old) {
		return old
	}
	return dir
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// MovedFolder is a directory of an earlier version that was renamed, or could not be.
type MovedFolder struct {
	Old, New string
	Err      error // Why the directory was not renamed. It is then used under its old name.
}

// MoveOldFolders renames the directories of earlier versions to their present names, unless those
// exist. It does not rename a directory with copies of workspaces that agents have left behind,
// because records of the copies contain their paths.
func MoveOldFolders(getenv func(string) string) (list []MovedFolder) {
	for _, base := range []string{configBase(getenv), stateBase(getenv)} {
		dir := existingFolder(base)
		if dir == "" || filepath.Base(dir) != oldFolderName {
			continue
		}
		m := MovedFolder{Old: dir, New: filepath.Join(base, folderName)}
		if copies, _ := os.ReadDir(filepath.Join(dir, "copies")); len(copies) > 0 {
			m.Err = errors.New("it holds copies of workspaces; agentshell leftovers lists them")
		} else {
			m.Err = os.Rename(m.Old, m.New)
		}
		list = append(list, m)
	}
	return list
}
