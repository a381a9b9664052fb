//go:build unix && !linux

package workspace

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

func (h fdFolder) readNames(ctx context.Context, add func(name []byte, k entryKind, ino uint64) error) error {
	fd, err := openat(h.fd, ".", unix.O_DIRECTORY)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			if err := add([]byte(e.Name()), kindOf(e.Type()), 0); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
