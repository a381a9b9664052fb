package jupyter

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// dialSocket connects to a socket of a kernel. Code in the kernel could replace the socket by a
// link to any other socket of the system, so dialSocket opens the path without following links and
// connects to what it has opened.
func dialSocket(path string) (net.Conn, error) {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFSOCK {
		return nil, errors.New("it is no socket")
	}
	return (&net.Dialer{Timeout: greetTimeout}).Dial("unix", fmt.Sprintf("/proc/self/fd/%d", fd))
}
