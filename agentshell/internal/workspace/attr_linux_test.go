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

// setACL gives a file an access control list with one more user, in the kernel's own form (version
// 2, entries of tag, permissions, id).
func setACL(name string) (acl string, ok bool) {
	none := []byte{0xff, 0xff, 0xff, 0xff}
	b := []byte{2, 0, 0, 0}
	entry := func(tag, perm byte, id []byte) {
		b = append(append(b, tag, 0, perm, 0), id...)
	}
	entry(0x01, 6, none)                  // owner rw
	entry(0x02, 6, []byte{0xe8, 3, 0, 0}) // user 1000 rw
	entry(0x04, 4, none)                  // group r
	entry(0x10, 6, none)                  // mask rw
	entry(0x20, 0, none)                  // others
	return string(b), unix.Setxattr(name, "system.posix_acl_access", b, 0) == nil
}
