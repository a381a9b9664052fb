package markdown

import (
	"bytes"
	"html"
	"net/url"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/scrollkeep/scrollkeep/terminal/visible"
	"github.com/scrollkeep/scrollkeep/tui/code"
)

// maxHTMLSourceBytes is the maximum size, in bytes, of a source that [HTML] parses. A larger one is
// shown as preformatted text.
const maxHTMLSourceBytes = 1 << 20

// HTML converts Markdown to HTML, with the same syntax as a [Document]. Line breaks within a
// paragraph are kept. A heading of level 1 becomes h3, and so on.
//
// No text of the source becomes markup. HTML in it is shown as text, and invisible characters as
// visible tokens. A link leads to an http, https or mailto address, or becomes text. An image
// becomes a link to it, so that a browser loads nothing. The only attributes are href, title, rel,
// start and class.
func HTML(source string) string {
	w := &htmlWriter{}
	src := []byte(source)
	if len(src) > maxHTMLSourceBytes {
		w.writePreformatted(source)
		return w.String()
	}
	for len(src) > 0 {
		at, n := findMarkFlood(src)
		if at > 0 {
			w.writeDocument(withFinalNewline(src[:at]))
		}
		if n > 0 {
			w.writePreformatted(string(src[at : at+n]))
		}
		src = src[at+n:]
	}
	return w.String()
}

// htmlWriter writes Markdown nodes as HTML. Text of the source passes only through put and
// writeExact, which escape it.
type htmlWriter struct {
	strings.Builder
	src    []byte
	depth  int
	inLink bool
}

// writeMarkup writes markup. Its argument is never built from source text that is not escaped.
func (w *htmlWriter) writeMarkup(markup string) { w.WriteString(markup) }

// writeProse writes prose, escaped.
func (w *htmlWriter) writeProse(s string) {
	s, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(s)
	w.WriteString(html.EscapeString(s))
}

// writeExact writes code or an address, escaped. Unlike put it also makes joiners visible: in code
// they are no part of the spelling.
func (w *htmlWriter) writeExact(s string) {
	s, _ = visible.Lines(s)
	w.WriteString(html.EscapeString(s))
}

// writePreformatted writes s as preformatted text.
func (w *htmlWriter) writePreformatted(s string) {
	w.writeMarkup("<pre>")
	w.writeExact(strings.TrimRight(s, "\n"))
	w.writeMarkup("</pre>\n")
}

// writeDocument parses src and writes it. If the parser panics it writes src as preformatted text.
func (w *htmlWriter) writeDocument(src []byte) {
	before := w.String()
	defer func() {
		if recover() != nil {
			w.Reset()
			w.writeMarkup(before)
			w.writePreformatted(string(src))
		}
	}()
	w.src, w.depth, w.inLink = src, 0, false
	w.writeChildren(newParser().Parse(text.NewReader(src)))
}

func (w *htmlWriter) writeChildren(n ast.Node) {
	if w.depth > 2*maxNestingDepth {
		w.writeSourceLines(n)
		return
	}
	w.depth++
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.writeNode(c)
	}
	w.depth--
}

// writeElement writes the children of n inside an element of the given name.
func (w *htmlWriter) writeElement(name string, n ast.Node) {
	w.writeMarkup("<" + name + ">")
	w.writeChildren(n)
	w.writeMarkup("</" + name + ">")
	if n.Type() == ast.TypeBlock {
		w.writeMarkup("\n")
	}
}

