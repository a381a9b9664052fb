// Package proxy lets programs without access to the network reach chosen hosts. It is a proxy for
// HTTP CONNECT, for HTTP requests with an absolute URL, and for SOCKS 5 (RFC 1928).
//
// It checks host names and addresses, not contents: a program that may reach a host may send it
// anything.
package proxy

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

const (
	// longest time for a program to send its request, and for a connection to be made
	patience       = 15 * time.Second
	maxConnections = 256      // connections at the same time
	maxHead        = 64 << 10 // bytes of a request's header
)

// Refusal is the error for a host that the proxy has refused to connect to: the host is not in the
// set of allowed hosts, or its address does not belong to the internet.
type Refusal struct {
	Host    Host
	Private bool // the host is allowed, but its address does not belong to the internet
}

// Error returns the reason of the refusal as text.
func (r Refusal) Error() string {
	if r.Private {
		return r.Host.String() + " has an address of a private network"
	}
	return r.Host.String() + " is not among the hosts that commands may reach"
}

// Proxy connects the programs of one command with the hosts that are allowed. Hosts must not be
// nil.
type Proxy struct {
	Hosts *Hosts
	// Refused is called for each refused connection, from several goroutines. It may be nil.
	Refused func(Refusal)
	// Failed is called, from several goroutines, when the connection to an allowed host fails. It
	// gets the reason. It may be nil.
	Failed func(Host, error)
	// Resolve returns the addresses of a host name; nil: the resolver of the system is used.
	Resolve func(ctx context.Context, name string) ([]netip.Addr, error)
}

// Serve accepts connections from l until ctx ends or l is closed. Then it closes l and all
// connections, and returns.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) {
	ctx, cancel := context.WithCancel(ctx)
	requests := &connQueue{conns: make(chan net.Conn), done: ctx.Done(), addr: l.Addr()}
	server := p.server(ctx)
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(requests) })
	defer func() {
		cancel()
		_ = server.Close()
		running.Wait()
	}()
	context.AfterFunc(ctx, func() { _ = l.Close() })
	slots := make(chan struct{}, maxConnections)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		select {
		case slots <- struct{}{}:
		default:
			_ = c.Close()
			continue
		}
		stopClosing := context.AfterFunc(ctx, func() { _ = c.Close() })
		h := &countedConn{Conn: c, release: func() {
			stopClosing()
			<-slots
		}}
		running.Go(func() {
			if !p.handle(ctx, h, requests) {
				_ = h.Close()
			}
		})
	}
}

// countedConn is a connection that occupies one of the slots for connections until it is closed.
type countedConn struct {
	net.Conn
	once    sync.Once
	release func()
}

func (c *countedConn) Close() error {
	c.once.Do(c.release)
	return c.Conn.Close()
}

// bufferedConn is a connection whose first bytes were already read into a buffer. Read returns
// these first.
type bufferedConn struct {
	net.Conn
	in *bufio.Reader
}

func (b bufferedConn) Read(p []byte) (int, error) { return b.in.Read(p) }

// handle reads the first byte of a connection, which shows its protocol. It serves a SOCKS
// connection itself. A connection with HTTP goes to the HTTP server by way of requests, and handle
// returns true.
func (p *Proxy) handle(ctx context.Context, c net.Conn, requests *connQueue) (passedOn bool) {
	_ = c.SetDeadline(time.Now().Add(patience))
	in := bufio.NewReader(c)
	b, err := in.Peek(1)
	if err != nil {
		return false
	}
	if b[0] == socksVersion {
		p.socks(ctx, bufferedConn{c, in})
		return false
	}
	_ = c.SetDeadline(time.Time{})
	return requests.put(bufferedConn{c, in})
}

// connQueue is a [net.Listener] whose connections were accepted elsewhere and are put into it.
type connQueue struct {
	conns chan net.Conn
	done  <-chan struct{}
	addr  net.Addr
}

func (q *connQueue) put(c net.Conn) bool {
	select {
	case q.conns <- c:
		return true
	case <-q.done:
		return false
	}
}

func (q *connQueue) Accept() (net.Conn, error) {
	select {
	case c := <-q.conns:
		return c, nil
	case <-q.done:
		return nil, net.ErrClosed
	}
}

func (q *connQueue) Close() error   { return nil }
func (q *connQueue) Addr() net.Addr { return q.addr }

// server returns the HTTP server that answers CONNECT and forwards requests with an absolute URL.
func (p *Proxy) server(ctx context.Context) *http.Server {
	forward := &httputil.ReverseProxy{
		// A request names its target itself, and package http takes its Host from there.
		Rewrite: func(*httputil.ProxyRequest) {},
		Transport: &http.Transport{DialContext: func(ctx context.Context, _, address string) (net.Conn, error) {
			h, err := ParseHost(address)
			if err != nil {
				return nil, err
			}
			return p.dial(ctx, h)
		}, DisableKeepAlives: true, DisableCompression: true, ResponseHeaderTimeout: 10 * time.Minute},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { writeError(w, err) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	return &http.Server{
		BaseContext: func(net.Listener) context.Context { return ctx }, MaxHeaderBytes: maxHead,
		ReadHeaderTimeout: patience, IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				p.serveConnect(w, r)
			case r.URL.Scheme == "http" && r.URL.Host != "":
				if r.URL.Port() == "" {
					r.URL.Host = net.JoinHostPort(r.URL.Hostname(), "80")
				}
				forward.ServeHTTP(w, r)
			default:
				http.Error(w, "agentshell: this is a proxy, and the request names no address", http.StatusBadRequest)
			}
		}),
	}
}

