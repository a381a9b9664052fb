package document

import (
	"context"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

// kinds returns files of each kind that is read here: what reads them, a good one, and what its
// text holds.
func kinds(t testing.TB) map[string]struct {
	good []byte
	want string
} {
	t.Helper()
	type kind = struct {
		good []byte
		want string
	}
	tar := tarredUp(t, packed)
	return map[string]kind{
		"a.pdf": {pdfOf("BT /F1 10 Tf (Hello) Tj ET"), "Hello"}, "a.docx": {docxOf(t), "## Title"},
		"a.pptx": {pptxOf(t), "ten"}, "a.xlsx": {xlsxOf(t), "Ada L | 1.5"}, "a.epub": {epubOf(t), "# One"},
		"a.db":    {databaseOf(t, someTables), "people  3 rows"},
		"a.ipynb": {[]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":"print(1)\n"}]}`), "print(1)"},
		"a.zip":   {zipped(t, packed), "package last"}, "a.tar": {tar, "package last"},
		"a.tgz": {gzipped(t, tar), "package last"}, "a.log.gz": {gzipped(t, []byte("one\ntwo\n")), "two"},
	}
}

// textOf reads a file as the shell does: documents in a process of their own, the rest here.
func textOf(ctx context.Context, family *child.Family, name string, data []byte) (string, error) {
	switch {
	case strings.HasSuffix(name, ".ipynb"):
		return Notebook(data)
	case IsArchive(name):
		a, err := OpenArchive(ctx, name, data)
		if err != nil {
			return "", err
		}
		m, one := a.Single()
		if !one {
			m, one = a.Find("src/main.go")
		}
		if !one {
			return "", nil
		}
		text, err := a.Read(ctx, m)
		return string(text), err
	}
	return Request{Name: name}.Apart(ctx, family, data)
}

// A good file of each kind gives its text; what is left of it after an accident gives none of it
// twice, no other text without end, and where too little is left an error.
func TestAGoodFileOfEachKindIsReadAndItsRuinsEnd(t *testing.T) {
	ctx, family := context.Background(), new(child.Family)
	for name, kind := range kinds(t) {
		t.Run(name, func(t *testing.T) {
			text, err := textOf(ctx, family, name, kind.good)
			if err != nil || !strings.Contains(text, kind.want) {
				t.Fatalf("the good one: %v, %q does not hold %q", err, text, kind.want)
			}
			flipped := append([]byte(nil), kind.good...)
			for i := 7; i < len(flipped); i += 13 {
				flipped[i] ^= 0x55
			}
			for ruin, data := range map[string][]byte{
				"nothing": nil, "nonsense": []byte("nonsense"), "NUL bytes": make([]byte, len(kind.good)),
				"its first bytes": kind.good[:min(20, len(kind.good))], "bytes changed all over": flipped,
				"another's text": []byte("<html><body>" + kind.want + "</body></html>"),
			} {
				if text, err := textOf(ctx, family, name, data); err == nil && strings.Contains(text, kind.want) {
					t.Errorf("%s is read as the good one: %q", ruin, text)
				} else if err == nil && text != "" {
					t.Errorf("%s has a text: %q", ruin, text)
				}
			}
			half, err := textOf(ctx, family, name, kind.good[:len(kind.good)/2])
			if err == nil && len(half) > len(text) {
				t.Errorf("its first half has more than all of it: %q", half)
			}
		})
	}
}
