package document

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
)

// maxPartBytes is the number of bytes that one file within a document may unpack to.
const maxPartBytes = 64 << 20

// openParts opens a document that is a zip of several files, such as docx.
func openParts(data []byte) (*zip.Reader, error) {
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers {
		return nil, ErrMembers
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if errors.Is(err, zip.ErrInsecurePath) { // nothing is written by these names
		err = nil
	}
	return z, err
}

// readPart reads one of the files within a document.
func readPart(ctx context.Context, z *zip.Reader, name string) ([]byte, error) {
	for _, f := range z.File {
		if f.Name != name {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return readAll(ctx, r, maxPartBytes)
	}
	return nil, fmt.Errorf("%s is missing in it", name)
}

// docxText returns the text of a Word document. Headings are in Markdown, and the rows of tables
// are lines.
func docxText(ctx context.Context, _ Request, data []byte) (string, error) {
	z, err := openParts(data)
	if err != nil {
		return "", err
	}
	body, err := readPart(ctx, z, "word/document.xml")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("[text of a Word document; layout, pictures, notes and comments are lost]\n")
	err = writeRuns(ctx, body, &b)
	return b.String(), err
}

// pptxText returns the text of a PowerPoint presentation, slide by slide.
func pptxText(ctx context.Context, _ Request, data []byte) (string, error) {
	z, err := openParts(data)
	if err != nil {
		return "", err
	}
	numbered := regexp.MustCompile(`^ppt/slides/slide(\d{1,6})\.xml$`)
	var slides []int
	for _, f := range z.File {
		if m := numbered.FindStringSubmatch(f.Name); m != nil {
			n, _ := strconv.Atoi(m[1]) // at most six digits
			slides = append(slides, n)
		}
	}
	slices.Sort(slides)
	var b strings.Builder
	fmt.Fprintf(&b, "[text of a presentation, %s; layout, pictures and notes are lost]\n",
		plural.Of(len(slides), "slide"))
	for _, n := range slices.Compact(slides) {
		body, err := readPart(ctx, z, fmt.Sprintf("ppt/slides/slide%d.xml", n))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "--- slide %d ---\n", n)
		if err := writeRuns(ctx, body, &b); err != nil {
			return "", err
		}
		if b.Len() > MaxText {
			break
		}
	}
	return b.String(), nil
}

// writeRuns writes the text of a WordprocessingML or DrawingML file. Both use the same local names
// for paragraphs, runs and tables.
func writeRuns(ctx context.Context, body []byte, b *strings.Builder) error {
	d := xml.NewDecoder(bytes.NewReader(body))
	in := 0             // runs that are open
	cells := []int(nil) // of the rows that are open
	begun := false      // the paragraph has text
	for b.Len() <= MaxText {
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
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				in++
			case "tab":
				if t.Name.Space != "" && begun { // not a tab stop of a style
					b.WriteByte('\t')
				}
			case "br", "cr":
				b.WriteByte('\n')
			case "pStyle":
				b.WriteString(headingPrefix(attr(t, "val")))
			case "numPr":
				b.WriteString("- ")
			case "tr":
				cells = append(cells, 0)
			case "tc":
				if n := len(cells) - 1; n >= 0 {
					if cells[n] > 0 {
						b.WriteString(" | ")
					}
					cells[n]++
				}
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				in = max(0, in-1)
			case "p":
				begun = false
				if len(cells) == 0 {
					b.WriteByte('\n')
				} else {
					b.WriteByte(' ')
				}
			case "tr":
				if n := len(cells) - 1; n >= 0 {
					cells = cells[:n]
				}
				b.WriteByte('\n')
			}
		case xml.CharData:
			if in > 0 {
				begun = true
				b.Write(t)
			}
		}
	}
	return nil
}

// headingPrefix returns the Markdown prefix for a paragraph style, such as "## " for "Heading2", or
// "" if the style is no heading.
func headingPrefix(style string) string {
	level, found := strings.CutPrefix(strings.ToLower(style), "heading")
	if n, err := strconv.Atoi(level); found && err == nil && n > 0 && n < 10 {
		return strings.Repeat("#", n) + " "
	}
	if strings.EqualFold(style, "title") {
		return "# "
	}
	return ""
}

func attr(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// epubText returns the text of an EPUB book in its reading order, as Markdown.
func epubText(ctx context.Context, _ Request, data []byte) (string, error) {
	z, err := openParts(data)
	if err != nil {
		return "", err
	}
	var container struct {
		Roots []struct {
			Path string `xml:"full-path,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	if err := partXML(ctx, z, "META-INF/container.xml", &container); err != nil {
		return "", err
	}
	if len(container.Roots) == 0 {
		return "", errors.New("it names no book")
	}
	opf := container.Roots[0].Path
	var book struct {
		Items []struct {
			ID   string `xml:"id,attr"`
			Href string `xml:"href,attr"`
		} `xml:"manifest>item"`
		Spine []struct {
			ID string `xml:"idref,attr"`
		} `xml:"spine>itemref"`
	}
	if err := partXML(ctx, z, opf, &book); err != nil {
		return "", err
	}
	files := map[string]string{}
	for _, i := range book.Items {
		files[i.ID] = cmp.Or(unescaped(i.Href), i.Href)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[text of a book, %s; layout and pictures are lost]\n", plural.Of(len(book.Spine), "part"))
	for _, s := range book.Spine {
		page, err := readPart(ctx, z, path.Join(path.Dir(opf), files[s.ID]))
		if err != nil {
			return "", err
		}
		text, err := fragmentMarkdown(page)
		if err != nil {
			return "", err
		}
		writeEnded(&b, text)
		if b.Len() > MaxText {
			break
		}
	}
	return b.String(), nil
}

func unescaped(href string) string {
	name, err := url.PathUnescape(href)
	if err != nil {
		return ""
	}
	return name
}

func partXML(ctx context.Context, z *zip.Reader, name string, into any) error {
	body, err := readPart(ctx, z, name)
	if err != nil {
		return err
	}
	return xml.Unmarshal(body, into)
}
