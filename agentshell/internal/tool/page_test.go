package tool

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
)

// site returns a server of pages on this machine.
func site(t *testing.T, fetched *int) *httptest.Server {
	article := "<p>" + strings.Repeat("A sentence about tides and the moon, with commas. ", 30) + "</p>"
	mux := http.NewServeMux()
	page := func(path, kind, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			*fetched++
			w.Header().Set("Content-Type", kind)
			w.Write([]byte(body))
		})
	}
	page("/article", "text/html; charset=utf-8", "<html><head><title>Tides "+
		"&amp;\nmoon</title><script>bad()</script></head><body>"+
		"<nav>"+strings.Repeat("<a href=/x>menu</a> ", 30)+"</nav><article><h2>How</h2>"+article+"<p>See <a "+
		"href='/more'>more</a>.</p></article></body></html>")
	page("/list", "text/html", "<ul><li><a href='a.html'>a</a></li><li>b</li></ul>")
	page("/latin", "text/plain; charset=iso-8859-1", "caf\xe9\n")
	page("/plain", "text/plain", "one\ntwo\x1b[31m\nthree\n")
	page("/bin", "application/octet-stream", "a\x00b")
	page("/big", "text/plain", strings.Repeat("x", 9<<20))
	page("/doc.docx", "application/octet-stream", zipOf(t, map[string]string{
		"word/document.xml": `<d xmlns:w="x"><w:p><w:t>from word</w:t></w:p></d>`}))
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	page("/p.png", "image/png", b.String())
	page("/nav", "text/html", "<nav role=navigation><a href=/a>menu</a></nav><ul><li>one</li><li>two</li></ul>")
	page("/data.json", "application/json; charset=utf-8", `{"a":[1,{"b":"c"}]}`)
	page("/rss", "application/rss+xml", `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item>`+
		`<title>First &amp; last</title><link>/1</link><pubDate>Mon, 2 Nov 2026</pubDate>`+
		`<description>&lt;p&gt;A &lt;b&gt;word&lt;/b&gt;&lt;/p&gt;</description></item></channel></rss>`)
	page("/atom", "application/xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>One`+
		`</title><link rel="self" href="/s"/><link rel="alternate" href="/one"/><updated>2026-11-02</updated>`+
		`<summary>Short.</summary></entry></feed>`)
	page("/feed.json", "application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[`+
		`{"title":"A","url":"https://x.example/a","content_text":"Text."}]}`)
	page("/docs", "text/html", `<head><link rel="alternate" type="text/markdown" href="docs.md"></head><p>html`)
	page("/docs.md", "text/markdown", "# In markdown\n")
	page("/lured", "text/html", `<head><link rel="alternate" type="text/markdown" href="http://127.0.0.9/x"></head>`+
		`<p>html`)
	mux.HandleFunc("/here", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/plain",
			http.StatusFound)
	})
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://elsewhere.example/x", http.StatusFound)
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/round",
			http.StatusFound)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// webBench has a server that the person allows although its address is private.
