package workspace

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
)

// DirID identifies a directory: by its path relative to the root, its device and its inode number.
type DirID struct {
	Rel      string
	Dev, Ino uint64
}

// Fingerprint identifies the state of a file (FS-51 to 53). Two states are the same if their values
// are equal. A Fingerprint is only valid in one process, and is never stored. The zero value means
// that the file does not exist.
type Fingerprint struct {
	Exists   bool
	Mode     fs.FileMode // type and permissions
	Dev, Ino uint64
	Links    uint64 // Links is the number of hard links (FS-65).
	Size     int64
	Sum      [sha256.Size]byte // Sum is the hash of the raw bytes.
	Dir      DirID             // Dir is the nearest existing directory: the parent if the file exists.
}

func (f Fingerprint) String() string {
	if !f.Exists {
		return "absent"
	}
	return fmt.Sprintf("sha256:%x %d bytes %v", f.Sum, f.Size, f.Mode)
}

// isSameState reports whether f and g are equal except for the directory, which is checked
// separately.
func (f Fingerprint) isSameState(g Fingerprint) bool {
	f.Dir, g.Dir = DirID{}, DirID{}
	return f == g
}

// File is a file that was read. Data and Print belong together.
type File struct {
	Path  Path
	Data  []byte // Data is nil if the file does not exist.
	Print Fingerprint
	// Loses lists what a commit that replaces the file cannot keep, such as "owner" or "attribute
	// security.capability" (FS-63).
	Loses []string
}
