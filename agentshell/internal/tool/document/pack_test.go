package document

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

var putAt = time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)

// all returns the text of every regular member.
func all(t testing.TB, name string, data []byte) map[string]string {
	t.Helper()
	a, err := OpenArchive(context.Background(), name, data)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	members, _ := a.Members()
	for _, m := range members {
		if m.Mode.IsRegular() {
			text, err := a.Read(context.Background(), m)
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			texts[m.Name] = string(text)
		}
	}
	return texts
}

func TestAMemberIsPutAndAllOthersStay(t *testing.T) {
	ctx := context.Background()
	for name, data := range map[string][]byte{
		"a.zip": zipped(t, packed), "a.tar": tarredUp(t, packed), "a.tgz": gzipped(t, tarredUp(t, packed)),
		"a.tar.gz": gzipped(t, tarredUp(t, packed)), "new.zip": nil, "new.tar": nil, "new.tgz": nil, "no.jar": {},
		"a.tar.bz2": compressBzip(tarredUp(t, packed)), "new.tbz2": nil,
	} {
		t.Run(name, func(t *testing.T) {
			want := map[string]string{}
			if data != nil {
				if len(data) > 0 {
					want = all(t, name, data)
				} else {
					data = nil
				}
			}
			for _, member := range []string{"README.md", "src/main.go", "dot/a", "empty", "src/new/file", "README.md",
				strings.Repeat("long/", 50) + "ü"} {
				text := strings.Repeat("text of "+member+"\n", len(member)*10)
				if member == "empty" {
					text = ""
				}
				now, err := Put(ctx, name, data, member, []byte(text), putAt)
				if err != nil {
					t.Fatal(err)
				}
				want[member] = text
				got := all(t, name, now)
				for member, text := range want {
					if got[member] != text {
						t.Fatalf("%s: %q, want %q", member, got[member], text)
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%d members, want %d", len(got), len(want))
				}
				data = now
			}
			if a, err := OpenArchive(ctx, name, data); err != nil {
				t.Fatal(err)
			} else if m, _ := a.Find("src/link"); strings.HasPrefix(name, "a.t") && m.Link != "main.go" {
				t.Errorf("the link is %+v", m)
			}
		})
	}
}

// A file that is packed without a name is replaced whole, and gzip's note of it stays.
func TestAFileThatIsPackedAloneIsPut(t *testing.T) {
	named := gzippedAs(t, "as it was called", "old\n")
	for name, data := range map[string][]byte{"a.txt.gz": named, "new.gz": nil,
		"a.txt.bz2": compressBzip([]byte("old\n")),
		"B.BZ2":     nil} {
		only, single := SingleName("dir/" + name)
		now, err := Put(context.Background(), name, data, only, []byte("now\n"), putAt)
		if err != nil || !single {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := all(t, name, now); len(got) != 1 || got[only] != "now\n" {
			t.Errorf("%s: %q", name, got)
		}
		if string(data) == string(named) && !bytes.Contains(now, []byte("as it was called\x00")) {
			t.Errorf("%s: the name that gzip keeps is lost", name)
		}
	}
	if name, single := SingleName("a.tar.gz"); single || name != "a" {
		t.Errorf("%q, %v", name, single)
	}
}

// gzippedAs packs a text with a name.
func gzippedAs(t *testing.T, name, text string) []byte {
	t.Helper()
	packed, err := packGzip(gzip.Header{Name: name}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// What is not put stays to the byte: of a tar all that stands before and behind, of a zip the
// packed members with all that is noted of them.
func TestPutRewritesNothingElse(t *testing.T) {
	old := tarredUp(t, packed)
	now, err := Put(context.Background(), "a.tar", old, "src/deep/er/x.txt", []byte("other\n"), putAt)
	if err != nil {
		t.Fatal(err)
	}
	from := bytes.Index(old, []byte("src/deep/er/x.txt"))
	if !bytes.Equal(now[:from], old[:from]) || !bytes.Equal(now[from+1024:], old[from+1024:]) || len(now) != len(old) {
		t.Error("other bytes of the tar have changed")
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	_ = z.SetComment("of all")
	for _, h := range []zip.FileHeader{
		{Name: "stored", Method: zip.Store, Comment: "one", Modified: putAt.Add(-time.Hour),
			Extra: []byte("ab\x02\x00xy")},
		{Name: "run.sh", Method: zip.Deflate}, {Name: "dir/"},
	} {
		if h.Name == "run.sh" {
			h.SetMode(0o755)
		}
		w, err := z.CreateHeader(&h)
		if err != nil {
			t.Fatal(err)
		}
		if h.Name != "dir/" {
			_, _ = w.Write([]byte("text of " + h.Name))
		}
	}
	_ = z.Close()
	was, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	now, err = Put(context.Background(), "a.zip", b.Bytes(), "run.sh", []byte("#!/bin/sh\n"), putAt)
	if err != nil {
		t.Fatal(err)
	}
	is, err := zip.NewReader(bytes.NewReader(now), int64(len(now)))
	if err != nil {
		t.Fatal(err)
	}
	if is.Comment != "of all" || len(is.File) != 3 {
		t.Fatalf("%q, %d members", is.Comment, len(is.File))
	}
	for i, f := range is.File {
		o := was.File[i]
		if f.Name != o.Name || f.Mode() != o.Mode() || f.Comment != o.Comment {
			t.Errorf("%s is %s, %q; it was %s, %q", f.Name, f.Mode(), f.Comment, o.Mode(), o.Comment)
		}
		if f.Name == "run.sh" {
			if !f.Modified.Equal(putAt) {
				t.Errorf("written %s", f.Modified)
			}
			continue
		}
		if f.Method != o.Method || f.CRC32 != o.CRC32 || !bytes.Equal(f.Extra, o.Extra) ||
			!f.Modified.Equal(o.Modified) {
			t.Errorf("%s: %+v, it was %+v", f.Name, f.FileHeader, o.FileHeader)
		}
	}
}

// tar packs what has no simple header: long names, a hard link, a sparse file, times in fractions.
func TestAMemberIsPutIntoWhatTarMade(t *testing.T) {
	need.Program(t, "tar")
	for _, format := range []string{"gnu", "pax", "oldgnu"} {
		t.Run(format, func(t *testing.T) {
			dir, long := t.TempDir(), strings.Repeat("d/", 60)+"long.txt"
			if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(long)), 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"a.txt": "a\n", long: "long\n", "z.txt": "z\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Link(filepath.Join(dir, "a.txt"), filepath.Join(dir, "hard")); err != nil {
				t.Fatal(err)
			}
			sparse, err := os.Create(filepath.Join(dir, "sparse"))
			if err == nil {
				_, err = sparse.WriteAt([]byte("end"), 1<<20)
			}
			if err != nil {
				t.Fatal(err)
			}
			sparse.Close()
			tarOf := func(args ...string) string {
				c := exec.Command("tar", args...)
				c.Dir = dir
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("tar %q: %v %s", args, err, out)
				}
				return string(out)
			}
			tarOf("-c", "--sparse", "--format="+format, "-f", "x.tar", "a.txt", long, "hard", "sparse", "z.txt")
			file := filepath.Join(dir, "x.tar")
			for member, text := range map[string]string{long: "longer\n", "z.txt": "Z\n", "sparse": "full\n",
				"new": "n\n"} {
				old, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				now, err := Put(context.Background(), file, old, member, []byte(text), putAt)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, now, 0o644); err != nil {
					t.Fatal(err)
				}
				if got := tarOf("-xOf", "x.tar", member); got != text {
					t.Errorf("%s: tar unpacks %q, want %q", member, got, text)
				}
			}
			list := strings.Fields(tarOf("-tf", "x.tar"))
			if !slices.Equal(list, []string{"a.txt", long, "hard", "sparse", "z.txt", "new"}) {
				t.Errorf("tar lists %q", list)
			}
			if got := tarOf("-xOf", "x.tar", "a.txt"); got != "a\n" {
				t.Errorf("a.txt: %q", got)
			}
		})
	}
}

func TestWhatCannotBePut(t *testing.T) {
	files := [][2]string{{"dir/x", "x\n"}, {"link", "->dir/x"}, {"file", "f\n"}}
	for _, c := range []struct{ name, member, want string }{
		{"a.zip", "dir", "dir is a directory in it"}, {"a.tar", "dir", "dir is a directory in it"},
		{"a.zip", "link", "link is a link in it"}, {"a.tar", "link", "link is a link in it"},
		{"a.zip", "file/x", "file is a file in it"}, {"a.tar", "link/x", "link is a file in it"},
		{"a.gz", "x", "it holds one file, which is a"},
		{"a.tbz2", "x", "bzip2 data invalid: bad magic value"}, {"none", "x", `"none" is not named as an archive`},
		{"broken.zip", "x", "it begins with something else than an archive, which would be lost"},
		{"cut.tar", "dir/x", "unexpected EOF"},
	} {
		var data []byte
		switch c.name {
		case "a.zip":
			data = zipped(t, files)
		case "broken.zip":
			data = append([]byte("#!/bin/sh\n"), zipped(t, files)...)
		case "a.gz":
			data = gzipped(t, []byte("x"))
		case "cut.tar":
			data = tarredUp(t, files)[:513]
		default:
			data = tarredUp(t, files)
		}
		if _, err := Put(context.Background(), c.name, data, c.member, nil, putAt); err == nil ||
			err.Error() != c.want {
			t.Errorf("%s:%s: %v, want %s", c.name, c.member, err, c.want)
		}
	}
	// The same archives take other members, and where they are whole the same ones.
	for _, c := range []struct{ name, member string }{
		{"a.zip", "dir/y"}, {"a.tar", "dir/y"}, {"a.zip", "dir/x"}, {"a.tar", "dir/x"}, {"a.zip", "file"},
		{"a.tar", "file"}, {"broken.zip", "x"}, {"cut.tar", "dir/x"},
	} {
		data := tarredUp(t, files)
		if strings.HasSuffix(c.name, ".zip") {
			data = zipped(t, files)
		}
		now, err := Put(context.Background(), c.name, data, c.member, []byte("put\n"), putAt)
		if err != nil {
			t.Errorf("%s:%s: %v", c.name, c.member, err)
		} else if got := all(t, c.name, now); got[c.member] != "put\n" {
			t.Errorf("%s:%s holds %q", c.name, c.member, got[c.member])
		}
	}
	for name, want := range map[string]string{
		"": "an archive write path must target a file inside the archive", "./": "an archive write path must target " +
			"a file inside the archive", "a/": "an archive write path must target a file, not a directory",
		"a/../b": "an archive path cannot contain '..'", `a\..\b`: "an archive path cannot contain '..'",
	} {
		if got, err := MemberName(name); err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{"a": "a", "/a//b": "a/b", `a\b`: "a/b", "./x/.": "x"} {
		if got, err := MemberName(name); err != nil || got != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

func FuzzAMemberThatIsPutIsReadAgain(f *testing.F) {
	f.Add("a.zip", zipped(f, packed), "src/main.go", []byte("x"))
	f.Add("a.tar", tarredUp(f, packed), "new", []byte("y"))
	f.Add("a.tgz", gzipped(f, tarredUp(f, packed)), "README.md", []byte(""))
	f.Fuzz(func(t *testing.T, name string, data []byte, member string, text []byte) {
		member, err := MemberName(member)
		if err != nil || strings.ContainsRune(member, 0) || !validUTF8(member) || len(text) > MaxText {
			return
		}
		ctx := context.Background()
		now, err := Put(ctx, name, data, member, text, putAt)
		if err != nil {
			return
		}
		a, err := OpenArchive(ctx, name, now)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		m, is := a.Find(member)
		if !is {
			t.Fatalf("%q is not in it", member)
		}
		if got, err := a.Read(ctx, m); err != nil || !bytes.Equal(got, text) {
			t.Fatalf("%q, %v; want %q", got, err, text)
		}
		var before []Member
		if old, err := OpenArchive(ctx, name, data); err == nil {
			before, _ = old.Members()
		}
		for _, m := range before {
			if _, is := a.Find(m.Name); !is {
				t.Fatalf("%q is lost", m.Name)
			}
		}
	})
}
