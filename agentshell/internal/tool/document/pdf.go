package document

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/ledongthuc/pdf"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
)

// pdfText returns the text of a PDF, page by page, in the order in which it is drawn. It guesses
// line breaks and blanks from the positions of the letters.
func pdfText(ctx context.Context, _ Request, data []byte) (string, error) {
	r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	pages := r.NumPage()
	var b strings.Builder
	fmt.Fprintf(&b, "[text of a PDF, %s; layout and pictures are lost]\n", plural.Of(pages, "page"))
	empty := true
	for i := 1; i <= pages && b.Len() < MaxText; i++ {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		text, err := pageText(r.Page(i))
		fmt.Fprintf(&b, "--- page %d ---\n", i)
		if err != nil {
			fmt.Fprintf(&b, "[not readable: %v]\n", err)
			continue
		}
		empty = empty && text == ""
		writeEnded(&b, text)
	}
	if empty && pages > 0 {
		b.WriteString("[no text is in it; its pages may be pictures]\n")
	}
	return b.String(), nil
}

// ligatures replaces joined letters of fonts, such as ﬁ, by single letters.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// pageText returns the text of one page of a PDF.
func pageText(p pdf.Page) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	ends := lineEndLetters(p)
	var b strings.Builder
	var last pdf.Text
	for _, t := range p.Content().Text {
		if t.W == 0 && ends[t.Font][t.S] { // not a letter of the document: see lineEndLetters
			continue
		}
		size := math.Abs(t.FontSize)
		switch right := last.X + last.W; {
		case b.Len() == 0:
		case math.Abs(t.Y-last.Y) > size*0.4 || t.X < last.X-size:
			b.WriteByte('\n')
		case t.X-right > size*0.15 && last.S != " " && t.S != " ":
			b.WriteByte(' ')
		}
		b.WriteString(t.S)
		last = t
	}
	var lines []string
	for line := range strings.SplitSeq(ligatures.Replace(b.String()), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}

// lineEndLetters returns, by font, the letters that the PDF library adds after each drawn line.
// They are a newline in the encoding of the font.
func lineEndLetters(p pdf.Page) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for _, name := range p.Fonts() {
		f := p.Font(name)
		base := f.BaseFont()
		if i := strings.Index(base, "+"); i >= 0 {
			base = base[i+1:]
		}
		if all[base] == nil {
			all[base] = map[string]bool{"\n": true}
		}
		if enc := f.Encoder(); enc != nil {
			for _, r := range enc.Decode("\n") {
				all[base][string(r)] = true
			}
		}
	}
	return all
}
