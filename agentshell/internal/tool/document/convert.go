package document

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Request names a document and the wanted part of it.
type Request struct {
	Name string `json:"name"` // Name is the file name; its ending tells the format.
	// Query selects a part of a database. It is the part of the model's path behind the file name,
	// with the colon or question mark at its beginning.
	Query string `json:"query,omitempty"`
	// Page is the URL of an HTML page; "": data is no page.
	Page string `json:"page,omitempty"`
	// Rendered says that the HTML of the page was taken from a browser, after its scripts ran.
	Rendered bool `json:"rendered,omitempty"`
	// Fragment says that data is a fragment of HTML, not a page.
	Fragment bool `json:"fragment,omitempty"`
	// Feed is the URL of an RSS, Atom or JSON feed; "": data is no feed.
	Feed string `json:"feed,omitempty"`
	// Row asks for a change of a database row. The resulting text is a RowChange; [Prepared]
	// decodes it.
	Row *Row `json:"row,omitempty"`
	// Log is the number of bytes at the end of the data that are the database's write-ahead log,
	// the file NAME-wal.
	Log int `json:"log,omitempty"`
}

// documentConverters lists the file name endings of documents, with the functions that return their
// texts.
var documentConverters = []struct {
	ending string
	text   func(ctx context.Context, r Request, data []byte) (string, error)
}{
	{".pdf", pdfText}, {".docx", docxText}, {".pptx", pptxText}, {".xlsx", xlsxText}, {".epub", epubText},
	{".db", sqliteText}, {".db3", sqliteText}, {".sqlite", sqliteText}, {".sqlite3", sqliteText},
}

// unreadableEndings lists the endings of documents that cannot be read; the error names a format
// that can.
var unreadableEndings = []string{".doc", ".ppt", ".xls", ".rtf", ".odt", ".ods", ".odp"}

// IsDocument reports whether a file name has the ending of a document that Text can read or has an
// error message for. It returns false for databases, because their endings are used for other files
// too: see [IsSQLite].
func IsDocument(name string) bool {
	if IsDatabase(name) {
		return false
	}
	for _, c := range documentConverters {
		if hasEnding(name, c.ending) {
			return true
		}
	}
	return slices.ContainsFunc(unreadableEndings, func(ending string) bool { return hasEnding(name, ending) })
}

// Text returns the text of a document, cut after MaxText bytes. It may need much memory for a
// hostile document: see [Request.Apart].
func (r Request) Text(ctx context.Context, data []byte) (text string, err error) {
	defer func() {
		// Readers of others give up by a panic on what they do not expect.
		if p := recover(); p != nil {
			text, err = "", fmt.Errorf("it is damaged: %v", p)
		}
	}()
	if r.Page != "" {
		text, err = pageMarkdown(r, data)
		return clipText(text), err
	}
	if r.Fragment {
		text, err = fragmentMarkdown(data)
		return clipText(text), err
	}
	if r.Feed != "" {
		text, err = feedMarkdown(r, data)
		return clipText(text), err
	}
	if r.Row != nil {
		return rowText(ctx, r, data)
	}
	for _, c := range documentConverters {
		if hasEnding(r.Name, c.ending) {
			if text, err = c.text(ctx, r, data); err == nil {
				text = clipText(text)
			}
			return text, err
		}
	}
	for _, ending := range unreadableEndings {
		if hasEnding(r.Name, ending) {
			return "", fmt.Errorf("files of the kind %s are not read here; convert it first: "+
				"soffice --headless --convert-to %s '%s'", ending, readableEnding(ending), r.Name)
		}
	}
	return "", errors.New("it is not named as a document")
}

// readableEnding returns the ending of a format that can be read, for a document with an older or
// other format of the same kind.
func readableEnding(ending string) string {
	switch ending {
	case ".xls", ".ods":
		return "xlsx"
	case ".ppt", ".odp":
		return "pptx"
	}
	return "docx"
}

// clipText returns text as valid UTF-8 of at most MaxText bytes. If it cuts the text, a line at the
// end says how many bytes are missing.
func clipText(text string) string {
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
