//go:build unix

package workspace

import "fmt"

// inPlaceSteps overwrite the existing file. They are for a file with several hard links, when the
// other names have to show the new content too (FS-65). The file is checked and then written, so
// another program can write in between. The write is not atomic: the journal has both texts, and
// the next start completes a write that was interrupted.
var inPlaceSteps = []step{
	{"opened", (*commit).openTarget},
	{"compared", (*commit).noteTexts},
	{"noted", (*commit).checkPath},
	{"checked", (*commit).overwrite},
	{"overwritten", (*commit).truncate},
	{"shortened", (*commit).syncTarget},
}

func (w *commit) openTarget() (err error) {
	if w.tempFile, err = w.parent.openWrite(w.change.Path.Base()); err != nil {
		return err
	}
	now, err := readFileState(w.tempFile)
	if err != nil {
		return err
	}
	if !now.same(w.change.Base) {
		return w.conflictError()
	}
	return nil
}

func (w *commit) overwrite() error {
	return w.restoreAfter(w.parent.call("overwrite", func() error {
		_, err := w.tempFile.WriteAt(w.change.Data, 0)
		return err
	}))
}

func (w *commit) truncate() error {
	return w.restoreAfter(w.parent.call("shorten",
		func() error { return w.tempFile.Truncate(int64(len(w.change.Data))) }))
}

// restoreAfter writes the old text again if cause, the error of a write, is not nil.
func (w *commit) restoreAfter(cause error) error {
	if cause == nil {
		return nil
	}
	err := w.parent.call("restore", func() error {
		if _, err := w.tempFile.WriteAt(w.oldText, 0); err != nil {
			return err
		}
		return w.tempFile.Truncate(int64(len(w.oldText)))
	})
	if err == nil {
		return cause
	}
	w.keepsNote = true
	return fmt.Errorf("%s is torn: writing it in place failed (%w), and so did giving it its old text again (%w); "+
		"the next start completes the write", w.change.Path, cause, err)
}

func (w *commit) syncTarget() error {
	w.receipt.Guard = Unguarded
	if err := w.parent.call("flush", w.tempFile.Sync); err != nil {
		w.addNote("The file could not be flushed to the disk (%v): a power failure can undo the change.", err)
	}
	e, err := statFile(w.tempFile)
	if err != nil {
		return err
	}
	w.written = fingerprintOf(e, w.change.Data, DirID{})
	return nil
}
