//go:build unix && !darwin

package terminal

import "golang.org/x/sys/unix"

// poll waits until fd can be read, or written if write is set, or until stop can be read. After a
// hang-up fd counts as ready; the read or write then fails.
func poll(fd, stop int, write bool) (ready, stopped bool, err error) {
	events := int16(unix.POLLIN)
	if write {
		events = unix.POLLOUT
	}
	fds := []unix.PollFd{{Fd: int32(fd), Events: events}, {Fd: int32(stop), Events: unix.POLLIN}}
	if _, err := unix.Poll(fds, -1); err != nil {
		return false, false, err
	}
	return fds[0].Revents != 0, fds[1].Revents != 0, nil
}
