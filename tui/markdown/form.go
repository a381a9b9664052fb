package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxUnderlinedBytes is the maximum number of bytes in a heading that is underlined with equals
// signs. A longer line is text: its rows become final before the underline is written.
const maxUnderlinedBytes = 64

// addHeading adds a heading. An underlined heading counts as one only if it is a single short line
// outside lists and quotes. Otherwise its text is shown as a paragraph, followed by a row for the
// underline.
func (b *builder) addHeading(n *ast.Heading, first, others []tui.Span) {
	lines := n.Lines()
	last := text.Segment{}
	if lines.Len() > 0 {
		last = lines.At(lines.Len() - 1)
	}
	short := lines.Len() == 1 && last.Len() <= maxUnderlinedBytes && n.Parent().Kind() == ast.KindDocument
	if short || !isUnderlined(b.src[last.Stop:]) {
		b.add(para{first: first, others: others, spans: b.inlineSpans(n, headingStyle(b.th, n.Level))})
		return
	}
	b.add(para{first: first, others: others, spans: b.inlineSpans(n, tui.Style{})})
	b.add(para{first: others, others: others, spans: []tui.Span{{Text: "===", Style: b.th.Dim}}})
}

// isUnderlined reports whether src begins with a row of equals signs. Quote marks may precede them.
func isUnderlined(src []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(src, "\n> \t"), []byte("="))
}

// addParagraph adds a paragraph. The text of a footnote is indented behind its mark.
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

// startsWith reports whether the joined text of spans begins with prefix.
func startsWith(spans []tui.Span, prefix string) bool {
	text := ""
	for _, s := range spans {
		if text += s.Text; len(text) >= len(prefix) {
			break
		}
	}
	return strings.HasPrefix(text, prefix)
}

// addQuote adds a block quote. If its first line marks a GitHub alert, such as [!NOTE], the title
// of the alert replaces that line.
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

// removeFirstLine removes from p the nodes of its first line.
func (b *builder) removeFirstLine(p *ast.Paragraph) {
	for c := p.FirstChild(); c != nil; c = p.FirstChild() {
		p.RemoveChild(p, c)
		if t, ok := c.(*ast.Text); ok && (t.SoftLineBreak() || t.HardLineBreak()) {
			return
		}
	}
}

// alertTitle returns the title and the style of the GitHub alert that line marks, such as "Note"
// for "[!NOTE]". It returns "" if line marks no alert.
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

// isTask reports whether a list item begins with a check box, [ ] or [x].
func isTask(item ast.Node) bool {
	if item.FirstChild() == nil || item.FirstChild().FirstChild() == nil {
		return false
	}
	return item.FirstChild().FirstChild().Kind() == east.KindTaskCheckBox
}

// itemIndent returns the blanks that indent all rows of a list item but the first. mark is the
// item's bullet or number.
func itemIndent(item ast.Node, mark string) string {
	n := len(mark)
	if isTask(item) {
		n += len("[ ] ")
	}
	return strings.Repeat(" ", n)
}

// detailsMark reports in ok whether line, of an HTML block, has only tags of <details> and
// <summary> besides the summary itself. It returns that summary, or "" if the line has none.
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
