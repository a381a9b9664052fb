package extension

import (
	"encoding/json"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// These constants limit one row.
const (
	maxRowBytes  = 4 << 10
	maxRowSpans  = 64
	maxLinkBytes = 2 << 10
)

// Span is a piece of text with a style of the theme and a link. All of it is untrusted.
type Span struct {
	Text  string `json:"text"`
	Style string `json:"style,omitempty"`
	Link  string `json:"link,omitempty"`
}

// Row is one row of the screen.
type Row []Span

// UnmarshalJSON decodes a list of spans, or a string. It drops what exceeds the limits of a row.
func (r *Row) UnmarshalJSON(data []byte) error {
	*r = nil
	if len(data) > 0 && data[0] == '"' {
		var text string
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
		*r = Row{{Text: text}}.bounded()
		return nil
	}
	var spans []Span
	if err := json.Unmarshal(data, &spans); err != nil {
		return err
	}
	*r = Row(spans).bounded()
	return nil
}

// bounded returns the row within its limits, and with http and https links only.
func (r Row) bounded() Row {
	left := maxRowBytes
	var out Row
	for _, s := range r[:min(len(r), maxRowSpans)] {
		if len(s.Text) > left {
			s.Text = width.Head(s.Text, left)
		}
		left -= len(s.Text)
		s.Text = strings.Clone(strings.Join(strings.FieldsFunc(s.Text, isLineEnd), " "))
		if len(s.Link) > maxLinkBytes || !strings.HasPrefix(s.Link, "https://") && !strings.HasPrefix(s.Link,
			"http://") ||
			strings.ContainsFunc(s.Link, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
			s.Link = ""
		}
		if s.Text != "" {
			out = append(out, s)
		}
		if left <= 0 {
			break
		}
	}
	return out
}

// redacted removes secrets from the rows, in place, and returns them.
func (r Rows) redacted(redact func(string) string) Rows {
	for _, row := range r {
		for i := range row {
			row[i].Text, row[i].Link = redact(row[i].Text), redact(row[i].Link)
		}
	}
	return r
}

// Text returns the text of the row without styles. It is untrusted.
func (r Row) Text() string {
	var b strings.Builder
	for _, s := range r {
		b.WriteString(s.Text)
	}
	return b.String()
}

func isLineEnd(c rune) bool {
	return c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\u0085' || c == '\u2028' || c == '\u2029'
}

// Rows holds the rows that an extension draws.
type Rows []Row

// bounded returns the first n rows.
func (r Rows) bounded(n int) Rows { return r[:min(len(r), max(n, 0)):min(len(r), max(n, 0))] }
