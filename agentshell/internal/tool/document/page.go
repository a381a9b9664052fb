package document

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"codeberg.org/readeck/go-readability/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// These constants decide whether the article that was found in a page is used. An article of fewer
// than minArticleBytes bytes that is also less than the share minArticleShare of the page is
// probably wrong: such a page is a list, a table or a form. From the share nearlyAllShare on, the
// article is the page.
const (
	minArticleBytes = 2000
	minArticleShare = 0.25
	nearlyAllShare  = 0.9
)

// pageMarkdown returns the main article of an HTML page as Markdown, or the complete page if it has
// no article.
func pageMarkdown(r Request, data []byte) (string, error) {
	at, err := url.Parse(r.Page)
	if err != nil {
		return "", err
	}
	whole, err := htmlMarkdown(parsePage(data, at))
	if err != nil {
		return "", err
	}
	article, err := readability.FromDocument(parsePage(data, at), at)
	if err != nil || article.Node == nil {
		return markdownWithoutMenus(data, at, whole), nil //nolint:nilerr // it has no article
	}
	text, err := htmlMarkdown(article.Node)
	part := float64(len(text)) / float64(len(whole)+1)
	if err != nil || len(text) < minArticleBytes && part < minArticleShare || part > nearlyAllShare {
		return markdownWithoutMenus(data, at, whole), nil //nolint:nilerr // as above
	}
	head := "[the article of the page; all of it, as HTML, is read with :raw]\n"
	if r.Rendered {
		head = ""
	}
	if title := strings.Join(strings.Fields(article.Title()), " "); title != "" {
		head += "# " + title + "\n\n"
	}
	return head + text, nil
}

// markdownWithoutMenus returns a page as Markdown without its menus. If little would remain, it
// returns whole, the Markdown of the complete page.
func markdownWithoutMenus(data []byte, at *url.URL, whole string) string {
	root := parsePage(data, at)
	removeMenus(root)
	text, err := htmlMarkdown(root)
	if err != nil || len(text) < int(float64(len(whole))*minArticleShare) {
		return whole
	}
	return text
}

// parsePage parses an HTML page whose URL is at. It makes the URLs in links and images absolute,
// because the converters ignore <base> and the page's URL.
func parsePage(data []byte, at *url.URL) *html.Node {
	root, err := html.Parse(bytes.NewReader(data))
	if err != nil { // a reader of bytes does not fail
		root = &html.Node{Type: html.DocumentNode}
	}
	base, found := at, false
	for n := range root.Descendants() {
		if href := strings.TrimSpace(attribute(n, "href")); n.DataAtom == atom.Base && href != "" && !found {
			if u, err := at.Parse(href); err == nil && isWeb(u) {
				base, found = u, true // the first one counts
			}
		}
	}
	for n := range root.Descendants() {
		for i, a := range n.Attr {
			switch a.Key {
			case "href", "src", "poster":
				n.Attr[i].Val = absoluteURL(a.Val, base, found)
			case "colspan", "rowspan": // a cell that says it is a million columns wide would be that
				if span, err := strconv.Atoi(strings.TrimSpace(a.Val)); err == nil && span > maxCellSpan {
					n.Attr[i].Val = "1"
				}
			}
		}
	}
	return root
}

// maxCellSpan is the number of columns or rows that one table cell may span.
const maxCellSpan = 50

func isWeb(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

// attribute returns the value of a node's attribute, or "" if it has none.
func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// absoluteURL returns the absolute URL for an address in a page. A link within the page (#...)
// stays as it is, unless <base> makes it lead to another page: then otherBase is true.
func absoluteURL(address string, base *url.URL, otherBase bool) string {
	address = strings.TrimSpace(address)
	if address == "" || strings.HasPrefix(address, "#") && !otherBase {
		return address
	}
	u, err := base.Parse(address)
	if err != nil || !isWeb(u) {
		return address
	}
	return u.String()
}

// removeMenus removes navigation menus from the descendants of a node.
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

// MarkdownOf returns the URL of a Markdown version that an HTML page links to, or "" if there is
// none. page is the URL of the page.
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
