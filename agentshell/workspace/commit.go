//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"
)

// Commit writes a change under its condition (FS-50, FS-64).
func (l *local) Commit(ctx context.Context, c Change) (Receipt, error) {
	if r := l.w.byName[c.Path.root]; r != nil {
		defer r.lock(ctx, true)()
	}
	loc, err := l.locate(c.Path)
	if err != nil {
		return Receipt{}, err
	}
	if loc.dir != c.Base.Dir || (len(loc.missing) == 0) != c.Base.Exists {
		return Receipt{}, conflict(c.Path)
	}
	l.point("located")
	d, err := openDir(l.w.byName[c.Path.root].h, loc.dir.Rel)
	if err != nil {
		return Receipt{}, gone(c.Path, err)
	}
	defer d.close()
	if d.id != c.Base.Dir {
		return Receipt{}, conflict(c.Path)
	}
	l.point("opened")
	var rec Receipt
	switch {
	case !c.Base.Exists:
		rec, err = l.create(c, d, loc.missing)
	case c.InPlace:
		rec, err = l.overwrite(c, d)
	default:
		rec, err = l.replace(c, d)
	}
	return rec, systemError(c.Path.String(), err)
}

// gone is what it means that a directory cannot be opened that was there a moment ago: a conflict, if the path leads elsewhere now. A link out
// of the root is an error of [os.Root] that is no number of the system.
func gone(p Path, err error) error {
	var number syscall.Errno
	if !errors.As(err, &number) || number == syscall.ENOENT || number == syscall.ENOTDIR || number == syscall.ELOOP {
		return conflict(p)
	}
	return systemError(p.String(), err)
}

// leadsTo reports whether the path still goes to the directory that was written in.
func (l *local) leadsTo(p Path, id DirID) bool {
	loc, err := l.locate(p)
	return err == nil && loc.dir == id
}

// stateOf reads what a name in d stands for, never following and never blocking. A file that is not regular has no sum.
func stateOf(d *dir, name string) (Fingerprint, *os.File, error) {
	e, err := d.lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Fingerprint{}, nil, nil
	}
	if err != nil {
		return Fingerprint{}, nil, err
	}
	if !e.mode.IsRegular() {
		return Fingerprint{Exists: true, Mode: e.mode, Dev: e.dev, Ino: e.ino}, nil, nil
	}
	f, err := d.open(name)
	if err != nil {
		return Fingerprint{}, nil, err
	}
	print, err := stateOfFile(f)
	if err != nil {
		f.Close()
		return Fingerprint{}, nil, err
	}
	return print, f, nil
}

func stateOfFile(f *os.File) (Fingerprint, error) {
	e, err := statFile(f)
	if err != nil {
		return Fingerprint{}, err
	}
	if e.size > maxStream {
		return Fingerprint{Exists: true, Mode: e.mode, Dev: e.dev, Ino: e.ino, Size: e.size}, nil
	}
	if _, err := f.Seek(0, 0); err != nil {
		return Fingerprint{}, err
	}
	data, err := readAll(context.Background(), f, e.size, maxStream)
	if err != nil {
		return Fingerprint{}, err
	}
	return printOf(e, data, DirID{}), nil
}

