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

// maxHTMLSource is the number of bytes from which on a source is shown as it is written.
const maxHTMLSource = 1 << 20

// HTML returns Markdown as HTML, in the forms of a [Document]. The lines of a paragraph stay lines.
// Headings begin at h3.
//
// Nothing of the source becomes markup: its HTML is shown as text, and characters that a reader
// does not see are tokens. A link leads to http, https or mailto, or is text; a picture is a link
// to it, so that nothing is loaded. The only attributes are href, title, rel, start and class.
func HTML(source string) string {
	w := &htmlWriter{}
	src := []byte(source)
	if len(src) > maxHTMLSource {
		w.pre(source)
		return w.String()
	}
	for len(src) > 0 {
		at, n := findMarkFlood(src)
		if at > 0 {
			w.document(withFinalNewline(src[:at]))
		}
		if n > 0 {
			w.pre(string(src[at : at+n]))
		}
		src = src[at+n:]
	}
	return w.String()
}

// htmlWriter writes nodes as HTML. Text is written with put alone, which escapes it.
type htmlWriter struct {
	strings.Builder
	src    []byte
	depth  int
	inLink bool
}

// tag writes markup, which is never made of a source.
func (w *htmlWriter) tag(markup string) { w.WriteString(markup) }

// put writes text of prose.
func (w *htmlWriter) put(s string) {
	s, _ = visible.Options{Newline: true, Tab: true, Joiners: true}.String(s)
	w.WriteString(html.EscapeString(s))
}

// putExact writes text of code, in which no joiner is spelling.
func (w *htmlWriter) putExact(s string) {
	s, _ = visible.Lines(s)
	w.WriteString(html.EscapeString(s))
}

// pre writes text as it is.
func (w *htmlWriter) pre(s string) {
	w.tag("<pre>")
	w.putExact(strings.TrimRight(s, "\n"))
	w.tag("</pre>\n")
}

// document writes a document. What the parser cannot take is written as it is.
func (w *htmlWriter) document(src []byte) {
	before := w.String()
	defer func() {
		if recover() != nil {
			w.Reset()
			w.tag(before)
			w.pre(string(src))
		}
	}()
	w.src, w.depth, w.inLink = src, 0, false
	w.children(newParser().Parse(text.NewReader(src)))
}

func (w *htmlWriter) children(n ast.Node) {
	if w.depth > 2*maxDepth {
		w.lines(n)
		return
	}
	w.depth++
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c)
	}
	w.depth--
}

// within writes the children of n between two tags of a name.
func (w *htmlWriter) within(name string, n ast.Node) {
	w.tag("<" + name + ">")
	w.children(n)
	w.tag("</" + name + ">")
	if n.Type() == ast.TypeBlock {
		w.tag("\n")
	}
}

func (w *htmlWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.within("h"+strconv.Itoa(min(n.Level+2, 6)), n)
	case *ast.Paragraph:
		w.within("p", n)
	case *ast.TextBlock:
		w.children(n)
	case *ast.List:
		if !n.IsOrdered() {
			w.within("ul", n)
			return
		}
		w.tag(`<ol start="` + strconv.Itoa(n.Start) + `">`)
		w.children(n)
		w.tag("</ol>\n")
	case *ast.ListItem:
		w.within("li", n)
	case *ast.Blockquote:
		w.within("blockquote", n)
	case *ast.ThematicBreak:
		w.tag("<hr>\n")
	case *east.Table:
		w.table(n)
	case *ast.FencedCodeBlock:
		f := fence{language: string(n.Language(w.src))}.withLanguage()
		w.code(n, f.code)
	case *ast.CodeBlock:
		w.code(n, nil)
	case *ast.HTMLBlock:
		w.htmlBlock(n)
	case *ast.Text, *ast.String, *ast.RawHTML:
		w.text(n)
	case *ast.CodeSpan:
		w.codeSpan(n)
	case *ast.Emphasis:
		if n.Level == 2 {
			w.within("strong", n)
		} else {
			w.within("em", n)
		}
	case *east.Strikethrough:
		w.within("del", n)
	case *ast.Link:
		w.link(n, string(n.Destination))
	case *ast.Image:
		w.put("image: ")
		w.link(n, string(n.Destination))
	case *ast.AutoLink:
		to := string(n.URL(w.src))
		if n.AutoLinkType == ast.AutoLinkEmail {
			to = "mailto:" + strings.TrimPrefix(to, "mailto:")
		}
		w.open(to)
		w.putExact(string(n.Label(w.src)))
		w.close(to)
	case *east.TaskCheckBox:
		if n.IsChecked {
			w.tag("[x] ")
		} else {
			w.tag("[ ] ")
		}
	default:
		w.children(n)
	}
}

