package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document/numfmt"
)

// workbook holds the parts of an Excel workbook that all sheets need.
type workbook struct {
	zip           *zip.Reader
	sheets        []sheetRef
	sharedStrings []string        // sharedStrings holds the texts that cells refer to by their index.
	numberFormats []numfmt.Format // numberFormats holds the number formats by the style index of a cell.
}

type sheetRef struct{ name, part string } // part is "" for a chart

// xlsxText returns the displayed cells of an Excel workbook, sheet by sheet.
func xlsxText(ctx context.Context, _ Request, data []byte) (string, error) {
	z, err := openParts(data)
	if err != nil {
		return "", err
	}
	w, err := openWorkbook(ctx, z)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[cells of a workbook, %s; formulas, charts and layout are lost]\n",
		plural.Of(len(w.sheets), "sheet"))
	for _, s := range w.sheets {
		fmt.Fprintf(&b, "--- sheet %s ---\n", s.name)
		if s.part == "" {
			b.WriteString("[a chart]\n")
			continue
		}
		if err := w.writeSheet(ctx, s.part, &b); err != nil {
			return "", err
		}
		if b.Len() > MaxText {
			break
		}
	}
	return b.String(), nil
}

// openWorkbook reads the list of sheets, the shared strings and the number formats of a workbook.
func openWorkbook(ctx context.Context, z *zip.Reader) (*workbook, error) {
	main := "xl/workbook.xml"
	if roots, err := readPartLinks(ctx, z, ""); err == nil {
		for _, r := range roots {
			if path.Base(r.Type) == "officeDocument" {
				main = r.Target
			}
		}
	}
	var book struct {
		Settings struct {
			From1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string     `xml:"name,attr"`
			Attr []xml.Attr `xml:",any,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := decodePart(ctx, z, main, &book); err != nil {
		return nil, err
	}
	relations, err := readPartLinks(ctx, z, main)
	if err != nil {
		return nil, err
	}
	w := &workbook{zip: z}
	for _, s := range book.Sheets {
		ref := sheetRef{name: s.Name}
		for _, a := range s.Attr { // r:id
			if r := relations[a.Value]; a.Name.Local == "id" && path.Base(r.Type) == "worksheet" {
				ref.part = r.Target
			}
		}
		w.sheets = append(w.sheets, ref)
	}
	from1904, _ := strconv.ParseBool(book.Settings.From1904)
	for _, r := range relations {
		switch path.Base(r.Type) {
		case "sharedStrings":
			err = errors.Join(err, w.readStrings(ctx, r.Target))
		case "styles":
			err = errors.Join(err, w.readFormats(ctx, r.Target, from1904))
		}
	}
	return w, err
}

// partLink is a link from one file within a document to another.
type partLink struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"`
	Target string `xml:"Target,attr"`
}

// readPartLinks returns the links of one file within a document, by their id. An of of "" means
// those of the document itself.
func readPartLinks(ctx context.Context, z *zip.Reader, of string) (map[string]partLink, error) {
	dir, file := path.Split(of)
	var all struct {
		List []partLink `xml:"Relationship"`
	}
	if err := decodePart(ctx, z, dir+"_rels/"+file+".rels", &all); err != nil {
		return nil, err
	}
	byID := map[string]partLink{}
	for _, r := range all.List {
		target, absolute := strings.CutPrefix(r.Target, "/")
		if !absolute {
			target = path.Join(dir, r.Target)
		}
		byID[r.ID] = partLink{r.ID, r.Type, target}
	}
	return byID, nil
}

// decodePart decodes a file within a document as XML, in the encoding that it declares.
func decodePart(ctx context.Context, z *zip.Reader, name string, into any) error {
	d, err := newPartDecoder(ctx, z, name)
	if err != nil {
		return err
	}
	return d.Decode(into)
}

func newPartDecoder(ctx context.Context, z *zip.Reader, name string) (*xml.Decoder, error) {
	body, err := readPart(ctx, z, name)
	if err != nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = charset.NewReaderLabel
	return d, nil
}

// richText is a text with or without differently styled runs. Phonetic hints (rPh) are left out.
type richText struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

func (t richText) String() string {
	text := t.Text
	for _, r := range t.Runs {
		text += r.Text
	}
	return unescapedText(text)
}

// unescapedText decodes the sequences such as _x000A_, by which workbooks write characters that XML
// cannot contain.
func unescapedText(text string) string {
	before, after, found := strings.Cut(text, "_x")
	if !found {
		return text
	}
	var b strings.Builder
	for ; found; before, after, found = strings.Cut(after, "_x") {
		b.WriteString(before)
		if len(after) > 4 && after[4] == '_' {
			if c, err := strconv.ParseUint(after[:4], 16, 16); err == nil {
				b.WriteRune(rune(c))
				after = after[5:]
				continue
			}
		}
		b.WriteString("_x")
	}
	return b.String() + before
}

func (w *workbook) readStrings(ctx context.Context, name string) error {
	d, err := newPartDecoder(ctx, w.zip, name)
	if err != nil {
		return err
	}
	return eachElement(ctx, d, "si", func(start xml.StartElement) (bool, error) {
		var t richText
		err := d.DecodeElement(&t, &start)
		w.sharedStrings = append(w.sharedStrings, t.String())
		return true, err
	})
}

func (w *workbook) readFormats(ctx context.Context, name string, from1904 bool) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := decodePart(ctx, w.zip, name, &styles); err != nil {
		return err
	}
	codes := map[int]string{}
	for _, f := range styles.Formats {
		codes[f.ID] = f.Code
	}
	for _, c := range styles.Cells {
		code, own := codes[c.Format]
		if !own {
			code = numfmt.Builtin(c.Format)
		}
		f := numfmt.Parse(code)
		f.From1904 = from1904
		w.numberFormats = append(w.numberFormats, f)
	}
	return nil
}

// eachElement calls do for each element with the given name. It stops when do returns false or an
// error.
func eachElement(ctx context.Context, d *xml.Decoder, name string, do func(xml.StartElement) (bool, error)) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == name {
			if more, err := do(start); err != nil || !more {
				return err
			}
		}
	}
}
