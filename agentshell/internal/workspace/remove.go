//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// removeSteps are the steps that remove a file: they rename it to a temporary name, check that it
// is in the base state, and remove it. They run when the user undoes the creation of a file. No
// tool of a model removes files (FS-4).
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

// noteRemoval notes the temporary name of the file. After a kill the next start completes the
// removal, or restores the file if it has changed.
func (c *commit) noteRemoval() error {
	c.receipt.Removed = true
	if err := c.noteTemp(); err != nil {
		return err
	}
	c.removedName, c.tempName = c.tempName, ""
	if c.note != nil {
		c.note.text.Remove = true
	}
	return c.note.save()
}

func (c *commit) renameAway() error {
	name := c.change.Path.Base()
	err := c.parent.renameNew(name, c.removedName)
	if isUnsupported(err) {
		err = c.parent.rename(name, c.removedName) // nobody else can know the name
	}
	if err != nil {
		if _, e := c.parent.lstat(c.removedName); e == nil { // the call took effect all the same
			return nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return c.conflictError()
	}
	return err
}

func (c *commit) checkRemoved() error {
	out, f, err := readState(c.parent, c.removedName)
	if err == nil && out.isSameState(c.change.Base) {
		c.displacedFile = f
		return nil
	}
	if f != nil {
		f.Close()
	}
	return c.undoRemoval(err)
}

// recheckRemoved checks the renamed file again, because a program that had it open may have written
// to it.
func (c *commit) recheckRemoved() error {
	out, err := readFileState(c.displacedFile)
	if err == nil && out.isSameState(c.change.Base) && c.pathUnchanged() {
		return nil
	}
	return c.undoRemoval(err)
}

// undoRemoval gives the file its name back. cause is the error of reading the renamed file, or nil
// if the file had changed.
func (c *commit) undoRemoval(cause error) error {
	if err := c.parent.renameBack(c.removedName, c.change.Path.Base()); err != nil {
		c.keepsNote = true
		return fmt.Errorf("%s changed while it was removed; its content is at %s: %w", c.change.Path,
			c.displayName(c.removedName), err)
	}
	if cause != nil {
		return cause
	}
	return c.conflictError()
}

// renameBack renames temp to name. It fails if name exists.
func (d *dir) renameBack(temp, name string) error {
	err := d.renameNew(temp, name)
	if isUnsupported(err) {
		if err = d.link(temp, name); err == nil {
			err = d.remove(temp)
		}
	}
	return err
}

func (c *commit) deleteRemoved() error {
	if err := c.parent.removeIfExists(c.removedName); err != nil {
		c.reportLeftFile(c.removedName, "The file", err)
	}
	if e, err := statFile(c.displacedFile); err == nil && e.links >= c.change.Base.Links {
		c.receipt.Split = true
	}
	c.receipt.Guard, c.receipt.Undo = Exchanged, &Undo{Path: c.change.Path, Before: c.change.Base,
		file: c.displacedFile}
	return nil
}

// pruneDirs removes the directories in Change.Prune that contained the file, the deepest first, as
// long as they are empty. A directory that stays is no error.
func (c *commit) pruneDirs() error {
	for at := c.change.Path.dir(); at != "."; at = path.Dir(at) {
		if !c.shallPrune(at) || !c.disk.removeEmptyDir(Path{root: c.change.Path.root, rel: at,
			isDefault: c.change.Path.isDefault}) {
			return nil
		}
		c.receipt.Dirs = append(c.receipt.Dirs, path.Join(c.change.Path.root, at))
	}
	return nil
}

func (c *commit) shallPrune(rel string) bool {
	for _, p := range c.change.Prune {
		if p == rel {
			return true
		}
	}
	return false
}

// removeEmptyDir removes an empty directory whose path contains no link. It returns false if it did
// not.
func (l *local) removeEmptyDir(p Path) bool {
	loc, err := l.locate(p)
	if err != nil || len(loc.missingNames) > 0 || !loc.entry.mode.IsDir() {
		return false
	}
	parent, err := openDir(l.workspace.rootNamed(p.root).handle, loc.dir.Rel)
	if err != nil {
		return false
	}
	defer parent.close()
	return parent.id == loc.dir && parent.rmdir(p.Base()) == nil
}
