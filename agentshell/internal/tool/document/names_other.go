//go:build !unix

package document

import "io/fs"

// hardLinkCount returns 1, because this system does not tell the number of hard links.
func hardLinkCount(fs.FileInfo) uint64 { return 1 }
