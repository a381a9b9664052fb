package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

// appAt returns how a test starts a real application, whose first page shows an address. Its
// processes have dir in their command lines.
func appAt(t testing.TB, dir, address string) App {
	t.Helper()
	browserFor(t)
	args := []string{"--headless", "--user-data-dir=" + filepath.Join(dir, "profile"), "--disable-gpu",
		"--no-first-run"}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	return App{Path: NewService(Config{Family: family}).Program(), Args: append(args, address)}
}

// appService returns a service for applications.
func appService(t testing.TB) *Service {
	t.Helper()
	s := NewService(configIn(t, t.TempDir(), new(proxy.Hosts)))
	t.Cleanup(s.Close)
	return s
}

// loginSite is a site that knows who has been there.
func loginSite(t testing.TB) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if _, err := r.Cookie("login"); err != nil {
			w.Header().Set("Set-Cookie", "login=yes")
		}
		name := strings.Trim(r.URL.Path, "/")
		_, _ = fmt.Fprintf(w, "<title>App %s</title>"+
			"<button onclick=\"document.title = 'Pressed'; window.open('/second')\">Press"+
			"</button><p>%s", name, r.Header.Get("Cookie"))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// openTab opens a tab of an application.
func openTab(t testing.TB, s *Service, o Open) (*Tab, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), bound)
	defer cancel()
	tab, _, err := s.Open(ctx, o)
	return tab, err
}

// A tab of an application that runs is a page of it with its logins. Closing it leaves the
// application as it is.
func TestATabIsAPageOfAnApplicationThatRuns(t *testing.T) {
	dir := t.TempDir()
	app := appAt(t, dir, loginSite(t)+"/first")
	s := appService(t)
	process, endpoint, err := s.startApp(t.Context(), app)
	if err != nil {
		t.Fatal(err)
	}
	defer process.End()
	http, err := ParseEndpoint("http://" + endpoint.Host.String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	tab, err := openTab(t, s, Open{Name: "a", App: &App{Endpoint: http}})
	if err != nil {
		t.Fatal(err)
	}
	waitForTitle(t, tab, "App first")
	if v := tab.Viewport(); v == defaultViewport || v.Width == 0 || v.Scale == 0 {
		t.Errorf("the page has another size: %+v", v)
	}
	// It works as another tab does, with the cookies of the application.
	want(t, tab, "await tab.click('text/Press'); await tab.goto(tab.url()); "+
		"return (await tab.extract('text')).replace(/\\s+/g, ' ').trim()", "Press login=yes")
	r := run(t, tab, nil, "await tab.screenshot()")
	if len(r.images) != 1 {
		t.Errorf("%+v", r)
	}
	// Its windows are its own affair.
	second, err := openTab(t, s, Open{Name: "b", App: &App{Endpoint: http, Target: "SECOND"}})
	if err != nil {
		t.Fatal(err)
	}
	waitForTitle(t, second, "App second")
	for target, text := range map[string]string{"second": "is a tab already", "": "is a tab already",
		"none": "no page target matched \"none\". Available pages:\n"} {
		if _, err := openTab(t, s, Open{Name: "c", App: &App{Endpoint: http, Target: target}}); err == nil ||
			!strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", target, err)
		}
	}
	if _, err := openTab(t, s, Open{Name: "a"}); err == nil ||
		err.Error() != `Tab "a" is bound to a different browser (`+http.String()+`). Close it first` {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"a", "b"} {
		if ended, found := s.KillTab(t.Context(), name); !found || ended != "" {
			t.Errorf("an application that ran before is ended: %q, %v", ended, found)
		}
	}
	tab, err = openTab(t, s, Open{Name: "a", App: &App{Endpoint: endpoint, Target: "first"}, Viewport: Viewport{300,
		200, 1}})
	if err != nil {
		t.Fatal(err)
	}
	want(t, tab, "return await tab.evaluate(() => innerWidth + ' ' + document.title)", "300 App first")
	_ = tab.engine.call(t.Context(), "", "Browser.close", nil, nil)
	<-tab.engine.gone
	if _, err := s.Tab("a"); err == nil {
		t.Error("a tab outlives its application")
	}
}

// waitForTitle waits until a page has a title.
func waitForTitle(t testing.TB, tab *Tab, title string) {
	t.Helper()
	want(t, tab, "for (;;) { const s = await tab.title(); if (s === '"+title+"') return s; await wait(10) }", title)
}

