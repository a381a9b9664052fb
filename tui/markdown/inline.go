package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
)

// inlineSpans returns the text of n as spans. Markdown marks such as ** become styles on top of
// style.
func (b *builder) inlineSpans(n ast.Node, style tui.Style) []tui.Span {
	_, cell := n.(*east.TableCell)
	w := &inliner{b: b, inTableCell: cell}
	w.addChildren(n, style, "")
	w.flush()
	return w.out
}

// inliner converts inline nodes to spans. The text of the last span is collected in the field text
// until flush.
type inliner struct {
	b           *builder
	out         []tui.Span
	text        []byte
	inCode      bool // the nodes are in code, whose joiners are made visible
	inTableCell bool // the nodes are in a table cell, where code escapes a bar as \|
}

func (l *inliner) add(text string, style tui.Style, link string) {
	if l.inCode {
		text, _ = visible.Lines(text)
	}
	if n := len(l.out); n == 0 || l.out[n-1].Style != style || l.out[n-1].Link != link {
		if text == "" {
			return
		}
		l.flush()
		l.out = append(l.out, tui.Span{Style: style, Link: link})
	}
	l.text = append(l.text, text...)
}

// flush moves the collected text to the last span.
func (l *inliner) flush() {
	if n := len(l.out); n > 0 {
		l.out[n-1].Text += string(l.text)
	}
	l.text = l.text[:0]
}

func (l *inliner) addChildren(n ast.Node, style tui.Style, link string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		l.addNode(c, style, link)
	}
}

func (l *inliner) addNode(n ast.Node, style tui.Style, link string) {
	th, src := l.b.th, l.b.src
	switch n := n.(type) {
	case *ast.Text:
		v := n.Segment.Value(src)
		if !n.IsRaw() {
			v = unescape(v)
		} else if l.inTableCell && l.inCode {
			v = bytes.ReplaceAll(v, []byte(`\|`), []byte("|"))
		}
		l.add(string(v), style, link)
		if n.HardLineBreak() || n.SoftLineBreak() && l.b.doc.Breaks {
			l.add("\n", style, "")
		} else if n.SoftLineBreak() {
			l.add(" ", style, link)
		}
	case *ast.String:
		l.add(string(n.Value), style, link)
	case *ast.CodeSpan:
		code := th.Code
		code.Attr |= style.Attr
		in := l.inCode
		l.inCode = true
		l.addChildren(n, code, link)
		l.inCode = in
	case *ast.Emphasis:
		attr := tui.Italic
		if n.Level == 2 {
			attr = tui.Bold
		}
		l.addChildren(n, style.With(attr), link)
	case *east.Strikethrough:
		l.addChildren(n, style.With(tui.Strike), link)
	case *ast.Link:
		l.addLink(n, style, string(n.Destination))
	case *ast.Image:
		l.add("image: ", th.Dim, "")
		l.addLink(n, style, string(n.Destination))
	case *ast.AutoLink:
		label, _ := visible.Lines(string(n.Label(src)))
		l.add(label, style.With(tui.Underline), string(n.URL(src)))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			l.add(string(seg.Value(src)), style, link)
		}
	case *east.TaskCheckBox:
		if n.IsChecked {
			l.add("[x] ", style, "")
		} else {
			l.add("[ ] ", style, "")
		}
	default:
		l.addChildren(n, style, link)
	}
}

// unescape returns v with each backslash escape and each character reference replaced by its
// meaning. It makes a single pass: &amp;lt; becomes &lt;.
func unescape(v []byte) []byte {
	if !bytes.ContainsAny(v, `\&`) {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); {
		switch n := referenceLen(v[i:]); {
		case v[i] == '\\' && i+1 < len(v) && isPunctByte(v[i+1]):
			out = append(out, v[i+1])
			i += 2
		case n > 0:
			out = append(out, resolveReference(v[i:i+n])...)
			i += n
		default:
			out = append(out, v[i])
			i++
		}
	}
	return out
}

// referenceLen returns the number of bytes of the character reference at the start of v, such as
// &amp; or &#38;. It checks only the syntax. It returns 0 if there is none.
func referenceLen(v []byte) int {
	if v[0] != '&' {
		return 0
	}
	n := 1
	for n < len(v) && (isWordByte(v[n]) || v[n] == '#' && n == 1) {
		n++
	}
	if n == 1 || n == len(v) || v[n] != ';' {
		return 0
	}
	return n + 1
}

// resolveReference returns the characters that a reference such as &amp; or &#38; stands for.
func resolveReference(v []byte) []byte {
	if v[1] == '#' {
		return util.ResolveNumericReferences(v)
	}
	return util.ResolveEntityNames(v)
}

// addLink adds the text of a link, followed by its target in parentheses if the text differs from
// the target.
func (l *inliner) addLink(n ast.Node, style tui.Style, to string) {
	l.flush()
	at := len(l.out)
	l.addChildren(n, style.With(tui.Underline), to)
	l.flush()
	label := ""
	for _, s := range l.out[at:] {
		label += s.Text
	}
	if to != "" && label != to && "mailto:"+label != to {
		shown, _ := visible.Lines(to)
		l.add(" ("+shown+")", l.b.th.Dim, "")
	}
}
