package browser

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// App describes a desktop application, or a browser with windows, whose pages tabs can show. A nil
// *App means the service's own browser, which has no window.
type App struct {
	// Endpoint is the address of an application that runs already; nil: the program at Path is
	// started.
	Endpoint *Endpoint
	Path     string // Path is the path of the application's program.
	Args     []string
	Target   string // Target is a part of the address or the title of the wanted page; "": its first page.
}

// key returns the string by which the service finds a running application again: its endpoint, or
// its program with the arguments.
func (a *App) key() string {
	switch {
	case a == nil:
		return ""
	case a.Endpoint != nil:
		return a.Endpoint.String()
	}
	return strings.Join(append([]string{a.Path}, a.Args...), "\x00")
}

// String returns the address of the application, or the path of its program. It describes the own
// browser for a nil a.
func (a *App) String() string {
	switch {
	case a == nil:
		return "the browser without a window"
	case a.Endpoint != nil:
		return a.Endpoint.String()
	}
	return a.Path
}

// Endpoint is the address at which an application accepts connections of the Chrome DevTools
// protocol.
type Endpoint struct {
	Host proxy.Host
	path string // path is the path of the WebSocket; "": the application is asked for it.
}

// ParseEndpoint parses the address of an application's DevTools port: http://HOST:PORT, or the URL
// of a WebSocket, ws://HOST:PORT/devtools/browser/ID.
func ParseEndpoint(address string) (*Endpoint, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "ws" || u.Host == "":
		return nil, errors.New("cdp_url is no address such as http://127.0.0.1:9222")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("cdp_url may hold no name, password, query or fragment")
	case u.Scheme == "http" && u.Path != "" || u.Scheme == "ws" && !isSocketPath(u.Path):
		return nil, errors.New("cdp_url is http://HOST:PORT, or ws://HOST:PORT/devtools/browser/ID")
	case u.Port() == "":
		u.Host = net.JoinHostPort(u.Hostname(), "80")
	}
	host, err := proxy.ParseHost(u.Host)
	if err != nil {
		return nil, fmt.Errorf("cdp_url: %w", err)
	}
	return &Endpoint{host, u.Path}, nil
}

// socketPath matches the path of the WebSocket by which a whole browser is controlled, not only one
// of its pages.
var socketPath = lazyregexp.New(`^/devtools/browser(/[A-Za-z0-9-]{1,100})?$`)

func isSocketPath(path string) bool { return socketPath().MatchString(path) }

// String returns the address as a URL.
func (e *Endpoint) String() string {
	if e.path != "" {
		return "ws://" + e.Host.String() + e.path
	}
	return "http://" + e.Host.String()
}

// Loopback reports whether the address is on this machine: localhost, or a loopback address.
func (e *Endpoint) Loopback() bool {
	if e.Host.Name == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(e.Host.Name)
	return err == nil && a.IsLoopback()
}

// joinTimeout is how long a running application may take to accept the connection and to answer.
// startAppTimeout is how long a started application may take until it is ready.
const (
	joinTimeout     = 5 * time.Second
	startAppTimeout = 30 * time.Second
)

// dial connects to an endpoint. It connects directly to this machine, and to other hosts only if
// pages may reach them too.
func (s *Service) dial(ctx context.Context, e *Endpoint) (net.Conn, error) {
	if !e.Loopback() {
		gate := &proxy.Proxy{Hosts: s.config.Hosts}
		return gate.Dial(ctx, "tcp", e.Host.String())
	}
	names := []string{e.Host.Name}
	if e.Host.Name == "localhost" { // which no resolver is asked about
		names = []string{"127.0.0.1", "::1"}
	}
	var failure error
	for _, name := range names {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", proxy.Host{Name: name, Port: e.Host.Port}.String())
		if err == nil {
			return c, nil
		}
		failure = errors.Join(failure, err)
	}
	return nil, failure
}

// connect opens the WebSocket of a running application.
func (s *Service) connect(ctx context.Context, e *Endpoint) (*socket, error) {
	path := e.path
	if path == "" {
		var err error
		if path, err = s.askSocketPath(ctx, e); err != nil {
			return nil, err
		}
	}
	c, err := s.dial(ctx, e)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	l, err := newSocket(c, e.Host.String(), path)
	if err == nil && !stop() {
		err = ctx.Err()
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return l, nil
}

// askSocketPath asks an application for the path of its WebSocket. Only the path of the answer is
// used: the application cannot lead the connection to another host.
func (s *Service) askSocketPath(ctx context.Context, e *Endpoint) (string, error) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return s.dial(ctx, e) }},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, e.String()+"/json/version", nil)
	if err != nil {
		return "", err
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerBytes))
	if err != nil {
		return "", err
	}
	var about struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if answer.StatusCode == http.StatusOK && json.Unmarshal(data, &about) == nil {
		if u, err := url.Parse(about.URL); err == nil && isSocketPath(u.Path) {
			return u.Path, nil
		}
	}
	return "", fmt.Errorf("%s/json/version names no browser (%d)", e, answer.StatusCode)
}

