//go:build !linux

package document

import "os"

// itself returns the path of this program.
func itself() (string, error) { return os.Executable() }

// limitMemory does nothing on this system: only watchMemory limits the memory.
func limitMemory() {}
