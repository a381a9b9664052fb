package app_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The program reads a document in a process of its own, with an empty environment; what comes back
// is the result of read_file.
func TestADocumentIsReadByTheProgramItself(t *testing.T) {
	p := newPlace(t)
	docx := func(text string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.Create("word/document.xml")
		if err == nil {
			_, err = w.Write([]byte(`<d xmlns:w="x"><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></d>`))
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for name, data := range map[string][]byte{"hello.docx": docx("Hello from Word"), "broken.docx": docx("\x1b"),
		"old.doc": []byte("x")} {
		if err := os.WriteFile(filepath.Join(p.work, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := p.run("", "-p", "read", "--script", p.script(
		`{"tool_calls":[{"id":"a","name":"read_file","input":{"path":"hello.docx"}},`+
			`{"id":"b","name":"read_file","input":{"path":"broken.docx"}},`+
			`{"id":"c","name":"read_file","input":{"path":"old.doc"}}]}`,
		`{"expect":"2\tHello from Word","say":"one"}`), "--output", "stream-json")
	if got.code != 0 {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{`2\tHello from Word`, "broken.docx cannot be read: XML syntax error",
		"old.doc cannot be read: files of the kind .doc are not read here"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is missing in\n%s", want, got.stdout)
		}
	}
}
