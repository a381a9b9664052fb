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

// App says which application a tab is a page of.
type App struct {
	Endpoint *Endpoint // where it takes orders; nil: it is started
	Path     string    // of its program
	Args     []string
	Target   string // part of the address or the title of the page; "": its first page
}

// key returns what tells the application from others.
func (a *App) key() string {
	switch {
	case a == nil:
		return ""
	case a.Endpoint != nil:
		return a.Endpoint.String()
	}
	return strings.Join(append([]string{a.Path}, a.Args...), "\x00")
}

// String returns the address of the application, or the path of its program.
func (a *App) String() string {
	switch {
	case a == nil:
		return "the browser without a window"
	case a.Endpoint != nil:
		return a.Endpoint.String()
	}
	return a.Path
}

// Endpoint is an address at which an application takes orders by the DevTools protocol.
type Endpoint struct {
	Host proxy.Host
	path string // of its WebSocket; "": the application says it
}

// ParseEndpoint reads the address of an application: http://HOST:PORT, or that of a WebSocket.
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

// socketPath is the path of the WebSocket of a browser as a whole.
var socketPath = lazyregexp.New(`^/devtools/browser(/[A-Za-z0-9-]{1,100})?$`)

func isSocketPath(path string) bool { return socketPath().MatchString(path) }

// String returns the address.
func (e *Endpoint) String() string {
	if e.path != "" {
		return "ws://" + e.Host.String() + e.path
	}
	return "http://" + e.Host.String()
}

// Loopback reports whether the address is one of this machine.
func (e *Endpoint) Loopback() bool {
	if e.Host.Name == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(e.Host.Name)
	return err == nil && a.IsLoopback()
}

// joinTime is how long an application that runs may take to answer, and startAppTime how long one
// may take to start.
const (
	joinTime     = 5 * time.Second
	startAppTime = 30 * time.Second
)

// dial connects to the address: on this machine itself, and elsewhere as pages do.
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

// connect connects to an application that runs.
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

// askSocketPath asks an application for the path of its WebSocket. Whatever it answers, the host
// stays the one that was asked for.
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
	data, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
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

// application is an application that tabs are pages of.
type application struct {
	key     string
	engine  *engine
	link    *socket
	process *helper.Process // that we started; nil: it ran before
	tabs    int
}

// gone reports whether the application cannot be reached any more.
func (a *application) gone() bool {
	select {
	case <-a.engine.gone:
		return true
	default:
		return false
	}
}

// end ends the connection, and what we started: it is asked to close, and ended if it does not.
func (a *application) end() {
	if a.process != nil && !a.gone() {
		ctx, cancel := context.WithTimeout(context.Background(), endTime)
		defer cancel()
		_ = a.engine.call(ctx, "", "Browser.close", nil, nil)
	}
	_ = a.link.Close()
	if a.process != nil {
		a.process.End()
	}
}

// join returns an application that is connected, with one tab more.
func (s *Service) join(ctx context.Context, app App) (*application, error) {
	s.joining.Lock() // two calls start no application twice
	defer s.joining.Unlock()
	s.mu.Lock()
	a, closed := s.apps[app.key()], s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return nil, helper.ErrClosed
	case a != nil && !a.gone():
		s.mu.Lock()
		defer s.mu.Unlock()
		a.tabs++
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
	a.tabs++
	s.apps[a.key] = a
	return a, nil
}

// newApplication connects to an application, which it starts if it is one by its path.
func (s *Service) newApplication(ctx context.Context, app App) (*application, error) {
	limit := cmp.Or(s.config.Options.Start, startAppTime)
	if app.Endpoint != nil {
		limit = min(limit, joinTime)
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
	if a.link, err = s.connect(ctx, endpoint); err == nil {
		a.engine.conn = newConn(a.link, a.engine.event)
		if err = a.engine.join(ctx); err == nil {
			return a, nil
		}
		_ = a.link.Close()
	}
	if a.process != nil {
		a.process.End()
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return nil, fmt.Errorf("failed to attach to %s: %w", &app, err)
}

// startApp starts an application, and waits until it says where it takes orders. It is not
// confined:
// its windows are the person's.
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

// endpointReader finds the line in which an application says where it takes orders.
type endpointReader struct {
	mu    sync.Mutex
	line  []byte
	found chan *Endpoint
}

// listening begins that line.
const listening = "DevTools listening on "

// Write implements io.Writer.
func (r *endpointReader) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range bytes.Lines(p) {
		if len(r.line) < maxText {
			r.line = append(r.line, line[:min(len(line), maxText)]...)
		}
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		if address, is := strings.CutPrefix(strings.TrimSpace(string(r.line)), listening); is {
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

// leave gives back an application that has a tab less. One that ran before is disconnected with its
// last tab; one that we started runs on.
func (s *Service) leave(a *application) {
	s.mu.Lock()
	a.tabs--
	last := a.tabs == 0 && a.process == nil
	s.mu.Unlock()
	if last {
		s.dropApp(a)
	}
}

// dropApp ends an application, or the connection to it.
func (s *Service) dropApp(a *application) {
	s.mu.Lock()
	if s.apps[a.key] == a {
		delete(s.apps, a.key)
	}
	s.mu.Unlock()
	a.end()
}

// killIdle ends the applications that we started and that have no tab any more, and returns the
// paths of their programs. With a key it ends only that one.
func (s *Service) killIdle(key string) (ended []string) {
	s.mu.Lock()
	var list []*application
	for _, a := range s.apps {
		if a.tabs == 0 && a.process != nil && (key == "" || a.key == key) {
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

// newAppTab opens a tab that is a page of an application.
func (s *Service) newAppTab(ctx context.Context, o Open) (t *Tab, err error) {
	a, err := s.join(ctx, *o.App)
	if err != nil {
		return nil, err
	}
	release := sync.OnceFunc(func() { s.leave(a) })
	defer func() {
		if err != nil {
			release()
		}
	}()
	target, err := a.engine.pick(ctx, o.App.Target)
	if err != nil {
		return nil, err
	}
	if t, err = a.engine.tabOf(ctx, target, o); err != nil {
		return nil, fmt.Errorf("target %s is no longer available on the attached browser: %w", target, err)
	}
	t.app, t.release = o.App, release
	return t, nil
}

// background are pages of applications that are not for a person.
var background = lazyregexp.New(`(?i)request handler|devtools|background page|background host|service worker`)

// background returns 1 if a page is not for a person, else 0.
func (i targetInfo) background() int {
	if background().MatchString(i.Title) || background().MatchString(i.URL) {
		return 1
	}
	return 0
}

// maxNamed is the number of pages that an error names.
const maxNamed = 20

// pick returns the page of an application that is meant: the first whose address or title has a
// text, or the first that is for a person.
func (e *engine) pick(ctx context.Context, text string) (target string, err error) {
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
		slices.SortStableFunc(list, func(a, b targetInfo) int { return a.background() - b.background() })
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
	for _, i := range list[:min(len(list), maxNamed)] {
		names += "\n" + shorten(i.Title) + " " + shorten(i.URL)
	}
	return "", fmt.Errorf("no page target matched %q. Available pages:%s", text, names)
}
