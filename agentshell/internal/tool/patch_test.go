package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/block"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/hashline"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/snapshot"
)

// newTagged returns a bench whose tools show tags.
func newTagged(t testing.TB, files map[string]string) *bench {
	t.Helper()
	b := newBench(t, files)
	b.env.Tags = new(snapshot.Store)
	b.env.Blocks = func(name string) hashline.Blocks { return hashline.Blocks(block.Of(name)) }
	b.reg = Builtin(b.env)
	return b
}

// head returns the header that a read of a file prints.
func (b *bench) head(name string) string {
	b.t.Helper()
	head, _, _ := strings.Cut(b.run("read_file", args{"path": name}).Text, "\n")
	if !hashline.IsHeader(head) {
		b.t.Fatalf("%q is no header", head)
	}
	return head
}

func TestAnEditNamesLinesOfWhatWasRead(t *testing.T) {
	text := "const X = 1;\nconst Y = X;\n\nlog(X);\nlog(Y);\nexport { X, Y };\n"
	b := newTagged(t, map[string]string{"src/a.ts": text})
	read := b.run("read_file", args{"path": "src/a.ts"}).Text
	head, rest, _ := strings.Cut(read, "\n")
	if want := "1:const X = 1;\n2:const Y = X;\n3:\n4:log(X);\n5:log(Y);\n6:export { X, Y };\n"; rest != want {
		t.Errorf("the read gives %q", rest)
	}
	c := b.must("edit", args{"input": head + "\nreplace 1..1:\n+const X = 2;\ninsert after 5:\n+log(X + Y);\n"})
	pay, ok := c.Proposal.Payload.(approval.Edit)
	if !ok || c.Title != "edit workspace/src/a.ts" || c.Path != "src/a.ts" || pay.MatchLine != 1 ||
		pay.Kind != "edit" || pay.Description != "Edit workspace/src/a.ts: replace 2 lines" ||
		!strings.HasPrefix(pay.OldString, "const X = 1;") ||
		!strings.HasSuffix(pay.NewString, "log(X + Y);\n") || c.Proposal.Subject.Tool != "edit_file" {
		t.Errorf("%+v\n%+v", c, pay)
	}
	if b.read("src/a.ts")[:12] != "const X = 1;" {
		t.Error("it is written before the answer")
	}
	r, err := c.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "const X = 2;\nconst Y = X;\n\nlog(X);\nlog(Y);\nlog(X + Y);\nexport { X, Y };\n"
	if got := b.read("src/a.ts"); got != want {
		t.Errorf("the file is %q", got)
	}
	now := b.head("src/a.ts")
	want = now + "\n-1:const X = 1;\n+1:const X = 2;\n 2:const Y = X;\n 5:log(Y);\n+6:log(X + Y);\n 7:export { X, Y };"
	if r.Text != want {
		t.Errorf("the model is told %q, want %q", r.Text, want)
	}
	// The tag of the result is that of the text as it is now.
	b.run("edit", args{"input": now + "\ndelete 6\n"})
	if !strings.HasSuffix(b.read("src/a.ts"), "log(Y);\nexport { X, Y };\n") {
		t.Errorf("the file is %q", b.read("src/a.ts"))
	}
}

func TestAnEditKeepsMarkAndEndings(t *testing.T) {
	b := newTagged(t, map[string]string{"a": "\ufeffone\r\ntwo\r\nthree"})
	b.run("edit", args{"input": b.head("a") + "\nreplace 1..1:\n+1\n+1b\ninsert tail:\n+four\n"})
	if got, want := b.read("a"), "\ufeff1\r\n1b\r\ntwo\r\nthree\r\nfour"; got != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
}

func TestAnEditOfBlocks(t *testing.T) {
	b := newTagged(t, map[string]string{"a.go": "package a\n\nfunc f() {\n\tg()\n}\n\nfunc g() {\n}\n"})
	r := b.run("edit", args{"input": b.head("a.go") + "\nreplace block 3:\n+func f() {}\ndelete block 7\n"})
	if got := b.read("a.go"); got != "package a\n\nfunc f() {}\n\n" {
		t.Errorf("the file is %q", got)
	}
	for _, want := range []string{"replace block 3 → resolved lines 3-5 (3 lines)\n",
		"delete block 7 → resolved lines 7-8 (2 lines)\n"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("%q does not say %q", r.Text, want)
		}
	}
	err := b.fails("edit", args{"input": b.head("a.go") + "\ndelete block 2\n"}, "invalid_args")
	if !strings.Contains(err.Error(), "could not resolve a syntactic block beginning on line 2") {
		t.Error(err)
	}
}

