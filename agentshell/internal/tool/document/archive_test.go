package document

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// packed is what tests put into archives, in this order; a value that begins with "->" is a link.
var packed = [][2]string{
	{"README.md", "# hello\n"}, {"src/main.go", "package main\n"}, {"src/deep/er/x.txt", "x\n"}, {"empty", ""},
	{"src/link", "->main.go"}, {"../../etc/passwd", "root\n"}, {"/abs.txt", "absolute\n"}, {"./dot/./a", "dotted\n"},
	{"src/main.go", "package last\n"},
}

func zipped(t testing.TB, files [][2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f[0], Method: zip.Deflate}
		if f[1] == "" { // a compressor for each of very many costs much
			h.Method = zip.Store
		}
		h.SetMode(0o644)
		if strings.HasPrefix(f[1], "->") {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarredUp(t testing.TB, files [][2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1])), Typeflag: tar.TypeReg}
		to, link := strings.CutPrefix(f[1], "->")
		if link {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, to, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if !link {
			if _, err := w.Write([]byte(f[1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAnArchiveListsAndReadsItsMembers(t *testing.T) {
	ctx := context.Background()
	for name, data := range map[string][]byte{
		"a.zip": zipped(t, packed), "a.tar": tarredUp(t, packed), "dir/A.TGZ": gzipped(t, tarredUp(t, packed)),
		"a.tar.gz": gzipped(t, tarredUp(t, packed)),
	} {
		t.Run(name, func(t *testing.T) {
			if !IsArchive(name) {
				t.Fatal("not known as an archive")
			}
			a, err := OpenArchive(ctx, name, data)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			members, odd := a.Members()
			for _, m := range members {
				names = append(names, m.Name)
			}
			want := "README.md abs.txt dot/a empty src/deep/er/x.txt src/link src/main.go"
			if got := strings.Join(names, " "); got != want || odd != 1 {
				t.Errorf("members %q, %d left; want %q, 1", got, odd, want)
			}
			for dir, want := range map[string]string{
				"": "README.md abs.txt dot/ empty src/", "src": "src/deep/ src/link src/main.go",
				"src/deep": "src/deep/er/", "nowhere": "none",
			} {
				list, ok := a.Dir(dir)
				var got []string
				for _, m := range list {
					if m.Mode.IsDir() {
						m.Name += "/"
					}
					got = append(got, m.Name)
				}
				if !ok {
					got = []string{"none"}
				}
				if g := strings.Join(got, " "); g != want {
					t.Errorf("directory %q: %q, want %q", dir, g, want)
				}
			}
			for name, want := range map[string]string{"src/main.go": "package last\n", "empty": "",
				"abs.txt": "absolute\n", "dot/a": "dotted\n"} {
				m, ok := a.Find(name)
				if !ok {
					t.Fatalf("%s is not there", name)
				}
				if got, err := a.Read(ctx, m); string(got) != want || err != nil {
					t.Errorf("%s: %q, %v; want %q", name, got, err, want)
				}
			}
			link, _ := a.Find("src/link")
			if _, err := a.Read(ctx, link); err == nil {
				t.Error("a link was read")
			}
		})
	}
}

func TestAGzippedFileIsOneMember(t *testing.T) {
	ctx := context.Background()
	a, err := OpenArchive(ctx, "logs/x.log.gz", gzipped(t, []byte("one\ntwo\n")))
	if err != nil {
		t.Fatal(err)
	}
	m, ok := a.Single()
	if data, err := a.Read(ctx, m); !ok || m.Name != "x.log" || string(data) != "one\ntwo\n" || err != nil {
		t.Errorf("%v %+v %q %v", ok, m, data, err)
	}
}

// Bombs end at the limits, whatever the archive says of itself.
func TestABombIsBounded(t *testing.T) {
	ctx := context.Background()
	zeros := strings.Repeat("\x00", MaxText+1)
	kinds := func(size int) map[string][]byte {
		one := [][2]string{{"big", zeros[:size]}}
		honest := zipped(t, one)
		liar := bytes.ReplaceAll(honest, le32(size), le32(10))
		if bytes.Equal(liar, honest) {
			t.Fatal("the archive says no size to lie about")
		}
		return map[string][]byte{"b.zip": honest, "b.tar": tarredUp(t, one), "b.tgz": gzipped(t, tarredUp(t, one)),
			"b.gz": gzipped(t, []byte(zeros[:size])), "liar.zip": liar}
	}
	unpacked := func(name string, data []byte) (int, error) {
		a, err := OpenArchive(ctx, name, data)
		if err != nil {
			t.Fatal(name, err)
		}
		members, _ := a.Members()
		text, err := a.Read(ctx, members[0])
		return len(text), err
	}
	for name, data := range kinds(MaxText + 1) {
		if n, err := unpacked(name, data); err == nil || n > MaxText+1 {
			t.Errorf("%s: %d bytes were unpacked, %v", name, n, err)
		}
	}
	for name, data := range kinds(MaxText) {
		if n, err := unpacked(name, data); name != "liar.zip" && (n != MaxText || err != nil) {
			t.Errorf("%s with a member of exactly the limit: %d bytes, %v", name, n, err)
		}
	}
	var many [][2]string
	for i := range maxMembers + 1 {
		many = append(many, [2]string{fmt.Sprint(i), ""})
	}
	for _, files := range [][][2]string{many, many[:maxMembers]} {
		for name, data := range map[string][]byte{"m.zip": zipped(t, files), "m.tar": tarredUp(t, files)} {
			a, err := OpenArchive(ctx, name, data)
			if len(files) > maxMembers && !errors.Is(err, ErrMembers) {
				t.Errorf("%s with %d members: %v", name, len(files), err)
			}
			if len(files) > maxMembers {
				continue
			}
			if err != nil {
				t.Fatalf("%s with %d members: %v", name, len(files), err)
			}
			if members, _ := a.Members(); len(members) != maxMembers {
				t.Errorf("%s lists %d members", name, len(members))
			}
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	whole := gzipped(t, tarredUp(t, packed))
	if _, err := OpenArchive(stopped, "b.tgz", whole); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped read went on: %v", err)
	}
	if _, err := OpenArchive(ctx, "b.tgz", whole); err != nil {
		t.Errorf("a read that nobody stops: %v", err)
	}
}

func le32(n int) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)} }

func FuzzAnArchiveIsAListOrAnError(f *testing.F) {
	f.Add("a.zip", zipped(f, packed))
	f.Add("a.tar", tarredUp(f, packed))
	f.Add("a.tgz", gzipped(f, tarredUp(f, packed)))
	f.Add("a.gz", gzipped(f, []byte("text")))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		ctx := context.Background()
		if !IsArchive(name) {
			return
		}
		a, err := OpenArchive(ctx, name, data)
		if err != nil {
			return
		}
		members, _ := a.Members()
		for i, m := range members {
			if i > 0 && members[i-1].Name >= m.Name {
				t.Fatalf("%q stands behind %q", m.Name, members[i-1].Name)
			}
			if m.rawName != "" && !fs.ValidPath(m.Name) && !strings.Contains(m.Name, "\x00") && validUTF8(m.Name) {
				t.Fatalf("the name %q leads somewhere", m.Name)
			}
			if i < 20 && m.Mode.IsRegular() {
				if text, err := a.Read(ctx, m); err == nil && len(text) > MaxText {
					t.Fatalf("%d bytes", len(text))
				}
			}
		}
		if _, ok := a.Dir(""); !ok {
			t.Fatal("an archive without a top")
		}
	})
}

func validUTF8(s string) bool { return strings.ToValidUTF8(s, "") == s }
