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

// step is one step of a commit. at names the point that is reached when it begins: tests let other
// processes act there, or kill us.
type step struct {
	at string
	do func(*write) error
}

// write is a commit under way: what its steps leave to each other.
type write struct {
	l    *local
	c    Change
	todo []step
	loc  location
	d    *dir // where the file is or will be
	rec  Receipt

	note *note    // in the journal
	old  *os.File // the base, nil for a new file
	tmp  *os.File
	temp string // the name of tmp as long as it has one that is ours to remove
	ours Fingerprint
	out  *os.File // what the exchange brought out

	taken string // name of the target while it is being removed
	was   []byte // what is overwritten in place
	stays bool   // something is left for the next start to tidy: the note stays

	made   []made
	opened []*dir
}

// made is a directory that a commit made.
type made struct {
	in   *dir
	name string
}

// beginSteps find the place; open adds the steps for what is there.
var beginSteps = []step{{"begun", (*write).locate}, {"located", (*write).open}}

// Commit writes a change under its condition (FS-50, FS-64), step by step.
func (l *local) Commit(ctx context.Context, c Change) (Receipt, error) {
	if r := l.w.byName[c.Path.root]; r != nil {
		defer r.lock(ctx, true)()
	}
	w := &write{l: l, c: c, todo: beginSteps, rec: Receipt{Path: c.Path}}
	var err error
	for len(w.todo) > 0 && err == nil {
		s := w.todo[0]
		w.todo = w.todo[1:]
		l.point(s.at)
		err = s.do(w)
	}
	err = w.close(err)
	if err != nil {
		return Receipt{}, systemError(c.Path.String(), err)
	}
	w.rec.Print = w.ours
	w.rec.Print.Dir = w.d.id
	return w.rec, nil
}

// close removes what must not stay and lets go of everything. A commit that failed says so if it
// could not.
func (w *write) close(err error) error {
	if w.temp != "" {
		if e := w.d.drop(w.temp); e != nil {
			w.stays = true
			if err != nil {
				err = fmt.Errorf("%w; nothing else was changed, but the temporary file %s cannot be removed: %w",
					systemError(w.c.Path.String(), err), w.shown(w.temp), e)
			}
		}
	}
	if err != nil {
		for _, m := range slices.Backward(w.made) {
			// It fails if somebody else put something into it, rightly.
			if e := m.in.rmdir(m.name); e != nil && !errors.Is(e, fs.ErrNotExist) && !errors.Is(e, syscall.ENOTEMPTY) {
				w.stays = true
			}
		}
		if w.out != nil {
			w.out.Close()
		}
	}
	for _, f := range []*os.File{w.old, w.tmp} {
		if f != nil {
			f.Close()
		}
	}
	for _, d := range w.opened {
		d.close()
	}
	if w.stays {
		w.note.leave()
	} else {
		w.note.end()
	}
	return err
}

func (w *write) conflict() error { return conflict(w.c.Path) }

// shown returns a name beside the target as it is shown.
func (w *write) shown(name string) string {
	return path.Join(w.c.Path.root, w.c.Path.dir(), name)
}

// say notes what did not go well behind the commit.
func (w *write) say(format string, a ...any) {
	w.rec.Notes = append(w.rec.Notes, fmt.Sprintf(format, a...))
}

// leave keeps a file of ours that cannot be removed for the next start, and says so.
func (w *write) leave(name, what string, err error) {
	w.stays = true
	when := "the next start tries again"
	if w.note == nil {
		when = "please remove it"
	}
	w.say("%s could not be removed (%v) and stays as %s; %s.", what, err, w.shown(name), when)
}

func (w *write) locate() (err error) {
	if w.loc, err = w.l.locate(w.c.Path); err != nil {
		return err
	}
	if w.loc.dir != w.c.Base.Dir || (len(w.loc.missing) == 0) != w.c.Base.Exists {
		return w.conflict()
	}
	return nil
}

func (w *write) open() (err error) {
	if w.d, err = openDir(w.l.w.byName[w.c.Path.root].h, w.loc.dir.Rel); err != nil {
		return gone(w.c.Path, err)
	}
	w.d.fault = w.l.fault
	w.opened = append(w.opened, w.d)
	if w.d.id != w.c.Base.Dir {
		return w.conflict()
	}
	switch {
	case w.c.Remove && !w.c.Base.Exists:
		return &Error{Kind: NotFound, Path: w.c.Path.String()}
	case w.c.Remove:
		w.todo = removeSteps
	case !w.c.Base.Exists:
		w.todo = createSteps
	case w.c.InPlace:
		w.todo = inPlaceSteps
	default:
		w.todo = replaceSteps
	}
	return nil
}

// make makes the temporary file under the name that the journal has.
func (w *write) make() (err error) {
	perm := uint32(0o600)
	if !w.c.Base.Exists {
		perm = 0o666 // minus umask
	}
	w.tmp, err = w.d.create(w.temp, perm) // also if it fails it may be there; nobody else knows the name
	return err
}

func (w *write) fill() (err error) {
	if err := w.d.do("fill", func() error { return fill(w.tmp, w.c, w.old) }); err != nil {
		return err
	}
	w.ours, err = stateOfFile(w.tmp)
	return err
}

// check returns the last look before the commit: the path still leads to the directory that was
// opened (FS-30).
func (w *write) check() error {
	if !w.leads() {
		return w.conflict()
	}
	return nil
}

// leads reports whether the path still goes to the directory that is written in.
func (w *write) leads() bool {
	loc, err := w.l.locate(w.c.Path)
	return err == nil && loc.dir == w.d.id
}

// gone returns what it means that a directory cannot be opened that was there a moment ago: a
// conflict, if the path leads elsewhere now. A link out of the root is an error of [os.Root] that
// is no number of the system.
func gone(p Path, err error) error {
	var number syscall.Errno
	if !errors.As(err, &number) || number == syscall.ENOENT || number == syscall.ENOTDIR || number == syscall.ELOOP {
		return conflict(p)
	}
	return systemError(p.String(), err)
}

// stateOf reads what a name in d stands for, never following and never blocking. A file that is not
// regular has no sum.
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

// fill gives the temporary file the new bytes and, if there is an old file, its owner, mode and
// attributes (FS-63).
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
	if old == nil && c.Mode != 0 {
		if err := tmp.Chmod(c.Mode.Perm()); err != nil {
			return err
		}
	}
	if old == nil && c.Executable { // by those who may read it
		info, err := tmp.Stat()
		if err != nil {
			return err
		}
		if err := tmp.Chmod(info.Mode().Perm() | info.Mode().Perm()&0o444>>2); err != nil {
			return err
		}
	}
	return tmp.Sync()
}

// cannot reports that the file system cannot do it, not that it failed.
func cannot(err error) bool {
	for _, e := range []error{errors.ErrUnsupported, syscall.ENOSYS, syscall.EINVAL, syscall.ENOTSUP,
		syscall.EOPNOTSUPP} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func noLink(err error) bool {
	return cannot(err) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EMLINK)
}
