package tool

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

func TestEditErrorsByteForByte(t *testing.T) {
	many := strings.Repeat("x\n", 25)
	b := newBench(t, map[string]string{
		"a.py": "def calculate_total(items):\n    total = 0\n    for item in items:\n        total += item.price\n" +
			"    return total\n", "many": many, "aa": "aaaa aa", "lone": "nothing here",
		"over": "x\ny\nx\ny\nx\n",
		"sim":  "value_1 = 1\nvalue_2 = 1\n\nvalue_3 = 1\nvalue_4 = 1\n",
	})
	for _, c := range []struct {
		name string
		a    args
		kind string
		want string
	}{
		{"several matches", args{"path": "a.py", "old_string": "total", "new_string": "sum"}, "edit_not_unique",
			"Found 4 matches for old_string. Use replace_all=True or provide more context. Matches at lines: " +
				"1, 2, 4, 5"},
		{"more than twenty", args{"path": "many", "old_string": "x", "new_string": "y"}, "edit_not_unique",
			"Found 25 matches for old_string. Use replace_all=True or provide more context. Matches at lines: 1, 2, " +
				"3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 and 5 more"},
		{"matches do not overlap", args{"path": "aa", "old_string": "aa", "new_string": "b"}, "edit_not_unique",
			"Found 3 matches for old_string. Use replace_all=True or provide more context. Matches at lines: 1, 1, 1"},
		{"matches that overlap", args{"path": "over", "old_string": "x\ny\nx\n", "new_string": "z\n"},
			"edit_not_unique",
			"Found 2 matches for old_string. Use replace_all=True or provide more context. Matches at lines: 1, 3"},
		{"no match, similar lines", args{"path": "a.py", "old_string": "    total = 1\n", "new_string": ""},
			"edit_not_found",
			"old_string not found in workspace/a.py. File contains 5 lines. Did you mean: line 2:     total = 0? " +
				`It has "0", you sent "1".`},
		{"no match, only blanks differ", args{"path": "a.py", "old_string": "\treturn  total", "new_string": ""},
			"edit_not_found",
			"old_string not found in workspace/a.py. File contains 5 lines. Did you mean: line 5:     return " +
				"total? It begins with 4 spaces, you sent a tab."},
		{"no match, several similar lines", args{"path": "sim", "old_string": "value_9 = 1", "new_string": ""},
			"edit_not_found",
			"old_string not found in workspace/sim. File contains 5 lines. Did you mean: line 1: value_1 = 1, line " +
				"2: value_2 = 1, line 4: value_3 = 1?"},
		{"no match, no candidate", args{"path": "lone", "old_string": "zzzzzzzzzz", "new_string": ""}, "edit_not_found",
			"old_string not found in workspace/lone. File contains 1 lines."},
		{"empty old_string", args{"path": "lone", "old_string": "", "new_string": "x"}, "invalid_args",
			"old_string is empty; use write_file to create a file"},
		{"no-op", args{"path": "lone", "old_string": "here", "new_string": "here"}, "invalid_args",
			"old_string and new_string are the same: the edit is a no-op"},
		{"no file", args{"path": "none", "old_string": "a", "new_string": "b"}, "not_found",
			"file not found: workspace/none"},
		{"outside", args{"path": "../x", "old_string": "a", "new_string": "b"}, "fs_denied", ""},
		{"a missing argument", args{"path": "lone", "old_string": "a"}, "invalid_args", "new_string is missing"},
		{"a wrong type", args{"path": "lone", "old_string": "a", "new_string": 5}, "invalid_args",
			"new_string must be a string, got number"},
		{"an unknown argument", args{"path": "lone", "old_string": "a", "new_string": "b", "Path": "x"}, "invalid_args",
			`"Path" is not an argument`},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.t = t
			err := b.fails("edit_file", c.a, c.kind)
			if c.want != "" && err.Error() != c.want {
				t.Errorf("got\n%s\nwant\n%s", err, c.want)
			}
		})
	}
}

