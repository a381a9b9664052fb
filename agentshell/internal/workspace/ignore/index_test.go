package ignore

import (
	"encoding/binary"
	"strings"
	"testing"
)

// made returns an index of version 2 with these paths.
func made(paths ...string) []byte {
	b := []byte("DIRC\x00\x00\x00\x02")
	b = binary.BigEndian.AppendUint32(b, uint32(len(paths)))
	for _, p := range paths {
		from := len(b)
		b = append(b, make([]byte, entryHeadBytes+20)...)
		b = binary.BigEndian.AppendUint16(b, uint16(min(len(p), 0xfff)))
		b = append(b, p...)
		b = append(b, make([]byte, 8-(len(b)-from)%8)...)
	}
	return append(b, make([]byte, 20)...)
}

func none(string) ([]byte, error) { return nil, errIndex }

func TestAnIndexTellsPathsAndTheirDirectories(t *testing.T) {
	x, err := readIndex(made("a", "a.b/c", "a/b/c", "a/b/d", "z"), 20, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path      string
		file, dir bool
	}{{"a", true, true}, {"a/b", false, true}, {"a/b/c", true, true}, {"a.b", false, true}, {"a/", false, false},
		{"b", false, false}, {"a/b/e", false, false}, {"", false, false}, {"zz", false, false}, {"a.", false, false}} {
		if f, d := x.isTracked(c.path, false), x.isTracked(c.path, true); f != c.file || d != c.dir {
			t.Errorf("%q: %v as a file, %v as a directory", c.path, f, d)
		}
	}
}

// An index that is not as git writes it tracks nothing.
func TestAnIndexThatIsNoneIsRefused(t *testing.T) {
	good := made("a", "b")
	change := func(at int, b ...byte) []byte {
		data := append([]byte(nil), good...)
		copy(data[at:], b)
		return data
	}
	extended := func(name string, body string) []byte {
		data := append([]byte(nil), good[:len(good)-20]...)
		data = append(data, name...)
		data = binary.BigEndian.AppendUint32(data, uint32(len(body)))
		return append(append(data, body...), make([]byte, 20)...)
	}
	for name, data := range map[string][]byte{
		"empty":             nil,
		"cut":               good[:len(good)-30],
		"another signature": change(0, 'X'),
		"version 1":         change(7, 1), "version 5": change(7, 5),
		"more entries":            change(8, 0, 0, 0, 3),
		"very many entries":       change(8, 0xff, 0xff, 0xff, 0xff),
		"extended in version 2":   change(12+60, 0x40),
		"not in order":            made("b", "a"),
		"no name":                 made("", "a"),
		"a name that is too long": made(strings.Repeat("a", maxPathBytes+1)),
		"an unknown extension":    extended("abcd", ""),
		"an extension cut":        append(extended("TREE", "x")[:len(good)+4], make([]byte, 20)...),
		"a link to nothing":       extended("link", strings.Repeat("\x00", 20)),
		"a link that is cut":      extended("link", "x"),
	} {
		if x, err := readIndex(data, 20, none); err == nil {
			t.Errorf("%s: read, %v", name, x)
		}
	}
	for name, data := range map[string][]byte{"as it is": good, "an extension": extended("TREE", "x"),
		"sparse": extended("sdir", ""), "stages": made("a", "a", "a")} {
		if _, err := readIndex(data, 20, none); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add(made("a", "b/c"), made("b/c", "d"))
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x00link\x00\x00\x00\x14"+strings.Repeat("\x00", 40)), made("a"))
	f.Fuzz(func(t *testing.T, data, base []byte) {
		x, err := readIndex(data, 20, func(string) ([]byte, error) { return base, nil })
		if err != nil {
			return
		}
		for _, l := range x.lists {
			for i := range l.spans {
				if path := string(l.at(i)); path == "" || !x.isTracked(path, false) {
					t.Fatalf("%q is not tracked", path)
				}
			}
		}
	})
}
