//go:build unix

package workspace

import (
	"errors"
	"io/fs"
	"path"
	"slices"
)

// createSteps make the missing directories and link a finished file to the free name.
var createSteps = []step{
	{"opened", (*write).noteTemp},
	{"noted", (*write).directories},
	{"placed", (*write).make},
	{"made", (*write).fill},
	{"written", (*write).check},
	{"checked", (*write).link},
	{"linked", (*write).confirm},
	{"confirmed", (*write).unlink},
	{"unlinked", (*write).syncAll},
}

func (w *write) directories() error {
	w.rec.Created = true
	for _, part := range w.loc.missing[:len(w.loc.missing)-1] {
		if err := w.d.mkdir(part); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return w.conflict()
			}
			return err
		}
		w.made = append(w.made, made{w.d, part})
		rel := path.Join(w.d.id.Rel, part)
		sub, err := w.d.sub(part, rel)
		if err != nil {
			return err
		}
		w.opened = append(w.opened, sub)
		w.d = sub
		w.rec.Dirs = append(w.rec.Dirs, path.Join(w.c.Path.root, rel))
	}
	return nil
}

func (w *write) link() error {
	name := w.c.Path.Base()
	w.rec.Guard = Linked
	err := w.d.link(w.temp, name)
	if noLink(err) {
		if err = w.d.renameNew(w.temp, name); cannot(err) {
			w.rec.Guard = Unguarded
			if _, e := w.d.lstat(name); !errors.Is(e, fs.ErrNotExist) {
				return w.conflict()
			}
			err = w.d.rename(w.temp, name)
		}
		if err == nil {
			w.temp = ""
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return w.conflict()
	}
	return err
}

// confirm takes the new name away again if the path leads elsewhere by now.
func (w *write) confirm() error {
	if w.leads() {
		return nil
	}
	name := w.c.Path.Base()
	if e, err := w.d.lstat(name); err == nil && e.ino == w.ours.Ino && e.dev == w.ours.Dev {
		w.d.remove(name)
	}
	return w.conflict()
}

func (w *write) unlink() error {
	if w.temp == "" {
		return nil
	}
	err := w.d.remove(w.temp)
	w.temp = ""
	return err
}

func (w *write) syncAll() error {
	w.d.sync()
	for _, m := range slices.Backward(w.made) {
		m.in.sync()
	}
	return nil
}
