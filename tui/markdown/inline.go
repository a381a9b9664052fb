package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui"
)

// inline returns the text in n, with the marks of Markdown as styles.
func (b *builder) inline(n ast.Node, style tui.Style) []tui.Span {
	w := &inliner{b: b}
	w.children(n, style, "")
	w.flush()
	return w.out
}

// inliner collects spans. The last one is open: its text is in text.
type inliner struct {
	b    *builder
	out  []tui.Span
	text []byte
	code bool // what is added is code or an address, in which no joiner is spelling
}

func (w *inliner) add(text string, style tui.Style, link string) {
	if w.code {
		text, _ = visible.Lines(text)
	}
	if n := len(w.out); n == 0 || w.out[n-1].Style != style || w.out[n-1].Link != link {
		if text == "" {
			return
		}
		w.flush()
		w.out = append(w.out, tui.Span{Style: style, Link: link})
	}
	w.text = append(w.text, text...)
}

// flush gives the last span its text.
func (w *inliner) flush() {
	if n := len(w.out); n > 0 {
		w.out[n-1].Text += string(w.text)
	}
	w.text = w.text[:0]
}

func (w *inliner) children(n ast.Node, style tui.Style, link string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, style, link)
	}
}

func (w *inliner) node(n ast.Node, style tui.Style, link string) {
	th, src := w.b.th, w.b.src
	switch n := n.(type) {
	case *ast.Text:
		v := n.Segment.Value(src)
		if !n.IsRaw() {
			v = unescape(v)
		}
		w.add(string(v), style, link)
		if n.HardLineBreak() || n.SoftLineBreak() && w.b.doc.Breaks {
			w.add("\n", style, "")
		} else if n.SoftLineBreak() {
			w.add(" ", style, link)
		}
	case *ast.String:
		w.add(string(n.Value), style, link)
	case *ast.CodeSpan:
		code := th.Code
		code.Attr |= style.Attr
		in := w.code
		w.code = true
		w.children(n, code, link)
		w.code = in
	case *ast.Emphasis:
		attr := tui.Italic
		if n.Level == 2 {
			attr = tui.Bold
		}
		w.children(n, style.With(attr), link)
	case *east.Strikethrough:
		w.children(n, style.With(tui.Strike), link)
	case *ast.Link:
		w.target(n, style, string(n.Destination))
	case *ast.Image:
		w.add("image: ", th.Dim, "")
		w.target(n, style, string(n.Destination))
	case *ast.AutoLink:
		label, _ := visible.Lines(string(n.Label(src)))
		w.add(label, style.With(tui.Underline), string(n.URL(src)))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			w.add(string(seg.Value(src)), style, link)
		}
	case *east.TaskCheckBox:
		if n.IsChecked {
			w.add("[x] ", style, "")
		} else {
			w.add("[ ] ", style, "")
		}
	default:
		w.children(n, style, link)
	}
}

// unescape returns v with each escape and each character reference resolved once: what stands for
// an ampersand begins no reference.
func unescape(v []byte) []byte {
	if !bytes.ContainsAny(v, `\&`) {
		return v
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); {
		switch n := referenceLen(v[i:]); {
		case v[i] == '\\' && i+1 < len(v) && isPunct(v[i+1]):
			out = append(out, v[i+1])
			i += 2
		case n > 0:
			out = append(out, reference(v[i:i+n])...)
			i += n
		default:
			out = append(out, v[i])
			i++
		}
	}
	return out
}

// referenceLen returns the length of what is a character reference by its form at the start of v.
func referenceLen(v []byte) int {
	if v[0] != '&' {
		return 0
	}
	n := 1
	for n < len(v) && (isWord(v[n]) || v[n] == '#' && n == 1) {
		n++
	}
	if n == 1 || n == len(v) || v[n] != ';' {
		return 0
	}
	return n + 1
}

// reference returns the characters that a reference such as &amp; or &#38; stands for.
func reference(v []byte) []byte {
	if v[1] == '#' {
		return util.ResolveNumericReferences(v)
	}
	return util.ResolveEntityNames(v)
}

// target returns the text of a link and, where it says something else, where it leads.
func (w *inliner) target(n ast.Node, style tui.Style, to string) {
	w.flush()
	at := len(w.out)
	w.children(n, style.With(tui.Underline), to)
	w.flush()
	label := ""
	for _, s := range w.out[at:] {
		label += s.Text
	}
	if to != "" && label != to && "mailto:"+label != to {
		shown, _ := visible.Lines(to)
		w.add(" ("+shown+")", w.b.th.Dim, "")
	}
}
