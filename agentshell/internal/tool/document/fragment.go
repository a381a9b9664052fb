package document

import (
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// fragmentMarkdown returns a piece of HTML as Markdown, with its tables.
func fragmentMarkdown(data []byte) (string, error) {
	return htmlConverter().ConvertString(string(data))
}

// htmlMarkdown returns nodes of HTML as Markdown, with their tables. It may change the nodes.
func htmlMarkdown(n *html.Node) (string, error) {
	text, err := htmlConverter().ConvertNode(n)
	return string(text), err
}

// htmlConverter returns what makes Markdown of HTML.
func htmlConverter() *converter.Converter {
	return converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		table.NewTablePlugin()))
}
