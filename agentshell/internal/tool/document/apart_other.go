//go:build !linux

package document

import "os"

// ownProgram returns the path of this program.
func ownProgram() (string, error) { return os.Executable() }

// limitMemory does nothing on this system: only watchMemory limits the memory.
func limitMemory() {}
