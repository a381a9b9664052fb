package workspace

import "golang.org/x/sys/unix"

// exchange swaps two names atomically (renameatx_np with RENAME_SWAP, on APFS).
func (d *dir) exchange(a, b string) error {
	return d.call("exchange", func() error { return unix.RenameatxNp(d.fd(), a, d.fd(), b, unix.RENAME_SWAP) })
}

// renameNew renames a to b, and fails if b exists.
func (d *dir) renameNew(a, b string) error {
	return d.call("renameNew", func() error { return unix.RenameatxNp(d.fd(), a, d.fd(), b, unix.RENAME_EXCL) })
}
