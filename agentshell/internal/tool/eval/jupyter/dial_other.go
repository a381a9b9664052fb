//go:build !linux

package jupyter

import (
	"errors"
	"io/fs"
	"net"
	"os"
)

// dialSocket connects to a socket of a kernel. Kernels are not in a sandbox on this system, so a
// link could only lead to sockets that they can reach themselves.
func dialSocket(path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSocket == 0 {
		return nil, errors.New("it is no socket")
	}
	return (&net.Dialer{Timeout: greetTimeout}).Dial("unix", path)
}
