package document

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An article is so many bytes of a page, or such a part of it. Less is a page that is none: a list,
// a table, a form; nearly all is the page itself.
const (
	leastArticle = 2000
	leastPart    = 0.25
	nearlyAll    = 0.9
)

// pageMarkdown returns the article of an HTML page as Markdown. It returns the complete page if the
// page has no article.
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
		return withoutMenus(data, whole, domain), nil //nolint:nilerr // it has no article
	}
	text, err := htmltomarkdown.ConvertNode(article.Node, domain)
	part := float64(len(text)) / float64(len(whole)+1)
	if err != nil || len(text) < leastArticle && part < leastPart || part > nearlyAll {
		return withoutMenus(data, whole, domain), nil //nolint:nilerr // as above
	}
	head := "[the article of the page; all of it, as HTML, is read with :raw]\n"
	if r.Rendered {
		head = ""
	}
	if title := strings.Join(strings.Fields(article.Title()), " "); title != "" {
		head += "# " + title + "\n\n"
	}
	return head + string(text), nil
}

// withoutMenus returns a page as markdown without its menus; of a page that is little else, whole,
// which is all of it.
func withoutMenus(data []byte, whole string, domain converter.ConvertOptionFunc) string {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil {
		return whole
	}
	removeMenus(root)
	text, err := htmltomarkdown.ConvertNode(root, domain)
	if err != nil || len(text) < int(float64(len(whole))*leastPart) {
		return whole
	}
	return string(text)
}

// removeMenus removes menus, lists of links to other pages, from below a node.
func removeMenus(n *html.Node) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if isMenu(child) {
			n.RemoveChild(child)
		} else {
			removeMenus(child)
		}
		child = next
	}
}

func isMenu(n *html.Node) bool {
	return n.DataAtom == atom.Nav || slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "role" && (a.Val == "navigation" || a.Val == "menubar" || a.Val == "search")
	})
}

// MarkdownOf returns the address of a page's own form in markdown, "" if it names none.
func MarkdownOf(page string, data []byte) string {
	base, err := url.Parse(page)
	if err != nil {
		return ""
	}
	z := html.NewTokenizer(bytes.NewReader(data))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.DataAtom == atom.Body {
				return ""
			}
			if t.DataAtom != atom.Link {
				continue
			}
			is := map[string]string{}
			for _, a := range t.Attr {
				is[a.Key] = a.Val
			}
			rel := strings.Fields(strings.ToLower(is["rel"]))
			if slices.Contains(rel, "alternate") && strings.HasPrefix(is["type"], "text/markdown") && is["href"] != "" {
				if u, err := base.Parse(is["href"]); err == nil {
					return u.String()
				}
			}
		}
	}
}
