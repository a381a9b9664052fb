package tool

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/document"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// fewLetters is the number of letters below which a page with scripts counts as having no text of
// its own.
const fewLetters = 100

// inMarkdown replaces an HTML page by its Markdown version if the site has one: at the address that
// the page names, or at its own address with ".md".
func (t *readFile) inMarkdown(ctx context.Context, p *pageRead) {
	if !isHTML(p.Page) {
		return
	}
	for _, form := range []struct{ method, address string }{
		{"alternate-markdown", document.MarkdownOf(p.URL, p.Body)}, {"md-suffix", markdownBeside(p.URL)},
	} {
		if page, ok := t.sibling(ctx, p.URL, form.address); ok {
			p.note("markdown of " + shownLine(p.URL))
			p.Page, p.method = page, form.method
			return
		}
	}
}

// markdownBeside returns the address of a page's Markdown version by the convention of llms.txt:
// its own address with ".md". It returns "" for an address with a query.
func markdownBeside(page string) string {
	u, err := url.Parse(page)
	if err != nil || u.RawQuery != "" || strings.HasSuffix(u.Path, ".md") {
		return ""
	}
	if u.Path == "" || strings.HasSuffix(u.Path, "/") {
		return u.JoinPath("index.html.md").String()
	}
	u.Path, u.RawPath = u.Path+".md", ""
	return u.String()
}

// siteText returns the site's llms.txt instead of text, the text of the page, if scripts make the
// page and the text has hardly any letters.
func (t *readFile) siteText(ctx context.Context, p *pageRead, text string) string {
	letters := strings.Count(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return 'a'
		}
		return -1
	}, text), "a")
	at, err := url.Parse(p.URL)
	if err != nil || p.method != "html" || letters >= fewLetters || !bytes.Contains(p.Body, []byte("<script")) {
		return text
	}
	page, ok := t.sibling(ctx, p.URL, at.ResolveReference(&url.URL{Path: "/llms.txt"}).String())
	if !ok {
		return text
	}
	p.note("llms.txt of the site, since " + shownLine(p.URL) + " is made by scripts")
	p.Page, p.method = page, "llms.txt"
	return string(page.Body)
}

// sibling fetches another version of a page, at an address on the same host that the user has
// allowed. It follows no redirects. It returns false if there is no such text, or a rule of
// read_file does not allow the address.
func (t *readFile) sibling(ctx context.Context, page, address string) (web.Page, bool) {
	_, here, err := web.Parse(page)
	_, there, e := web.Parse(address)
	if err != nil || e != nil || here != there || page == address ||
		t.env.MayRead != nil && t.env.MayRead(address) != approval.Allow {
		return web.Page{}, false
	}
	got, err := t.env.Web.FetchOnly(ctx, address)
	body := bytes.TrimSpace(got.Body)
	if err != nil || isHTML(got) || workspace.Sniff(got.Body) != workspace.UTF8 || len(body) == 0 || body[0] == '<' ||
		!strings.HasPrefix(got.Type, "text/") {
		return web.Page{}, false
	}
	return got, true
}
