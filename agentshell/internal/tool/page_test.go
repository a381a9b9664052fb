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
	for _, c := range []struct{ path, want string }{
		{"/article", "1\t[the article of the page; all of it, as HTML, is read with :raw]\n2\t# Tides & " +
			"moon\n3\t\n4\t## How\n5\t\n6\t" +
			sentence + "\n7\t\n8\tSee [more](" + s.URL + "/more).\n[no newline at end of file]\n"},
		{"/article:4-4", "4\t## How\n"},
		{"/list", "1\t- [a](" + s.URL + "/a.html)\n2\t- b\n[no newline at end of file]\n"},
		{"/list:raw", "<ul><li><a href='a.html'>a</a></li><li>b</li></ul>"},
		{"/latin", "1\tcafé\n"},
		{"/plain:2-", "2\ttwo\x1b[31m\n3\tthree\n"}, // controls are made harmless where they are shown
		{"/plain#part", "1\tone\n2\ttwo\x1b[31m\n3\tthree\n"},
		{"/here", "[it leads to " + s.URL + "/plain]\n1\tone\n2\ttwo\x1b[31m\n3\tthree\n"},
		{"/bin", "[" + s.URL + "/bin is not text: application/octet-stream, 3 bytes]\n"},
		{"/doc.docx", "1\t[text of a Word document; layout, pictures, notes and comments are lost]\n2\tfrom word\n"},
	} {
		r, err := b.must("read_file", args{"path": s.URL + c.path}).Run(context.Background(), nil)
		if r.Text != c.want || err != nil {
			t.Errorf("%s: %v, got\n%q\nwant\n%q", c.path, err, r.Text, c.want)
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
