package document

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/need"
)

// zippers are programs that make a zip x.zip of all files in a directory.
var zippers = []struct {
	name, program string
	args          []string
}{
	{"Info-ZIP", "zip", []string{"-r", "-z", "x.zip", "."}},
	{"Info-ZIP, a stream", "sh", []string{"-c", "zip -r - . | cat > x.zip"}},
	{"Info-ZIP, Zip64", "zip", []string{"-r", "-fz", "x.zip", "."}},
	{"Info-ZIP, stored, encrypted", "zip", []string{"-r", "-0", "-P", "word", "x.zip", "."}},
	{"jar", "jar", []string{"cf", "x.zip", "."}},
	{"7z", "7z", []string{"a", "-tzip", "x.zip", "."}},
	{"bsdtar", "bsdtar", []string{"-a", "-cf", "x.zip", "."}},
	{"bsdtar, a stream", "sh", []string{"-c", "bsdtar -a -c --format=zip -f - . | cat > x.zip"}},
	{"Python", "python3", []string{"-m", "zipfile", "-c", "x.zip", "a.txt", "dir", "run.sh", "z.txt"}},
	{"Python, directories deflated", "python3", []string{"-c", pythonZip}},
}

// pythonZip is a zip as few make it: entries of directories are packed, by each method, and with
// data descriptors and extra fields, before a comment that looks like the end of a zip.
const pythonZip = `
import io, zipfile
class Stream(io.RawIOBase):
    def __init__(self): self.f = open("x.zip", "wb")
    def writable(self): return True
    def write(self, b): return self.f.write(b)
    def flush(self): self.f.flush()
for out in (open("x.zip", "wb"), Stream()):
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, method in (("dir/", 8), ("bz/", 12), ("lz/", 14), ("st/", 0)):
            i = zipfile.ZipInfo(name, (2020, 2, 2, 2, 2, 2))
            i.compress_type, i.external_attr = method, 0o40755 << 16 | 0x10
            i.extra, i.comment = b"\xfe\xca\x04\x00abcd", b"of " + name.encode()
            z.writestr(i, b"")
        for name in ("a.txt", "dir/b.txt", "run.sh", "z.txt"):
            i = zipfile.ZipInfo.from_file(name)
            i.compress_type = zipfile.ZIP_BZIP2 if name == "z.txt" else zipfile.ZIP_DEFLATED
            with z.open(i, "w", force_zip64=True) as m: m.write(open(name, "rb").read())
        z.comment = b"PK\x05\x06 of all"
    if isinstance(out, io.BufferedWriter): out.close()
`

// treeOf makes the files that are zipped.
func treeOf(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range []struct {
		name, text string
		mode       os.FileMode
	}{{"a.txt", strings.Repeat("a\n", 300), 0o640}, {"dir/b.txt", strings.Repeat("b\n", 300), 0o644},
		{"dir/ü/c", "c\n", 0o600}, {"run.sh", "#!/bin/sh\n", 0o755}, {"empty", "", 0o644},
		{"z.txt", strings.Repeat("z\n", 300), 0o644}} {
		at := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(f.text), f.mode); err != nil {
			t.Fatal(err)
		}
		old := putAt.Add(-time.Duration(len(f.text)) * time.Hour)
		if err := os.Chtimes(at, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o750); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAMemberIsPutIntoWhatZippersMade(t *testing.T) {
	for _, z := range zippers {
		t.Run(z.name, func(t *testing.T) {
			need.Program(t, z.program)
			if z.program == "sh" {
				need.Program(t, strings.Fields(z.args[1])[0])
			}
			dir := treeOf(t)
			c := exec.Command(z.program, z.args...)
			c.Dir, c.Stdin = dir, strings.NewReader("of all\n.\n")
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			old, err := os.ReadFile(filepath.Join(dir, "x.zip"))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range entriesOf(t, old) {
				if name := strings.TrimPrefix(m.Name, "./"); !strings.HasSuffix(m.Name, "/") {
					putOne(t, old, name, m.Name)
				}
			}
			putOne(t, old, "dir/new", "dir/new")
		})
	}
}

// putOne puts a member, whose raw name is given, and sees that nothing else has changed.
func putOne(t *testing.T, old []byte, member, raw string) {
	t.Helper()
	text := "new text of " + member + "\n"
	now, err := Put(t.Context(), "x.zip", old, member, []byte(text), putAt)
	if err != nil {
		t.Errorf("%s: %v", member, err)
		return
	}
	was, is := entriesOf(t, old), entriesOf(t, now)
	if !slices.ContainsFunc(was, func(e entry) bool { return e.Name == raw }) {
		was = append(was, entry{Name: raw})
	}
	if !slices.EqualFunc(was, is, func(a, b entry) bool { return a.Name == b.Name }) {
		t.Errorf("%s: the members are\n%+v, they were\n%+v", member, is, was)
		return
	}
	for i, e := range is {
		if e.Name == raw {
			if e.text != text || was[i].Mode != 0 && e.Mode != was[i].Mode || !e.Modified.Equal(putAt) {
				t.Errorf("%s is %+v, it was %+v", member, e, was[i])
			}
		} else if e != was[i] {
			t.Errorf("%s is\n%+v, it was\n%+v", e.Name, e, was[i])
		}
	}
	provesGood(t, now, member)
}

// provesGood lets the zippers that are there test a zip.
func provesGood(t *testing.T, data []byte, member string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.zip")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"unzip", "-tqP", "word", file}, {"7z", "t", "-pword", file}} {
		if _, err := exec.LookPath(args[0]); err != nil {
			continue
		}
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil &&
			!bytes.Contains(out, []byte("unsupported compression")) {
			t.Errorf("%s: %q: %v\n%s", member, args[0], err, out)
		}
	}
}

