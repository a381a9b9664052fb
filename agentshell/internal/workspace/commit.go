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

// step is one step of a commit. point is the name of the moment just before run: tests let other
// processes act there, or kill the process.
type step struct {
	point string
	run   func(*commit) error
}

// commit is a commit that is being made. Its steps hand their results on in its fields.
type commit struct {
	disk    *local
	change  Change
	steps   []step
	place   location
	parent  *dir // the directory that holds the file, or will hold it
	receipt Receipt

	note     *note    // its note in the journal
	baseFile *os.File // the file that is replaced, nil for a new one
	tempFile *os.File
	tempName string // the name of tempFile while the commit still has to remove it
	// the state of the file that the commit wrote
	written   Fingerprint
	displaced *os.File // the file that the exchange moved out of the target's name

	removedName string // the temporary name of the target while it is being removed
	oldText     []byte // what a write in place overwrites
	keepsNote   bool   // the next start has something to tidy, so the note stays

	madeDirs []madeDir
	openDirs []*dir
}

// madeDir is a directory that a commit created.
type madeDir struct {
	parent *dir
	name   string
}

// beginSteps find the place of the target. openParent then adds the steps that fit what is there.
var beginSteps = []step{{"begun", (*commit).locateTarget}, {"located", (*commit).openParent}}

// Commit writes a change if the file is still its base (FS-50, FS-64). It runs step by step.
func (l *local) Commit(ctx context.Context, c Change) (Receipt, error) {
	if r := l.workspace.byName[c.Path.root]; r != nil {
		defer r.lock(ctx, true)()
	}
	w := &commit{disk: l, change: c, steps: beginSteps, receipt: Receipt{Path: c.Path}}
	var err error
	for len(w.steps) > 0 && err == nil {
		s := w.steps[0]
		w.steps = w.steps[1:]
		l.reachPoint(s.point)
		err = s.run(w)
	}
	err = w.close(err)
	if err != nil {
		return Receipt{}, systemError(c.Path.String(), err)
	}
	w.receipt.Print = w.written
	w.receipt.Print.Dir = w.parent.id
	return w.receipt, nil
}

// close removes the temporary file and the directories that must not stay, and closes all files. It
// returns err, with an addition if a failed commit could not remove its temporary file.
func (w *commit) close(err error) error {
	if w.tempName != "" {
		if e := w.parent.removeIfExists(w.tempName); e != nil {
			w.keepsNote = true
			if err != nil {
				err = fmt.Errorf("%w; nothing else was changed, but the temporary file %s cannot be removed: %w",
					systemError(w.change.Path.String(), err), w.displayName(w.tempName), e)
			}
		}
	}
	if err != nil {
		for _, m := range slices.Backward(w.madeDirs) {
			// It fails if somebody else put something into it, rightly.
			if e := m.parent.rmdir(m.name); e != nil && !errors.Is(e, fs.ErrNotExist) &&
				!errors.Is(e, syscall.ENOTEMPTY) {
				w.keepsNote = true
			}
		}
		if w.displaced != nil {
			w.displaced.Close()
		}
	}
	for _, f := range []*os.File{w.baseFile, w.tempFile} {
		if f != nil {
			f.Close()
		}
	}
	for _, d := range w.openDirs {
		d.close()
	}
	if w.keepsNote {
		w.note.keep()
	} else {
		w.note.remove()
	}
	return err
}

func (w *commit) conflictError() error { return conflictError(w.change.Path) }

// displayName returns the path of a file beside the target, as it is shown to a person.
func (w *commit) displayName(name string) string {
	return path.Join(w.change.Path.root, w.change.Path.dir(), name)
}

// addNote adds a sentence to the receipt about something that failed after the commit.
func (w *commit) addNote(format string, a ...any) {
	w.receipt.Notes = append(w.receipt.Notes, fmt.Sprintf(format, a...))
}

// reportLeftFile says in the receipt that a temporary file cannot be removed, and leaves it to the
// next start.
func (w *commit) reportLeftFile(name, what string, err error) {
	w.keepsNote = true
	when := "the next start tries again"
	if w.note == nil {
		when = "please remove it"
	}
	w.addNote("%s could not be removed (%v) and stays as %s; %s.", what, err, w.displayName(name), when)
}

