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

// stopgaps stand where nothing may come into being while a command runs. Each is locked by those
// who need it: while one of them runs, no other takes it away.
type stopgaps struct{ held []stopgap }

// stopgap is one of them, by a descriptor that has it locked. There are a dozen for each command,
// so they are made with as few calls of the system as it takes.
type stopgap struct {
	fd   int
	path string
}

// put puts a stopgap at each place. They go with remove, also after an error.
func (s *stopgaps) put(list []guard) error {
	for _, g := range list {
		if err := s.one(g); err != nil {
			return fmt.Errorf("%s cannot be kept from being made: %w", g.path, err)
		}
	}
	return nil
}

func (s *stopgaps) one(g guard) error {
	for range 10 { // another session may be taking its own away
		made := g.make()
		if made != nil && !errors.Is(made, fs.ErrExist) {
			return made
		}
		fd, err := unix.Open(g.path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) {
			continue
		} else if err != nil {
			return err
		}
		one := stopgap{fd, g.path}
		if unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB) == nil && one.isThere() && (made != nil || one.mark() == nil) {
			s.held = append(s.held, one)
			return nil
		}
		_ = unix.Close(fd)
	}
	return errors.New("it comes and goes")
}

// marked is stopgapMode as the system has it.
const marked = unix.S_ISVTX | 0o555

// mark gives one that we made its mode, from which a umask may have taken.
func (s stopgap) mark() error {
	var st unix.Stat_t
	if err := unix.Fstat(s.fd, &st); err != nil || st.Mode&0o7777 == marked {
		return err
	}
	return unix.Fchmod(s.fd, marked)
}

// make makes the stopgap. What is written in it is there before anybody reads it: the name comes
// last.
func (g guard) make() error {
	if g.text == "" {
		return unix.Mkdir(g.path, marked)
	}
	fd, err := unix.Open(filepath.Dir(g.path), unix.O_WRONLY|unix.O_TMPFILE|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return g.makeNamed()
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, []byte(g.text)); err != nil {
		return err
	}
	if err := unix.Fchmod(fd, marked); err != nil {
		return err
	}
	name := fmt.Sprintf("/proc/self/fd/%d", fd)
	return unix.Linkat(unix.AT_FDCWD, name, unix.AT_FDCWD, g.path, unix.AT_SYMLINK_FOLLOW)
}

// makeNamed is make where a file system has no files without a name. A kill can leave this one.
func (g guard) makeNamed() error {
	temp, err := os.CreateTemp(filepath.Dir(g.path), ".tmp-stopgap-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(g.text)
	if err := errors.Join(err, temp.Chmod(stopgapMode), temp.Close()); err != nil {
		return err
	}
	return os.Link(temp.Name(), g.path)
}

// isThere reports whether the file has the name by which it was opened.
func (s stopgap) isThere() bool {
	var now, was unix.Stat_t
	return unix.Fstat(s.fd, &was) == nil && unix.Lstat(s.path, &now) == nil && now.Dev == was.Dev && now.Ino == was.Ino
}

// remove takes the stopgaps away that nobody else needs. What is there may be something else by
// now, of the person's.
func (s *stopgaps) remove() {
	for _, one := range slices.Backward(s.held) {
		one.end()
	}
	s.held = nil
}

// end takes the stopgap away, unless somebody else needs it, and lets go of it.
func (s stopgap) end() {
	defer unix.Close(s.fd)
	if unix.Flock(s.fd, unix.LOCK_EX|unix.LOCK_NB) != nil || !s.isThere() {
		return
	}
	if info, err := os.Lstat(s.path); err == nil && isStopgap(info) {
		if err := unix.Rmdir(s.path); err == unix.ENOTDIR {
			_ = unix.Unlink(s.path)
		}
	}
}

// Tidy takes away what a session left in the workspace that was killed while a command ran. It asks
// for no sandbox. more is what else commands could not change.
func Tidy(p Policy, more []string) {
	var list []guard
	for _, name := range byThemselves.first {
		list = append(list, guard{path: filepath.Join(p.Workspace, name)})
	}
	own, _ := repository(p.Workspace) // what cannot be looked at was not guarded
	list = append(list, own...)
	for _, path := range slices.Concat(more, p.ReadOnly, p.Hidden) {
		list = append(list, guard{path: path})
	}
	for _, g := range slices.Backward(list) {
		for _, path := range []string{g.path, g.top().path} {
			if info, err := os.Lstat(path); err != nil || !isStopgap(info) {
				continue
			}
			fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
			if err == nil {
				stopgap{fd, path}.end()
			}
		}
	}
}
