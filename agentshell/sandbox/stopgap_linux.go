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
type stopgaps struct{ held []*os.File }

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
		if err := g.make(); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		fd, err := unix.Open(g.path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.ENOENT) {
			continue
		} else if err != nil {
			return err
		}
		f := os.NewFile(uintptr(fd), g.path)
		if err := unix.Flock(fd, unix.LOCK_SH|unix.LOCK_NB); err == nil && stillThere(f) {
			s.held = append(s.held, f)
			return nil
		}
		_ = f.Close()
	}
	return errors.New("it comes and goes")
}

// make makes the stopgap; it is complete when its mode says that it is one.
func (g guard) make() error {
	if g.text == "" {
		if err := os.Mkdir(g.path, 0o555); err != nil {
			return err
		}
	} else {
		// What is written at once is written before anybody else reads it: the name comes last.
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
	return os.Chmod(g.path, stopgapMode)
}

// stillThere reports whether the file has the name by which it was opened.
func stillThere(f *os.File) bool {
	now, err := os.Lstat(f.Name())
	was, err2 := f.Stat()
	return err == nil && err2 == nil && os.SameFile(now, was)
}

// remove takes the stopgaps away that nobody else needs.
func (s *stopgaps) remove() {
	for _, f := range slices.Backward(s.held) {
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil && stillThere(f) {
			if info, err := f.Stat(); err == nil && isStopgap(info) {
				_ = os.Remove(f.Name())
			}
		}
		_ = f.Close()
	}
	s.held = nil
}
