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

// step is one step of a commit. point names the moment just before run; at that moment tests let
// other processes act, or kill the process.
type step struct {
	point string
	run   func(*commit) error
}

// commit is the state of a running commit. Its steps pass their results on in its fields.
type commit struct {
	disk           *local
	change         Change
	steps          []step
	targetLocation location
	parent         *dir // parent is the directory of the file.
	receipt        Receipt

	note     *journalNote // note is the commit's note in the journal.
	baseFile *os.File     // baseFile is the file that is replaced; nil: the file is new.
	tempFile *os.File
	tempName string // tempName is the name of tempFile as long as the commit has to remove it; then "".
	// written is the state of the file that the commit wrote.
	written       Fingerprint
	displacedFile *os.File // displacedFile is the old file after the exchange.

	removedName string // removedName is the temporary name of the file while it is being removed.
	oldText     []byte // oldText is the content before a write in place.
	keepsNote   bool   // keepsNote keeps the note in the journal, because the next start has to clean up.

	madeDirs []madeDir
	openDirs []*dir
}

// madeDir is a directory that a commit has created.
type madeDir struct {
	parent *dir
	name   string
}

// beginSteps find the directory of the file. openParent adds the further steps, depending on the
// state of the file.
var beginSteps = []step{{"begun", (*commit).locateTarget}, {"located", (*commit).openParent}}

// Commit writes a change if the file is still in the state c.Base (FS-50, FS-64). It implements
// [Committer].
func (l *local) Commit(ctx context.Context, c Change) (Receipt, error) {
	if r := l.workspace.rootNamed(c.Path.root); r != nil {
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

// close ends a commit: it removes the temporary file and new directories that must not stay, and
// closes all files. It returns err. If the temporary file of a failed commit cannot be removed, the
// error says so too.
func (c *commit) close(err error) error {
	if c.tempName != "" {
		if e := c.parent.removeIfExists(c.tempName); e != nil {
			c.keepsNote = true
			if err != nil {
				err = fmt.Errorf("%w; nothing else was changed, but the temporary file %s cannot be removed: %w",
					systemError(c.change.Path.String(), err), c.displayName(c.tempName), e)
			}
		}
	}
	if err != nil {
		for _, m := range slices.Backward(c.madeDirs) {
			// It fails if somebody else put something into it, rightly.
			if e := m.parent.rmdir(m.name); e != nil && !errors.Is(e, fs.ErrNotExist) &&
				!errors.Is(e, syscall.ENOTEMPTY) {
				c.keepsNote = true
			}
		}
		if c.displacedFile != nil {
			c.displacedFile.Close()
		}
	}
	for _, f := range []*os.File{c.baseFile, c.tempFile} {
		if f != nil {
			f.Close()
		}
	}
	for _, d := range c.openDirs {
		d.close()
	}
	if c.keepsNote {
		c.note.leaveForNextStart()
	} else {
		c.note.remove()
	}
	return err
}

func (c *commit) conflictError() error { return conflictError(c.change.Path) }

// displayName returns the path of a file in the same directory for messages.
func (c *commit) displayName(name string) string {
	return path.Join(c.change.Path.root, c.change.Path.dir(), name)
}

// addNote adds a sentence about a failure after the commit to the receipt.
func (c *commit) addNote(format string, a ...any) {
	c.receipt.Notes = append(c.receipt.Notes, fmt.Sprintf(format, a...))
}

// reportLeftFile adds a sentence to the receipt about a temporary file that could not be removed.
// The next start will try again.
func (c *commit) reportLeftFile(name, what string, err error) {
	c.keepsNote = true
	when := "the next start tries again"
	if c.note == nil {
		when = "please remove it"
	}
	c.addNote("%s could not be removed (%v) and stays as %s; %s.", what, err, c.displayName(name), when)
}

func (c *commit) locateTarget() (err error) {
	if c.targetLocation, err = c.disk.locate(c.change.Path); err != nil {
		return err
	}
	if c.targetLocation.dir != c.change.Base.Dir || (len(c.targetLocation.missingNames) == 0) != c.change.Base.Exists {
		return c.conflictError()
	}
	return nil
}

func (c *commit) openParent() (err error) {
	if c.parent, err = openDir(c.disk.workspace.rootNamed(c.change.Path.root).handle,
		c.targetLocation.dir.Rel); err != nil {
		return openDirError(c.change.Path, err)
	}
	c.parent.intercept = c.disk.intercept
	c.openDirs = append(c.openDirs, c.parent)
	if c.parent.id != c.change.Base.Dir {
		return c.conflictError()
	}
	switch {
	case c.change.Remove && !c.change.Base.Exists:
		return &Error{Kind: NotFound, Path: c.change.Path.String()}
	case c.change.Remove:
		c.steps = removeSteps
	case !c.change.Base.Exists:
		c.steps = createSteps
	case c.change.InPlace:
		c.steps = inPlaceSteps
	default:
		c.steps = replaceSteps
	}
	return nil
}

// makeTemp creates the temporary file. Its name is in the journal already.
func (c *commit) makeTemp() (err error) {
	perm := uint32(0o600)
	if !c.change.Base.Exists {
		perm = 0o666 // minus umask
	}
	// the file may exist even after an error; nobody else knows its name
	c.tempFile, err = c.parent.create(c.tempName, perm)
	return err
}

func (c *commit) fillTemp() (err error) {
	if err := c.parent.call("fill", func() error {
		return writeContent(c.tempFile, c.change,
			c.baseFile)
	}); err != nil {
		return err
	}
	c.written, err = readFileState(c.tempFile)
	return err
}

// checkPath returns a conflict if the path does not lead to the opened directory any more (FS-30).
// It is the last check before the change.
func (c *commit) checkPath() error {
	if !c.pathUnchanged() {
		return c.conflictError()
	}
	return nil
}

// pathUnchanged reports whether the path still leads to the opened directory.
func (c *commit) pathUnchanged() bool {
	loc, err := c.disk.locate(c.change.Path)
	return err == nil && loc.dir == c.parent.id
}

// openDirError returns the error for a directory that existed a moment ago and cannot be opened
// now. It is a conflict if the path now leads elsewhere; [os.Root] reports a link out of the root
// by an error without an errno.
func openDirError(p Path, err error) error {
	var number syscall.Errno
	if !errors.As(err, &number) || number == syscall.ENOENT || number == syscall.ENOTDIR || number == syscall.ELOOP {
		return conflictError(p)
	}
	return systemError(p.String(), err)
}

// readState returns the state of the entry name in d, and the open file if it is a regular one. It
// follows no link and never blocks. The state of other files has no hash.
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
	if e.size > maxStreamBytes {
		return Fingerprint{Exists: true, Mode: e.mode, Dev: e.dev, Ino: e.ino, Size: e.size}, nil
	}
	if _, err := f.Seek(0, 0); err != nil {
		return Fingerprint{}, err
	}
	data, err := readAll(context.Background(), f, e.size, maxStreamBytes)
	if err != nil {
		return Fingerprint{}, err
	}
	return fingerprintOf(e, data, DirID{}), nil
}

// writeContent writes the new content to the temporary file. If there is an old file, the new one
// gets its owner, mode and extended attributes (FS-63).
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
				return refusedError("%s of %s cannot be kept", what, c.Path)
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

// isUnsupported reports whether err says that the file system does not support an operation. It is
// false for other failures.
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
