//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// createSteps create the missing directories, write a temporary file and link it to the target's
// name, which is free.
var createSteps = []step{
	{"opened", (*commit).noteTemp},
	{"noted", (*commit).makeDirs},
	{"placed", (*commit).makeTemp},
	{"made", (*commit).fillTemp},
	{"written", (*commit).checkPath},
	{"checked", (*commit).linkTarget},
	{"linked", (*commit).confirmPath},
	{"confirmed", (*commit).unlinkTemp},
	{"unlinked", (*commit).syncDirs},
}

func (w *commit) makeDirs() error {
	w.receipt.Created = true
	for _, part := range w.place.missing[:len(w.place.missing)-1] {
		if err := w.parent.mkdir(part); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return w.conflictError()
			}
			w.keepsNote = true // the directory may exist all the same; the next start removes it if it is empty
			return err
		}
		w.madeDirs = append(w.madeDirs, madeDir{w.parent, part})
		rel := path.Join(w.parent.id.Rel, part)
		sub, err := w.parent.openSub(part, rel)
		if err != nil {
			return err
		}
		w.openDirs = append(w.openDirs, sub)
		w.parent = sub
		w.receipt.Dirs = append(w.receipt.Dirs, path.Join(w.change.Path.root, rel))
	}
	return nil
}

func (w *commit) linkTarget() error {
	name := w.change.Path.Base()
	w.receipt.Guard = Linked
	err := w.parent.link(w.tempName, name)
	if err != nil && w.parent.isFile(name, w.written.Dev, w.written.Ino) { // the call took effect all the same
		return nil
	}
	if isLinkUnsupported(err) {
		if err = w.parent.renameNew(w.tempName, name); isUnsupported(err) {
			w.receipt.Guard = Unguarded
			if _, e := w.parent.lstat(name); !errors.Is(e, fs.ErrNotExist) {
				return w.conflictError()
			}
			err = w.parent.rename(w.tempName, name)
		}
		if err != nil && w.parent.isFile(name, w.written.Dev, w.written.Ino) {
			err = nil
		}
		if err == nil {
			w.tempName = ""
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return w.conflictError()
	}
	return err
}

// confirmPath removes the new name again if the path leads elsewhere by now.
func (w *commit) confirmPath() error {
	if w.pathUnchanged() {
		return nil
	}
	name := w.change.Path.Base()
	if w.parent.isFile(name, w.written.Dev, w.written.Ino) {
		if err := w.parent.removeIfExists(name); err != nil {
			return fmt.Errorf("%s was made in a directory that was moved meanwhile, and cannot be removed there: %w",
				w.change.Path, err)
		}
	}
	return w.conflictError()
}

func (w *commit) unlinkTemp() error {
	if w.tempName == "" {
		return nil
	}
	temp := w.tempName
	w.tempName = ""
	if err := w.parent.removeIfExists(temp); err != nil {
		w.reportLeftFile(temp, "A second name of the file", err)
	}
	return nil
}

func (w *commit) syncDirs() error {
	dirs := []*dir{w.parent}
	for _, m := range slices.Backward(w.madeDirs) {
		dirs = append(dirs, m.parent)
	}
	for _, d := range dirs {
		if err := d.sync(); err != nil && !isUnsupported(err) {
			w.addNote("The directory could not be flushed to the disk (%v): a power failure can undo the change.", err)
			break
		}
	}
	return nil
}
