package document

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Request is a document and what of it is wanted.
type Request struct {
	Name string `json:"name"` // of the file: its ending says what it is
	// Query is what of a database is wanted: what stands behind its name and a colon or a question
	// mark, that sign included.
	Query string `json:"query,omitempty"`
	// Page is the address of a page in HTML, which Name does not say.
	Page string `json:"page,omitempty"`
	// Rendered is true for a page that was read in a browser.
	Rendered bool `json:"rendered,omitempty"`
	// Fragment is true for a piece of HTML that is no page.
	Fragment bool `json:"fragment,omitempty"`
	// Feed is the address of a feed, which Name does not say.
	Feed string `json:"feed,omitempty"`
	// Row is a change of a database: the text is a RowChange, for [Prepared].
	Row *Row `json:"row,omitempty"`
	// Log is how many bytes at the end of the data are the log beside a database (-wal).
	Log int `json:"log,omitempty"`
}

// converters are the endings by which a document is known.
var converters = []struct {
	ending string
	text   func(ctx context.Context, r Request, data []byte) (string, error)
}{
	{".pdf", pdfText}, {".docx", docxText}, {".pptx", pptxText}, {".xlsx", xlsxText}, {".epub", epubText},
	{".db", sqliteText}, {".db3", sqliteText}, {".sqlite", sqliteText}, {".sqlite3", sqliteText},
}

// unreadable are documents that nothing here reads, and what can be done about them.
var unreadable = []string{".doc", ".ppt", ".xls", ".rtf", ".odt", ".ods", ".odp"}

// IsDocument reports whether a file is named as a document that Text reads or knows that it cannot
// read. A database is one only if data begins as its files do.
func IsDocument(name string) bool {
	if IsDatabase(name) {
		return false
	}
	for _, c := range converters {
		if hasEnding(name, c.ending) {
			return true
		}
	}
	return slices.ContainsFunc(unreadable, func(ending string) bool { return hasEnding(name, ending) })
}

// Text returns the text of a document, at most MaxText bytes, where it was read whole. It may take
// as much memory as the document makes it take: see Apart.
func (r Request) Text(ctx context.Context, data []byte) (text string, err error) {
	defer func() {
		// Readers of others give up by a panic on what they do not expect.
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("it is damaged: %v", p)
		}
	}()
	if r.Page != "" {
		text, err = pageMarkdown(r, data)
		return clipped(text), err
	}
	if r.Fragment {
		text, err = fragmentMarkdown(data)
		return clipped(text), err
	}
	if r.Feed != "" {
		text, err = feedMarkdown(r, data)
		return clipped(text), err
	}
	if r.Row != nil {
		return rowText(ctx, r, data)
	}
	for _, c := range converters {
		if hasEnding(r.Name, c.ending) {
			if text, err = c.text(ctx, r, data); err == nil {
				text = clipped(text)
			}
			return text, err
		}
	}
	for _, ending := range unreadable {
		if hasEnding(r.Name, ending) {
			return "", fmt.Errorf("files of the kind %s are not read here; convert it first: "+
				"soffice --headless --convert-to %s '%s'", ending, modern(ending), r.Name)
		}
	}
	return "", errors.New("it is not named as a document")
}

// modern returns the ending of a document of the same kind that is read here.
func modern(ending string) string {
	switch ending {
	case ".xls", ".ods":
		return "xlsx"
	case ".ppt", ".odp":
		return "pptx"
	}
	return "docx"
}

// clipped returns a text of at most MaxText bytes that is valid UTF-8; what is missing is said at
// its end.
func clipped(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= MaxText {
		return text
	}
	cut := strings.LastIndexByte(text[:MaxText], '\n') + 1
	if cut == 0 {
		cut = len(width.Head(text, MaxText))
	}
	return text[:cut] + fmt.Sprintf("[the text is longer: %d bytes are left out]\n", len(text)-cut)
}