func (w *htmlWriter) writeNode(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.writeElement("h"+strconv.Itoa(min(n.Level+2, 6)), n)
	case *ast.Paragraph:
		w.writeElement("p", n)
	case *ast.TextBlock:
		w.writeChildren(n)
	case *ast.List:
		if !n.IsOrdered() {
			w.writeElement("ul", n)
			return
		}
		w.writeMarkup(`<ol start="` + strconv.Itoa(n.Start) + `">`)
		w.writeChildren(n)
		w.writeMarkup("</ol>\n")
	case *ast.ListItem:
		w.writeElement("li", n)
	case *ast.Blockquote:
		w.writeElement("blockquote", n)
	case *ast.ThematicBreak:
		w.writeMarkup("<hr>\n")
	case *east.Table:
		w.writeTable(n)
	case *ast.FencedCodeBlock:
		f := fence{language: string(n.Language(w.src))}.withLanguage()
		w.writeCodeBlock(n, f.code)
	case *ast.CodeBlock:
		w.writeCodeBlock(n, nil)
	case *ast.HTMLBlock:
		w.writeHTMLBlock(n)
	case *ast.Text, *ast.String, *ast.RawHTML:
		w.writeTextNode(n)
	case *ast.CodeSpan:
		w.writeCodeSpan(n)
	case *ast.Emphasis:
		if n.Level == 2 {
			w.writeElement("strong", n)
		} else {
			w.writeElement("em", n)
		}
	case *east.Strikethrough:
		w.writeElement("del", n)
	case *ast.Link:
		w.writeLink(n, string(n.Destination))
	case *ast.Image:
		w.writeProse("image: ")
		w.writeLink(n, string(n.Destination))
	case *ast.AutoLink:
		to := string(n.URL(w.src))
		if n.AutoLinkType == ast.AutoLinkEmail {
			to = "mailto:" + strings.TrimPrefix(to, "mailto:")
		}
		w.openLink(to)
		w.writeExact(string(n.Label(w.src)))
		w.closeLink(to)
	case *east.TaskCheckBox:
		if n.IsChecked {
			w.writeMarkup("[x] ")
		} else {
			w.writeMarkup("[ ] ")
		}
	default:
		w.writeChildren(n)
	}
}

// writeTextNode writes a text node or inline HTML, with a <br> for a line break.
func (w *htmlWriter) writeTextNode(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		v := n.Segment.Value(w.src)
		if !n.IsRaw() {
			v = unescape(v)
		}
		w.writeProse(string(v))
		if n.HardLineBreak() || n.SoftLineBreak() {
			w.writeMarkup("<br>\n")
		}
	case *ast.String:
		w.writeProse(string(n.Value))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			w.writeExact(string(seg.Value(w.src)))
		}
	}
}

// writeCodeSpan writes inline code. In a table cell it unescapes bars, which are written as \|
// there.
func (w *htmlWriter) writeCodeSpan(n *ast.CodeSpan) {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(w.src))
		}
	}
	s := strings.ReplaceAll(b.String(), "\n", " ")
	for p := n.Parent(); p != nil; p = p.Parent() {
		if _, cell := p.(*east.TableCell); cell {
			s = strings.ReplaceAll(s, `\|`, "|")
		}
	}
	w.writeMarkup("<code>")
	w.writeExact(s)
	w.writeMarkup("</code>")
}

// writeCodeBlock writes the lines of a code block. They are syntax-highlighted unless l is nil.
func (w *htmlWriter) writeCodeBlock(n ast.Node, l *code.Language) {
	w.writeMarkup("<pre><code>")
	var state code.State
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		line := strings.TrimRight(string(seg.Value(w.src)), "\r\n")
		var pieces []code.Piece
		if l != nil && len(line) <= maxColouredLineBytes {
			state, pieces = l.Next(state, line)
		}
		w.writeMarkup(CodeHTML(line, pieces))
		w.writeMarkup("\n")
	}
	w.writeMarkup("</code></pre>\n")
}

// CodeHTML returns a line of code as HTML, with highlighted pieces in spans of the class k
// (keyword), s (string), c (comment) or n (number). Text outside pieces, and pieces of class
// code.Plain, have no span.
func CodeHTML(line string, pieces []code.Piece) string {
	w := &htmlWriter{}
	at, classNames := 0, [...]string{code.Keyword: "k", code.String: "s", code.Comment: "c", code.Number: "n"}
	for _, p := range append(pieces[:len(pieces):len(pieces)], code.Piece{To: len(line)}) {
		if p.To <= at {
			continue
		}
		class := classNames[p.Class]
		if class != "" {
			w.writeMarkup(`<span class="` + class + `">`)
		}
		w.writeExact(line[at:p.To])
		if class != "" {
			w.writeMarkup("</span>")
		}
		at = p.To
	}
	return w.String()
}

