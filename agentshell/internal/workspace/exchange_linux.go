package workspace

import "golang.org/x/sys/unix"

// exchange swaps two names atomically (renameat2, Linux 3.15).
func (d *dir) exchange(a, b string) error {
	return d.call("exchange", func() error { return unix.Renameat2(d.fd(), a, d.fd(), b, unix.RENAME_EXCHANGE) })
}

// renameNew renames a to b, and fails if b exists.
func (d *dir) renameNew(a, b string) error {
	return d.call("renameNew", func() error { return unix.Renameat2(d.fd(), a, d.fd(), b, unix.RENAME_NOREPLACE) })
}