func webBench(t *testing.T) (b *bench, s *httptest.Server, fetched *int) {
	fetched = new(int)
	s = site(t, fetched)
	b = newBench(t, nil)
	b.env.Web = &web.Reader{Hosts: new(proxy.Hosts)}
	h, err := proxy.ParseHost(strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	b.env.Web.Hosts.Add(true, h)
	b.reg = Builtin(b.env)
	return b, s, fetched
}

func TestReadOfAPage(t *testing.T) {
	b, s, fetched := webBench(t)
	sentence := strings.TrimSpace(strings.Repeat("A sentence about tides and the moon, with commas. ", 30))
	for _, c := range []struct{ path, kind, method, want string }{
		{"/article", "text/html", "html",
			"1\t[the article of the page; all of it, as HTML, is read with :raw]\n2\t# Tides & " +
				"moon\n3\t\n4\t## How\n5\t\n6\t" +
				sentence + "\n7\t\n8\tSee [more](" + s.URL + "/more).\n[no newline at end of file]\n"},
		{"/article:4-4", "text/html", "html", "4\t## How\n"},
		{"/list", "text/html", "html", "1\t- [a](" + s.URL + "/a.html)\n2\t- b\n[no newline at end of file]\n"},
		{"/list:raw", "text/html", "raw", "<ul><li><a href='a.html'>a</a></li><li>b</li></ul>"},
		{"/nav", "text/html", "html", "1\t- one\n2\t- two\n[no newline at end of file]\n"},
		{"/latin", "text/plain", "text", "1\tcafé\n"},
		{"/plain:2-", "text/plain", "text", "2\ttwo\x1b[31m\n3\tthree\n"}, // made harmless where it is shown
		{"/plain#part", "text/plain", "text", "1\tone\n2\ttwo\x1b[31m\n3\tthree\n"},
		{"/doc.docx", "application/octet-stream", "document",
			"1\t[text of a Word document; layout, pictures, notes and comments are lost]\n2\tfrom word\n"},
		{"/data.json", "application/json", "json", "1\t{\n2\t  \"a\": [\n3\t    1,\n4\t    {\n5\t      \"b\": \"c\"\n" +
			"6\t    }\n7\t  ]\n8\t}\n[no newline at end of file]\n"},
		{"/rss", "application/rss+xml", "feed", "1\t# News\n2\t\n3\t## First & last\n4\t" + s.URL +
			"/1\n5\tMon, 2 Nov 2026\n6\t\n7\tA **word**\n"},
		{"/atom", "application/xml", "feed", "1\t# Log\n2\t\n3\t## One\n4\t" + s.URL +
			"/one\n5\t2026-11-02\n6\t\n7\tShort.\n"},
		{"/feed.json", "application/feed+json", "feed",
			"1\t# J\n2\t\n3\t## A\n4\thttps://x.example/a\n5\t\n6\tText.\n"},
		{"/lured", "text/html", "html", "1\t[the article of the page; all of it, as HTML, is read with :raw]\n" +
			"2\thtml\n[no newline at end of file]\n"},
	} {
		path, _, _ := strings.Cut(c.path, ":")
		path, _, _ = strings.Cut(path, "#")
		head := "URL: " + s.URL + path + "\nContent-Type: " + c.kind + "\nMethod: " + c.method + "\n\n---\n"
		r, err := b.must("read_file", args{"path": s.URL + c.path}).Run(context.Background(), nil)
		if r.Text != head+c.want || err != nil {
			t.Errorf("%s: %v, got\n%q\nwant\n%q", c.path, err, r.Text, head+c.want)
		}
	}
	for path, want := range map[string]string{
		"/bin": "[" + s.URL + "/bin is not text: application/octet-stream, 3 bytes]\n",
		"/here": "URL: " + s.URL + "/plain\nContent-Type: text/plain\nMethod: text\nNotes: redirected from " + s.URL +
			"/here\n\n---\n1\tone\n2\ttwo\x1b[31m\n3\tthree\n",
		"/docs": "URL: " + s.URL + "/docs.md\nContent-Type: text/markdown\nMethod: alternate-markdown\n" +
			"Notes: markdown of " + s.URL + "/docs\n\n---\n1\t# In markdown\n",
	} {
		if r := b.run("read_file", args{"path": s.URL + path}); r.Text != want {
			t.Errorf("%s: got\n%q\nwant\n%q", path, r.Text, want)
		}
	}
	if r := b.run("read_file", args{"path": s.URL + "/p.png"}); len(r.Images) != 1 {
		t.Errorf("a picture: %q", r.Text)
	}
	n := *fetched
	b.run("read_file", args{"path": s.URL + "/p.png"})
	if *fetched != n {
		t.Error("a page was fetched again")
	}
	for path, want := range map[string]string{
		"/none": "the server answers 404 Not Found", "/big": "it has more than 8 MiB", "/round": "it leads on and on",
		"/away": "leads to http://elsewhere.example/x, another host; read that address to ask for it",
	} {
		if err := b.fails("read_file", args{"path": s.URL + path}, "tool_failed"); !strings.Contains(err.Error(),
			want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, bad := range []string{"https://", "http://user:secret@example.com/", "https://*.example.com/",
		"https://a b/", "http://x:99999/",
		"https://example.com/a:0"} {
		b.fails("read_file", args{"path": bad}, "invalid_args")
	}
}

// A host is asked for once in a session, by a flag, so that no rule and no mode reaches it unasked.
func TestANewHostIsAskedFor(t *testing.T) {
	b, s, fetched := webBench(t)
	other := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	c := b.must("read_file", args{"path": other + "/plain:1-1"})
	page, ok := c.Proposal.Payload.(approval.Page)
	if !ok || page.URL != other+"/plain" || page.Host != strings.TrimPrefix(other, "http://") ||
		!c.Proposal.Flagged(approval.FlagNetwork) || c.Path != other+"/plain" || c.Mutates {
		t.Errorf("%+v", c.Proposal)
	}
	rule, err := approval.ParseRule(approval.Allow, "read_file(**)")
	if err != nil {
		t.Fatal(err)
	}
	policy, err := approval.NewPolicy(approval.PolicyConfig{Mode: approval.ModeTrusted,
		Rules: []approval.Entry{{Rule: rule, Origin: "config"}}})
	if err != nil {
		t.Fatal(err)
	}
	if v := policy.Decide(c.Proposal.Subject); v.Action != approval.Ask {
		t.Errorf("it is decided: %+v", v)
	}
	if *fetched != 0 {
		t.Error("it was fetched before the answer")
	}
	// The answer allows the host, not its private address.
	_, err = c.Run(context.Background(), nil)
	if err == nil || !strings.Contains(err.Error(), "network_private in the config file") || *fetched != 0 {
		t.Errorf("%v, %d pages", err, *fetched)
	}
	if c := b.must("read_file", args{"path": other + "/list"}); c.Proposal != nil {
		t.Error("the host is asked for again")
	}
	if c := b.must("read_file", args{"path": s.URL + "/plain"}); c.Proposal != nil {
		t.Error("an allowed host is asked for")
	}
	if c := b.must("read_file", args{"path": strings.Replace(s.URL, "127.0.0.1", "127.0.0.2", 1) +
		"/"}); c.Proposal == nil {
		t.Error("another address is not asked for")
	}
	b.env.Web = nil
	b.reg = Builtin(b.env)
	b.fails("read_file", args{"path": s.URL + "/plain"}, "invalid_args")
}

// A person's ways to write an address and a path are understood; what lies outside stays there.
func TestReadUnderstandsHowAddressesAreWritten(t *testing.T) {
	b, _, fetched := webBench(t)
	b.write("x.txt", "text\n")
	b.write("www.example.com/a", "a file\n")
	b.env.Commands.Environ = []string{"HOME=" + b.dir}
	b.reg = Builtin(b.env)
	if c := b.must("read_file", args{"path": "www.example.org/a:3-4"}); c.Path != "https://www.example.org/a" ||
		c.Proposal == nil || !c.Proposal.Flagged(approval.FlagNetwork) {
		t.Errorf("%+v", c)
	}
	for path, want := range map[string]string{"https://example.org:8080": "https://example.org:8080",
		"https://example.org/:80":        "https://example.org/",
		"https://example.org:8080/a:3-4": "https://example.org:8080/a"} {
		if c := b.must("read_file", args{"path": path}); c.Path != want {
			t.Errorf("%s: %s", path, c.Path)
		}
	}
	for path, want := range map[string]string{"~/x.txt": "1\ttext\n", "file://" + b.dir + "/x.txt": "1\ttext\n",
		"www.example.com/a": "1\ta file\n"} {
		if r := b.run("read_file", args{"path": path}); r.Text != want {
			t.Errorf("%s: %q", path, r.Text)
		}
	}
	if r := b.run("read_file", args{"path": "/"}); !strings.Contains(r.Text, "x.txt") {
		t.Errorf("/: %q", r.Text)
	}
	b.env.Commands.Environ = []string{"HOME=/etc"}
	b.reg = Builtin(b.env)
	b.fails("read_file", args{"path": "~/passwd"}, "fs_denied")
	b.fails("read_file", args{"path": "file:///etc/passwd"}, "fs_denied")
	b.fails("read_file", args{"path": "//"}, "fs_denied")
	if *fetched != 0 {
		t.Error("something was fetched")
	}
}