func (w *commit) locateTarget() (err error) {
	if w.place, err = w.disk.locate(w.change.Path); err != nil {
		return err
	}
	if w.place.dir != w.change.Base.Dir || (len(w.place.missing) == 0) != w.change.Base.Exists {
		return w.conflictError()
	}
	return nil
}

func (w *commit) openParent() (err error) {
	if w.parent, err = openDir(w.disk.workspace.byName[w.change.Path.root].handle, w.place.dir.Rel); err != nil {
		return openDirError(w.change.Path, err)
	}
	w.parent.intercept = w.disk.intercept
	w.openDirs = append(w.openDirs, w.parent)
	if w.parent.id != w.change.Base.Dir {
		return w.conflictError()
	}
	switch {
	case w.change.Remove && !w.change.Base.Exists:
		return &Error{Kind: NotFound, Path: w.change.Path.String()}
	case w.change.Remove:
		w.steps = removeSteps
	case !w.change.Base.Exists:
		w.steps = createSteps
	case w.change.InPlace:
		w.steps = inPlaceSteps
	default:
		w.steps = replaceSteps
	}
	return nil
}

// makeTemp creates the temporary file under the name that the journal has.
func (w *commit) makeTemp() (err error) {
	perm := uint32(0o600)
	if !w.change.Base.Exists {
		perm = 0o666 // minus umask
	}
	// the file may exist even after an error; nobody else knows its name
	w.tempFile, err = w.parent.create(w.tempName, perm)
	return err
}

func (w *commit) fillTemp() (err error) {
	if err := w.parent.call("fill", func() error {
		return writeContent(w.tempFile, w.change,
			w.baseFile)
	}); err != nil {
		return err
	}
	w.written, err = readFileState(w.tempFile)
	return err
}

// checkPath returns a conflict if the path no longer leads to the directory that was opened
// (FS-30). It is the last check before the commit.
func (w *commit) checkPath() error {
	if !w.pathUnchanged() {
		return w.conflictError()
	}
	return nil
}

// pathUnchanged reports whether the path still leads to the directory that is written in.
func (w *commit) pathUnchanged() bool {
	loc, err := w.disk.locate(w.change.Path)
	return err == nil && loc.dir == w.parent.id
}

// openDirError returns the error for a directory that existed a moment ago and cannot be opened
// now. It is a conflict if the path leads elsewhere by now. [os.Root] reports a link out of the
// root by an error that has no number of the system.
func openDirError(p Path, err error) error {
	var number syscall.Errno
	if !errors.As(err, &number) || number == syscall.ENOENT || number == syscall.ENOTDIR || number == syscall.ELOOP {
		return conflictError(p)
	}
	return systemError(p.String(), err)
}

// readState returns the state of the entry name in d, and the open file if it is a regular one. It
// follows no link and never blocks. A file that is not regular has no sum.
func readState(d *dir, name string) (Fingerprint, *os.File, error) {
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
	print, err := readFileState(f)
	if err != nil {
		f.Close()
		return Fingerprint{}, nil, err
	}
	return print, f, nil
}

func readFileState(f *os.File) (Fingerprint, error) {
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
	return fingerprintOf(e, data, DirID{}), nil
}

// writeContent writes the new bytes into the temporary file. If there is an old file, the new one
// gets its owner, mode and attributes (FS-63).
func writeContent(tmp *os.File, c Change, old *os.File) error {
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
	if old == nil && c.Executable { // whoever may read it may run it
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

// isUnsupported reports whether err says that the file system lacks the operation, and not that it
// failed.
func isUnsupported(err error) bool {
	for _, e := range []error{errors.ErrUnsupported, syscall.ENOSYS, syscall.EINVAL, syscall.ENOTSUP,
		syscall.EOPNOTSUPP} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func isLinkUnsupported(err error) bool {
	return isUnsupported(err) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EMLINK)
}
