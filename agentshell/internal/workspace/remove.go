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
	if err == nil && out.same(c.change.Base) {
		c.displaced = f
		return nil
	}
	if f != nil {
		f.Close()
	}
	return c.undoRemoval(err)
}

// recheckRemoved checks the renamed file again, for an edit through a descriptor that was open
// before.
func (c *commit) recheckRemoved() error {
	out, err := readFileState(c.displaced)
	if err == nil && out.same(c.change.Base) && c.pathUnchanged() {
		return nil
	}
	return c.undoRemoval(err)
}

// undoRemoval gives the target its name back. cause is the error of reading the renamed file, nil
// if the file was not the base.
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

func (c *commit) deleteRemoved() error {
	if err := c.parent.removeIfExists(c.removedName); err != nil {
		c.reportLeftFile(c.removedName, "The file", err)
	}
	if e, err := statFile(c.displaced); err == nil && e.links >= c.change.Base.Links {
		c.receipt.Split = true
	}
	c.receipt.Guard, c.receipt.Undo = Exchanged, &Undo{Path: c.change.Path, Before: c.change.Base, file: c.displaced}
	return nil
}

// pruneDirs removes the directories above the file that the change names in Prune, the deepest
// first, as long as they are empty. It is no error if one stays: somebody uses it.
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

// removeEmptyDir removes an empty directory whose path has no link. It reports whether it did.
func (l *local) removeEmptyDir(p Path) bool {
	loc, err := l.locate(p)
	if err != nil || len(loc.missing) > 0 || !loc.entry.mode.IsDir() {
		return false
	}
	parent, err := openDir(l.workspace.rootNamed(p.root).handle, loc.dir.Rel)
	if err != nil {
		return false
	}
	defer parent.close()
	return parent.id == loc.dir && parent.rmdir(p.Base()) == nil
}
