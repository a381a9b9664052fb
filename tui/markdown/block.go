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

// blocks parses a piece. What the parser cannot take is shown as it is.
func (d *Document) blocks(th *tui.Theme, src []byte) (out []para) {
	defer func() {
		if recover() != nil {
			out = plain(src)
		}
	}()
	for len(src) > 0 {
		at, n := deep(src)
		if at > 0 {
			b := &builder{doc: d, th: th, src: ended(src[:at])}
			b.children(d.parse.Parse(text.NewReader(b.src)), nil, nil, 0)
			out = append(out, b.out...)
		}
		out = append(out, plain(src[at:at+n])...)
		src = src[at+n:]
	}
	return out
}

// ended returns src with a newline at its end. Without one goldmark 1.8.7 splits the last line of
// code in a list item.
func ended(src []byte) []byte {
	if bytes.HasSuffix(src, []byte("\n")) {
		return src
	}
	return append(src[:len(src):len(src)], '\n')
}

// deep returns where in src more marks stand than anybody writes, and how much of src is shown as
// it is for that, up to the end of the line. They are marks in a row, and links whose target does
// not end: parsers take quadratic time for them.
func deep(src []byte) (at, n int) {
	run, open := 0, 0
	for i, c := range src {
		switch c {
		case '>', '[', '*', '_', '-', '+', ' ', '\t':
			if run++; run > 16*maxDepth {
				return i + 1 - run, run + len(firstLine(src[i+1:]))
			}
			continue
		case '(':
			if i > 0 && src[i-1] == ']' && endless(src[i+1:]) {
				if open++; open > maxDepth {
					return i, len(firstLine(src[i:]))
				}
			}
		}
		run = 0
	}
	return len(src), 0
}

// maxTarget is how long the target of a link may be that is parsed however many of its kind there
// are.
const maxTarget = 1 << 10

// endless reports whether the target of a link at the start of src is longer than maxTarget: its
// end would be looked for up to the end of src.
func endless(src []byte) bool {
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

// plain returns src as it is.
func plain(src []byte) []para {
	var out []para
	for line := range strings.Lines(string(src)) {
		out = append(out, para{native: true, spans: []tui.Span{{Text: strings.TrimRight(line, "\r\n")}}})
	}
	return out
}

func (b *builder) add(p para) { b.out = append(b.out, p) }

// children adds the blocks in n, a blank row between two of them. first stands before the first
// row, rest before all others.
func (b *builder) children(n ast.Node, first, rest []tui.Span, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c != n.FirstChild() && !tightList(c) {
			b.add(blank(rest))
		}
		b.block(c, first, rest, depth)
		first = rest
	}
}

// blank returns a blank row behind prefix, without the spaces at its end.
func blank(prefix []tui.Span) para {
	prefix = append([]tui.Span(nil), prefix...)
	for n := len(prefix); n > 0; n-- {
		if prefix[n-1].Text = strings.TrimRight(prefix[n-1].Text, " "); prefix[n-1].Text != "" {
			break
		}
		prefix = prefix[:n-1]
	}
	return para{first: prefix, rest: prefix}
}

// tightList reports whether n is a list that follows the text of its item at once.
func tightList(n ast.Node) bool {
	_, list := n.(*ast.List)
	_, inItem := n.Parent().(*ast.ListItem)
	return list && inItem
}

func (b *builder) block(n ast.Node, first, rest []tui.Span, depth int) {
	if depth > maxDepth {
		b.lines(n, first, rest)
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		b.heading(n, first, rest)
	case *ast.Paragraph, *ast.TextBlock:
		b.paragraph(n, first, rest)
	case *ast.List:
		b.list(n, first, rest, depth)
	case *ast.Blockquote:
		mark := tui.Span{Text: "> ", Style: b.th.Dim}
		b.quote(n, with(first, mark), with(rest, mark), depth)
	case *ast.ThematicBreak:
		b.add(para{first: first, rest: rest, spans: []tui.Span{{Text: "---", Style: b.th.Dim}}})
	case *east.Table:
		b.add(para{table: b.table(n)})
	default: // code blocks in lists and quotes, HTML
		b.lines(n, first, rest)
	}
}

func (b *builder) list(n *ast.List, first, rest []tui.Span, depth int) {
	number := n.Start
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		mark := "- "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + string(n.Marker) + " "
			number++
		}
		if c != n.FirstChild() && c.HasBlankPreviousLines() {
			b.add(blank(rest))
		}
		if !n.IsOrdered() && isTask(c) {
			mark = "" // the box is the mark
		}
		at := len(b.out)
		b.children(c, with(first, tui.Span{Text: mark}), with(rest, tui.Span{Text: indent(c, mark)}),
			depth+1)
		if len(b.out) == at { // an item without text
			b.add(para{first: first, rest: rest, spans: []tui.Span{{Text: strings.TrimRight(mark, " ")}}})
		}
		first = rest
	}
}

// level returns how a heading of level n looks.
func level(th *tui.Theme, n int) tui.Style {
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

// lines adds the lines of a block as they are, code in its colours.
func (b *builder) lines(n ast.Node, first, rest []tui.Span) {
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
			f = f.named()
		}
		spans = func(line string) []tui.Span { return f.spans(b.th, line) }
	}
	h, isHTML := n.(*ast.HTMLBlock)
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		line := strings.TrimRight(string(seg.Value(b.src)), "\r\n")
		p := para{first: first, rest: rest, native: true, spans: spans(line)}
		if isHTML {
			if summary, ok := foldMark(line); ok && summary == "" {
				continue
			} else if ok {
				p.spans = []tui.Span{{Text: summary, Style: tui.Style{}.With(tui.Bold)}}
			}
		}
		b.add(p)
		first = rest
	}
	if isHTML && h.HasClosure() {
		b.add(para{first: first, rest: rest, native: true,
			spans: []tui.Span{{Text: strings.TrimRight(string(h.ClosureLine.Value(b.src)), "\r\n")}}})
	}
}

// with returns prefix and s, a slice of its own.
func with(prefix []tui.Span, s tui.Span) []tui.Span {
	return append(prefix[:len(prefix):len(prefix)], s)
}