func TestEditKeepsEndings(t *testing.T) {
	for _, c := range []struct {
		name, file, old, fresh string
		all                    bool
		want                   string
	}{
		{"LF", "a\nb\nc\n", "b", "x\ny", false, "a\nx\ny\nc\n"},
		{"CRLF", "a\r\nb\r\nc\r\n", "b", "x\ny", false, "a\r\nx\r\ny\r\nc\r\n"},
		{"a match across CRLF", "a\r\nb\r\nc\r\n", "a\nb\n", "a\nnew\nb\n", false, "a\r\nnew\r\nb\r\nc\r\n"},
		{"CRLF in old_string of an LF file", "a\nb\nc\n", "a\r\nb", "x", false, "x\nc\n"},
		{"mixed stays mixed", "a\nb\r\nc\nd\r\n", "b\nc", "B\nC", false, "a\nB\r\nC\nd\r\n"},
		{"a new line in a mixed file takes the one before it", "a\nb\r\nc\nd\r\n", "c", "c\nnew", false,
			"a\nb\r\nc\r\nnew\nd\r\n"},
		{"a kept line keeps its ending", "a\r\nb\nc\r\n", "a\nb\nc\n", "a\nx\nb\nc\n", false, "a\r\nx\r\nb\nc\r\n"},
		{"deleting", "a\r\nb\nc\r\n", "b\n", "", false, "a\r\nc\r\n"},
		{"no final newline stays", "a\nb", "b", "c", false, "a\nc"},
		{"a final newline can be added", "a\r\nb", "b", "b\n", false, "a\r\nb\r\n"},
		{"one line without a newline gets LF", "a", "a", "a\nb", false, "a\nb"},
		{"the BOM stays", "\ufeffa\nb\n", "a", "x", false, "\ufeffx\nb\n"},
		{"the BOM in old_string is ignored", "\ufeffa\nb\n", "\ufeffa", "x", false, "\ufeffx\nb\n"},
		{"a lone CR is data", "a\rb\r\nc\r\n", "b", "x\ny", false, "a\rx\r\ny\r\nc\r\n"},
		{"all", "x\r\nx\nx", "x", "yy", true, "yy\r\nyy\nyy"},
		{"all with line breaks", "x;\r\nx;\nx;", "x", "y\nz", true, "y\r\nz;\r\ny\r\nz;\ny\nz;"},
		{"trailing blanks stay", "a  \nb\t\n", "b", "c", false, "a  \nc\t\n"},
		{"the last line of CRLF", "a\r\nb\r\n", "b\n", "b\nc\n", false, "a\r\nb\r\nc\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"f": c.file})
			b.run("edit_file", args{"path": "f", "old_string": c.old, "new_string": c.fresh, "replace_all": c.all})
			if got := b.read("f"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Bytes outside the edited span are identical before and after, whatever the endings.
func TestBytesOutsideAnEditStay(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	ends := []string{"\n", "\r\n", "\r", "  \n", "\t\r\n"}
	for i := range 2000 {
		var before, after bytes.Buffer
		if r.IntN(4) == 0 {
			before.WriteString("\ufeff")
		}
		part := func(w *bytes.Buffer, side string) {
			for n := range r.IntN(8) {
				fmt.Fprintf(w, "%s%d é%s", side, n, ends[r.IntN(len(ends))])
			}
		}
		part(&before, "before")
		part(&after, "after")
		if after.Len() == 0 || r.IntN(4) == 0 {
			after.WriteString("end")
		}
		fresh := strings.Repeat("new\n", r.IntN(4)) + "tail"
		raw := before.String() + "UNIQUE" + after.String()
		text := normalise([]byte(raw))
		at := text.find("UNIQUE")
		if len(at) != 1 {
			t.Fatalf("seed %d round %d: %v", seed, i, at)
		}
		got := string(text.replace(at, "UNIQUE", fresh))
		if !strings.HasPrefix(got, before.String()) || !strings.HasSuffix(got, after.String()) {
			t.Fatalf("seed %d round %d:\n%q\n%q", seed, i, raw, got)
		}
		if mid := got[before.Len() : len(got)-after.Len()]; lf(mid) != fresh {
			t.Fatalf("seed %d round %d: %q", seed, i, mid)
		}
	}
}

func TestEditDescriptionsAndResults(t *testing.T) {
	for _, c := range []struct {
		name, file string
		a          args
		desc, text string
	}{
		{"replace", "a\nb\nc\n", args{"old_string": "b\nc", "new_string": "x\ny"}, "Edit workspace/f: replace 2 lines",
			"Replaced 2 lines at line 2 in workspace/f\nreplacements made: 1, lines changed: 2"},
		{"replace one", "a\nb\nc\n", args{"old_string": "b", "new_string": "x"}, "Edit workspace/f: replace 1 line",
			"Replaced 1 line at line 2 in workspace/f\nreplacements made: 1, lines changed: 1"},
		{"add", "a\nb\n", args{"old_string": "b\n", "new_string": "b\nc\nd\n"},
			"Edit workspace/f: add 2 lines at line 2",
			"Added 2 lines at line 2 in workspace/f\nreplacements made: 1, lines changed: 2"},
		{"remove", "a\nb\nc\n", args{"old_string": "b\n", "new_string": ""},
			"Edit workspace/f: remove 1 line at line 2",
			"Removed 1 line at line 2 in workspace/f\nreplacements made: 1, lines changed: 1"},
		{"all", "x\n1\n2\n3\n4\n5\n6\n7\n8\nx\n", args{"old_string": "x", "new_string": "y", "replace_all": true},
			"Edit workspace/f: replace 2 lines",
			"Replaced 2 lines at line 1 in workspace/f\nreplacements made: 2, lines changed: 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"f": c.file})
			c.a["path"] = "f"
			call := b.must("edit_file", c.a)
			if got := call.Proposal.Payload.Line(); got != c.desc {
				t.Errorf("description %q, want %q", got, c.desc)
			}
			r, err := call.Run(context.Background(), nil)
			if err != nil || r.Text != c.text {
				t.Errorf("result %q, %v, want %q", r.Text, err, c.text)
			}
		})
	}
}

func TestContextAroundAMatch(t *testing.T) {
	b := newBench(t, map[string]string{"f": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"})
	for _, c := range []struct{ old, before, after string }{
		{"5", "2\n3\n4", "6\n7\n8"},
		{"5\n", "2\n3\n4", "6\n7\n8"},
		{"1", "", "2\n3\n4"},
		{"9\n", "6\n7\n8", ""},
		{"8\n9", "5\n6\n7", ""},
	} {
		p := b.must("edit_file", args{"path": "f", "old_string": c.old, "new_string": "x"}).
			Proposal.Payload.(approval.Edit)
		if p.ContextBefore != c.before || p.ContextAfter != c.after {
			t.Errorf("%q: before %q, after %q", c.old, p.ContextBefore, p.ContextAfter)
		}
	}
}

// Of a long file whose lines are all alike only so many are compared, and few of them in full: the
// work, counted in bytes allocated, does not grow with the file beyond that.
func TestSuggestionsForACostlyFileAreBoundedWork(t *testing.T) {
	line := strings.Repeat("ab", 140) + "\n"
	work := func(lines int) uint64 {
		text := strings.Repeat(line, lines)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := notFound("f", text, strings.Repeat("bba", 90)); err == nil {
			t.Error("it is found")
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	short, long := work(maxCompared), work(4*maxCompared)
	if long > short+short/4+100_000 {
		t.Errorf("%d bytes for %d lines, %d for four times as many", short, maxCompared, long)
	}
}

// A write-protected file is refused before anybody is asked, with what to do about it (EDIT-5).
func TestAWriteProtectedFileIsNotAskedFor(t *testing.T) {
	b := newBench(t, map[string]string{"f": "old\n"})
	if err := os.Chmod(filepath.Join(b.dir, "f"), 0o444); err != nil {
		t.Fatal(err)
	}
	for tool, a := range map[string]args{
		"edit_file":  {"path": "f", "old_string": "old", "new_string": "new"},
		"write_file": {"path": "f", "content": "new\n"},
	} {
		want := "operation not permitted: workspace/f is read-only (mode 0444). The user can make it writable with " +
			"chmod u+w."
		if err := b.fails(tool, a, "fs_denied"); err.Error() != want {
			t.Errorf("%s: %v", tool, err)
		}
	}
	if b.read("f") != "old\n" {
		t.Error("it was written")
	}
}
