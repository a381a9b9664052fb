//go:build linux || darwin

package workspace

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// attributes returns the names of f's extended attributes, including access control lists. It
// returns none if the file system does not support them.
func attributes(f *os.File) []string {
	buf := make([]byte, 4096)
	for {
		n, err := unix.Flistxattr(int(f.Fd()), buf)
		if errors.Is(err, unix.ERANGE) {
			buf = make([]byte, 2*len(buf))
			continue
		}
		if err != nil || n == 0 {
			return nil
		}
		names := strings.Split(strings.TrimSuffix(string(buf[:n]), "\x00"), "\x00")
		slices.Sort(names)
		return names
	}
}

func readAttribute(f *os.File, name string) ([]byte, error) {
	buf := make([]byte, 1024)
	for {
		n, err := unix.Fgetxattr(int(f.Fd()), name, buf)
		if errors.Is(err, unix.ERANGE) {
			buf = make([]byte, 4*len(buf))
			continue
		}
		if err != nil {
			return nil, err
		}
		return buf[:n], nil
	}
}

// copyAttributes gives the file to the same extended attributes as from. It returns the names of
// those that it could not copy.
func copyAttributes(to, from *os.File) (lost []string) {
	want := attributes(from)
	for _, name := range attributes(to) { // a default ACL of the directory, for instance
		if !slices.Contains(want, name) {
			unix.Fremovexattr(int(to.Fd()), name)
		}
	}
	for _, name := range want {
		v, err := readAttribute(from, name)
		if err == nil {
			if now, e := readAttribute(to, name); e == nil && string(now) == string(v) {
				continue
			}
			err = unix.Fsetxattr(int(to.Fd()), name, v, 0)
		}
		if err != nil {
			lost = append(lost, "attribute "+name)
		}
	}
	return lost
}
