package browser

import (
	"os"
	"path/filepath"
)

// folderPattern are the names of the private folders of browsers.
const folderPattern = "scrollkeep-browser-*"

// folder is a private folder for what a browser writes. It is locked as long as it is used.
type folder struct {
	path string
	lock *os.File
}

// lockFile is in a private folder.
const lockFile = "lock"

// newFolder makes a private folder below dir, and removes those that a kill has left there.
func newFolder(dir string) (*folder, error) {
	removeLeftFolders(dir)
	path, err := os.MkdirTemp(dir, folderPattern)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a sandbox takes no links
	}
	lock, err := os.OpenFile(filepath.Join(path, lockFile), os.O_CREATE|os.O_RDWR|os.O_EXCL, 0o600)
	if err == nil {
		err = tryLock(lock)
	}
	if err != nil {
		_ = os.RemoveAll(path)
		return nil, err
	}
	return &folder{path, lock}, nil
}

// remove removes the folder.
func (f *folder) remove() {
	_ = os.RemoveAll(f.path)
	_ = f.lock.Close()
}

// removeLeftFolders removes the folders that nobody uses. Only those of this person are looked at:
// a lock of another person's folder cannot be opened for writing.
func removeLeftFolders(dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, folderPattern))
	for _, path := range paths {
		if info, err := os.Lstat(path); err != nil || !info.IsDir() {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(path, lockFile), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(lock) == nil {
			_ = os.RemoveAll(path)
		}
		_ = lock.Close()
	}
}
