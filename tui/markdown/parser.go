package markdown

import (
	"github.com/yuin/goldmark/parser"
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
			util.Prioritized(checkBoxes{}, 0),
			util.Prioritized(formulaSpans{}, 50),
			util.Prioritized(patterns{}, 400),
			util.Prioritized(strikethroughs{}, 500),
			util.Prioritized(autoLinks{}, 999),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(barTables{}, 200)),
	)
}

// underlinedHeadings takes headings that are underlined with equals signs.
type underlinedHeadings struct{ parser.BlockParser }

// Trigger returns the byte of the underline.
func (underlinedHeadings) Trigger() []byte { return []byte{'='} }
