package tool

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func zipOf(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadOfArchivesNotebooksAndPathsByTheirEnd(t *testing.T) {
	b := newBench(t, map[string]string{
		"pkg/a.zip": zipOf(t, map[string]string{"src/m.go": "one\ntwo\nthree\n", "src/bin": "a\x00b", "../up": "x",
			"évil\x1b[31m": "text\x1b[31m\n"}),
		"log.txt.gz":    gzipOf(t, "l1\nl2\nl3\n"),
		"broken.zip":    "no archive",
		"odd.zip:x":     "a file of that name\n",
		"n.ipynb":       `{"nbformat":4,"cells":[{"cell_type":"code","source":["a = 1\n","b"]}]}`,
		"notanb.ipynb":  "plain\n",
		"src/util/x.go": "the x\n", "src/a/y.go": "y1\n", "src/b/y.go": "y2\n", ".gitignore": "ignored\n",
		"ignored/only.go": "not found\n", "b/y.zip": "", "c/y.zip": "",
	})
	for _, c := range []struct{ path, want string }{
		{"pkg/a.zip", "src/\névil\\x1b[31m  10 bytes\n[1 entry left out: names that lead out of the archive]\n" +
			"[read one with workspace/pkg/a.zip:PATH]\n"},
		{"pkg/a.zip:", "src/\névil\\x1b[31m  10 bytes\n[1 entry left out: names that lead out of the archive]\n" +
			"[read one with workspace/pkg/a.zip:PATH]\n"},
		{"pkg/a.zip:src", "bin  3 bytes\nm.go  14 bytes\n[read one with workspace/pkg/a.zip:PATH]\n"},
		{"pkg/a.zip:src/", "bin  3 bytes\nm.go  14 bytes\n[read one with workspace/pkg/a.zip:PATH]\n"},
		{"pkg/a.zip:src/m.go", "1\tone\n2\ttwo\n3\tthree\n"},
		{"workspace/pkg/a.zip:src/m.go:2-", "2\ttwo\n3\tthree\n"},
		{"pkg/a.zip:src/m.go:raw:1-1", "one\n"},
		{"pkg/a.zip:src/bin", "[Cannot read binary archive entry 'workspace/pkg/a.zip:src/bin' (3 bytes)]\n"},
		{"log.txt.gz", "1\tl1\n2\tl2\n3\tl3\n"},
		{"log.txt.gz:2-2", "2\tl2\n"},
		{"log.txt.gz:log.txt:3", "3\tl3\n"},
		{"odd.zip:x", "1\ta file of that name\n"},
		{"n.ipynb", "[cells of a notebook; write_file to workspace/n.ipynb takes them changed]\n" +
			"1\t# %% [code] cell:0\n2\ta = 1\n3\tb\n"},
		{"n.ipynb:raw", `{"nbformat":4,"cells":[{"cell_type":"code","source":["a = 1\n","b"]}]}`},
		{"a.zip:src/m.go:2-2", "[Path 'workspace/a.zip' not found; resolved to 'workspace/pkg/a.zip' via suffix " +
			"match]\n2\ttwo\n"},
		{"n.ipynb:2-2", "[cells of a notebook; write_file to workspace/n.ipynb takes them changed]\n2\ta = 1\n"},
		{"notanb.ipynb", "1\tplain\n"},
		{"util/x.go", "[Path 'workspace/util/x.go' not found; resolved to 'workspace/src/util/x.go' via suffix " +
			"match]\n" +
			"1\tthe x\n"},
		{"./x.go:1", "[Path 'workspace/x.go' not found; resolved to 'workspace/src/util/x.go' via suffix match]\n" +
			"1\tthe x\n"},
	} {
		if r := b.run("read_file", args{"path": c.path}); r.Text != c.want {
			t.Errorf("%s: got\n%q\nwant\n%q", c.path, r.Text, c.want)
		}
	}
	for path, want := range map[string]string{
		"pkg/a.zip:none":  "not_found: workspace/pkg/a.zip:none is not in the archive",
		"pkg/a.zip:../up": "not_found: workspace/pkg/a.zip:up is not in the archive",
		"broken.zip":      "tool_failed: workspace/broken.zip cannot be read as an archive: zip: not a valid zip file",
		"none.zip:a":      "not_found: file not found: workspace/none.zip:a",
		"y.zip:m":         "not_found: file not found: workspace/y.zip; several files end so: workspace/b/y.zip, ",
		"y.go": "not_found: file not found: workspace/y.go; several files end so: workspace/src/a/y.go, " +
			"workspace/src/b/y.go",
		"only.go":          "not_found: file not found: workspace/only.go",
		"il/x.go":          "not_found: file not found: workspace/il/x.go",
		"../out.zip:a":     "fs_denied",
		"pkg/a.zip:src:0":  "invalid_args: line numbers begin at 1, got 0",
		"pkg/a.zip:raw":    "",
		"pkg/a.zip:\x00a":  "not_found",
		"pkg/a.zip:raw:5-": "",
	} {
		kind, text, _ := strings.Cut(want, ": ")
		if kind == "" {
			continue // some answer; it must not panic
		}
		err := b.fails("read_file", args{"path": path}, kind)
		if got := err.Error(); !strings.Contains(got, text) {
			t.Errorf("%s: %q, want %q", path, got, text)
		}
	}
}

func TestReadOfADatabaseAndOfADocument(t *testing.T) {
	b := newBench(t, map[string]string{"notes.db": "no database\n", "a.docx": zipOf(t, map[string]string{
		"word/document.xml": `<d xmlns:w="x"><w:p><w:t>one</w:t></w:p><w:p><w:t>two</w:t></w:p></d>`}), "bad.pdf": "x"})
	c, err := sqlite3.Open("file:" + filepath.Join(b.dir, "data.db"))
	if err == nil {
		err = errors.Join(c.Exec("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES "+
			"(1,'x'),(2,'y')"),
			c.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	b.write("deep/far.db", b.read("data.db"))
	for _, c := range []struct{ path, want, title string }{
		{"data.db", "t  2 rows\n", "read_file workspace/data.db"},
		{"data.db:t:2", "id: 2\na: y\n", "read_file workspace/data.db:t:2"},
		{"workspace/data.db?q=SELECT a FROM t WHERE id = 1", "a\nx\n",
			"read_file workspace/data.db?q=SELECT a FROM t WHERE id = 1"},
		{"notes.db", "1\tno database\n", "read_file workspace/notes.db"},
		{"far.db:t?limit=1&order=id:desc", "[Path 'workspace/far.db' not found; resolved to " +
			"'workspace/deep/far.db' via suffix match]\nid | a\n2 | y\n",
			"read_file workspace/deep/far.db:t?limit=1&order=id:desc"},
		{"a.docx:2-2", "2\tone\n", "read_file workspace/a.docx:2-2"},
	} {
		call := b.must("read_file", args{"path": c.path})
		r, err := call.Run(context.Background(), nil)
		if r.Text != c.want || err != nil || call.Title != c.title {
			t.Errorf("%s: %v, title %q, got\n%q\nwant\n%q", c.path, err, call.Title, r.Text, c.want)
		}
	}
	b.fails("read_file", args{"path": "bad.pdf"}, "tool_failed")
	b.fails("read_file", args{"path": "data.db:none"}, "tool_failed")
	b.fails("read_file", args{"path": "notes.db:t"}, "not_found")
	b.fails("read_file", args{"path": "data.db:raw"}, "tool_failed")
}

// Rules see the file that is read, whatever name led there.
func TestRulesSeeWhatASuffixFound(t *testing.T) {
	b := newBench(t, map[string]string{"deep/secret/key.txt": "k\n", "deep/a.zip": zipOf(t,
		map[string]string{"x": "y\n"})})
	for request, want := range map[string]string{"key.txt": "deep/secret/key.txt",
		"secret/key.txt:1": "deep/secret/key.txt",
		"deep/a.zip:x":     "deep/a.zip", "deep": "deep"} {
		if c := b.must("read_file", args{"path": request}); c.Path != want {
			t.Errorf("%s is %q to rules, want %q", request, c.Path, want)
		}
	}
}

func TestReadOfADirectory(t *testing.T) {
	b := newBench(t, map[string]string{"a.txt": "a\n", "src/m.go": "package m\n", "src/deep/x/y.go": "y\n",
		"out/o":      "o\n",
		".gitignore": "out\n", "many/f00": ""})
	for i := range 15 {
		b.write("many/f"+string(rune('0'+i/10))+string(rune('0'+i%10)), "")
	}
	now := time.Now()
	b.env.Now = func() time.Time { return now }
	b.reg = Builtin(b.env)
	old := map[string]time.Duration{"a.txt": time.Minute, "src/m.go": 3 * time.Hour, "src/deep": 50 * time.Hour,
		"src":        2 * time.Hour,
		".gitignore": 100 * time.Hour, "many": 200 * time.Hour}
	for i := range 15 {
		old["many/f"+string(rune('0'+i/10))+string(rune('0'+i%10))] = time.Hour
	}
	os.Symlink("a.txt", filepath.Join(b.dir, "link"))
	for name, d := range old {
		if err := os.Chtimes(filepath.Join(b.dir, name), now.Add(-d), now.Add(-d)); err != nil {
			t.Fatal(err)
		}
	}
	want := "link -> a.txt, now\na.txt  2 bytes, 1 minute ago\nsrc/, 2 hours ago\n  m.go  10 bytes, 3 hours ago\n" +
		"  deep/, 2 days ago\n.gitignore  4 bytes, 4 days ago\nmany/, 8 days ago\n"
	for i := range 12 {
		want += "  f" + string(rune('0'+i/10)) + string(rune('0'+i%10)) + "  0 bytes, 1 hour ago\n"
	}
	want += "  [3 more]\n"
	for _, path := range []string{".", "workspace", "./"} {
		if r := b.run("read_file", args{"path": path}); r.Text != want {
			t.Errorf("%s: got\n%s\nwant\n%s", path, r.Text, want)
		}
	}
	rows := strings.SplitAfter(want, "\n")
	for path, want := range map[string]string{".:1-2": rows[0] + rows[1],
		".:3+1,5": rows[2] + strings.Join(rows[4:], ""),
		".:99":    "[the list has 20 lines; line 99 is beyond its end]\n"} {
		if r := b.run("read_file", args{"path": path}); r.Text != want {
			t.Errorf("%s: got\n%s\nwant\n%s", path, r.Text, want)
		}
	}
	if r := b.run("read_file", args{"path": "src/deep"}); r.Text != "x/, now\n  y.go  2 bytes, now\n" {
		t.Errorf("got\n%s", r.Text)
	}
	os.Mkdir(filepath.Join(b.dir, "nothing"), 0o755)
	if r := b.run("read_file", args{"path": "nothing"}); r.Text != "(empty directory)\n" {
		t.Errorf("got %q", r.Text)
	}
}

// An archive lists a thousand entries of a directory.
func TestAListOfAnArchiveIsBounded(t *testing.T) {
	files := map[string]string{}
	for i := range maxEntries + 2 {
		files[fmt.Sprintf("d/%04d", i)] = ""
	}
	b := newBench(t, map[string]string{"a.zip": zipOf(t, files)})
	r := b.run("read_file", args{"path": "a.zip:d"})
	if n := strings.Count(r.Text, " bytes\n"); n != maxEntries || !strings.Contains(r.Text, "\n[2 more entries]\n") {
		t.Errorf("%d entries, %q", n, r.Text[len(r.Text)-100:])
	}
}

// Only what an edit can change has a tag: files, and none of what is made of them or comes from
// elsewhere.
func TestOnlyTheTextOfAFileHasATag(t *testing.T) {
	b := newTagged(t, map[string]string{"f": "one\n", "a.zip": zipOf(t, map[string]string{"m": "one\n"}),
		"n.ipynb": `{"nbformat":4,"cells":[{"cell_type":"code","source":"one"}]}`, "bom": "\ufeffone\n"})
	b.env.Addresses = Addresses{"artifact": func(context.Context, string) (string, error) { return "one\n", nil }}
	b.reg = Builtin(b.env)
	for path, tagged := range map[string]bool{"f": true, "bom": true, "f:1-1": true, "f:raw": false, "a.zip:m": false,
		"n.ipynb": false, "artifact://x": false, ".": false} {
		r := b.run("read_file", args{"path": path})
		if got := strings.HasPrefix(r.Text, "¶"); got != tagged {
			t.Errorf("%s: %q", path, r.Text)
		}
	}
}

// A model uses what it is told of: the abilities are in the descriptions.
func TestTheDescriptionsNameWhatIsReadAndWritten(t *testing.T) {
	b := newBench(t, nil)
	for name, words := range map[string][]string{
		"read_file": {"text file", "picture (", "directory (", "archive (zip", "SQLite", "notebook", "PDF", "Word",
			"Excel", "PowerPoint", "EPUB", "page", ":conflicts", ":raw", "artifact://ID", "mcp://"},
		"write_file": {"ARCHIVE:MEMBER", "DATABASE:TABLE", "DATABASE:TABLE:KEY", "Use edit_file for a small change"},
	} {
		at := slices.IndexFunc(b.reg.Specs(), func(s provider.Tool) bool { return s.Name == name })
		spec := b.reg.Specs()[at]
		text := spec.Description + string(spec.Schema)
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not tell of %q:\n%s", name, w, text)
			}
		}
	}
}
