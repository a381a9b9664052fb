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
	whole, err := htmlMarkdown(pageNode(data, at))
	if err != nil {
		return "", err
	}
	article, err := readability.FromDocument(pageNode(data, at), at)
	if err != nil || article.Node == nil {
		return withoutMenus(data, at, whole), nil //nolint:nilerr // it has no article
	}
	text, err := htmlMarkdown(article.Node)
	part := float64(len(text)) / float64(len(whole)+1)
	if err != nil || len(text) < leastArticle && part < leastPart || part > nearlyAll {
		return withoutMenus(data, at, whole), nil //nolint:nilerr // as above
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

// withoutMenus returns a page as markdown without its menus; of a page that is little else, whole,
// which is all of it.
func withoutMenus(data []byte, at *url.URL, whole string) string {
	root := pageNode(data, at)
	removeMenus(root)
	text, err := htmlMarkdown(root)
	if err != nil || len(text) < int(float64(len(whole))*leastPart) {
		return whole
	}
	return text
}

// pageNode returns the nodes of a page at an address. Its addresses are complete: neither converter
// heeds <base>, nor the folder of the page.
func pageNode(data []byte, at *url.URL) *html.Node {
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
				n.Attr[i].Val = complete(a.Val, base, found)
			case "colspan", "rowspan": // a cell that says it is a million columns wide would be that
				if span, err := strconv.Atoi(strings.TrimSpace(a.Val)); err == nil && span > maxSpan {
					n.Attr[i].Val = "1"
				}
			}
		}
	}
	return root
}

// maxSpan is the number of columns or rows that a cell of a table may take.
const maxSpan = 50

func isWeb(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

// attribute returns an attribute of a node, "" if it has none.
func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// complete returns an address of a page with its host. One that leads within the page stays as it
// is, unless the page has another base.
func complete(address string, base *url.URL, otherBase bool) string {
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
