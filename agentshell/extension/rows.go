package extension

import (
	"encoding/json"
	"strings"
	"unicode"
)

// Row is one row of the screen. It consists of spans from left to right. The zero value is a blank
// row.
type Row []Span

// Span is a text in one style. Tabs and line breaks become blanks, and the shell shows other
// control characters as visible ones: escape sequences have no effect.
type Span struct {
	Text  string `json:"text"`
	Style string `json:"style,omitempty"` // One of the styles below; "": none. The theme decides on the colours.
	Link  string `json:"link,omitempty"`  // The target of a hyperlink, with https:// or http://, at most 2 KiB.
}

// The styles of spans. Each is a role of the user's theme.
const (
	Dim      = "dim"
	Strong   = "strong"
	Accent   = "accent"
	Added    = "added"
	Removed  = "removed"
	Warning  = "warning"
	Failure  = "error"
	Code     = "code"
	Heading  = "heading"
	Keyword  = "keyword"
	String   = "string"
	Comment  = "comment"
	Number   = "number"
	Selected = "selected"
)

// MarshalJSON encodes the row as a list of spans. A nil row becomes an empty list.
func (r Row) MarshalJSON() ([]byte, error) {
	if r == nil {
		r = Row{}
	}
	return json.Marshal([]Span(r))
}

// Plain returns a row with a text in no style.
func Plain(text string) Row { return Row{{Text: text}} }

// Styled returns a row with a text in the given style.
func Styled(style, text string) Row { return Row{{Text: text, Style: style}} }

// Join returns one row with the spans of all rows, one after another.
func Join(rows ...Row) (all Row) {
	for _, r := range rows {
		all = append(all, r...)
	}
	return all
}

// Width returns the approximate width of a text in columns: one for most characters, two for most
// East Asian ones and emoji, none for combining marks. The shell measures exactly.
func Width(text string) (columns int) {
	for _, c := range text {
		columns += columnsOf(c)
	}
	return columns
}

// columnsOf returns the approximate width of a character in columns.
func columnsOf(c rune) int {
	switch {
	case c < 0x300:
		return 1
	case unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case c >= 0x1100 && c <= 0x115F, c >= 0x2E80 && c <= 0xA4CF, c >= 0xAC00 && c <= 0xD7A3, c >= 0xF900 && c <= 0xFAFF,
		c >= 0xFE30 && c <= 0xFE6F, c >= 0xFF00 && c <= 0xFF60, c >= 0xFFE0 && c <= 0xFFE6,
		c >= 0x1F300 && c <= 0x1F64F, c >= 0x1F680 && c <= 0x1F6FF, c >= 0x1F900 && c <= 0x1FAFF,
		c >= 0x20000 && c <= 0x3FFFD:
		return 2
	}
	return 1
}

// Fit returns text with a width of exactly the given number of columns, as [Width] counts: it is
// filled up with blanks, or cut and ended with an ellipsis.
func Fit(text string, columns int) string {
	if w := Width(text); w <= columns {
		return text + strings.Repeat(" ", columns-w)
	}
	if columns <= 0 {
		return ""
	}
	var b strings.Builder
	used := 0
	for _, c := range text {
		if used+columnsOf(c) > columns-1 {
			break
		}
		b.WriteRune(c)
		used += columnsOf(c)
	}
	return b.String() + "…" + strings.Repeat(" ", columns-1-used)
}
