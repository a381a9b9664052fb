package markdown

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/scrollkeep/scrollkeep/tui"
)

// goldmarksTables are its own, made only where ours are.
type goldmarksTables struct{ parser.ParagraphTransformer }

func (t goldmarksTables) Transform(n *ast.Paragraph, r text.Reader, pc parser.Context) {
	lines := n.Lines()
	for i := 1; i < lines.Len(); i++ {
		at, before := lines.At(i), lines.At(i-1)
		if len(bytes.Trim(at.Value(r.Source()), "|:- \t\r\n")) == 0 {
			if bytes.HasPrefix(bytes.TrimLeft(before.Value(r.Source()), " "), []byte("|")) {
				t.ParagraphTransformer.Transform(n, r, pc)
			}
			return
		}
	}
}

// gfmParsers returns two parsers of CommonMark with GFM's additions: ours and goldmark's.
func gfmParsers() (ours, goldmarks parser.Parser) {
	with := func(box, strike, link parser.InlineParser, table parser.ParagraphTransformer) parser.Parser {
		return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...),
			parser.WithInlineParsers(util.Prioritized(box, 0), util.Prioritized(strike, 500),
				util.Prioritized(link, 999)),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
			parser.WithParagraphTransformers(util.Prioritized(table, 200)))
	}
	return with(checkBoxParser{}, strikethroughParser{}, autoLinkParser{}, barTableTransformer{}),
		with(extension.NewTaskCheckBoxParser(), extension.NewStrikethroughParser(), extension.NewLinkifyParser(),
			goldmarksTables{extension.NewTableParagraphTransformer()})
}

// outline returns the nodes below n, one a line.
func outline(n ast.Node, src []byte, depth int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%*s%v", depth, "", n.Kind())
	switch n := n.(type) {
	case *ast.Text:
		fmt.Fprintf(&b, " %q %v %v %v", n.Segment.Value(src), n.IsRaw(), n.SoftLineBreak(), n.HardLineBreak())
	case *ast.AutoLink:
		fmt.Fprintf(&b, " %q", n.Label(src))
		if n.AutoLinkType == ast.AutoLinkURL { // goldmark 1.8.7 takes the mailbox www.a@b.c for a page
			fmt.Fprintf(&b, " %q", n.URL(src))
		}
	case *ast.Link:
		fmt.Fprintf(&b, " %q", n.Destination)
	case *east.Table:
		fmt.Fprint(&b, n.Alignments)
	case *east.TableCell:
		fmt.Fprint(&b, n.Alignment)
	case *east.TaskCheckBox:
		fmt.Fprint(&b, n.IsChecked)
	}
	if n.Type() == ast.TypeBlock {
		for i := range n.Lines().Len() {
			at := n.Lines().At(i)
			fmt.Fprintf(&b, " %q", at.Value(src))
		}
	}
	b.WriteByte('\n')
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(outline(c, src, depth+1))
	}
	return b.String()
}

func comparesWithGoldmark(t *testing.T, src string) {
	t.Helper()
	ours, goldmarks := gfmParsers()
	in := []byte(src)
	got, want := outline(ours.Parse(text.NewReader(in)), in, 0), outline(goldmarks.Parse(text.NewReader(in)), in, 0)
	if got != want {
		t.Errorf("%q: got\n%s\nwant\n%s", src, got, want)
	}
}

var gfmMarks = strings.Split("~ ~~ ~~~ | | | \\| |-|- |:-:|--:| :-- --- [ ] [x] [X] ( ) ; &amp; &x; http://a.b "+
	"https://a.b:80/c_d(e)f?g=h&i; ftp://x.y.Z http://a http://.a www.a.b www.a www.a.b/c). www..a me@a.b me@a.b. "+
	"me@a.b- a+b@c.d.e me@ @a.b _me@a.b_ *www.a.b* http:// https://a.b, : . , ! ? _ * - > ` `| `a\\|b` é x", " ")

func TestGFMIsParsedAsGoldmarkParsesIt(t *testing.T) {
	for _, e := range slices.Concat(examples(t), hardExamples) {
		comparesWithGoldmark(t, e.Markdown)
	}
	marks := append(slices.Clone(gfmMarks), " ", " ", " ", "\n", "\n", "\n", "\n| ", "\n|-|\n", "\n\n", "\t", "- ",
		"\n- [x] ", "\n1. [ ]\t", "\n| a | b |\n|---|:--|\n| c ")
	for seed := range uint64(5 * *rounds) {
		comparesWithGoldmark(t, randomText(rand.New(rand.NewPCG(seed, 12)), marks))
	}
}

func FuzzGFMIsParsedAsGoldmarkParsesIt(f *testing.F) {
	f.Add("| a | b |\n|:-:|--|\n| `c\\|d` | ~~e~~ |\n\n- [x] www.a.b/c(d). me@a.b https://a.b:8/c;\n")
	f.Fuzz(comparesWithGoldmark)
}

func TestABarWithinCodeInATableIsShownWithoutItsBackslash(t *testing.T) {
	d := &Document{}
	_, _ = d.Write([]byte("| a | b |\n|---|---|\n| `x\\|y` | z\\|w |\n\n`c\\|d`\n"))
	shown := strings.Join(texts(d.View(tui.Space{Width: 80}).Lines), "\n")
	for _, want := range []string{"x|y", "z|w", `c\|d`} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
}
