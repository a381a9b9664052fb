package markdown

import (
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// newParser returns a goldmark parser with GFM and formulas. It leaves out syntax with which a line
// changes a complete line above it: headings underlined with dashes, and tables whose header does
// not begin with a bar.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(underlinedHeadingParser{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(formulaBlockParser{}, 850),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(checkBoxParser{}, 0),
			util.Prioritized(formulaSpanParser{}, 50),
			util.Prioritized(patternParser{}, 400),
			util.Prioritized(strikethroughParser{}, 500),
			util.Prioritized(autoLinkParser{}, 999),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithParagraphTransformers(util.Prioritized(barTableTransformer{}, 200)),
	)
}

// underlinedHeadingParser is goldmark's parser of underlined headings, restricted to equals signs.
type underlinedHeadingParser struct{ parser.BlockParser }

// Trigger returns the equals sign.
func (underlinedHeadingParser) Trigger() []byte { return []byte{'='} }
