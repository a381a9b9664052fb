//go:build unix && !linux

package workspace

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

func (f fdFolder) readNames(ctx context.Context, add func(name []byte, k entryKind, ino uint64) error) error {
	fd, err := openat(f.fd, ".", unix.O_DIRECTORY)
	if err != nil {
		return err
	}
	file := os.NewFile(uintptr(fd), ".")
	defer file.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := file.ReadDir(1024)
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
