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

// fewLetters is the number of letters below which a page with scripts has no text of its own.
const fewLetters = 100

// inMarkdown takes the form in markdown of an HTML page: the one that the page names, or the one
// beside it.
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

// markdownBeside returns the address at which a site has a page in markdown by the convention of
// llms.txt, "" for a page that a query makes.
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

// siteText takes the site's llms.txt in place of a page that is made by scripts and has no text.
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

// sibling fetches another form of a page: a text on the same host, which the person has allowed, at
// an address that no rule of read_file keeps. It follows no redirect. The page itself is as good
// where there is none.
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