// replace exchanges the target with a new file and looks at what came out.
func (l *local) replace(c Change, d *dir) (Receipt, error) {
	name := c.Path.Base()
	before, old, err := stateOf(d, name)
	if err != nil {
		return Receipt{}, err
	}
	if old != nil {
		defer func() {
			if old != nil {
				old.Close()
			}
		}()
	}
	if !before.same(c.Base) {
		return Receipt{}, conflict(c.Path)
	}
	tmp, err := d.create(0o600)
	if err != nil {
		return Receipt{}, err
	}
	defer tmp.Close()
	temp := tmp.Name()
	remove := true
	defer func() {
		if remove {
			d.remove(temp)
		}
	}()
	if err := fill(tmp, c, old); err != nil {
		return Receipt{}, err
	}
	ours, err := stateOfFile(tmp)
	if err != nil {
		return Receipt{}, err
	}
	l.point("written")
	if !l.leadsTo(c.Path, d.id) {
		return Receipt{}, conflict(c.Path)
	}
	l.point("checked")

	err = errors.ErrUnsupported
	if !l.noExchange {
		err = d.exchange(temp, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // the target was removed
		return Receipt{}, conflict(c.Path)
	case cannot(err):
		return l.rename(c, d, temp, ours)
	case err != nil:
		return Receipt{}, err
	}
	l.point("exchanged")
	// From here the temporary name holds somebody else's file until it is proven to be the base.
	remove = false
	out, f, err := stateOf(d, temp)
	if err == nil && out.same(c.Base) {
		d.sync()
		l.point("synced")
		out, err = stateOfFile(f) // an edit through an old descriptor may have ended meanwhile
	}
	if err != nil || !out.same(c.Base) || !l.leadsTo(c.Path, d.id) {
		if f != nil {
			f.Close()
		}
		if err := l.putBack(c.Path, d, temp, ours); err != nil {
			return Receipt{}, err
		}
		return Receipt{}, conflict(c.Path)
	}
	l.point("settled")
	if err := d.remove(temp); err != nil {
		f.Close()
		return Receipt{}, fmt.Errorf("the old file is left at %s: %w", path.Join(c.Path.root, c.Path.dir(), temp), err)
	}
	ours.Dir = d.id
	return Receipt{Path: c.Path, Print: ours, Guard: Exchanged, Undo: &Undo{Path: c.Path, Before: c.Base, f: f}}, nil
}

// putBack exchanges until what comes out is what was last put in, so that of several writers in this moment the last one's file is under the
// name. temp is gone afterwards; on an error it stays, because it holds somebody's content.
func (l *local) putBack(p Path, d *dir, temp string, in Fingerprint) error {
	name := p.Base()
	for i := range 100 {
		put, f, err := stateOf(d, temp)
		if err == nil && i == 0 {
			// If ours is not under the name any more, somebody wrote after us: theirs is the last word, and what we took out is older.
			if now, g, e := stateOf(d, name); e == nil && now.Exists && !now.same(in) {
				if g != nil {
					g.Close()
				}
				if f != nil {
					l.w.keep(&Undo{Path: p, Before: put, f: f})
				}
				return d.remove(temp)
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
			return fmt.Errorf("%s changed while it was written; its content is at %s: %w", p, path.Join(p.root, p.dir(), temp), err)
		}
		out, f, err := stateOf(d, temp)
		if err == nil && out.same(in) {
			// What was put in came out again untouched. The descriptor stays open as an undo copy: a writer may hold it.
			if f != nil {
				l.w.keep(&Undo{Path: p, Before: in, f: f})
			}
			return d.remove(temp)
		}
		if f != nil {
			f.Close()
		}
		in = put
	}
	return fmt.Errorf("%s changes all the time; one version is at %s", p, path.Join(p.root, p.dir(), temp))
}

// rename is the way without exchange: check, rename, and say so.
func (l *local) rename(c Change, d *dir, temp string, ours Fingerprint) (Receipt, error) {
	name := c.Path.Base()
	now, f, err := stateOf(d, name)
	if err != nil {
		return Receipt{}, err
	}
	if !now.same(c.Base) {
		if f != nil {
			f.Close()
		}
		return Receipt{}, conflict(c.Path)
	}
	if err := d.rename(temp, name); err != nil {
		f.Close()
		return Receipt{}, err
	}
	d.sync()
	ours.Dir = d.id
	return Receipt{Path: c.Path, Print: ours, Guard: Unguarded, Undo: &Undo{Path: c.Path, Before: c.Base, f: f}}, nil
}

// fill gives the temporary file the new bytes and, if there is an old file, its owner, mode and attributes (FS-63).
func fill(tmp *os.File, c Change, old *os.File) error {
	if _, err := tmp.Write(c.Data); err != nil {
		return err
	}
	if old != nil {
		e, err := statFile(old)
		if err != nil {
			return err
		}
		var lost []string
		if !chown(tmp, e) {
			lost = append(lost, "owner")
		}
		if err := tmp.Chmod(e.mode.Perm() | e.mode&(fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky)); err != nil {
			return err
		}
		lost = append(lost, copyAttributes(tmp, old)...)
		for _, what := range lost {
			if !slices.Contains(c.MayLose, what) {
				return refused("%s of %s cannot be kept", what, c.Path)
			}
		}
	}
	return tmp.Sync()
}

// create makes the missing directories and links a finished file to the free name.
func (l *local) create(c Change, d *dir, missing []string) (rec Receipt, err error) {
	type made struct {
		in   *dir
		name string
	}
	var dirs []made
	var opened []*dir
	defer func() {
		if err != nil {
			for _, m := range slices.Backward(dirs) {
				m.in.rmdir(m.name) // fails if somebody else put something into it, rightly
			}
		}
		for _, o := range opened {
			o.close()
		}
	}()
	rec = Receipt{Path: c.Path, Created: true, Guard: Linked}
	for _, part := range missing[:len(missing)-1] {
		if err := d.mkdir(part); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return Receipt{}, conflict(c.Path)
			}
			return Receipt{}, err
		}
		dirs = append(dirs, made{d, part})
		rel := path.Join(d.id.Rel, part)
		sub, err := d.sub(part, rel)
		if err != nil {
			return Receipt{}, err
		}
		opened = append(opened, sub)
		d = sub
		rec.Dirs = append(rec.Dirs, path.Join(c.Path.root, rel))
	}
	name := missing[len(missing)-1]
	tmp, err := d.create(0o666) // minus umask
	if err != nil {
		return Receipt{}, err
	}
	defer tmp.Close()
	defer d.remove(tmp.Name())
	if err := fill(tmp, c, nil); err != nil {
		return Receipt{}, err
	}
	ours, err := stateOfFile(tmp)
	if err != nil {
		return Receipt{}, err
	}
	l.point("written")
	if !l.leadsTo(c.Path, d.id) {
		return Receipt{}, conflict(c.Path)
	}
	l.point("checked")
	err = d.link(tmp.Name(), name)
	if noLink(err) {
		if err = d.renameNew(tmp.Name(), name); cannot(err) {
			rec.Guard = Unguarded
			if _, e := d.lstat(name); !errors.Is(e, fs.ErrNotExist) {
				return Receipt{}, conflict(c.Path)
			}
			err = d.rename(tmp.Name(), name)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return Receipt{}, conflict(c.Path)
	}
	if err != nil {
		return Receipt{}, err
	}
	l.point("linked")
	if !l.leadsTo(c.Path, d.id) {
		if e, err := d.lstat(name); err == nil && e.ino == ours.Ino && e.dev == ours.Dev {
			d.remove(name)
		}
		return Receipt{}, conflict(c.Path)
	}
	d.sync()
	for _, m := range slices.Backward(dirs) {
		m.in.sync()
	}
	ours.Dir = d.id
	rec.Print = ours
	return rec, nil
}

// overwrite writes into the existing file, for a hard-linked one whose other names must see it too. Checked, then written: unguarded.
func (l *local) overwrite(c Change, d *dir) (Receipt, error) {
	f, err := d.openWrite(c.Path.Base())
	if err != nil {
		return Receipt{}, err
	}
	defer f.Close()
	now, err := stateOfFile(f)
	if err != nil {
		return Receipt{}, err
	}
	if !now.same(c.Base) || !l.leadsTo(c.Path, d.id) {
		return Receipt{}, conflict(c.Path)
	}
	if _, err := f.WriteAt(c.Data, 0); err != nil {
		return Receipt{}, err
	}
	if err := f.Truncate(int64(len(c.Data))); err != nil {
		return Receipt{}, err
	}
	if err := f.Sync(); err != nil {
		return Receipt{}, err
	}
	print, err := stateOfFile(f)
	print.Dir = d.id
	return Receipt{Path: c.Path, Print: print, Guard: Unguarded}, err
}

// cannot reports that the file system cannot do it, not that it failed.
func cannot(err error) bool {
	for _, e := range []error{errors.ErrUnsupported, syscall.ENOSYS, syscall.EINVAL, syscall.ENOTSUP, syscall.EOPNOTSUPP} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func noLink(err error) bool {
	return cannot(err) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EMLINK)
}
