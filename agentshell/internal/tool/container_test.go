package tool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
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
		"a.zip:new/x": "Created workspace/a.zip:new/x: 1 line, 2 bytes.",
		"new.tgz:d/e": "Created workspace/new.tgz:d/e: 1 line, 2 bytes.\nthe archive is new.",
		"sub/n.zip:d/e": "Created workspace/sub/n.zip:d/e: 1 line, 2 bytes.\nCreated workspace/sub.\n" +
			"the archive is new.",
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
	for _, path := range []string{"log.gz", "log.gz:log", "new.txt.bz2", "sub/new.gz"} {
		b.run("write_file", args{"path": path, "content": "packed\n"})
		read(path, "1\tpacked\n")
		file, _, _ := strings.Cut(path, ":")
		if got := b.read(file); !strings.HasPrefix(got, "\x1f\x8b") && !strings.HasPrefix(got, "BZh") {
			t.Errorf("%s is not packed: %q", file, got)
		}
	}
	p = b.must("write_file", args{"path": "log.gz", "content": "two\n"}).Proposal
	if string(p.Before) != "packed\n" || p.Path != "workspace/log.gz:log" {
		t.Errorf("%q of %s", p.Before, p.Path)
	}
	for _, path := range []string{"a.zip", "fresh.tar"} {
		err := b.fails("write_file", args{"path": path, "content": "x"}, "invalid_args")
		if !strings.Contains(err.Error(), "must target a file inside the archive: workspace/"+path+":PATH") {
			t.Error(err)
		}
	}
	b.run("write_file", args{"path": "dbs.zip:x.db:t", "content": "in the zip\n"})
	read("dbs.zip:x.db:t", "1\tin the zip\n")
	b.write("text.zip", "no archive\n")
	b.run("write_file", args{"path": "text.zip", "content": "nor now\n"})
	if got := b.read("text.zip"); got != "nor now\n" {
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

// dataOf makes a database by statements, as its file.
func dataOf(t *testing.T, sql string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.db")
	c, err := sqlite3.Open("file:" + name)
	if err == nil {
		err = errors.Join(c.Exec(sql), c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestARowOfADatabaseIsWrittenAsItIsShown(t *testing.T) {
	b := newHistory(t, map[string]string{
		"data/app.db": dataOf(t, "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, "+
			"at DEFAULT CURRENT_TIMESTAMP); "+
			"INSERT INTO people VALUES (1, 'Ada', 'then'), (2, 'Bob', 'a'||char(10)||'name: x')"),
		"no.db": "text\n",
	})
	c := b.must("write_file", args{"path": "data/app.db:people:2", "content": `{"name": "Bob\u001b[31m"}`})
	p := c.Proposal
	if c.Title != "write_file workspace/data/app.db:people:2" || c.Path != "data/app.db" || c.Revise != nil ||
		string(p.Before) != "id: 2\nname: 'Bob'\nat: 'a\n  | name: x'\n" || p.Diff.Stats.Added != 1 ||
		!p.Flagged(approval.FlagLasting) || !p.Flagged(approval.FlagHidden) || p.Revisable() {
		t.Errorf("%+v\n%+v\n%q", c, p, p.Before)
	}
	says := func(path, content, want string) {
		t.Helper()
		w := b.must("write_file", args{"path": path, "content": content}).Proposal.Payload.(approval.Write)
		if got := w.Overwrites(); got != want || !w.FileExists != (want == "") || w.What() != "row" {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	says("data/app.db:people:2", `{name: 'x', /* JSON5 */}`,
		"This will overwrite existing row (was 4 lines, now 4 lines)")
	says("data/app.db:people:1", "", "This will delete the row")
	says("data/app.db:people", "{}", "")
	if d := p.Payload.(approval.Write).UnifiedDiff; !strings.HasPrefix(d, "--- data/app.db:people:2") {
		t.Errorf("%q", d)
	}
	if got, want := b.run("write_file", args{"path": "data/app.db:people:1", "content": `{"name": "Ada L."}`}).Text,
		"Updated row '1' in people.\nid: 1\nname: 'Ada L.'\nat: 'then'"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := b.run("write_file", args{"path": "data/app.db:people:1", "content": `{"name": "Ada L."}`}).Summary; got !=
		"(no changes)" {
		t.Errorf("%q", got)
	}
	// What is inserted is what was shown, the time included.
	c = b.must("write_file", args{"path": "data/app.db:people", "content": `{"name": "Eve"}`})
	shown := string(c.Proposal.After)
	r, err := c.Run(t.Context(), func(string) {})
	if err != nil || r.Text+"\n" != "Inserted row into people.\n"+shown {
		t.Errorf("%v %q, want %q", err, r.Text, shown)
	}
	if _, err := c.Run(t.Context(), func(string) {}); err == nil {
		t.Error("inserted twice")
	}
	if got := b.run("write_file", args{"path": "data/app.db:people:3", "content": " "}).Text; got !=
		"Deleted row '3' from people." {
		t.Errorf("%q", got)
	}
	stale := b.must("write_file", args{"path": "data/app.db:people:1", "content": `{"name": "late"}`})
	b.run("write_file", args{"path": "data/app.db:people:1", "content": `{"at": "now"}`})
	if _, err := stale.Run(t.Context(), func(string) {}); err == nil || Kind(err) != "conflict" {
		t.Errorf("a stale row: %v", err)
	}
	if got := b.run("read_file", args{"path": "data/app.db:people:1"}).Text; got != "id: 1\nname: Ada L.\nat: now\n" {
		t.Errorf("%q", got)
	}
	if left, _ := filepath.Glob(b.dir + "/data/*"); len(left) != 1 {
		t.Errorf("left: %q", left)
	}
	for path, code := range map[string]string{"none.db:t": "not_found", "no.db:t": "tool_failed",
		"data/app.db":      "invalid_args",
		"data/app.db:none": "tool_failed", "data/app.db:people:9": "tool_failed"} {
		b.fails("write_file", args{"path": path, "content": "{}"}, code)
	}

	b.run("write_file", args{"path": "no.db", "content": "other text\n"}) // only its name is that of a database
	if got := b.read("no.db"); got != "other text\n" {
		t.Errorf("%q", got)
	}

	// The directory becomes another one meanwhile, or a link to another place.
	for _, link := range []bool{false, true} {
		c = b.must("write_file", args{"path": "data/app.db:people:1", "content": `{"name": "elsewhere"}`})
		was, other, moved := b.read("data/app.db"), filepath.Join(t.TempDir(), "o"), filepath.Join(t.TempDir(), "m")
		err := errors.Join(os.Mkdir(other, 0o755), os.WriteFile(other+"/app.db", []byte(was), 0o644),
			os.Rename(b.dir+"/data", moved))
		if link {
			err = errors.Join(err, os.Symlink(other, b.dir+"/data"))
		} else {
			err = errors.Join(err, os.Rename(other, b.dir+"/data"))
			other = b.dir + "/data"
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Run(t.Context(), func(string) {}); err == nil || Kind(err) != "conflict" && !link {
			t.Errorf("link %v: written: %v", link, err)
		}
		for _, dir := range []string{other, moved} {
			if now, _ := os.ReadFile(dir + "/app.db"); string(now) != was {
				t.Errorf("%s was written", dir)
			}
		}
	}
}