// writeHTMLBlock writes an HTML block as text, without the tags of <details>.
func (w *htmlWriter) writeHTMLBlock(n *ast.HTMLBlock) {
	var out []string
	add := func(line []byte) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if summary, ok := detailsMark(text); ok {
			text = summary
		}
		if text != "" {
			out = append(out, text)
		}
	}
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		add(seg.Value(w.src))
	}
	if n.HasClosure() {
		add(n.ClosureLine.Value(w.src))
	}
	if len(out) == 0 {
		return
	}
	w.writeMarkup("<p>")
	for i, line := range out {
		if i > 0 {
			w.writeMarkup("<br>\n")
		}
		w.writeExact(line)
	}
	w.writeMarkup("</p>\n")
}

// writeSourceLines writes the source lines of a block that is nested too deeply.
func (w *htmlWriter) writeSourceLines(n ast.Node) {
	if n.Type() != ast.TypeBlock {
		return
	}
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		w.writeExact(string(seg.Value(w.src)))
	}
}

func (w *htmlWriter) writeTable(n *east.Table) {
	w.writeMarkup("<table>\n")
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		cell := "td"
		if _, head := r.(*east.TableHeader); head {
			cell = "th"
		}
		w.writeMarkup("<tr>")
		i := 0
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			class := ""
			if i < len(n.Alignments) && n.Alignments[i] == east.AlignRight {
				class = ` class="right"`
			} else if i < len(n.Alignments) && n.Alignments[i] == east.AlignCenter {
				class = ` class="center"`
			}
			w.writeMarkup("<" + cell + class + ">")
			w.writeChildren(c)
			w.writeMarkup("</" + cell + ">")
			i++
		}
		w.writeMarkup("</tr>\n")
	}
	w.writeMarkup("</table>\n")
}

// writeLink writes a link's text as a link to the address to. It also shows the address if no link
// to it is allowed, if the text is empty, or if the text looks like another address.
func (w *htmlWriter) writeLink(n ast.Node, to string) {
	if w.inLink { // a picture in the text of a link
		w.writeChildren(n)
		return
	}
	w.inLink = true
	w.openLink(to)
	from := w.Len()
	w.writeChildren(n)
	label := html.UnescapeString(w.String()[from:])
	w.closeLink(to)
	w.inLink = false
	other := strings.Contains(label, "://") || strings.Contains(label, "www.") || strings.Contains(label, "@")
	if to != "" && label != to && (other && "mailto:"+label != to || allowedTarget(to) == "" || label == "") {
		w.writeProse(" (")
		w.writeExact(to)
		w.writeProse(")")
	}
}

// openLink writes the opening tag of a link, or nothing if [allowedTarget] does not allow the
// address.
func (w *htmlWriter) openLink(to string) {
	if to = allowedTarget(to); to != "" {
		w.writeMarkup(`<a rel="noreferrer" href="` + html.EscapeString(to) + `" title="`)
		w.writeExact(to)
		w.writeMarkup(`">`)
	}
}

// closeLink writes the closing tag of the link that open began with the same address.
func (w *htmlWriter) closeLink(to string) {
	if allowedTarget(to) != "" {
		w.writeMarkup("</a>")
	}
}

// allowedTarget returns the address, normalized, if a link of the page may lead to it: http, https
// or mailto without blanks or invisible characters. Otherwise it returns "".
func allowedTarget(to string) string {
	u, err := url.Parse(to)
	hidden := func(r rune) bool { return r <= ' ' || visible.Rune(r) != visible.Text }
	if err != nil || strings.ContainsFunc(to, hidden) {
		return ""
	}
	switch u.Scheme {
	case "http", "https":
		if u.Host == "" {
			return ""
		}
	case "mailto":
	default:
		return ""
	}
	return u.String()
}
