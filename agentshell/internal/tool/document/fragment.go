package document

import (
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// fragmentMarkdown converts a fragment of HTML to Markdown.
func fragmentMarkdown(data []byte) (string, error) {
	return htmlConverter().ConvertString(string(data))
}

// htmlMarkdown converts HTML nodes to Markdown. It may change the nodes.
func htmlMarkdown(n *html.Node) (string, error) {
	text, err := htmlConverter().ConvertNode(n)
	return string(text), err
}

// htmlConverter returns a converter from HTML to Markdown that also converts tables.
func htmlConverter() *converter.Converter {
	return converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin()))
}
