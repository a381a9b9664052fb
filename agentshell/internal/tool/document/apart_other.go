//go:build !linux

package document

import "os"

// itself returns this program.
func itself() (string, error) { return os.Executable() }

// limitMemory does nothing here: watchMemory looks.
func limitMemory() {}
