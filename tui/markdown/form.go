package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxUnderlined is the most bytes that the line above a row of equals signs has for a heading. The
// rows of a longer one are final before the underline is written.
const maxUnderlined = 64

// addHeading adds a heading. What is underlined is one only as a short line that stands by itself;
// else the underline has a row.
func (b *builder) addHeading(n *ast.Heading, first, others []tui.Span) {
	lines := n.Lines()
	last := text.Segment{}
	if lines.Len() > 0 {
		last = lines.At(lines.Len() - 1)
	}
	short := lines.Len() == 1 && last.Len() <= maxUnderlined && n.Parent().Kind() == ast.KindDocument
	if short || !isUnderlined(b.src[last.Stop:]) {
		b.add(para{first: first, others: others, spans: b.inlineSpans(n, headingStyle(b.th, n.Level))})
		return
	}
	b.add(para{first: first, others: others, spans: b.inlineSpans(n, tui.Style{})})
	b.add(para{first: others, others: others, spans: []tui.Span{{Text: "===", Style: b.th.Dim}}})
}

// isUnderlined reports whether src begins with a row of equals signs, perhaps behind the marks of a
// quote.
func isUnderlined(src []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(src, "\n> \t"), []byte("="))
}

// addParagraph adds text. That of a footnote is indented behind its mark.
func (b *builder) addParagraph(n ast.Node, first, others []tui.Span) {
	p := para{first: first, others: others, spans: b.inlineSpans(n, tui.Style{})}
	lines := n.Lines()
	if lines.Len() == 0 || n.Parent().Kind() != ast.KindDocument {
		b.add(p)
		return
	}
	begin := lines.At(0)
	line := begin.Value(b.src)
	mark := string(line[:min(footnoteMark(line)+1, len(line))])
	if len(mark) > 1 && strings.HasSuffix(mark, " ") && startsWith(p.spans, mark) {
		p.first = spansWith(first, tui.Span{Text: mark, Style: b.th.Dim})
		p.others = spansWith(others, tui.Span{Text: strings.Repeat(" ", len(mark))})
		p.spans = skipBytes(p.spans, len(mark))
	}
	b.add(p)
}

// startsWith reports whether the text of spans begins with prefix.
func startsWith(spans []tui.Span, prefix string) bool {
	text := ""
	for _, s := range spans {
		if text += s.Text; len(text) >= len(prefix) {
			break
		}
	}
	return strings.HasPrefix(text, prefix)
}

// addQuote adds a quote. The first line of one of GitHub's alerts, [!NOTE], is its title.
func (b *builder) addQuote(n *ast.Blockquote, first, others []tui.Span, depth int) {
	p, ok := n.FirstChild().(*ast.Paragraph)
	if !ok {
		b.addChildren(n, first, others, depth+1)
		return
	}
	seg := p.Lines().At(0)
	name, style := alertTitle(b.th, strings.TrimSpace(string(seg.Value(b.src))))
	if name == "" {
		b.addChildren(n, first, others, depth+1)
		return
	}
	b.add(para{first: first, others: others, spans: []tui.Span{{Text: name, Style: style.With(tui.Bold)}}})
	if p.Lines().Len() == 1 {
		n.RemoveChild(n, p)
	} else {
		b.removeFirstLine(p)
	}
	if n.ChildCount() > 0 {
		b.addChildren(n, others, others, depth+1)
	}
}

// removeFirstLine removes the nodes of p's first line.
func (b *builder) removeFirstLine(p *ast.Paragraph) {
	for c := p.FirstChild(); c != nil; c = p.FirstChild() {
		p.RemoveChild(p, c)
		if t, ok := c.(*ast.Text); ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			return
		}
	}
}

// alertTitle returns the title of the alert that begins with line, and its style. The title is ""
// if line begins no alert.
func alertTitle(th *tui.Theme, line string) (string, tui.Style) {
	switch strings.ToUpper(line) {
	case "[!NOTE]":
		return "Note", th.Accent
	case "[!TIP]":
		return "Tip", th.Accent
	case "[!IMPORTANT]":
		return "Important", th.Accent
	case "[!WARNING]":
		return "Warning", th.Warning
	case "[!CAUTION]":
		return "Caution", th.Error
	}
	return "", tui.Style{}
}

// isTask reports whether a list item begins with a box that can be ticked.
func isTask(item ast.Node) bool {
	if item.FirstChild() == nil || item.FirstChild().FirstChild() == nil {
		return false
	}
	return item.FirstChild().FirstChild().Kind() == east.KindTaskCheckBox
}

// itemIndent returns the blanks before all rows of an item but the first.
func itemIndent(item ast.Node, mark string) string {
	n := len(mark)
	if isTask(item) {
		n += len("[ ] ")
	}
	return strings.Repeat(" ", n)
}

// detailsMark reports whether line, of HTML, only begins or ends a text that a browser folds, and
// returns its summary, "" if line has none.
func detailsMark(line string) (summary string, ok bool) {
	text := strings.TrimSpace(line)
	for _, tag := range []string{"</details>", "<details>", "<details open>", "</summary>", "<summary>"} {
		if rest, found := strings.CutPrefix(text, tag); found {
			text, ok = strings.TrimSpace(rest), true
		}
	}
	summary, rest, closed := strings.Cut(text, "</summary>")
	if !ok || text != "" && (!closed || strings.TrimSpace(rest) != "") {
		return "", ok && text == ""
	}
	for _, tag := range []string{"b", "strong", "i", "em", "code"} {
		summary = strings.ReplaceAll(strings.ReplaceAll(summary, "<"+tag+">", ""), "</"+tag+">", "")
	}
	return strings.TrimSpace(summary), true
}
