package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxDepth bounds the nesting that is followed.
const maxDepth = 16

// maxFences is how many code blocks of a piece have colours: it is parsed with every View.
const maxFences = 16

// builder turns the blocks of one piece into paragraphs.
type builder struct {
	doc *Document
	th  *tui.Theme
	src []byte
	out []para

	fences int // code blocks so far
}

// parseBlocks returns the paragraphs of a piece. What the parser cannot take is shown as it is.
func (d *Document) parseBlocks(th *tui.Theme, src []byte) (out []para) {
	defer func() {
		if recover() != nil {
			out = plainParas(src)
		}
	}()
	for len(src) > 0 {
		at, n := findMarkFlood(src)
		if at > 0 {
			b := &builder{doc: d, th: th, src: withFinalNewline(src[:at])}
			b.addChildren(d.parse.Parse(text.NewReader(b.src)), nil, nil, 0)
			out = append(out, b.out...)
		}
		out = append(out, plainParas(src[at:at+n])...)
		src = src[at+n:]
	}
	return out
}

// withFinalNewline returns src with a newline at its end. Without one goldmark 1.8.7 splits the
// last line of code in a list item.
func withFinalNewline(src []byte) []byte {
	if bytes.HasSuffix(src, []byte("\n")) {
		return src
	}
	return append(src[:len(src):len(src)], '\n')
}

// findMarkFlood returns the offset of the first flood of marks in src, and the number of bytes from
// there to the end of the line. Those bytes are shown as they are. A flood is more marks in a row,
// or more links whose target does not end, than anybody writes: parsers take quadratic time for
// them. Without one the offset is len(src).
func findMarkFlood(src []byte) (at, n int) {
	run, open := 0, 0
	for i, c := range src {
		switch c {
		case '>', '[', '*', '_', '-', '+', ' ', '\t':
			if run++; run > 16*maxDepth {
				return i + 1 - run, run + len(firstLine(src[i+1:]))
			}
			continue
		case '(':
			if i > 0 && src[i-1] == ']' && hasEndlessTarget(src[i+1:]) {
				if open++; open > maxDepth {
					return i, len(firstLine(src[i:]))
				}
			}
		}
		run = 0
	}
	return len(src), 0
}

// maxTarget is the maximum length, in bytes, of a link's target that counts for no flood.
const maxTarget = 1 << 10

