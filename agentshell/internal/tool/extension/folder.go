package extension

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// These constants limit the folder of an extension that is part of a workspace.
const (
	maxFolderFiles = 1000
	maxFolderBytes = 64 << 20
)

// Digest returns a hash of all files in a folder: their names, their executable bits and their
// contents. It fails for a folder that contains links or other special files.
func Digest(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	sum, files, left := sha256.New(), 0, int64(maxFolderBytes)
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no regular file; links are not followed", path)
		}
		if files++; files > maxFolderFiles {
			return fmt.Errorf("it has more than %d files", maxFolderFiles)
		}
		f, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return errors.Join(err, fmt.Errorf("%s is no regular file", path))
		}
		fmt.Fprintf(sum, "%d %s %v %d ", len(path), path, info.Mode().Perm()&0o111 != 0, info.Size())
		n, err := io.Copy(sum, io.LimitReader(f, left+1))
		if left -= n; left < 0 {
			return fmt.Errorf("it has more than %d MiB", maxFolderBytes>>20)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
