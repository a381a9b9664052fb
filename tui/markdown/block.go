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

// maxNestingDepth is the maximum nesting depth of blocks. Deeper blocks are shown as source text.
const maxNestingDepth = 16

// maxColouredFences is the maximum number of syntax-highlighted code blocks within one piece of the
// source. The limit exists because the unfinished piece is parsed again with every View.
const maxColouredFences = 16

// builder turns the parsed blocks of one piece of the source into paragraphs.
type builder struct {
	doc *Document
	th  *tui.Theme
	src []byte
	out []para

	fences int // number of code blocks added so far
}

// parseBlocks parses src, one piece of the source, and returns its paragraphs. Text that makes the
// parser panic is returned as plain lines.
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

// findMarkFlood looks in src for more consecutive marks, or more links with endless targets, than a
// person would write. Parsers take quadratic time for them. It returns the offset of the first such
// flood, and the number of bytes from there to the end of the line, to be shown as plain text. If
// there is none it returns len(src), 0.
func findMarkFlood(src []byte) (at, n int) {
	run, open := 0, 0
	for i, c := range src {
		switch c {
		case '>', '[', '*', '_', '-', '+', ' ', '\t':
			if run++; run > 16*maxNestingDepth {
				return i + 1 - run, run + len(firstLine(src[i+1:]))
			}
			continue
		case '(':
			if i > 0 && src[i-1] == ']' && hasEndlessTarget(src[i+1:]) {
				if open++; open > maxNestingDepth {
					return i, len(firstLine(src[i:]))
				}
			}
		}
		run = 0
	}
	return len(src), 0
}

// maxTargetBytes is the number of bytes from which on [hasEndlessTarget] takes a link's target for
// endless.
const maxTargetBytes = 1 << 10

// hasEndlessTarget reports whether src begins with a link target that does not end within
// maxTargetBytes bytes. A parser would look for its end up to the end of src.
func hasEndlessTarget(src []byte) bool {
	if len(src) <= maxTargetBytes {
		return false
	}
	if src[0] == '<' {
		return !bytes.ContainsAny(src[:maxTargetBytes], ">\n")
	}
	depth := 0
	for _, c := range src[:maxTargetBytes] {
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

// plainParas returns each line of src as a paragraph of its own, without interpreting any Markdown
// in it.
func plainParas(src []byte) []para {
	var out []para
	for line := range strings.Lines(string(src)) {
		out = append(out, para{native: true, spans: []tui.Span{{Text: strings.TrimRight(line, "\r\n")}}})
	}
	return out
}

func (b *builder) add(p para) { b.out = append(b.out, p) }

// addChildren adds the blocks that n contains, with a blank row between each two. The prefix first
// stands before the first row, the prefix others before all other rows. depth is the nesting depth
// of n.
func (b *builder) addChildren(n ast.Node, first, others []tui.Span, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() && !isTightList(c) {
			b.add(blankPara(others))
		}
		b.addBlock(c, first, others, depth)
		first = others
	}
}

// blankPara returns a paragraph of one blank row that shows only prefix, without trailing spaces.
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

// isTightList reports whether n is a list inside a list item. Such a list follows the item's text
// without a blank row.
func isTightList(n ast.Node) bool {
	_, list := n.(*ast.List)
	_, inItem := n.Parent().(*ast.ListItem)
	return list && inItem
}

func (b *builder) addBlock(n ast.Node, first, others []tui.Span, depth int) {
	if depth > maxNestingDepth {
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
		b.add(para{table: b.newTable(n)})
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

// headingStyle returns the style of a heading of level n, from 1 to 6.
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

// addLines adds the source lines of a code block, an HTML block or a block that is nested too
// deeply. Code is syntax-highlighted. Of <details> elements only the summary is added.
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
		if b.fences++; b.fences <= maxColouredFences {
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

// spansWith returns a new slice with the spans of prefix followed by s.
func spansWith(prefix []tui.Span, s tui.Span) []tui.Span {
	return append(prefix[:len(prefix):len(prefix)], s)
}
