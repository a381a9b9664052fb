package document

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

const wordXML = `<?xml version="1.0"?><w:document xmlns:w="http://x"><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading2"/><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>
<w:p><w:r><w:t>one</w:t><w:tab/><w:t xml:space="preserve">two </w:t><w:br/><w:t>three</w:t></w:r></w:p>
<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>item</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p></w:body></w:document>`

func docxOf(t testing.TB) []byte { return zipped(t, [][2]string{{"word/document.xml", wordXML}}) }

func pptxOf(t testing.TB) []byte {
	slide := func(text string) string {
		return `<p:sld xmlns:p="x" xmlns:a="y"><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:sld>`
	}
	return zipped(t, [][2]string{{"ppt/slides/slide10.xml", slide("ten")}, {"ppt/slides/slide2.xml", slide("two")}})
}

func epubOf(t testing.TB) []byte {
	return zipped(t, [][2]string{
		{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="O/b.opf"/></rootfiles></container>`},
		{"O/b.opf", `<package><manifest><item id="z" href="t%20wo.html"/><item id="a" href="one.html"/></manifest>` +
			`<spine><itemref idref="a"/><itemref idref="z"/></spine></package>`},
		{"O/one.html", "<html><body><h1>One</h1><p>first <b>part</b></p></body></html>"},
		{"O/t wo.html", "<p>second</p><script>bad()</script>"},
	})
}

func xlsxOf(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	for at, v := range map[string]any{"A1": "name", "B1": "n", "A2": "Ada\nL", "B2": 1.5, "A5": "below"} {
		if err := f.SetCellValue("Sheet1", at, v); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.NewSheet("Other"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// pdfOf returns a PDF whose pages are drawn by content streams.
func pdfOf(streams ...string) []byte {
	var b bytes.Buffer
	var at []int
	object := func(text string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), text)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	kids := ""
	for i := range streams {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
	}
	object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(streams)))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 126 /Widths [" +
		strings.Repeat("500 ", 95) + "] /Encoding /WinAnsiEncoding >>")
	for i, s := range streams {
		object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
			5+2*i))
		object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(s), s))
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

func TestADocumentIsItsText(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"a.docx", docxOf(t), "[text of a Word document; layout, pictures, notes and comments are lost]\n" +
			"## Title\none\ttwo \nthree\n- item\na  | b \n\n"},
		{"a.pptx", pptxOf(t), "[text of a presentation, 2 slides; layout, pictures and notes are lost]\n" +
			"--- slide 2 ---\ntwo\n--- slide 10 ---\nten\n"},
		{"a.EPUB", epubOf(t), "[text of a book, 2 parts; layout and pictures are lost]\n# One\n\nfirst " +
			"**part**\nsecond\n"},
		{"a.xlsx", xlsxOf(t), "[cells of a workbook, 2 sheets; formulas, charts and layout are lost]\n--- sheet " +
			"Sheet1 ---\n" +
			"name | n\nAda L | 1.5\n[2 empty rows]\nbelow\n--- sheet Other ---\n"},
		{"a.pdf", pdfOf("BT /F1 10 Tf 10 700 Td (Hello) Tj 40 0 Td (world) Tj 0 -12 Td [(ne) -20 (xt) -600 (word)] "+
			"TJ ET", ""),
			"[text of a PDF, 2 pages; layout and pictures are lost]\n--- page 1 ---\nHello world\nnext word\n--- " +
				"page 2 ---\n"},
		{"scan.pdf", pdfOf("0 0 m"), "[text of a PDF, 1 page; layout and pictures are lost]\n--- page 1 ---\n" +
			"[no text is in it; its pages may be pictures]\n"},
	} {
		if !IsDocument(c.name) {
			t.Errorf("%s is not known", c.name)
		}
		got, err := (Request{Name: c.name}).Text(context.Background(), c.data)
		if got != c.want || err != nil {
			t.Errorf("%s: %v, got\n%q\nwant\n%q", c.name, err, got, c.want)
		}
	}
	for name, want := range map[string]string{"a.doc": "soffice --headless --convert-to docx 'a.doc'", "a.xls": "xlsx",
		"a.odp": "pptx", "a.pdf": "", "a.docx": "", "a.xlsx": "", "a.epub": "", "a.db": "not an SQLite database",
		"a.txt": "not named"} {
		if got, err := (Request{Name: name}).Text(context.Background(), []byte("nonsense")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func fuzzDocument(f *testing.F, name string, seed []byte) {
	f.Add(seed)
	if text, err := (Request{Name: name}).Text(context.Background(), seed); err != nil || len(text) < 20 {
		f.Fatalf("the seed itself is not read: %q, %v", text, err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := (Request{Name: name}).Text(context.Background(), data)
		if err == nil && (len(text) > MaxText+100 || !validUTF8(text)) {
			t.Fatalf("%d bytes", len(text))
		}
	})
}

func FuzzAPDFIsTextOrAnError(f *testing.F) {
	fuzzDocument(f, "x.pdf", pdfOf("BT /F1 10 Tf (Hello) Tj [(a) -20 (b)] TJ ET"))
}
func FuzzAWordDocumentIsTextOrAnError(f *testing.F) { fuzzDocument(f, "x.docx", docxOf(f)) }
func FuzzAPresentationIsTextOrAnError(f *testing.F) { fuzzDocument(f, "x.pptx", pptxOf(f)) }
func FuzzAWorkbookIsTextOrAnError(f *testing.F)     { fuzzDocument(f, "x.xlsx", xlsxOf(f)) }
func FuzzAPageIsTextOrAnError(f *testing.F) {
	f.Add([]byte("<html><body><article><h1>a</h1><p>b <a href=c>d</a></p></article></body></html>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := (Request{Page: "https://example.com/x"}).Text(context.Background(), data)
		if err == nil && (len(text) > MaxText+100 || !validUTF8(text)) {
			t.Fatalf("%d bytes", len(text))
		}
	})
}
func FuzzABookIsTextOrAnError(f *testing.F) { fuzzDocument(f, "x.epub", epubOf(f)) }
