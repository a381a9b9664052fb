//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
)

// createSteps are the steps for a new file: they create missing directories, write a temporary
// file, and link it to the name of the file.
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

func (c *commit) makeDirs() error {
	c.receipt.Created = true
	for _, part := range c.targetLocation.missingNames[:len(c.targetLocation.missingNames)-1] {
		if err := c.parent.mkdir(part); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return c.conflictError()
			}
			c.keepsNote = true // the directory may exist all the same; the next start removes it if it is empty
			return err
		}
		c.madeDirs = append(c.madeDirs, madeDir{c.parent, part})
		rel := path.Join(c.parent.id.Rel, part)
		sub, err := c.parent.openSub(part, rel)
		if err != nil {
			return err
		}
		c.openDirs = append(c.openDirs, sub)
		c.parent = sub
		c.receipt.Dirs = append(c.receipt.Dirs, path.Join(c.change.Path.root, rel))
	}
	return nil
}

func (c *commit) linkTarget() error {
	name := c.change.Path.Base()
	c.receipt.Guard = Linked
	err := c.parent.link(c.tempName, name)
	if err != nil && c.parent.isFile(name, c.written.Dev, c.written.Ino) { // the call took effect all the same
		return nil
	}
	if isLinkUnsupported(err) {
		if err = c.parent.renameNew(c.tempName, name); isUnsupported(err) {
			c.receipt.Guard = Unguarded
			if _, e := c.parent.lstat(name); !errors.Is(e, fs.ErrNotExist) {
				return c.conflictError()
			}
			err = c.parent.rename(c.tempName, name)
		}
		if err != nil && c.parent.isFile(name, c.written.Dev, c.written.Ino) {
			err = nil
		}
		if err == nil {
			c.tempName = ""
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return c.conflictError()
	}
	return err
}

// confirmPath removes the new file again if the path now leads to another directory.
func (c *commit) confirmPath() error {
	if c.pathUnchanged() {
		return nil
	}
	name := c.change.Path.Base()
	if c.parent.isFile(name, c.written.Dev, c.written.Ino) {
		if err := c.parent.removeIfExists(name); err != nil {
			return fmt.Errorf("%s was made in a directory that was moved meanwhile, and cannot be removed there: %w",
				c.change.Path, err)
		}
	}
	return c.conflictError()
}

func (c *commit) unlinkTemp() error {
	if c.tempName == "" {
		return nil
	}
	temp := c.tempName
	c.tempName = ""
	if err := c.parent.removeIfExists(temp); err != nil {
		c.reportLeftFile(temp, "A second name of the file", err)
	}
	return nil
}

func (c *commit) syncDirs() error {
	dirs := []*dir{c.parent}
	for _, m := range slices.Backward(c.madeDirs) {
		dirs = append(dirs, m.parent)
	}
	for _, d := range dirs {
		if err := d.sync(); err != nil && !isUnsupported(err) {
			c.addNote("The directory could not be flushed to the disk (%v): a power failure can undo the change.", err)
			break
		}
	}
	return nil
}
