//go:build unix

package workspace

import "fmt"

// inPlaceSteps write into the existing file, for a hard-linked one whose other names shall see it
// too (FS-65). Checked, then written: unguarded. It is not atomic: the journal has both texts, so
// that what a kill tore is made whole at the next start.
var inPlaceSteps = []step{
	{"opened", (*write).openTarget},
	{"compared", (*write).noteTexts},
	{"noted", (*write).check},
	{"checked", (*write).overwrite},
	{"overwritten", (*write).shorten},
	{"shortened", (*write).syncTarget},
}

func (w *write) openTarget() (err error) {
	if w.tmp, err = w.d.openWrite(w.c.Path.Base()); err != nil {
		return err
	}
	now, err := stateOfFile(w.tmp)
	if err != nil {
		return err
	}
	if !now.same(w.c.Base) {
		return w.conflict()
	}
	return nil
}

func (w *write) overwrite() error {
	return w.orRestore(w.d.do("overwrite", func() error {
		_, err := w.tmp.WriteAt(w.c.Data, 0)
		return err
	}))
}

func (w *write) shorten() error {
	return w.orRestore(w.d.do("shorten", func() error { return w.tmp.Truncate(int64(len(w.c.Data))) }))
}

// orRestore gives the file its old text again if a step of writing it failed.
func (w *write) orRestore(cause error) error {
	if cause == nil {
		return nil
	}
	err := w.d.do("restore", func() error {
		if _, err := w.tmp.WriteAt(w.was, 0); err != nil {
			return err
		}
		return w.tmp.Truncate(int64(len(w.was)))
	})
	if err == nil {
		return cause
	}
	w.stays = true
	return fmt.Errorf("%s is torn: writing it in place failed (%w), and so did giving it its old text again (%w); "+
		"the next start completes the write", w.c.Path, cause, err)
}

func (w *write) syncTarget() error {
	w.rec.Guard = Unguarded
	if err := w.d.do("flush", w.tmp.Sync); err != nil {
		w.say("The file could not be flushed to the disk (%v): a power failure can undo the change.", err)
	}
	e, err := statFile(w.tmp)
	if err != nil {
		return err
	}
	w.ours = printOf(e, w.c.Data, DirID{})
	return nil
}
