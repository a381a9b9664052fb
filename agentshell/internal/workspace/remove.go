//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// removeSteps rename the target to a temporary name, check that it is the base, and remove it. They
// are for a person who undoes the creation of a file: no tool of a model removes anything (FS-4).
var removeSteps = []step{
	{"opened", (*commit).compareBase},
	{"compared", (*commit).noteRemoval},
	{"noted", (*commit).checkPath},
	{"checked", (*commit).renameAway},
	{"taken", (*commit).checkRemoved},
	{"examined", (*commit).syncParent},
	{"synced", (*commit).recheckRemoved},
	{"settled", (*commit).deleteRemoved},
	{"removed", (*commit).pruneDirs},
}

// noteRemoval notes the temporary name of the target. After a kill the next start completes the
// removal, or puts the file back if it is not the base.
func (w *commit) noteRemoval() error {
	w.receipt.Removed = true
	if err := w.noteTemp(); err != nil {
		return err
	}
	w.removedName, w.tempName = w.tempName, ""
	if w.note != nil {
		w.note.text.Remove = true
	}
	return w.note.save()
}

func (w *commit) renameAway() error {
	name := w.change.Path.Base()
	err := w.parent.renameNew(name, w.removedName)
	if isUnsupported(err) {
		err = w.parent.rename(name, w.removedName) // nobody else can know the name
	}
	if err != nil {
		if _, e := w.parent.lstat(w.removedName); e == nil { // the call took effect all the same
			return nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return w.conflictError()
	}
	return err
}

func (w *commit) checkRemoved() error {
	out, f, err := readState(w.parent, w.removedName)
	if err == nil && out.same(w.change.Base) {
		w.displaced = f
		return nil
	}
	if f != nil {
		f.Close()
	}
	return w.undoRemoval(err)
}

// recheckRemoved checks the renamed file again, for an edit through a descriptor that was open
// before.
func (w *commit) recheckRemoved() error {
	out, err := readFileState(w.displaced)
	if err == nil && out.same(w.change.Base) && w.pathUnchanged() {
		return nil
	}
	return w.undoRemoval(err)
}

// undoRemoval gives the target its name back. cause is the error of reading the renamed file, nil
// if the file was not the base.
func (w *commit) undoRemoval(cause error) error {
	if err := w.parent.renameBack(w.removedName, w.change.Path.Base()); err != nil {
		w.keepsNote = true
		return fmt.Errorf("%s changed while it was removed; its content is at %s: %w", w.change.Path,
			w.displayName(w.removedName), err)
	}
	if cause != nil {
		return cause
	}
	return w.conflictError()
}

// renameBack renames temp to name, unless name exists by now.
func (d *dir) renameBack(temp, name string) error {
	err := d.renameNew(temp, name)
	if isUnsupported(err) {
		if err = d.link(temp, name); err == nil {
			err = d.remove(temp)
		}
	}
	return err
}

func (w *commit) deleteRemoved() error {
	if err := w.parent.removeIfExists(w.removedName); err != nil {
		w.reportLeftFile(w.removedName, "The file", err)
	}
	if e, err := statFile(w.displaced); err == nil && e.links >= w.change.Base.Links {
		w.receipt.Split = true
	}
	w.receipt.Guard, w.receipt.Undo = Exchanged, &Undo{Path: w.change.Path, Before: w.change.Base, file: w.displaced}
	return nil
}

// pruneDirs removes the directories above the file that the change names in Prune, the deepest
// first, as long as they are empty. It is no error if one stays: somebody uses it.
func (w *commit) pruneDirs() error {
	for at := w.change.Path.dir(); at != "."; at = path.Dir(at) {
		if !w.shallPrune(at) || !w.disk.removeEmptyDir(Path{root: w.change.Path.root, rel: at,
			isDefault: w.change.Path.isDefault}) {
			return nil
		}
		w.receipt.Dirs = append(w.receipt.Dirs, path.Join(w.change.Path.root, at))
	}
	return nil
}

func (w *commit) shallPrune(rel string) bool {
	for _, p := range w.change.Prune {
		if p == rel {
			return true
		}
	}
	return false
}

// removeEmptyDir removes an empty directory whose path has no link. It reports whether it did.
func (l *local) removeEmptyDir(p Path) bool {
	loc, err := l.locate(p)
	if err != nil || len(loc.missing) > 0 || !loc.entry.mode.IsDir() {
		return false
	}
	parent, err := openDir(l.workspace.byName[p.root].handle, loc.dir.Rel)
	if err != nil {
		return false
	}
	defer parent.close()
	return parent.id == loc.dir && parent.rmdir(p.Base()) == nil
}