// hasEndlessTarget reports whether src begins with the target of a link that is longer than
// maxTarget. A parser would look for its end up to the end of src.
func hasEndlessTarget(src []byte) bool {
	if len(src) <= maxTarget {
		return false
	}
	if src[0] == '<' {
		return !bytes.ContainsAny(src[:maxTarget], ">\n")
	}
	depth := 0
	for _, c := range src[:maxTarget] {
		switch {
		case c <= ' ':
			return false
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return true
}

// plainParas returns the lines of src as paragraphs without any mark of Markdown.
func plainParas(src []byte) []para {
	var out []para
	for line := range strings.Lines(string(src)) {
		out = append(out, para{native: true, spans: []tui.Span{{Text: strings.TrimRight(line, "\r\n")}}})
	}
	return out
}

func (b *builder) add(p para) { b.out = append(b.out, p) }

// addChildren adds the blocks in n, with a blank row between two of them. first is the prefix of
// the first row, others is that of all other rows.
func (b *builder) addChildren(n ast.Node, first, others []tui.Span, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() && !isTightList(c) {
			b.add(blankPara(others))
		}
		b.addBlock(c, first, others, depth)
		first = others
	}
}

// blankPara returns a row that has only prefix, without the spaces at its end.
func blankPara(prefix []tui.Span) para {
	prefix = append([]tui.Span(nil), prefix...)
	for n := len(prefix); n > 0; n-- {
		if prefix[n-1].Text = strings.TrimRight(prefix[n-1].Text, " "); prefix[n-1].Text != "" {
			break
		}
		prefix = prefix[:n-1]
	}
	return para{first: prefix, others: prefix}
}

// isTightList reports whether n is a list inside a list item that follows the item's text without a
// blank line.
func isTightList(n ast.Node) bool {
	_, list := n.(*ast.List)
	_, inItem := n.Parent().(*ast.ListItem)
	return list && inItem
}

func (b *builder) addBlock(n ast.Node, first, others []tui.Span, depth int) {
	if depth > maxDepth {
		b.addLines(n, first, others)
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		b.addHeading(n, first, others)
	case *ast.Paragraph, *ast.TextBlock:
		b.addParagraph(n, first, others)
	case *ast.List:
		b.addList(n, first, others, depth)
	case *ast.Blockquote:
		mark := tui.Span{Text: "> ", Style: b.th.Dim}
		b.addQuote(n, spansWith(first, mark), spansWith(others, mark), depth)
	case *ast.ThematicBreak:
		b.add(para{first: first, others: others, spans: []tui.Span{{Text: "---", Style: b.th.Dim}}})
	case *east.Table:
		b.add(para{table: b.table(n)})
	default: // code blocks in lists and quotes, HTML
		b.addLines(n, first, others)
	}
}

func (b *builder) addList(n *ast.List, first, others []tui.Span, depth int) {
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		mark := "- "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		if c != n.FirstChild() && c.HasBlankPreviousLines() {
			b.add(blankPara(others))
		}
		if !n.IsOrdered() && isTask(c) {
			mark = "" // the box is the mark
		}
		at := len(b.out)
		b.addChildren(c, spansWith(first, tui.Span{Text: mark}), spansWith(others, tui.Span{Text: itemIndent(c, mark)}),
			depth+1)
		if len(b.out) == at { // an item without text
			b.add(para{first: first, others: others, spans: []tui.Span{{Text: strings.TrimRight(mark, " ")}}})
		}
		first = others
	}
}

// headingStyle returns the style of a heading of level n.
func headingStyle(th *tui.Theme, n int) tui.Style {
	look := th.Heading
	switch n {
	case 1:
		return look.With(tui.Underline)
	case 2:
		return look
	case 3:
		look.Attr = tui.Underline
	default:
		look.Attr = tui.Italic
	}
	return look
}

// addLines adds the lines of a code block, of HTML or of a formula as they are. Code has its
// colours.
func (b *builder) addLines(n ast.Node, first, others []tui.Span) {
	if n.Type() != ast.TypeBlock {
		return
	}
	spans := func(line string) []tui.Span { return []tui.Span{{Text: line}} }
	switch n := n.(type) {
	case *ast.CodeBlock:
		spans = func(line string) []tui.Span { return []tui.Span{{Text: line, Style: b.th.Code}} }
	case *ast.FencedCodeBlock:
		f := fence{language: string(n.Language(b.src))}
		if b.fences++; b.fences <= maxFences {
			f = f.withLanguage()
		}
		spans = func(line string) []tui.Span { return f.nextLineSpans(b.th, line) }
	}
	h, isHTML := n.(*ast.HTMLBlock)
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		line := strings.TrimRight(string(seg.Value(b.src)), "\r\n")
		p := para{first: first, others: others, native: true, spans: spans(line)}
		if isHTML {
			if summary, ok := detailsMark(line); ok && summary == "" {
				continue
			} else if ok {
				p.spans = []tui.Span{{Text: summary, Style: tui.Style{}.With(tui.Bold)}}
			}
		}
		b.add(p)
		first = others
	}
	if isHTML && h.HasClosure() {
		b.add(para{first: first, others: others, native: true,
			spans: []tui.Span{{Text: strings.TrimRight(string(h.ClosureLine.Value(b.src)), "\r\n")}}})
	}
}

// spansWith returns a new slice of the spans of prefix, and s.
func spansWith(prefix []tui.Span, s tui.Span) []tui.Span {
	return append(prefix[:len(prefix):len(prefix)], s)
}