// entry is what is known of a member.
type entry struct {
	Name, text, raw, extra, comment string
	Method, flags                   uint16
	Mode                            os.FileMode
	Modified                        time.Time
	local                           string
}

// entriesOf reads the members, with the bytes before each one's packed content.
func entriesOf(t *testing.T, data []byte) (list []entry) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		e := entry{Name: f.Name, extra: string(f.Extra), comment: f.Comment, Method: f.Method, flags: f.Flags,
			Mode: f.Mode(), Modified: f.Modified.UTC()}
		at, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		head := data[:at]
		e.local = string(head[bytes.LastIndex(head, []byte(zipLocal)):])
		packed := data[at : at+int64(f.CompressedSize64)]
		e.raw = string(packed)
		if f.Method == zip.Store || f.Method == zip.Deflate {
			o, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(o)
			if err != nil && f.Flags&1 == 0 && !strings.HasSuffix(f.Name, "/") {
				t.Fatal(f.Name, err)
			}
			e.text = string(text)
		}
		list = append(list, e)
	}
	return list
}

// A zip whose members share bytes, or whose directory is not where it says, is left alone.
func TestAZipThatIsNotAsItSaysIsLeftAlone(t *testing.T) {
	good := zipped(t, [][2]string{{"a", "text of a\n"}, {"b", "text of b\n"}})
	z, err := parseZip(good)
	if err != nil || len(z.entries) != 2 {
		t.Fatal(err, z)
	}
	second := z.dirStart + len(z.entries[0].head)
	change := func(at int, to ...byte) []byte {
		data := bytes.Clone(good)
		copy(data[at:], to)
		return data
	}
	end := len(good) - zipEndHead
	for name, data := range map[string][]byte{
		"two share one place":    change(second+42, 0, 0, 0, 0),
		"one reaches into next":  change(z.dirStart+20, 40, 0, 0, 0),
		"one reaches beyond":     change(second+20, 0, 0, 1, 0),
		"one lies behind":        change(second+42, 0, 0, 1, 0),
		"one is nowhere":         change(second+42, 1, 0, 0, 0),
		"its count is too small": change(end+8, 1, 0, 1, 0),
		"its count is too large": change(end+8, 3, 0, 3, 0),
		"it has several parts":   change(end+4, 1, 0),
		"its place is another":   change(end+16, 1, 0, 0, 0),
		"its end is cut":         good[:len(good)-1],
	} {
		if now, err := Put(t.Context(), "x.zip", data, "a", []byte("new"), putAt); err == nil {
			t.Errorf("%s: written: %q", name, now)
		}
	}
	if _, err := Put(t.Context(), "x.zip", good, "a", []byte("new"), putAt); err != nil {
		t.Error(err) // the control
	}
	good = append(good, "more"...)
	if now, err := Put(t.Context(), "x.zip", good, "a", []byte("new"), putAt); err != nil ||
		!bytes.HasSuffix(now, []byte("more")) {
		t.Errorf("what stands behind it: %v", err)
	}
}