// An application that we start runs on after its last tab, is used again, and ends when it is asked
// to, and with the service.
func TestAnApplicationIsStartedAndEnded(t *testing.T) {
	dir := t.TempDir()
	app := appAt(t, dir, loginSite(t)+"/first")
	s := appService(t)
	tab, err := openTab(t, s, Open{Name: "a", App: &app})
	if err != nil {
		t.Fatal(err)
	}
	waitForTitle(t, tab, "App first")
	before := running(dir)
	if s.CloseTab(t.Context(), "a"); len(before) == 0 || !slices.Contains(running(dir), before[0]) {
		t.Errorf("%v is left of %v", running(dir), before)
	}
	if tab, err = openTab(t, s, Open{Name: "b", App: &app}); err != nil {
		t.Fatal(err)
	}
	want(t, tab, "return await tab.title()", "App first")
	if again := running(dir); !slices.Contains(again, before[0]) {
		t.Errorf("%v was started beside %v", again, before)
	}
	if ended, found := s.KillTab(t.Context(), "b"); ended != app.Path || !found || len(running(dir)) > 0 {
		t.Errorf("%q, %v, %v", ended, found, running(dir))
	}
	if _, err = openTab(t, s, Open{Name: "d", App: &app}); err != nil {
		t.Fatal(err)
	}
	if ended := s.KillIdle(); len(ended) > 0 {
		t.Errorf("%v is ended, which has a tab", ended)
	}
	if s.Close(); len(running(dir)) > 0 {
		t.Errorf("%v is left", running(dir))
	}
	if _, err = openTab(t, s, Open{Name: "e", App: &app}); err == nil {
		t.Error("a closed service starts an application")
	}
}

