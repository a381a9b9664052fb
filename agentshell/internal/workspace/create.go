//go:build unix

package workspace

import (
	"errors"
	"fmt"
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
			w.stays = true // it may be there nevertheless; the next start removes it if it is empty
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
	if err != nil && w.d.is(name, w.ours.Dev, w.ours.Ino) { // it was made nevertheless
		return nil
	}
	if noLink(err) {
		if err = w.d.renameNew(w.temp, name); cannot(err) {
			w.rec.Guard = Unguarded
			if _, e := w.d.lstat(name); !errors.Is(e, fs.ErrNotExist) {
				return w.conflict()
			}
			err = w.d.rename(w.temp, name)
		}
		if err != nil && w.d.is(name, w.ours.Dev, w.ours.Ino) {
			err = nil
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
	if w.d.is(name, w.ours.Dev, w.ours.Ino) {
		if err := w.d.drop(name); err != nil {
			return fmt.Errorf("%s was made in a directory that was moved meanwhile, and cannot be removed there: %w",
				w.c.Path, err)
		}
	}
	return w.conflict()
}

func (w *write) unlink() error {
	if w.temp == "" {
		return nil
	}
	temp := w.temp
	w.temp = ""
	if err := w.d.drop(temp); err != nil {
		w.leave(temp, "A second name of the file", err)
	}
	return nil
}

func (w *write) syncAll() error {
	dirs := []*dir{w.d}
	for _, m := range slices.Backward(w.made) {
		dirs = append(dirs, m.in)
	}
	for _, d := range dirs {
		if err := d.sync(); err != nil && !cannot(err) {
			w.say("The directory could not be flushed to the disk (%v): a power failure can undo the change.", err)
			break
		}
	}
	return nil
}
