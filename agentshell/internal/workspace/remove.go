//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// removeSteps take the target out under a name of ours, look at what came out, and let it go. They
// are for what a person takes back: no tool of a model removes anything (FS-4).
var removeSteps = []step{
	{"opened", (*write).compare},
	{"compared", (*write).noteRemoval},
	{"noted", (*write).check},
	{"checked", (*write).takeOut},
	{"taken", (*write).examineTaken},
	{"examined", (*write).sync},
	{"synced", (*write).examineTakenAgain},
	{"settled", (*write).removeTaken},
	{"removed", (*write).prune},
}

// noteRemoval notes the name under which the target is taken out: a kill behind it completes the
// removal, or puts back what is not the base.
func (w *write) noteRemoval() error {
	w.rec.Removed = true
	if err := w.noteTemp(); err != nil {
		return err
	}
	w.taken, w.temp = w.temp, ""
	if w.note != nil {
		w.note.text.Remove = true
	}
	return w.note.put()
}

func (w *write) takeOut() error {
	name := w.c.Path.Base()
	err := w.d.renameNew(name, w.taken)
	if cannot(err) {
		err = w.d.rename(name, w.taken) // nobody else can know the name
	}
	if err != nil {
		if _, e := w.d.lstat(w.taken); e == nil { // it was made nevertheless
			return nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return w.conflict()
	}
	return err
}

func (w *write) examineTaken() error {
	out, f, err := stateOf(w.d, w.taken)
	if err == nil && out.same(w.c.Base) {
		w.out = f
		return nil
	}
	if f != nil {
		f.Close()
	}
	return w.putTaken(err)
}

// examineTakenAgain is for an edit through an old descriptor that ended meanwhile.
func (w *write) examineTakenAgain() error {
	out, err := stateOfFile(w.out)
	if err == nil && out.same(w.c.Base) && w.leads() {
		return nil
	}
	return w.putTaken(err)
}

// putTaken undoes the removal. cause is why what was taken out could not be looked at; nil: it was
// not the base.
func (w *write) putTaken(cause error) error {
	if err := w.d.putAway(w.taken, w.c.Path.Base()); err != nil {
		w.stays = true
		return fmt.Errorf("%s changed while it was removed; its content is at %s: %w", w.c.Path, w.shown(w.taken), err)
	}
	if cause != nil {
		return cause
	}
	return w.conflict()
}

// putAway gives a file its name back, unless somebody else has it by now.
func (d *dir) putAway(temp, name string) error {
	err := d.renameNew(temp, name)
	if cannot(err) {
		if err = d.link(temp, name); err == nil {
			err = d.remove(temp)
		}
	}
	return err
}

func (w *write) removeTaken() error {
	if err := w.d.drop(w.taken); err != nil {
		w.leave(w.taken, "The file", err)
	}
	if e, err := statFile(w.out); err == nil && e.links >= w.c.Base.Links {
		w.rec.Split = true
	}
	w.rec.Guard, w.rec.Undo = Exchanged, &Undo{Path: w.c.Path, Before: w.c.Base, f: w.out}
	return nil
}

// prune removes the directories that are named, the deepest first, as far as they are above the
// file and empty. One that stays is no error: it is somebody's.
func (w *write) prune() error {
	for at := w.c.Path.dir(); at != "."; at = path.Dir(at) {
		if !w.prunes(at) || !w.l.rmdir(Path{root: w.c.Path.root, rel: at, def: w.c.Path.def}) {
			return nil
		}
		w.rec.Dirs = append(w.rec.Dirs, path.Join(w.c.Path.root, at))
	}
	return nil
}

func (w *write) prunes(rel string) bool {
	for _, p := range w.c.Prune {
		if p == rel {
			return true
		}
	}
	return false
}

// rmdir removes an empty directory to which no link leads.
func (l *local) rmdir(p Path) bool {
	loc, err := l.locate(p)
	if err != nil || len(loc.missing) > 0 || !loc.entry.mode.IsDir() {
		return false
	}
	in, err := openDir(l.w.byName[p.root].h, loc.dir.Rel)
	if err != nil {
		return false
	}
	defer in.close()
	return in.id == loc.dir && in.rmdir(p.Base()) == nil
}
