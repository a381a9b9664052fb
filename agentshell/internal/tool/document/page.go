package document

import (
	"bytes"
	"net/url"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
)

// An article is so many bytes of a page, or such a part of it. Less is a page that is none: a list,
// a table, a form; nearly all is the page itself.
const (
	leastArticle = 2000
	leastPart    = 0.25
	nearlyAll    = 0.9
)

// pageMarkdown returns the article of a page in HTML as markdown; of a page that has none all of
// it.
func pageMarkdown(r Request, data []byte) (string, error) {
	at, err := url.Parse(r.Page)
	if err != nil {
		return "", err
	}
	domain := converter.WithDomain(at.Scheme + "://" + at.Host)
	whole, err := htmltomarkdown.ConvertString(string(data), domain)
	if err != nil {
		return "", err
	}
	article, err := readability.FromReader(bytes.NewReader(data), at)
	if err != nil || article.Node == nil {
		return whole, nil //nolint:nilerr // it has no article
	}
	text, err := htmltomarkdown.ConvertNode(article.Node, domain)
	part := float64(len(text)) / float64(len(whole)+1)
	if err != nil || len(text) < leastArticle && part < leastPart || part > nearlyAll {
		return whole, nil //nolint:nilerr // as above
	}
	head := "[the article of the page; all of it, as HTML, is read with :raw]\n"
	if title := strings.Join(strings.Fields(article.Title()), " "); title != "" {
		head += "# " + title + "\n\n"
	}
	return head + string(text), nil
}
