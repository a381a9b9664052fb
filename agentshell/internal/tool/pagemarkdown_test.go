package tool

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/web"
)

// The other forms of a page are those of its own host, at addresses that rules let read, without
// redirects, and a bounded number.
func TestOtherFormsOfAPageAreThoseOfItsHost(t *testing.T) {
	const text, shell = "<p>The page itself.</p>", "<script>app()</script><noscript>Enable scripts.</noscript>"
	var asked []string
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, "another host: "+r.URL.Path)
		w.Header().Set("Content-Type", "text/markdown")
		w.Write([]byte("# Of another host\n"))
	}))
	t.Cleanup(foreign.Close)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		kind, body := "text/html", text
		switch r.URL.Path {
		case "/guide.md", "/dir/index.html.md", "/named.md":
			kind, body = "text/markdown", "# In markdown\n"
		case "/soft.md": // a page that says in HTML that there is none
		case "/hidden.md":
			kind, body = "text/plain", "<!doctype html><p>none"
		case "/moved.md", "/none.md", "/app.md", "/deep/app.md", "/alone.md", "/secret/x.md", "/empty.md",
			"/abroad.md", "/kept.md":
			switch r.URL.Path {
			case "/moved.md":
				http.Redirect(w, r, "/guide.md", http.StatusFound)
				return
			case "/empty.md":
				kind, body = "text/markdown", " \n"
			default:
				http.NotFound(w, r)
				return
			}
		case "/negotiated":
			if strings.HasPrefix(r.Header.Get("Accept"), "text/markdown,") {
				kind, body = "text/markdown", "# As it was wanted\n"
			}
		case "/llms.txt":
			kind, body = "text/plain", "# The site\n"
		case "/app", "/deep/app", "/private/app":
			body = shell
		case "/names":
			body = `<head><link rel="alternate" type="text/markdown" href="/named.md"></head>` + text
		case "/abroad":
			body = `<head><link rel="alternate" type="text/markdown" href="` + foreign.URL + `/x.md"></head>` + text
		case "/kept":
			body = `<head><link rel="alternate" type="text/markdown" href="/secret/x.md"></head>` + text
		}
		w.Header().Set("Content-Type", kind)
		w.Write([]byte(body))
	}))
	t.Cleanup(s.Close)
	b := newBench(t, nil)
	b.env.Web = &web.Reader{Hosts: new(proxy.Hosts)}
	for _, address := range []string{s.URL, foreign.URL} {
		host, err := proxy.ParseHost(strings.TrimPrefix(address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		b.env.Web.Hosts.Add(true, host)
	}
	llms := approval.Allow
	b.env.MayRead = func(path string) approval.Action {
		switch {
		case strings.Contains(path, "/secret/") && strings.HasSuffix(path, ".md"):
			return approval.Deny
		case strings.Contains(path, "/private/") && strings.HasSuffix(path, ".md"):
			return approval.Ask
		case strings.HasSuffix(path, "/llms.txt"):
			return llms
		}
		return approval.Allow
	}
	b.reg = Builtin(b.env)
	for _, c := range []struct {
		path, method, want string
		asked              []string
	}{
		{"/guide", "md-suffix", "# In markdown", []string{"/guide", "/guide.md"}},
		{"/negotiated", "text", "# As it was wanted", []string{"/negotiated"}},
		{"/dir/", "md-suffix", "# In markdown", []string{"/dir/", "/dir/index.html.md"}},
		{"/names", "alternate-markdown", "# In markdown", []string{"/names", "/named.md"}},
		{"/guide?page=2", "html", "The page itself.", []string{"/guide"}},
		{"/guide:raw", "raw", "<p>The page itself.", nil},
		{"/soft", "html", "The page itself.", []string{"/soft", "/soft.md"}},
		{"/hidden", "html", "The page itself.", []string{"/hidden", "/hidden.md"}},
		{"/empty", "html", "The page itself.", []string{"/empty", "/empty.md"}},
		{"/moved", "html", "The page itself.", []string{"/moved", "/moved.md"}},
		{"/secret/x", "html", "The page itself.", []string{"/secret/x"}},
		{"/none", "html", "The page itself.", []string{"/none", "/none.md"}},
		{"/none:1-1", "html", "", nil},
		{"/app", "llms.txt", "# The site", []string{"/app", "/app.md", "/llms.txt"}},
		{"/deep/app", "llms.txt", "# The site", []string{"/deep/app", "/deep/app.md"}},
		{"/abroad", "html", "The page itself.", []string{"/abroad", "/abroad.md"}},
		{"/kept", "html", "The page itself.", []string{"/kept", "/kept.md"}},
		{"/private/app", "html", "has 0 lines", []string{"/private/app"}},
	} {
		asked = nil
		if c.path == "/private/app" {
			llms = approval.Ask
		}
		got := b.run("read_file", args{"path": s.URL + c.path}).Text
		if !strings.Contains(got, "\nMethod: "+c.method+"\n") || !strings.Contains(got, c.want) || !slices.Equal(asked,
			c.asked) {
			t.Errorf("%s: it asked for %q and gave\n%s", c.path, asked, got)
		}
	}
}