// writeError answers a request whose host could not be connected to: with status 403 after a
// refusal, otherwise 502.
func writeError(w http.ResponseWriter, err error) {
	code := http.StatusBadGateway
	if errors.As(err, new(Refusal)) {
		code = http.StatusForbidden
	}
	http.Error(w, "agentshell: "+err.Error(), code)
}

// serveConnect serves a CONNECT request (RFC 9110, section 9.3.6): it connects the program with the
// host that the request names.
func (p *Proxy) serveConnect(w http.ResponseWriter, r *http.Request) {
	h, err := ParseHost(r.Host)
	if err != nil {
		http.Error(w, "agentshell: "+err.Error(), http.StatusBadRequest)
		return
	}
	there, err := p.dial(r.Context(), h)
	if err != nil {
		writeError(w, err)
		return
	}
	defer there.Close()
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	if _, err := io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	relay(r.Context(), bufferedConn{here, buffered.Reader}, there)
}

// relay copies bytes between two connections, in both directions, until both sides have finished or
// ctx ends.
func relay(ctx context.Context, here, there net.Conn) {
	_ = here.SetDeadline(time.Time{})
	stop := context.AfterFunc(ctx, func() {
		_ = here.Close()
		_ = there.Close()
	})
	defer stop()
	var both sync.WaitGroup
	carry := func(to, from net.Conn) {
		if _, err := io.Copy(to, from); err != nil {
			_ = to.Close()
			_ = from.Close()
			return
		}
		if half, ok := asHalfCloser(to); ok { // that side has sent all, and may still receive
			_ = half.CloseWrite()
			return
		}
		_ = to.Close()
	}
	both.Go(func() { carry(there, here) })
	both.Go(func() { carry(here, there) })
	both.Wait()
}

type halfCloser interface{ CloseWrite() error }

// asHalfCloser returns the connection wrapped in c if its sending side can be closed while it still
// receives. Otherwise it returns false.
func asHalfCloser(c net.Conn) (halfCloser, bool) {
	switch c := c.(type) {
	case bufferedConn:
		return asHalfCloser(c.Conn)
	case *countedConn:
		return asHalfCloser(c.Conn)
	case halfCloser:
		return c, true
	}
	return nil, false
}

// Dial connects to address, a host and port, for a client in this process. It always uses TCP,
// whatever the network argument says. The error is a [Refusal], or says why the connection failed.
func (p *Proxy) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	h, err := ParseHost(address)
	if err != nil {
		return nil, err
	}
	return p.dial(ctx, h)
}

// dial connects to the host h if that is allowed, and calls Refused or Failed otherwise. The
// address is checked at the moment of the connection, because a name may have another address at
// each lookup.
func (p *Proxy) dial(ctx context.Context, h Host) (net.Conn, error) {
	if !p.Hosts.Has(h) {
		return nil, p.refuse(Refusal{Host: h})
	}
	c, err := p.connectTo(ctx, h)
	if r := (Refusal{}); errors.As(err, &r) {
		return nil, p.refuse(r)
	}
	if err != nil && p.Failed != nil && ctx.Err() == nil {
		p.Failed(h, err)
	}
	return c, err
}

// connectTo connects to an allowed host. It returns a [Refusal] if the host has only addresses that
// do not belong to the internet.
func (p *Proxy) connectTo(ctx context.Context, h Host) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	private := p.Hosts.isPrivate(h)
	d := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if !private && !isPublic(at.Addr()) {
			return Refusal{Host: h, Private: true}
		}
		return nil
	}}
	addresses, err := p.lookUp(ctx, h.Name)
	if err != nil {
		return nil, err
	}
	for _, a := range addresses {
		var c net.Conn
		if c, err = d.DialContext(ctx, "tcp", netip.AddrPortFrom(a, h.Port).String()); err == nil {
			return c, nil
		}
	}
	if errors.As(err, new(Refusal)) {
		return nil, err
	}
	return nil, fmt.Errorf("%s is not reached: %w", h, err)
}

func (p *Proxy) refuse(r Refusal) error {
	if p.Refused != nil {
		p.Refused(r)
	}
	return r
}

// lookUp returns the addresses of a host name, at least one, or an error.
func (p *Proxy) lookUp(ctx context.Context, name string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{a}, nil
	}
	resolve := p.Resolve
	if resolve == nil {
		resolve = func(ctx context.Context, name string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", name)
		}
	}
	list, err := resolve(ctx, name)
	if err == nil && len(list) == 0 {
		err = errors.New("it has no address")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is not found: %w", name, err)
	}
	return list, nil
}
