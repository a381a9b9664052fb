package workspace

import "golang.org/x/sys/unix"

// exchange swaps two names in one step (renameatx_np with RENAME_SWAP, APFS).
func (d *dir) exchange(a, b string) error {
	return d.do("exchange", func() error { return unix.RenameatxNp(d.fd(), a, d.fd(), b, unix.RENAME_SWAP) })
}

// renameNew renames unless the new name exists.
func (d *dir) renameNew(a, b string) error {
	return d.do("renameNew", func() error { return unix.RenameatxNp(d.fd(), a, d.fd(), b, unix.RENAME_EXCL) })
}
