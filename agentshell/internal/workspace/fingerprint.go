package workspace

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
)

// DirID is the identity of a directory: where it is below its root and which one it is.
type DirID struct {
	Rel      string
	Dev, Ino uint64
}

// Fingerprint tells a file's state from every other (FS-51 to 53). Two states are the same if the
// values are equal. It is valid inside one process and is never stored. The zero value is no state
// of any file.
type Fingerprint struct {
	Exists   bool
	Mode     fs.FileMode // type and permissions
	Dev, Ino uint64
	Links    uint64 // number of names (FS-65)
	Size     int64
	Sum      [sha256.Size]byte // of the raw bytes
	Dir      DirID             // the nearest existing directory: the parent, for an existing file
}

func (f Fingerprint) String() string {
	if !f.Exists {
		return "absent"
	}
	return fmt.Sprintf("sha256:%x %d bytes %v", f.Sum, f.Size, f.Mode)
}

// same compares what a file is, not where: the directory is compared by its own check.
func (f Fingerprint) same(g Fingerprint) bool {
	f.Dir, g.Dir = DirID{}, DirID{}
	return f == g
}

// File is a file as it was read: bytes and fingerprint belong together.
type File struct {
	Path  Path
	Data  []byte // nil if it does not exist
	Print Fingerprint
	// Loses lists what a replacing commit cannot keep, in words: "owner", "attribute
	// security.capability" (FS-63).
	Loses []string
}