// application is a connected application with the number of its open tabs.
type application struct {
	// key is the result of [App.key].
	key    string
	engine *engine
	socket *socket
	// process is the process if the service has started the application; nil: it ran before.
	process  *helper.Process
	tabCount int
}

// isGone reports whether the connection to the application has ended.
func (a *application) isGone() bool {
	select {
	case <-a.engine.gone:
		return true
	default:
		return false
	}
}

// end closes the connection. If the service has started the application, it first asks the
// application to close, and kills it if it does not.
func (a *application) end() {
	if a.process != nil && !a.isGone() {
		ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
		defer cancel()
		_ = a.engine.call(ctx, "", "Browser.close", nil, nil)
	}
	_ = a.socket.Close()
	if a.process != nil {
		a.process.End()
	}
}

// joinApp returns the connection to an application and counts one more tab for it. It connects, and
// starts the application if necessary.
func (s *Service) joinApp(ctx context.Context, app App) (*application, error) {
	s.joinMu.Lock() // two calls start no application twice
	defer s.joinMu.Unlock()
	s.mu.Lock()
	a, closed := s.apps[app.key()], s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return nil, helper.ErrClosed
	case a != nil && !a.isGone():
		s.mu.Lock()
		defer s.mu.Unlock()
		a.tabCount++
		return a, nil
	case a != nil:
		s.dropApp(a)
	}
	a, err := s.newApplication(ctx, app)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		go a.end()
		return nil, helper.ErrClosed
	}
	a.tabCount++
	s.apps[a.key] = a
	return a, nil
}

