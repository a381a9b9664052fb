package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// placeholders holds the placeholders of one command, which stand where the command must not create
// anything. Several sessions can need the same placeholder. Each of them locks it, and none removes
// it while another one has the lock.
type placeholders struct{ locked []placeholder }

// placeholder is one placeholder, with a file descriptor that has it locked. Each command has about
// a dozen, so that they are created with as few system calls as possible.
type placeholder struct {
	fd   int
	path string
}

// create creates and locks a placeholder for each guard. Call remove afterwards, also after an
// error.
func (p *placeholders) create(list []guard) error {
	for _, g := range list {
		if err := p.createOne(g); err != nil {
			return fmt.Errorf("%s cannot be kept from being made: %w", g.path, err)
		}
	}
	return nil
}

func (p *placeholders) createOne(g guard) error {
	for range 10 { // another session may be removing its own
		made := g.createPlaceholder()
		if made != nil && !errors.Is(made, fs.ErrExist) {
			return made
		}
		fd, err := unix.Open(g.path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) {
			continue
		} else if err != nil {
			return err
		}
		one := placeholder{fd, g.path}
		if unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB) == nil && one.isInPlace() &&
			(made != nil || one.setMode() == nil) {
			p.locked = append(p.locked, one)
			return nil
		}
		_ = unix.Close(fd)
	}
	return errors.New("it comes and goes")
}

// placeholderStMode is placeholderMode in the form that system calls take.
const placeholderStMode = unix.S_ISVTX | 0o555

// setMode corrects the mode of a placeholder that was created just now, if a umask has changed it.
func (p placeholder) setMode() error {
	var st unix.Stat_t
	if err := unix.Fstat(p.fd, &st); err != nil || st.Mode&0o7777 == placeholderStMode {
		return err
	}
	return unix.Fchmod(p.fd, placeholderStMode)
}

// createPlaceholder creates the placeholder at the path of g. A file gets its name last, so that it
// is complete before anybody can read it.
func (g guard) createPlaceholder() error {
	if g.content == "" {
		return unix.Mkdir(g.path, placeholderStMode)
	}
	fd, err := unix.Open(filepath.Dir(g.path), unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return g.createNamedPlaceholder()
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, []byte(g.content)); err != nil {
		return err
	}
	if err := unix.Fchmod(fd, placeholderStMode); err != nil {
		return err
	}
	name := fmt.Sprintf("/proc/self/fd/%d", fd)
	return unix.Linkat(unix.AT_FDCWD, name, unix.AT_FDCWD, g.path, unix.AT_SYMLINK_FOLLOW)
}

// createNamedPlaceholder creates a placeholder file on a file system without O_TMPFILE. If this
// process is killed meanwhile, a temporary file can remain.
func (g guard) createNamedPlaceholder() error {
	temp, err := os.CreateTemp(filepath.Dir(g.path), ".tmp-stopgap-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(g.content)
	if err := errors.Join(err, temp.Chmod(placeholderMode), temp.Close()); err != nil {
		return err
	}
	return os.Link(temp.Name(), g.path)
}

// isInPlace reports whether the path still leads to the file that was opened.
func (p placeholder) isInPlace() bool {
	var now, was unix.Stat_t
	return unix.Fstat(p.fd, &was) == nil && unix.Lstat(p.path, &now) == nil && now.Dev == was.Dev && now.Ino == was.Ino
}

// remove removes the placeholders that no other session needs. It leaves a path alone that leads to
// something else by now, such as a file of the user's.
func (p *placeholders) remove() {
	for _, one := range slices.Backward(p.locked) {
		one.unlockAndRemove()
	}
	p.locked = nil
}

// unlockAndRemove removes the placeholder, unless another session has it locked, and closes its
// descriptor.
func (p placeholder) unlockAndRemove() {
	defer unix.Close(p.fd)
	if unix.Flock(p.fd, unix.LOCK_EX|unix.LOCK_NB) != nil || !p.isInPlace() {
		return
	}
	if info, err := os.Lstat(p.path); err == nil && isPlaceholder(info) {
		if err := unix.Rmdir(p.path); err == unix.ENOTDIR {
			_ = unix.Unlink(p.path)
		}
	}
}

// Tidy removes the placeholders that a session has left in the workspace because it was killed
// during a command. It works without a sandbox. more lists the further paths that commands could
// not change.
func Tidy(p Policy, more []string) {
	_, list, _ := findGuards(p, more) // what cannot be looked at was not guarded
	for _, name := range autorunNames.first {
		list = append(list, guard{path: filepath.Join(p.Workspace, name)})
	}
	for _, path := range slices.Concat(more, p.ReadOnly, p.Hidden) {
		list = append(list, guard{path: path})
	}
	for _, g := range slices.Backward(list) {
		for _, path := range []string{g.path, g.topMissing().path} {
			if info, err := os.Lstat(path); err != nil || !isPlaceholder(info) {
				continue
			}
			fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
			if err == nil {
				placeholder{fd, path}.unlockAndRemove()
			}
		}
	}
}
