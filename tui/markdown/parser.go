package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns goldmark with GFM and formulas, without what would change a line once it is
// complete: no headings that are underlined with dashes, and no table but those whose lines begin
// with a bar.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(underlinedHeadings{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(formulaBlocks{}, 850),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(formulaSpans{}, 50),
			util.Prioritized(patterns{}, 400),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(barTables{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// underlinedHeadings takes headings that are underlined with equals signs.
type underlinedHeadings struct{ parser.BlockParser }

// Trigger returns the byte of the underline.
func (underlinedHeadings) Trigger() []byte { return []byte{'='} }

// barTables keeps paragraphs without a line that begins with a bar from becoming tables.
type barTables struct{ parser.ParagraphTransformer }

// Transform looks at the line before the first delimiter row.
func (t barTables) Transform(n *ast.Paragraph, r text.Reader, pc parser.Context) {
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
