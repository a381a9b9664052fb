package jupyter

import (
	"errors"
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// dial connects to a socket that a kernel has made. What stands at the path may be a link by now,
// which would lead us to any socket of the system, so the path is followed once, and no link.
func dial(path string) (net.Conn, error) {
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
	return (&net.Dialer{Timeout: greetTime}).Dial("unix", fmt.Sprintf("/proc/self/fd/%d", fd))
}
