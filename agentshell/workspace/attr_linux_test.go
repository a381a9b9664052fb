package workspace

import "golang.org/x/sys/unix"

func setAttribute(name, key, value string) bool {
	return unix.Setxattr(name, key, []byte(value), 0) == nil
}

func getAttribute(name, key string) string {
	buf := make([]byte, 100)
	n, err := unix.Getxattr(name, key, buf)
	if err != nil {
		return ""
	}
	return string(buf[:n])
}
