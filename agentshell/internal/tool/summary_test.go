package tool

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/block"
)

func TestALongSourceIsSummarized(t *testing.T) {
	var s strings.Builder
	s.WriteString("package a\n")
	for i := range 400 {
		fmt.Fprintf(&s, "\nfunc F%d() {\n%s}\n", i, strings.Repeat("\tcall()\n", 10))
	}
	long := s.String()
	b := newTagged(t, map[string]string{"long.go": long, "short.go": long[:2000], "long.txt": long, "broken.go": long +
		"func {\n"})
	all := "package a\n"
	for i := range 4 {
		all += strings.ReplaceAll(strings.TrimPrefix(long, "package a\n"), "func F", fmt.Sprintf("func F%d_", i))
	}
	b.write("most.go", strings.Join(strings.SplitAfter(all, "\n")[:13*1538+1], "")) // 19,995 lines
	b.write("lines.go", all)
	b.write("bytes.go", long+"//"+strings.Repeat("x", maxSummaryBytes))
	b.env.Bodies = block.Bodies
	b.reg = Builtin(b.env)
	r := b.run("read_file", args{"path": "long.go"})
	want := b.head("long.go") + "\n1:package a\n2:\n3:func F0() {\n...\n14:}\n15:\n16:func F1() {\n...\n27:}\n"
	if !strings.HasPrefix(r.Text, want) {
		t.Errorf("got\n%s\nwant\n%s", r.Text[:300], want)
	}
	if want := "\n5201:}\n[4000 lines elided; re-read needed ranges, e.g. " +
		"workspace/long.go:4-13,17-26,30-39]\n"; !strings.HasSuffix(r.Text,
		want) || r.Summary != "declarations of 5201 lines" {
		t.Errorf("%s: %s", r.Summary, r.Text[len(r.Text)-200:])
	}
	if r := b.run("read_file", args{"path": "most.go"}); !strings.Contains(r.Text, "elided") {
		t.Error("a source of less than 20,000 lines is not summarized")
	}
	// The numbers are those of the file, and its tag holds.
	b.run("edit", args{"input": b.head("long.go") + "\nreplace 16..16:\n+func G1() {\n"})
	if !strings.Contains(b.read("long.go"), "\nfunc G1() {\n") {
		t.Error("the edit is not there")
	}
	for _, name := range []string{"short.go", "long.txt", "broken.go", "long.go:1", "long.go:raw", "lines.go",
		"bytes.go"} {
		if r := b.run("read_file", args{"path": name}); strings.Contains(r.Text, "elided") {
			t.Errorf("%s is summarized", name)
		}
	}
}
