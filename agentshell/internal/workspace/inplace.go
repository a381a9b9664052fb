//go:build unix

package workspace

import "fmt"

// inPlaceSteps are the steps that overwrite an existing file, for a file with several hard links
// whose other names shall change too (FS-65). The file is checked and then written, so another
// program can write in between. The write is not atomic: the journal has both texts, and the next
// start completes an interrupted write.
var inPlaceSteps = []step{
	{"opened", (*commit).openTarget},
	{"compared", (*commit).noteTexts},
	{"noted", (*commit).checkPath},
	{"checked", (*commit).overwrite},
	{"overwritten", (*commit).truncate},
	{"shortened", (*commit).syncTarget},
}

func (c *commit) openTarget() (err error) {
	if c.tempFile, err = c.parent.openWrite(c.change.Path.Base()); err != nil {
		return err
	}
	now, err := readFileState(c.tempFile)
	if err != nil {
		return err
	}
	if !now.isSameState(c.change.Base) {
		return c.conflictError()
	}
	return nil
}

func (c *commit) overwrite() error {
	return c.restoreAfter(c.parent.call("overwrite", func() error {
		_, err := c.tempFile.WriteAt(c.change.Data, 0)
		return err
	}))
}

func (c *commit) truncate() error {
	return c.restoreAfter(c.parent.call("shorten",
		func() error { return c.tempFile.Truncate(int64(len(c.change.Data))) }))
}

// restoreAfter writes the old text again if cause, the error of a write, is not nil.
func (c *commit) restoreAfter(cause error) error {
	if cause == nil {
		return nil
	}
	err := c.parent.call("restore", func() error {
		if _, err := c.tempFile.WriteAt(c.oldText, 0); err != nil {
			return err
		}
		return c.tempFile.Truncate(int64(len(c.oldText)))
	})
	if err == nil {
		return cause
	}
	c.keepsNote = true
	return fmt.Errorf("%s is torn: writing it in place failed (%w), and so did giving it its old text again (%w); "+
		"the next start completes the write", c.change.Path, cause, err)
}

func (c *commit) syncTarget() error {
	c.receipt.Guard = Unguarded
	if err := c.parent.call("flush", c.tempFile.Sync); err != nil {
		c.addNote("The file could not be flushed to the disk (%v): a power failure can undo the change.", err)
	}
	e, err := statFile(c.tempFile)
	if err != nil {
		return err
	}
	c.written = fingerprintOf(e, c.change.Data, DirID{})
	return nil
}