func TestAnEditOfSeveralFilesHasParts(t *testing.T) {
	b := newTagged(t, map[string]string{"a": "1\n2\n", "b": "1\n"})
	a := b.head("a")
	patch := a + "\nreplace 1..1:\n+one\n" + b.head("b") + "\nreplace 1:\n eins\n" + a + "\ninsert tail:\n+3\n"
	c := b.must("edit", args{"input": patch})
	if len(c.Parts) != 2 || c.Run != nil || c.Proposal != nil || c.Title != "edit workspace/a workspace/b" {
		t.Fatalf("%+v", c)
	}
	for _, p := range c.Parts {
		if p.Call.Proposal == nil || p.Call.Path == "" {
			t.Fatalf("%+v", p)
		}
		again, err := b.reg.Prepare(context.Background(), "edit", "t2", p.Input)
		if err != nil || string(again.Proposal.After) != string(p.Call.Proposal.After) {
			t.Errorf("%s alone: %+v, %v", p.Input, again, err)
		}
		r, err := p.Call.Run(context.Background(), nil)
		if err != nil || !strings.HasPrefix(r.Text, "¶") {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if b.read("a") != "one\n2\n3\n" || b.read("b") != " eins\n" {
		t.Errorf("the files are %q and %q", b.read("a"), b.read("b"))
	}
	// One that fails lets none be changed.
	err := b.fails("edit", args{"input": b.head("a") + "\ndelete 1\n" + b.head("b") + "\ndelete 9\n"}, "invalid_args")
	if err.Error() != "workspace/b: Line 9 does not exist (file has 1 lines) (no file was changed)" {
		t.Error(err)
	}
	err = b.fails("edit", args{"input": b.head("a") + "\ndelete 1\n¶a#0000\ndelete 2\n"}, "invalid_args")
	if !strings.Contains(err.Error(), "two sections with different tags") {
		t.Error(err)
	}
}

func TestAnEditOfAStaleTag(t *testing.T) {
	lines := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, "line %d\n", i+1)
		}
		return s.String()
	}
	b := newTagged(t, map[string]string{"a": lines(20)})
	old := b.head("a")
	b.write("a", "new\nnew\n"+lines(20))
	r := b.run("edit", args{"input": old + "\nreplace 10..11:\n+ten\n"})
	want := "new\nnew\n" + strings.Replace(lines(20), "line 10\nline 11\n", "ten\n", 1)
	if got := b.read("a"); got != want {
		t.Errorf("the file is %q", got)
	}
	if !strings.HasSuffix(r.Text, "Warnings:\n"+hashline.StaleWarning) || !strings.HasPrefix(r.Text, b.head("a")) {
		t.Errorf("the model is told %q", r.Text)
	}
	// The lines themselves have changed.
	err := b.fails("edit", args{"input": old + "\nreplace 10..11:\n+again\ndelete 20"}, "conflict")
	want = "Edit of a rejected: the file has changed since " + old + " was given. Its tag is #" +
		b.head("a")[len("¶a#"):] + " now. Nothing was changed. The lines that the edit names, as they are now " +
		"(*):\n\n 8:line 6\n 9:line 7\n" +
		"*10:line 8\n*11:line 9\n 12:ten\n 13:line 12\n...\n 18:line 17\n 19:line 18\n*20:line 19\n 21:line 20\n\n" +
		"If they are the ones you mean, send the edit again under " + b.head("a") + "; otherwise read the file again."
	if err.Error() != want {
		t.Errorf("%q\nwant\n%q", err, want)
	}
	// A tag that was never given.
	err = b.fails("edit", args{"input": "¶a#FFFF\ndelete 2"}, "conflict")
	if !strings.Contains(err.Error(), "Edit of a rejected: #FFFF was not given for this file in this session.") {
		t.Error(err)
	}
}