// text writes a part of a line.
func (w *htmlWriter) text(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		v := n.Segment.Value(w.src)
		if !n.IsRaw() {
			v = unescape(v)
		}
		w.put(string(v))
		if n.HardLineBreak() || n.SoftLineBreak() {
			w.tag("<br>\n")
		}
	case *ast.String:
		w.put(string(n.Value))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			seg := n.Segments.At(i)
			w.putExact(string(seg.Value(w.src)))
		}
	}
}

// codeSpan writes code within a line. A bar in a cell of a table has a backslash before it.
func (w *htmlWriter) codeSpan(n *ast.CodeSpan) {
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
	w.tag("<code>")
	w.putExact(s)
	w.tag("</code>")
}

// code writes the lines of a code block, in a language if that is known.
func (w *htmlWriter) code(n ast.Node, l *code.Language) {
	w.tag("<pre><code>")
	var state code.State
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		line := strings.TrimRight(string(seg.Value(w.src)), "\r\n")
		var pieces []code.Piece
		if l != nil && len(line) <= maxColouredLine {
			state, pieces = l.Next(state, line)
		}
		w.tag(CodeHTML(line, pieces))
		w.tag("\n")
	}
	w.tag("</code></pre>\n")
}

// CodeHTML returns a line of code as HTML. The pieces that are not plain are spans of the class k
// (keyword), s (string), c (comment) or n (number).
func CodeHTML(line string, pieces []code.Piece) string {
	w := &htmlWriter{}
	at, classNames := 0, [...]string{code.Keyword: "k", code.String: "s", code.Comment: "c", code.Number: "n"}
	for _, p := range append(pieces[:len(pieces):len(pieces)], code.Piece{To: len(line)}) {
		if p.To <= at {
			continue
		}
		class := classNames[p.Class]
		if class != "" {
			w.tag(`<span class="` + class + `">`)
		}
		w.putExact(line[at:p.To])
		if class != "" {
			w.tag("</span>")
		}
		at = p.To
	}
	return w.String()
}

// htmlBlock writes HTML as text, without the tags of <details>.
func (w *htmlWriter) htmlBlock(n *ast.HTMLBlock) {
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
	w.tag("<p>")
	for i, line := range out {
		if i > 0 {
			w.tag("<br>\n")
		}
		w.putExact(line)
	}
	w.tag("</p>\n")
}

// lines writes the source of a block that lies too deep.
func (w *htmlWriter) lines(n ast.Node) {
	if n.Type() != ast.TypeBlock {
		return
	}
	segments := n.Lines()
	for i := range segments.Len() {
		seg := segments.At(i)
		w.putExact(string(seg.Value(w.src)))
	}
}

func (w *htmlWriter) table(n *east.Table) {
	w.tag("<table>\n")
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		cell := "td"
		if _, head := r.(*east.TableHeader); head {
			cell = "th"
		}
		w.tag("<tr>")
		i := 0
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			class := ""
			if i < len(n.Alignments) && n.Alignments[i] == east.AlignRight {
				class = ` class="right"`
			} else if i < len(n.Alignments) && n.Alignments[i] == east.AlignCenter {
				class = ` class="center"`
			}
			w.tag("<" + cell + class + ">")
			w.children(c)
			w.tag("</" + cell + ">")
			i++
		}
		w.tag("</tr>\n")
	}
	w.tag("</table>\n")
}

// link writes the text of a link, and its target where it leads nowhere or where the text is
// another address.
func (w *htmlWriter) link(n ast.Node, to string) {
	if w.inLink { // a picture in the text of a link
		w.children(n)
		return
	}
	w.inLink = true
	w.open(to)
	from := w.Len()
	w.children(n)
	label := html.UnescapeString(w.String()[from:])
	w.close(to)
	w.inLink = false
	other := strings.Contains(label, "://") || strings.Contains(label, "www.") || strings.Contains(label, "@")
	if to != "" && label != to && (other && "mailto:"+label != to || target(to) == "" || label == "") {
		w.put(" (")
		w.putExact(to)
		w.put(")")
	}
}

// open begins a link.
func (w *htmlWriter) open(to string) {
	if to = target(to); to != "" {
		w.tag(`<a rel="noreferrer" href="` + html.EscapeString(to) + `" title="`)
		w.putExact(to)
		w.tag(`">`)
	}
}

// close ends what open began.
func (w *htmlWriter) close(to string) {
	if target(to) != "" {
		w.tag("</a>")
	}
}

// target returns the address to which a link of a page may lead: one of http, https or mailto. For
// all others it returns "".
func target(to string) string {
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
