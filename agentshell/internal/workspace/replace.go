//go:build unix

package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// replaceSteps exchange the target with a new file and look at what came out.
var replaceSteps = []step{
	{"opened", (*write).compare},
	{"compared", (*write).noteTemp},
	{"noted", (*write).make},
	{"made", (*write).fill},
	{"written", (*write).noteExchange},
	{"promised", (*write).check},
	{"checked", (*write).exchange},
	{"exchanged", (*write).examine},
	{"examined", (*write).sync},
	{"synced", (*write).examineAgain},
	{"settled", (*write).removeOld},
}

// unguardedSteps take the place of the exchange where the file system has none: check, rename, and
// say so. An edit between the two is lost.
var unguardedSteps = []step{
	{"unguarded", (*write).checkBase},
	{"checked again", (*write).rename},
	{"renamed", (*write).sync},
}

func (w *write) compare() (err error) {
	var before Fingerprint
	if before, w.old, err = stateOf(w.d, w.c.Path.Base()); err != nil {
		return err
	}
	if !before.same(w.c.Base) {
		return w.conflict()
	}
	return nil
}

func (w *write) exchange() error {
	err := errors.ErrUnsupported
	if !w.l.noExchange {
		err = w.d.exchange(w.temp, w.c.Path.Base())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // the target was removed
		return w.conflict()
	case cannot(err):
		w.todo = unguardedSteps
		return nil
	case err != nil && w.d.is(w.c.Path.Base(), w.ours.Dev, w.ours.Ino): // it was made nevertheless
		return nil
	}
	return err
}

// examine looks at what came out. From here the temporary name holds somebody else's file until it
// is proven to be the base.
func (w *write) examine() error {
	temp := w.temp
	w.temp = ""
	out, f, err := stateOf(w.d, temp)
	if err == nil && out.same(w.c.Base) {
		w.out, w.temp = f, temp
		return nil
	}
	if f != nil {
		f.Close()
	}
	return w.giveBack(temp, err)
}

// examineAgain is for an edit through an old descriptor that ended meanwhile.
func (w *write) examineAgain() error {
	temp := w.temp
	w.temp = ""
	out, err := stateOfFile(w.out)
	if err == nil && out.same(w.c.Base) && w.leads() {
		w.temp = temp
		return nil
	}
	return w.giveBack(temp, err)
}

// giveBack undoes the exchange. cause is why what came out could not be looked at; nil: it was not
// the base.
func (w *write) giveBack(temp string, cause error) error {
	if err := w.l.putBack(w.c.Path, w.d, temp, w.ours); err != nil {
		w.stays = true
		return err
	}
	if cause != nil {
		return cause
	}
	return w.conflict()
}

func (w *write) sync() error {
	if err := w.d.sync(); err != nil && !cannot(err) {
		w.say("The directory could not be flushed to the disk (%v): a power failure can undo the change.", err)
	}
	return nil
}

// removeOld lets the old file go. The new one is in its place already, so it is no failure that it
// stays.
func (w *write) removeOld() error {
	temp := w.temp
	w.temp = ""
	if err := w.d.drop(temp); err != nil {
		w.leave(temp, "The old version of the file", err)
	}
	// A link that was being made while we exchanged may have taken the old file after the last
	// look; after the removal it cannot any more.
	if e, err := statFile(w.out); err == nil && e.links >= w.c.Base.Links {
		w.rec.Split = true
	}
	w.rec.Guard, w.rec.Undo = Exchanged, &Undo{Path: w.c.Path, Before: w.c.Base, f: w.out}
	return nil
}

func (w *write) checkBase() error {
	now, f, err := stateOf(w.d, w.c.Path.Base())
	if err != nil {
		return err
	}
	w.out = f
	if !now.same(w.c.Base) {
		return w.conflict()
	}
	return nil
}

func (w *write) rename() error {
	if err := w.d.rename(w.temp, w.c.Path.Base()); err != nil && !w.d.is(w.c.Path.Base(), w.ours.Dev, w.ours.Ino) {
		return err
	}
	w.temp = ""
	w.rec.Guard, w.rec.Undo = Unguarded, &Undo{Path: w.c.Path, Before: w.c.Base, f: w.out}
	return nil
}

// putBack exchanges until what comes out is what was last put in, so that of several writers in
// this moment the last one's file is under the name. temp is gone afterwards; on an error it stays,
// because it holds somebody's content.
func (l *local) putBack(p Path, d *dir, temp string, in Fingerprint) error {
	name := p.Base()
	for i := range 100 {
		put, f, err := stateOf(d, temp)
		if err == nil && i == 0 {
			// If ours is not under the name any more, somebody wrote after us: theirs is the last
			// word, and what we took out is older.
			if now, g, e := stateOf(d, name); e == nil && now.Exists && !now.same(in) {
				if g != nil {
					g.Close()
				}
				if f != nil {
					l.w.keep(&Undo{Path: p, Before: put, f: f})
				}
				return l.dropOrSay(p, d, temp)
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
		out, f, err := stateOf(d, temp)
		if err != nil { // another round could take out what was just put back
			return fmt.Errorf("%w; it was put back, but what came out cannot be looked at and stays at %s: %w",
				conflict(p), path.Join(p.root, p.dir(), temp), err)
		}
		if out.same(in) {
			// What was put in came out again untouched. The descriptor stays open as an undo copy:
			// a writer may hold it.
			if f != nil {
				l.w.keep(&Undo{Path: p, Before: in, f: f})
			}
			return l.dropOrSay(p, d, temp)
		}
		if f != nil {
			f.Close()
		}
		in = put
	}
	return fmt.Errorf("%s changes all the time; one version is at %s", p, path.Join(p.root, p.dir(), temp))
}

// dropOrSay removes what is no longer needed after a version was put back.
func (l *local) dropOrSay(p Path, d *dir, temp string) error {
	if err := d.drop(temp); err != nil {
		return fmt.Errorf("%w; it was not written, but the temporary file %s cannot be removed: %w", conflict(p),
			path.Join(p.root, p.dir(), temp), err)
	}
	return nil
}
