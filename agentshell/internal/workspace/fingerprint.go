package workspace

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
)

// DirID identifies a directory: its path below the root, its device and its inode number.
type DirID struct {
	Rel      string
	Dev, Ino uint64
}

// Fingerprint identifies the state of a file (FS-51 to 53). Two states are the same if the values
// are equal. It is valid inside one process and is never stored. The zero value is the state of no
// file.
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

// same reports whether f and g are equal but for the directory, which has a check of its own.
func (f Fingerprint) same(g Fingerprint) bool {
	f.Dir, g.Dir = DirID{}, DirID{}
	return f == g
}

// File is a file that was read. Data and Print were read together.
type File struct {
	Path  Path
	Data  []byte // nil if the file does not exist
	Print Fingerprint
	// Loses lists, in words, what a commit that replaces the file cannot keep: "owner", "attribute
	// security.capability" (FS-63).
	Loses []string
}
