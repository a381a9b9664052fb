package tui

// Text is a component that shows spans. A change of its fields is seen after Changed.
type Text struct {
	Spans       []Span
	Native      bool // see [Layout]
	First, Rest []Span
	Gap         int // blank rows after it
}

// NewText is s as prose.
func NewText(s string) *Text { return &Text{Spans: []Span{{Text: s}}} }

// View lays the text out. All rows are stable.
func (t *Text) View(s Space) View { return View{} }
