//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// replaceSteps are the steps that replace an existing file: they exchange it with a new file, and
// check the old one afterwards.
var replaceSteps = []step{
	{"opened", (*commit).compareBase},
	{"compared", (*commit).noteTemp},
	{"noted", (*commit).makeTemp},
	{"made", (*commit).fillTemp},
	{"written", (*commit).noteExchange},
	{"promised", (*commit).checkPath},
	{"checked", (*commit).exchangeTemp},
	{"exchanged", (*commit).checkDisplaced},
	{"examined", (*commit).syncParent},
	{"synced", (*commit).recheckDisplaced},
	{"settled", (*commit).deleteDisplaced},
}

// unguardedSteps are used instead of the exchange on a file system that does not support it. They
// check and then rename, so an edit in between is lost. The receipt says so.
var unguardedSteps = []step{
	{"unguarded", (*commit).checkBase},
	{"checked again", (*commit).renameTemp},
	{"renamed", (*commit).syncParent},
}

func (c *commit) compareBase() (err error) {
	var before Fingerprint
	if before, c.baseFile, err = readState(c.parent, c.change.Path.Base()); err != nil {
		return err
	}
	if !before.isSameState(c.change.Base) {
		return c.conflictError()
	}
	return nil
}

func (c *commit) exchangeTemp() error {
	err := errors.ErrUnsupported
	if !c.disk.noExchange {
		err = c.parent.exchange(c.tempName, c.change.Path.Base())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // the target was removed
		return c.conflictError()
	case isUnsupported(err):
		c.steps = unguardedSteps
		return nil
	// the call took effect all the same
	case err != nil && c.parent.isFile(c.change.Path.Base(), c.written.Dev, c.written.Ino):
		return nil
	}
	return err
}

// checkDisplaced compares the old file with the base after the exchange. Until it is known to be
// the base, the temporary name may be a file of another program.
func (c *commit) checkDisplaced() error {
	temp := c.tempName
	c.tempName = ""
	out, f, err := readState(c.parent, temp)
	if err == nil && out.isSameState(c.change.Base) {
		c.displacedFile, c.tempName = f, temp
		return nil
	}
	if f != nil {
		f.Close()
	}
	return c.undoExchange(temp, err)
}

// recheckDisplaced checks the old file again, because a program that had it open may have written
// to it.
func (c *commit) recheckDisplaced() error {
	temp := c.tempName
	c.tempName = ""
	out, err := readFileState(c.displacedFile)
	if err == nil && out.isSameState(c.change.Base) && c.pathUnchanged() {
		c.tempName = temp
		return nil
	}
	return c.undoExchange(temp, err)
}

// undoExchange puts the old file back. cause is the error of reading it, or nil if it had changed.
func (c *commit) undoExchange(temp string, cause error) error {
	if err := c.disk.restoreDisplaced(c.change.Path, c.parent, temp, c.written); err != nil {
		c.keepsNote = true
		return err
	}
	if cause != nil {
		return cause
	}
	return c.conflictError()
}

func (c *commit) syncParent() error {
	if err := c.parent.sync(); err != nil && !isUnsupported(err) {
		c.addNote("The directory could not be flushed to the disk (%v): a power failure can undo the change.", err)
	}
	return nil
}

// deleteDisplaced removes the old file. A failure is only noted, because the new file is in place.
func (c *commit) deleteDisplaced() error {
	temp := c.tempName
	c.tempName = ""
	if err := c.parent.removeIfExists(temp); err != nil {
		c.reportLeftFile(temp, "The old version of the file", err)
	}
	// A hard link that was being made during the exchange may have named the old file after the
	// last check. After its removal that is no longer possible.
	if e, err := statFile(c.displacedFile); err == nil && e.links >= c.change.Base.Links {
		c.receipt.Split = true
	}
	c.receipt.Guard, c.receipt.Undo = Exchanged, &Undo{Path: c.change.Path, Before: c.change.Base,
		file: c.displacedFile}
	return nil
}

func (c *commit) checkBase() error {
	now, f, err := readState(c.parent, c.change.Path.Base())
	if err != nil {
		return err
	}
	c.displacedFile = f
	if !now.isSameState(c.change.Base) {
		return c.conflictError()
	}
	return nil
}

func (c *commit) renameTemp() error {
	if err := c.parent.rename(c.tempName, c.change.Path.Base()); err != nil &&
		!c.parent.isFile(c.change.Path.Base(), c.written.Dev, c.written.Ino) {
		return err
	}
	c.tempName = ""
	c.receipt.Guard, c.receipt.Undo = Unguarded, &Undo{Path: c.change.Path, Before: c.change.Base,
		file: c.displacedFile}
	return nil
}

// restoreDisplaced puts the file temp back to the path p. It exchanges the two until the file that
// comes out is the one that was put in last. So if several programs write at this moment, the file
// of the last one stays. written is the state of the commit's own file. Afterwards temp does not
// exist; after an error it stays, because it has content of another program.
func (l *local) restoreDisplaced(p Path, d *dir, temp string, written Fingerprint) error {
	name := p.Base()
	for i := range 100 {
		put, f, err := readState(d, temp)
		if err == nil && i == 0 {
			// If the name no longer stands for our file, somebody wrote after us: their version is
			// the latest, and the one we displaced is older.
			if now, g, e := readState(d, name); e == nil && now.Exists && !now.isSameState(written) {
				if g != nil {
					g.Close()
				}
				if f != nil {
					l.workspace.keepUndo(&Undo{Path: p, Before: put, file: f})
				}
				return l.dropTemp(p, d, temp)
			} else if g != nil {
				g.Close()
			}
		}
		if f != nil {
			f.Close()
		}
		if err == nil {
			err = d.exchange(temp, name)
		}
		if errors.Is(err, fs.ErrNotExist) { // somebody removed our file: the one that was there before belongs there
			if err = d.renameNew(temp, name); err == nil {
				return nil
			}
		}
		if err != nil {
			return fmt.Errorf("%s has the new content now, though the commit failed, because what it replaced cannot "+
				"be put back (%w); that is at %s", p, err, path.Join(p.root, p.dir(), temp))
		}
		out, f, err := readState(d, temp)
		if err != nil { // another round could displace what was just put back
			return fmt.Errorf("%w; it was put back, but what came out cannot be looked at and stays at %s: %w",
				conflictError(p), path.Join(p.root, p.dir(), temp), err)
		}
		if out.isSameState(written) {
			// The file that was put in came out unchanged. Its descriptor stays open as an undo
			// copy: a program may still write to it.
			if f != nil {
				l.workspace.keepUndo(&Undo{Path: p, Before: written, file: f})
			}
			return l.dropTemp(p, d, temp)
		}
		if f != nil {
			f.Close()
		}
		written = put
	}
	return fmt.Errorf("%s changes all the time; one version is at %s", p, path.Join(p.root, p.dir(), temp))
}

// dropTemp removes temp after a file was put back. It returns an error if that fails.
func (l *local) dropTemp(p Path, d *dir, temp string) error {
	if err := d.removeIfExists(temp); err != nil {
		return fmt.Errorf("%w; it was not written, but the temporary file %s cannot be removed: %w", conflictError(p),
			path.Join(p.root, p.dir(), temp), err)
	}
	return nil
}
