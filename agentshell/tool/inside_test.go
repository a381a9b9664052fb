package tool

import (
	"context"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/approval"
)

func TestAMemberOfAnArchiveIsWrittenAsItIsShown(t *testing.T) {
	b := newHistory(t, map[string]string{
		"a.zip":     zipOf(t, map[string]string{"src/m.go": "one\ntwo\n", "crlf": "a\r\nb\r\n", "bin": "a\x00b"}),
		"log.gz":    gzipOf(t, "text\n"),
		"odd.zip:x": "a file of that name\n",
	})
	c := b.must("write_file", args{"path": "a.zip:src/m.go", "content": "one\n2\n"})
	p := c.Proposal
	if c.Title != "write_file workspace/a.zip:src/m.go" || c.Path != "a.zip" || p.Path != "workspace/a.zip:src/m.go" ||
		string(p.Before) != "one\ntwo\n" || string(p.After) != "one\n2\n" || p.Diff.Stats.Added != 1 {
		t.Errorf("%+v\n%+v", c, p)
	}
	if d := p.Payload.(approval.Write).UnifiedDiff; !strings.HasPrefix(d, "--- a.zip:src/m.go") {
		t.Errorf("%s", d)
	}
	if got, want := b.run("write_file", args{"path": "a.zip:src/m.go", "content": "one\n2\n"}).Text,
		"Replaced workspace/a.zip:src/m.go: 2 lines, 6 bytes."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	read := func(path, want string) {
		t.Helper()
		if got := b.run("read_file", args{"path": path}).Text; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	read("a.zip:src/m.go", "1\tone\n2\t2\n")
	for path, want := range map[string]string{
		"a.zip:new/x":   "Created workspace/a.zip:new/x: 1 line, 2 bytes.",
		"new.tgz:d/e":   "Created workspace/new.tgz:d/e: 1 line, 2 bytes.\nthe archive is new.",
		"sub/n.zip:d/e": "Created workspace/sub/n.zip:d/e: 1 line, 2 bytes.\nCreated workspace/sub.\nthe archive is new.",
	} {
		if got := b.run("write_file", args{"path": path, "content": "n\n"}).Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
		read(path, "1\tn\n")
	}
	b.run("write_file", args{"path": "a.zip:crlf", "content": "a\nc\n"})
	read("a.zip:crlf", "1\ta\r\n2\tc\r\n")
	if got := b.run("write_file", args{"path": "a.zip:crlf", "content": "a\nc\n"}).Summary; got != "(no changes)" {
		t.Errorf("%q", got)
	}
	p = b.must("write_file", args{"path": "a.zip:bin", "content": "x\n"}).Proposal
	if !p.Flagged(approval.FlagBinary) {
		t.Errorf("%+v", p)
	}
	b.run("write_file", args{"path": "odd.zip:x", "content": "its own\n"})
	if got := b.read("odd.zip:x"); got != "its own\n" {
		t.Errorf("%q", got)
	}
	for path, code := range map[string]string{"a.zip:x/../y": "invalid_args", "a.zip:src/": "invalid_args",
		"a.zip:src": "tool_failed", "log.gz:x": "tool_failed", "../a.zip:x": "fs_denied"} {
		b.fails("write_file", args{"path": path, "content": "x"}, code)
	}

	// A person's own text goes into the archive, and what another program did meanwhile stays.
	c = b.must("write_file", args{"path": "a.zip:src/m.go", "content": "model\n"})
	c, err := c.Revise(t.Context(), []byte("person\n"))
	if err != nil || c.Proposal.Revision != "edited by the user" {
		t.Fatal(err, c.Proposal)
	}
	stale := b.must("write_file", args{"path": "a.zip:src/m.go", "content": "late\n"})
	r, err := c.Run(t.Context(), func(string) {})
	if err != nil || !strings.Contains(r.Text, "+person") {
		t.Errorf("%v %q", err, r.Text)
	}
	read("a.zip:src/m.go", "1\tperson\n")
	if _, err := stale.Run(context.Background(), func(string) {}); err == nil {
		t.Error("a stale proposal was written")
	}
	if _, err := b.undo(0); err != nil {
		t.Fatal(err)
	}
	read("a.zip:src/m.go", "1\tone\n2\t2\n")
	read("a.zip:new/x", "1\tn\n")
}
