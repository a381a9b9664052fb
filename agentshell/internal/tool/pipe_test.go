//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
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

func TestARowIsNotWrittenBesideAPipe(t *testing.T) {
	for _, ending := range document.Companions() {
		b := newHistory(t, map[string]string{"data/app.db": dataOf(t, "CREATE TABLE t (id INTEGER PRIMARY KEY, n); "+
			"INSERT INTO t VALUES (1, 0)")})
		row := args{"path": "data/app.db:t:1", "content": `{"n": 1}`}
		late := b.must("write_file", row)
		if err := syscall.Mkfifo(filepath.Join(b.dir, "data/app.db"+ending), 0o644); err != nil {
			t.Fatal(err)
		}
		err := b.fails("write_file", row, "fs_denied")
		if !strings.Contains(err.Error(), "workspace/data/app.db"+ending+" is a named pipe") {
			t.Error(err)
		}
		if _, err := late.Run(t.Context(), func(string) {}); err == nil ||
			!strings.Contains(err.Error(), "app.db"+ending+" is a named pipe") {
			t.Error(err)
		}
	}
}

// A log or an index with several names is written in place, as the database itself is: it has the
// same flag, and one that gets another name after the proposal is not written.
func TestAFileBesideADatabaseWithSeveralNamesIsFlagged(t *testing.T) {
	for _, ending := range document.Companions() {
		b := newHistory(t, map[string]string{"app.db": dataOf(t, "CREATE TABLE t (id INTEGER PRIMARY KEY, n); "+
			"INSERT INTO t VALUES (1, 0)")})
		row := args{"path": "app.db:t:1", "content": `{"n": 1}`}
		plain := b.must("write_file", row)
		if plain.Proposal.Flagged(approval.FlagHardLink) {
			t.Errorf("%+v", plain.Proposal.Flags)
		}
		b.write("app.db"+ending, "")
		if err := os.Link(b.dir+"/app.db"+ending, b.dir+"/other"); err != nil {
			t.Fatal(err)
		}
		c := b.must("write_file", row)
		if !slices.ContainsFunc(c.Proposal.Flags, func(f approval.Flag) bool {
			return f.Name == approval.FlagHardLink &&
				strings.HasPrefix(f.Text, "app.db"+ending+" beside it has 2 names")
		}) {
			t.Errorf("%s: %+v", ending, c.Proposal.Flags)
		}
		if _, err := plain.Run(t.Context(), func(string) {}); err == nil ||
			!strings.Contains(err.Error(), "app.db"+ending+" has 2 names by now") {
			t.Errorf("%s: %v", ending, err)
		}
		if _, err := c.Run(t.Context(), func(string) {}); err != nil {
			t.Errorf("%s: %v", ending, err)
		}
	}
}

func TestADatabaseThatGetsAnotherNameIsNotWritten(t *testing.T) {
	b := newHistory(t, map[string]string{"app.db": dataOf(t, "CREATE TABLE t (id INTEGER PRIMARY KEY, n); "+
		"INSERT INTO t VALUES (1, 0)")})
	row := args{"path": "app.db:t:1", "content": `{"n": 1}`}
	c := b.must("write_file", row)
	if err := os.Link(b.dir+"/app.db", b.dir+"/other"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Run(t.Context(), func(string) {}); err == nil ||
		!strings.Contains(err.Error(), "app.db has 2 names by now") {
		t.Error(err)
	}
	if c := b.must("write_file", row); !c.Proposal.Flagged(approval.FlagHardLink) {
		t.Errorf("%+v", c.Proposal.Flags)
	} else if _, err := c.Run(t.Context(), func(string) {}); err != nil {
		t.Error(err)
	}
}
