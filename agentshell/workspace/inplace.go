//go:build unix

package workspace

// inPlaceSteps write into the existing file, for a hard-linked one whose other names shall see it too (FS-65). Checked, then written: unguarded.
// It is not atomic: the journal has both texts, so that what a kill tore is made whole at the next start.
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
	_, err := w.tmp.WriteAt(w.c.Data, 0)
	return err
}

func (w *write) shorten() error { return w.tmp.Truncate(int64(len(w.c.Data))) }

func (w *write) syncTarget() (err error) {
	if err = w.tmp.Sync(); err != nil {
		return err
	}
	w.rec.Guard = Unguarded
	w.ours, err = stateOfFile(w.tmp)
	return err
}
