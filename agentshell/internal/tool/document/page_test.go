package document

import (
	"strings"
	"testing"
)

// Addresses of a page are complete, whichever way it is read: by the folder of the page, or by the
// first base that it names.
func TestAddressesOfAPageAreComplete(t *testing.T) {
	article := "<article>" + strings.Repeat("<p>"+strings.Repeat("A long sentence of the article. ", 20), 10) +
		"</article>"
	for name, body := range map[string]string{"an article": article + strings.Repeat("<li>x", 100),
		"no article": "<p>short"} {
		for _, c := range []struct{ head, href, want string }{
			{"", "x.html", "(https://a.example/dir/x.html)"},
			{"", "/x?q=1#f", "(https://a.example/x?q=1#f)"},
			{"", "../x", "(https://a.example/x)"},
			{"", "//b.example/x", "(https://b.example/x)"},
			{"", "http://b.example/x", "(http://b.example/x)"},
			{"", "#f", "(#f)"},
			{"<base href='https://b.example/deep/er/'>", "x", "(https://b.example/deep/er/x)"},
			{"<base href=' /other/ '>", "x", "(https://a.example/other/x)"},
			{"<base target=_top><base href=//b.example/1/><base href=/2/>", "x", "(https://b.example/1/x)"},
			{"<base href='javascript:1'><base href='file:///etc/'>", "x", "(https://a.example/dir/x)"},
			{"<base href=/other/>", "#f", "(https://a.example/other/#f)"},
			{"<base href=/other/>", "mailto:a@b.example", "(mailto:a@b.example)"},
		} {
			page := "<html><head>" + c.head + "</head><body>" + strings.Replace(body, "<p>",
				"<p><a href=\""+c.href+"\">link</a> ", 1) + "</body></html>"
			got, err := pageMarkdown(Request{Page: "https://a.example/dir/page.html"}, []byte(page))
			if err != nil || !strings.Contains(got, "[link]"+c.want) {
				t.Errorf("%s with %q, %q: %.200q, %v", name, c.head, c.href, got, err)
			}
		}
	}
	got, err := pageMarkdown(Request{Page: "https://a.example/dir/"}, []byte("<base href=/b/><img src=i.png alt=pic>"))
	if err != nil || strings.TrimSpace(got) != "![pic](https://a.example/b/i.png)" {
		t.Errorf("%q, %v", got, err)
	}
}

// A table keeps its cells apart in pages, feeds and books; a cell takes no more room than others.
func TestTablesOfAPageAreTables(t *testing.T) {
	const body = "<table><tr><th>Name<th>Size</tr><tr><td>a|b<td colspan=900000>1</tr></table>"
	got, err := pageMarkdown(Request{Page: "https://a.example/"}, []byte(body))
	want := "| Name | Size |\n|------|------|\n| a\\|b | 1    |"
	if err != nil || strings.TrimSpace(got) != want {
		t.Errorf("%q, %v", got, err)
	}
	if got := (feedEntry{html: body}).abstractText(); !strings.Contains(got, "| Name | Size |") {
		t.Errorf("%q", got)
	}
}