func TestWhatAnEditRefuses(t *testing.T) {
	b := newTagged(t, map[string]string{"a": "1\n2\n", "bin": "a\x00b", "secret": "x\n"})
	b.env.MayRead = func(path string) approval.Action {
		if path == "secret" {
			return approval.Deny
		}
		return approval.Allow
	}
	b.reg = Builtin(b.env)
	head := b.head("a")
	for _, c := range []struct{ input, kind, want string }{
		{"delete 1", "invalid_args", `input must begin with "¶PATH#HASH"`},
		{"¶a\ndelete 1", "invalid_args", "Missing hashline snapshot tag for anchored edit to a"},
		{"¶new#0000\ninsert head:\n+x", "not_found", "write_file creates files"},
		{"¶bin#0000\ndelete 1", "", ""},
		{"¶secret#0000\ndelete 1", "fs_denied", "denied by a rule"},
		{"¶../x#0000\ndelete 1", "fs_denied", "escapes"},
		{head + "\ndelete 3", "invalid_args", "Line 3 does not exist (file has 2 lines)"},
		{head + "\nreplace 1:\n+1", "invalid_args", "produced no change"},
	} {
		in, err := json.Marshal(args{"input": c.input})
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.reg.Prepare(context.Background(), "edit", "t1", in)
		if err == nil || c.kind != "" && Kind(err) != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %s, %v", c.input, Kind(err), err)
		}
	}
}

func TestAWriteGivesATagAndLeavesOutWhatAReadAdds(t *testing.T) {
	b := newTagged(t, map[string]string{"a": "one\ntwo\n"})
	read := b.run("read_file", args{"path": "a"}).Text
	r := b.run("write_file", args{"path": "b", "content": read})
	head, rest, _ := strings.Cut(r.Text, "\n")
	if b.read("b") != "one\ntwo\n" || head != b.head("b") || !strings.Contains(rest, "header and line numbers") {
		t.Errorf("%q: %q", b.read("b"), r.Text)
	}
	for _, same := range []string{"1:one\n2:two\n", "¶a#0000\n1:one\n3:two\n", "¶a#0000\n1:one\ntwo\n", "¶a#0000\n",
		"x\n"} {
		b.run("write_file", args{"path": "c", "content": same})
		if b.read("c") != same {
			t.Errorf("%q became %q", same, b.read("c"))
		}
	}
}

func TestReadsInPartsHaveTheTagOfTheWholeText(t *testing.T) {
	b := newTagged(t, map[string]string{"a": strings.Repeat("x\n", 50), "empty": ""})
	head := b.head("a")
	got := b.run("read_file", args{"path": "a:10-11,40-40"}).Text
	want := head + "\n9:x\n10:x\n11:x\n12:x\n13:x\n14:x\n...\n39:x\n40:x\n41:x\n42:x\n43:x\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := b.run("read_file", args{"path": "a:raw"}).Text; strings.Contains(got, "¶") {
		t.Errorf("raw gives %q", got)
	}
	if got := b.run("read_file", args{"path": "a:60"}).Text; !strings.Contains(got, "line 60 is beyond its end") {
		t.Errorf("%q", got)
	}
}

// The model is shown 60 rows of what has changed, and how many more there are.
func TestTheRowsOfAnEditThatAreShownAreBounded(t *testing.T) {
	b := newTagged(t, map[string]string{"a": "x\n"})
	r := b.run("edit", args{"input": b.head("a") + "\ninsert tail:\n" + strings.Repeat("+y\n", 100)})
	if n := strings.Count(r.Text, ":y\n"); n != 59 || !strings.HasSuffix(r.Text, "\n[41 more lines]") {
		t.Errorf("%d rows, %q", n, r.Text[len(r.Text)-50:])
	}
}

// A person who takes some of the hunks: the model is told which, and the tag of what there is now.
func TestAPartOfAnEditHasItsOwnTag(t *testing.T) {
	text := strings.Repeat("x\n", 10) + "y\n" + strings.Repeat("z\n", 20)
	b := newTagged(t, map[string]string{"a": text})
	c := b.must("edit", args{"input": b.head("a") + "\nreplace 1:\n+one\nreplace 31:\n+last\n"})
	c, err := c.Revise(context.Background(), []byte("one\n"+text[2:]))
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Run(context.Background(), nil)
	if err != nil || !strings.HasPrefix(r.Text, b.head("a")+"\n") ||
		!strings.Contains(r.Text, "1 of 2 hunks applied") ||
		!strings.Contains(r.Text, "+one") || strings.Contains(r.Text, "last") {
		t.Errorf("%q, %v", r.Text, err)
	}
}
