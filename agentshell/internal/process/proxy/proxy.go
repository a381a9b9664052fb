// Package proxy lets programs that have no network reach chosen hosts: by HTTP CONNECT, HTTP
// requests with a whole address, and SOCKS 5 (RFC 1928).
//
// It knows names and addresses, not contents: who may reach a host may send it anything.
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
	patience = 15 * time.Second // of a program until it has said what it wants, and of a dial
	most     = 256              // connections at a time
	maxHead  = 64 << 10         // bytes of a request's head
)

// Refusal is why a host was not reached by decision: it is not among the hosts, or its address is
// none of the internet.
type Refusal struct {
	Host    Host
	Private bool // its address is not of the internet
}

// Error says so.
func (r Refusal) Error() string {
	if r.Private {
		return r.Host.String() + " has an address of a private network"
	}
	return r.Host.String() + " is not among the hosts that commands may reach"
}

// Proxy answers the programs of one command. Hosts must not be nil.
type Proxy struct {
	Hosts *Hosts
	// Refused gets each refusal, from several goroutines; nil: nobody wants to know.
	Refused func(Refusal)
	// Failed gets each host that may be reached and was not, and why, from several goroutines; nil:
	// nobody wants to know.
	Failed func(Host, error)
	// resolve looks a name up, for tests; nil: as the system does.
	resolve func(ctx context.Context, name string) ([]netip.Addr, error)
}

// Serve answers at l until ctx ends or l is closed. All connections are closed then, and l.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) {
	ctx, cancel := context.WithCancel(ctx)
	requests := &queue{conns: make(chan net.Conn), done: ctx.Done(), addr: l.Addr()}
	server := p.server(ctx)
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(requests) })
	defer func() {
		cancel()
		_ = server.Close()
		running.Wait()
	}()
	context.AfterFunc(ctx, func() { _ = l.Close() })
	room := make(chan struct{}, most)
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		select {
		case room <- struct{}{}:
		default:
			_ = c.Close()
			continue
		}
		forget := context.AfterFunc(ctx, func() { _ = c.Close() })
		h := &held{Conn: c, left: func() {
			forget()
			<-room
		}}
		running.Go(func() {
			if !p.first(ctx, h, requests) {
				_ = h.Close()
			}
		})
	}
}

// held is a connection of a program, by which those at a time are counted.
type held struct {
	net.Conn
	once sync.Once
	left func()
}

func (h *held) Close() error {
	h.once.Do(h.left)
	return h.Conn.Close()
}

// begun is a connection of which the beginning has been read.
type begun struct {
	net.Conn
	in *bufio.Reader
}

func (b begun) Read(p []byte) (int, error) { return b.in.Read(p) }

// first reads the first byte of a connection, which says what it speaks. given: it is the HTTP
// server's now.
func (p *Proxy) first(ctx context.Context, c net.Conn, requests *queue) (given bool) {
	_ = c.SetDeadline(time.Now().Add(patience))
	in := bufio.NewReader(c)
	b, err := in.Peek(1)
	if err != nil {
		return false
	}
	if b[0] == socksVersion {
		p.socks(ctx, begun{c, in})
		return false
	}
	_ = c.SetDeadline(time.Time{})
	return requests.put(begun{c, in})
}

// queue is a listener of connections that somebody else has accepted.
type queue struct {
	conns chan net.Conn
	done  <-chan struct{}
	addr  net.Addr
}

func (q *queue) put(c net.Conn) bool {
	select {
	case q.conns <- c:
		return true
	case <-q.done:
		return false
	}
}

func (q *queue) Accept() (net.Conn, error) {
	select {
	case c := <-q.conns:
		return c, nil
	case <-q.done:
		return nil, net.ErrClosed
	}
}

func (q *queue) Close() error   { return nil }
func (q *queue) Addr() net.Addr { return q.addr }

// server answers HTTP.
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
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { answer(w, err) },
		ErrorLog:     log.New(io.Discard, "", 0),
	}
	return &http.Server{
		BaseContext: func(net.Listener) context.Context { return ctx }, MaxHeaderBytes: maxHead,
		ReadHeaderTimeout: patience, IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				p.connect(w, r)
			case r.URL.Scheme == "http" && r.URL.Host != "":
				if r.URL.Port() == "" {
					r.URL.Host = net.JoinHostPort(r.URL.Hostname(), "80")
				}
				forward.ServeHTTP(w, r)
			default:
				http.Error(w, "scrollkeep: this is a proxy, and the request names no address", http.StatusBadRequest)
			}
		}),
	}
}

// answer says what became of a connection.
func answer(w http.ResponseWriter, err error) {
	code := http.StatusBadGateway
	if errors.As(err, new(Refusal)) {
		code = http.StatusForbidden
	}
	http.Error(w, "scrollkeep: "+err.Error(), code)
}

// connect joins a program with the host that it names (RFC 9110, section 9.3.6).
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	h, err := ParseHost(r.Host)
	if err != nil {
		http.Error(w, "scrollkeep: "+err.Error(), http.StatusBadRequest)
		return
	}
	there, err := p.dial(r.Context(), h)
	if err != nil {
		answer(w, err)
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
	join(r.Context(), begun{here, buffered.Reader}, there)
}

// join carries bytes both ways until both sides have said all, or ctx ends.
func join(ctx context.Context, here, there net.Conn) {
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
		if half, ok := half(to); ok { // it has said all, and may still listen
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

// half returns the connection whose sending side can be closed alone.
func half(c net.Conn) (halfCloser, bool) {
	switch c := c.(type) {
	case begun:
		return half(c.Conn)
	case *held:
		return half(c.Conn)
	case halfCloser:
		return c, true
	}
	return nil, false
}

// Dial connects to a host and port that may be reached, for a client in this program. Only TCP is
// known. The error is a [Refusal], or says that it was not reached.
func (p *Proxy) Dial(ctx context.Context, _, address string) (net.Conn, error) {
	h, err := ParseHost(address)
	if err != nil {
		return nil, err
	}
	return p.dial(ctx, h)
}

// dial connects to a host, if it may be reached. The address is checked where it is dialled: a name
// may lead elsewhere each time that it is asked for.
func (p *Proxy) dial(ctx context.Context, h Host) (net.Conn, error) {
	if !p.Hosts.Has(h) {
		return nil, p.refuse(Refusal{Host: h})
	}
	c, err := p.reach(ctx, h)
	if r := (Refusal{}); errors.As(err, &r) {
		return nil, p.refuse(r)
	}
	if err != nil && p.Failed != nil && ctx.Err() == nil {
		p.Failed(h, err)
	}
	return c, err
}

// reach connects to a host that may be reached.
func (p *Proxy) reach(ctx context.Context, h Host) (net.Conn, error) {
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

// lookUp gives the addresses of a name, at least one.
func (p *Proxy) lookUp(ctx context.Context, name string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(name); err == nil {
		return []netip.Addr{a}, nil
	}
	resolve := p.resolve
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
