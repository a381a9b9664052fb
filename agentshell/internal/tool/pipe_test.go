//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// No tool waits for a named pipe, or writes into one. A file in its place is read and written by
// the same calls.
func TestANamedPipeIsNotWritten(t *testing.T) {
	b := newBench(t, nil)
	pipe := filepath.Join(b.dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	calls := []struct {
		tool string
		args args
		done string // that the result holds
	}{
		{"read_file", args{"path": "pipe"}, "1\told"},
		{"edit_file", args{"path": "pipe", "old_string": "old", "new_string": "new"}, "pipe"},
		{"write_file", args{"path": "pipe", "content": "newest\n"}, "pipe"},
	}
	for _, c := range calls {
		if err := b.fails(c.tool, c.args, "fs_denied"); !strings.Contains(err.Error(), "named pipe") {
			t.Errorf("%s: %v", c.tool, err)
		}
	}
	search := args{"pattern": "old"}
	if r := b.run("search", search); strings.Contains(r.Text, "pipe") {
		t.Errorf("a search has found something: %q", r.Text)
	}
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}
	b.write("pipe", "old\n")
	if r := b.run("search", search); !strings.Contains(r.Text, "pipe") {
		t.Errorf("a search does not find the file: %q", r.Text)
	}
	for _, c := range calls {
		if r := b.run(c.tool, c.args); !strings.Contains(r.Text, c.done) {
			t.Errorf("%s of a file: %q does not hold %q", c.tool, r.Text, c.done)
		}
	}
	if got := b.read("pipe"); got != "newest\n" {
		t.Errorf("the file holds %q", got)
	}
}
