package terminal

import "golang.org/x/sys/unix"

// poll waits until fd can be read, or written if write is set, or until stop can be read. It uses
// select, since poll and kqueue do not support /dev/tty on macOS.
func poll(fd, stop int, write bool) (ready, stopped bool, err error) {
	var r, w unix.FdSet
	r.Set(stop)
	if write {
		w.Set(fd)
	} else {
		r.Set(fd)
	}
	if _, err := unix.Select(max(fd, stop)+1, &r, &w, nil, nil); err != nil {
		return false, false, err
	}
	return r.IsSet(fd) || w.IsSet(fd), r.IsSet(stop), nil
}
