//go:build unix

package tool

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestANamedPipeIsNotWritten(t *testing.T) {
	b := newBench(t, nil)
	if err := syscall.Mkfifo(filepath.Join(b.dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := b.fails("write_file", args{"path": "pipe", "content": ""}, "fs_denied")
	if !strings.Contains(err.Error(), "named pipe") {
		t.Error(err)
	}
}