// A program that cannot be attached to is ended, and the error says why.
func TestAnApplicationThatDoesNotListenIsEnded(t *testing.T) {
	dir := t.TempDir()
	s := NewService(Config{Family: family, TempDir: dir, Env: []string{"PATH=" + os.Getenv("PATH")}})
	t.Cleanup(s.Close)
	const at = "echo " + listeningPrefix
	for text, script := range map[string]string{
		"it has ended: exit status 3: no display": "echo no display >&2; exit 3",
		"If it runs already, end it first":        "exit 0",
		"not an address of this machine alone":    at + "ws://192.0.2.1:9/devtools/browser/a >&2; read end",
		"connection refused":                      at + "ws://127.0.0.1:1/devtools/browser/a >&2; read end",
	} {
		path := filepath.Join(dir, "app")
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+" # "+dir+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := openTab(t, s, Open{Name: "a", App: &App{Path: path}})
		if err == nil || !strings.Contains(err.Error(), text) || !strings.HasPrefix(err.Error(),
			"failed to attach to ") {
			t.Errorf("%s: %v", script, err)
		}
		if left := running(path); len(left) > 0 {
			t.Errorf("%s: %v is left", script, left)
		}
	}
	silent := filepath.Join(dir, "silent")
	if err := os.WriteFile(silent, []byte("#!/bin/sh\nread end\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.config.Options.Start = 50 * time.Millisecond
	if _, err := openTab(t, s, Open{Name: "a", App: &App{Path: silent}}); err == nil ||
		err.Error() != "failed to attach to "+silent+": timed out waiting for CDP endpoint of "+silent {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Open(ctx, Open{Name: "a", App: &App{Path: silent}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Where an address leads is what was asked for, whatever answers there.
func TestAnEndpointLeadsNowhereElse(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(other.Close)
	answer, paths := "", []string{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		paths = append(paths, r.URL.Path)
		if strings.HasPrefix(answer, "http") {
			http.Redirect(w, r, answer, http.StatusFound)
			return
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(site.Close)
	s := NewService(Config{Family: new(child.Family), Hosts: new(proxy.Hosts)})
	t.Cleanup(s.Close)
	e, err := ParseEndpoint(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	named := func(address string) string {
		data, _ := json.Marshal(map[string]string{"webSocketDebuggerUrl": address})
		return string(data)
	}
	for _, c := range []struct{ answer, want string }{
		{other.URL + "/json/version", "names no browser (302)"}, {"junk", "names no browser (200)"},
		{named(""), "names no browser"}, {named("ws://x/devtools/page/1"), "names no browser"},
		{named("ws://x/devtools/browser/a b\r\nX: y"), "names no browser"},
		{named(strings.Replace(other.URL, "http", "ws", 1) + "/devtools/browser/a"), "does not speak WebSocket"},
		{strings.Repeat(" ", maxAnswerBytes) + named("ws://x/devtools/browser/a"), "names no browser"},
	} {
		answer, paths = c.answer, nil
		_, err := openTab(t, s, Open{Name: "a", App: &App{Endpoint: e}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v", c.answer, err)
		}
	}
	if reached {
		t.Error("another server was asked")
	}
	for address, text := range map[string]string{
		"ftp://127.0.0.1:1": "is no address", "http://a:b@127.0.0.1:1": "may hold no name",
		"127.0.0.1:1":             "is no address",
		"http://127.0.0.1:1/json": "is http://HOST:PORT", "ws://127.0.0.1:1/devtools/page/1": "is http://HOST:PORT",
		"http://127.0.0.1:1/?a": "may hold no", "http://0x7f.1:1": "no name of a host",
		"ws://127.0.0.1:1":   "is http://HOST:PORT",
		"http://127.0.0.1:x": "is no address",
	} {
		if e, err := ParseEndpoint(address); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, %v", address, e, err)
		}
	}
	for address, local := range map[string]bool{"http://127.0.0.1:1": true, "http://LOCALHOST:1": true,
		"ws://[::1]:1/devtools/browser": true,
		"http://127.9.9.9":              true, "http://10.0.0.1:1": false, "http://localhost.example:1": false,
		"http://example.org":          false,
		"http://[::ffff:127.0.0.1]:1": true, "http://0.0.0.0:1": false} {
		if e, err := ParseEndpoint(address); err != nil || e.Loopback() != local {
			t.Errorf("%s: %v, %v", address, e, err)
		}
	}
	// Elsewhere only hosts of the rules are reached, and private addresses only if they are named.
	far, _ := ParseEndpoint("http://192.168.0.1:9")
	for _, add := range []func(){func() {}, func() { s.Hosts().Add(false, far.Host) }} {
		add()
		if _, err := openTab(t, s, Open{Name: "a", App: &App{Endpoint: far}}); !errors.As(err, new(proxy.Refusal)) {
			t.Errorf("%v", err)
		}
	}
}

// answering is a link to a browser that gives its targets.
type answering struct {
	targets []targetInfo
	answers chan []byte
}

func (a *answering) Send(order []byte) error {
	var m struct{ ID int64 }
	if err := json.Unmarshal(order, &m); err != nil {
		return err
	}
	data, err := json.Marshal(object{"id": m.ID, "result": object{"targetInfos": a.targets}})
	a.answers <- data
	return err
}

func (a *answering) Receive() ([]byte, error) {
	if data, open := <-a.answers; open {
		return data, nil
	}
	return nil, io.EOF
}

// The first page is taken that is no page of the background; only pages are.
func TestPagesOfTheBackgroundComeLast(t *testing.T) {
	page := func(id, title, url string) targetInfo {
		return targetInfo{ID: id, Kind: "page", Title: title, URL: url}
	}
	background := page("b", "My Background Page", "app://x")
	for _, c := range []struct {
		targets    []targetInfo
		text, want string
	}{
		{[]targetInfo{background, page("d", "", "devtools://a"), page("m", "Main", "app://m"), page("n", "", "")},
			"", "m"},
		{[]targetInfo{background}, "", "b"},
		{[]targetInfo{background, page("m", "Main", "app://m")}, "BACKGROUND", "b"},
		{[]targetInfo{page("m", "Main", "app://m"), page("o", "x", "app://Other")}, "other", "o"},
		{[]targetInfo{{ID: "w", Kind: "service_worker", Title: "Main"}, page("m", "Main", "")}, "main", "m"},
		{[]targetInfo{{ID: "w", Kind: "iframe"}}, "", "no page targets available on the attached browser"},
		{[]targetInfo{page("m", "Main", "app://m")}, "none",
			"no page target matched \"none\". Available pages:\nMain app://m"},
		{[]targetInfo{page("used", "Main", "")}, "", "each page that is meant is a tab already"},
	} {
		e := newEngine(NewService(Config{}))
		l := &answering{c.targets, make(chan []byte, 1)}
		e.conn = newConn(l, e.handleEvent)
		e.targets["used"] = make(chan struct{})
		go func() { _ = e.read() }()
		got, err := e.pickPage(t.Context(), c.text)
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || err == nil && got != c.want {
			t.Errorf("%v, %q: %q, want %q", c.targets, c.text, got, c.want)
		}
		close(l.answers)
	}
}
