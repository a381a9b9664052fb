package extension

import (
	"encoding/json"
	"strings"
	"unicode"
)

// Row is one row of the screen: spans beside each other. The zero value is a blank row.
type Row []Span

// Span is text in one style. Tabs and line breaks become blanks, and other control characters
// become visible: there are no escape sequences.
type Span struct {
	Text  string `json:"text"`
	Style string `json:"style,omitempty"` // a role of the theme; "": none
	Link  string `json:"link,omitempty"`  // an address with https:// or http://, at most 2 KiB
}

// The styles of spans.
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

// MarshalJSON returns the row as a list of spans, also where there are none.
func (r Row) MarshalJSON() ([]byte, error) {
	if r == nil {
		r = Row{}
	}
	return json.Marshal([]Span(r))
}

// Plain returns a row of text without a style.
func Plain(text string) Row { return Row{{Text: text}} }

// Styled returns a row of text in a style.
func Styled(style, text string) Row { return Row{{Text: text, Style: style}} }

// Join returns one row with the spans of all rows.
func Join(rows ...Row) (all Row) {
	for _, r := range rows {
		all = append(all, r...)
	}
	return all
}

// Width returns about how many columns a text takes: one for most characters, two for most East
// Asian ones and emoji, none for marks. The shell measures exactly.
func Width(text string) (columns int) {
	for _, c := range text {
		columns += columnsOf(c)
	}
	return columns
}

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

// Fit returns a text of exactly columns columns, as [Width] counts: cut with an ellipsis, or filled
// with blanks.
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