// newApplication connects to an application. It starts the application first if app has no
// endpoint.
func (s *Service) newApplication(ctx context.Context, app App) (*application, error) {
	limit := cmp.Or(s.config.Options.Start, startAppTimeout)
	if app.Endpoint != nil {
		limit = min(limit, joinTimeout)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("timed out waiting for CDP endpoint of %s", &app))
	defer cancel()
	a := &application{key: app.key(), engine: newEngine(s)}
	endpoint := app.Endpoint
	var err error
	if endpoint == nil {
		if a.process, endpoint, err = s.startApp(ctx, app); err != nil {
			return nil, fmt.Errorf("failed to attach to %s: %w", &app, err)
		}
	}
	if a.socket, err = s.connect(ctx, endpoint); err == nil {
		a.engine.conn = newConn(a.socket, a.engine.handleEvent)
		if err = a.engine.prepareApp(ctx); err == nil {
			return a, nil
		}
		_ = a.socket.Close()
	}
	if a.process != nil {
		a.process.End()
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return nil, fmt.Errorf("failed to attach to %s: %w", &app, err)
}

// startApp starts an application and waits until it prints the endpoint of its DevTools port. The
// application runs outside the sandbox, because the user works with its windows. An endpoint that
// other machines can reach is an error.
func (s *Service) startApp(ctx context.Context, app App) (*helper.Process, *Endpoint, error) {
	heard := &endpointReader{found: make(chan *Endpoint, 1)}
	p, err := helper.Start(helper.Program{Name: filepath.Base(app.Path), Env: s.config.Env, Dir: s.config.Dir,
		// Port 0 is one that is free, which the application tells us and nobody else.
		Command: append([]string{app.Path, "--remote-debugging-port=0"}, app.Args...),
		Log:     heard, Secrets: s.config.Secrets, Family: s.config.Family, Grace: time.Second})
	if err != nil {
		return nil, nil, err
	}
	go func() { _, _ = io.Copy(io.Discard, p.Out) }()
	select {
	case endpoint := <-heard.found:
		if endpoint.Loopback() {
			return p, endpoint, nil
		}
		err = fmt.Errorf("it takes orders at %s, which is not an address of this machine alone", endpoint)
	case <-p.Done():
		p.Fail(io.EOF)
		err = fmt.Errorf("it has ended: %w. If it runs already, end it first", p.Why())
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	p.End()
	return nil, nil, err
}

// endpointReader receives the output of a starting application, and sends the endpoint that it
// prints to found.
type endpointReader struct {
	mu    sync.Mutex
	line  []byte
	found chan *Endpoint
}

// listeningPrefix is the beginning of the line in which Chromium prints its DevTools endpoint.
const listeningPrefix = "DevTools listening on "

// Write implements io.Writer.
func (r *endpointReader) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range bytes.Lines(p) {
		if len(r.line) < maxTextBytes {
			r.line = append(r.line, line[:min(len(line), maxTextBytes)]...)
		}
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		if address, is := strings.CutPrefix(strings.TrimSpace(string(r.line)), listeningPrefix); is {
			if e, err := ParseEndpoint(address); err == nil {
				select {
				case r.found <- e:
				default:
				}
			}
		}
		r.line = r.line[:0]
	}
	return len(p), nil
}

// leaveApp counts one tab less for an application. After its last tab an application that ran
// before is disconnected, and one that the service has started keeps running.
func (s *Service) leaveApp(a *application) {
	s.mu.Lock()
	a.tabCount--
	last := a.tabCount == 0 && a.process == nil
	s.mu.Unlock()
	if last {
		s.dropApp(a)
	}
}

// dropApp removes an application from the service and closes its connection. If the service has
// started the application, it ends.
func (s *Service) dropApp(a *application) {
	s.mu.Lock()
	if s.apps[a.key] == a {
		delete(s.apps, a.key)
	}
	s.mu.Unlock()
	a.end()
}

// killIdle ends the applications that the service has started and that have no tab, and returns the
// paths of their programs. If key is not "", it ends only the application with that key.
func (s *Service) killIdle(key string) (ended []string) {
	s.mu.Lock()
	var list []*application
	for _, a := range s.apps {
		if a.tabCount == 0 && a.process != nil && (key == "" || a.key == key) {
			list = append(list, a)
		}
	}
	s.mu.Unlock()
	for _, a := range list {
		s.dropApp(a)
		path, _, _ := strings.Cut(a.key, "\x00")
		ended = append(ended, path)
	}
	slices.Sort(ended)
	return ended
}

// newAppTab opens a tab that shows a page of the application o.App.
func (s *Service) newAppTab(ctx context.Context, o Open) (t *Tab, err error) {
	a, err := s.joinApp(ctx, *o.App)
	if err != nil {
		return nil, err
	}
	release := sync.OnceFunc(func() { s.leaveApp(a) })
	defer func() {
		if err != nil {
			release()
		}
	}()
	target, err := a.engine.pickPage(ctx, o.App.Target)
	if err != nil {
		return nil, err
	}
	if t, err = a.engine.tabOf(ctx, target, o); err != nil {
		return nil, fmt.Errorf("target %s is no longer available on the attached browser: %w", target, err)
	}
	t.app, t.release = o.App, release
	return t, nil
}

// backgroundPattern matches titles and addresses of pages that an application has for itself, not
// for its user.
var backgroundPattern = lazyregexp.New(`(?i)request handler|devtools|background page|background host|service worker`)

// backgroundRank returns 1 if the page is one that an application has for itself, otherwise 0.
// Pages are sorted by it.
func (i targetInfo) backgroundRank() int {
	if backgroundPattern().MatchString(i.Title) || backgroundPattern().MatchString(i.URL) {
		return 1
	}
	return 0
}

// maxPagesInError is the number of pages that an error message lists.
const maxPagesInError = 20

// pickPage chooses a page of an application: the first page whose address or title contains text,
// in upper or lower case. For "" it prefers pages that the application shows to its user.
func (e *engine) pickPage(ctx context.Context, text string) (target string, err error) {
	var r struct {
		Infos []targetInfo `json:"targetInfos"`
	}
	if err := e.call(ctx, "", "Target.getTargets", nil, &r); err != nil {
		return "", err
	}
	list := slices.DeleteFunc(r.Infos, func(i targetInfo) bool { return i.Kind != "page" })
	if len(list) == 0 {
		return "", errors.New("no page targets available on the attached browser")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	means := func(i targetInfo) bool {
		return strings.Contains(strings.ToLower(i.URL), strings.ToLower(text)) ||
			strings.Contains(strings.ToLower(i.Title), strings.ToLower(text))
	}
	if text == "" {
		slices.SortStableFunc(list, func(a, b targetInfo) int { return a.backgroundRank() - b.backgroundRank() })
	}
	used := false
	for _, i := range list {
		switch {
		case means(i) && e.targets[i.ID] == nil:
			return i.ID, nil
		case means(i):
			used = true
		}
	}
	if used {
		return "", errors.New("each page that is meant is a tab already: close it, or name another page by target")
	}
	names := ""
	for _, i := range list[:min(len(list), maxPagesInError)] {
		names += "\n" + shorten(i.Title) + " " + shorten(i.URL)
	}
	return "", fmt.Errorf("no page target matched %q. Available pages:%s", text, names)
}
