//go:build !unix

package document

import "io/fs"

// nameCount returns 1, because this system does not tell the number of hard links.
func nameCount(fs.FileInfo) uint64 { return 1 }
