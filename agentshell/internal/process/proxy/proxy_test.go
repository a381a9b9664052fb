package proxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// inn is a proxy at work, and the refusals that it told.
type inn struct {
	t    *testing.T
	addr string
	end  context.CancelFunc
	over chan struct{}

	mu      sync.Mutex
	refused []string
}

// open starts a proxy. resolve gives each name the addresses that stand behind it.
func open(t *testing.T, hosts *Hosts, names map[string]string) *inn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in := &inn{t: t, addr: l.Addr().String(), end: cancel, over: make(chan struct{})}
	p := &Proxy{Hosts: hosts, Refused: func(r Refusal) {
		in.mu.Lock()
		defer in.mu.Unlock()
		in.refused = append(in.refused, r.Error())
	}, Resolve: func(_ context.Context, name string) (list []netip.Addr, err error) {
		for a := range strings.FieldsSeq(names[name]) {
			list = append(list, netip.MustParseAddr(a))
		}
		return list, nil
	}}
	go func() {
		p.Serve(ctx, l)
		close(in.over)
	}()
	t.Cleanup(func() {
		cancel()
		<-in.over
	})
	return in
}

func (in *inn) told() string {
	in.mu.Lock()
	defer in.mu.Unlock()
	return strings.Join(in.refused, "; ")
}

// client goes through the proxy, by http or socks5h.
func (in *inn) client(scheme string) *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{
		Proxy:           http.ProxyURL(&url.URL{Scheme: scheme, Host: in.addr}),
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true,
	}}
}

// get gives the answer in one line: the code and the text, or the error.
func (in *inn) get(scheme, address string) string {
	r, err := in.client(scheme).Get(address)
	if err != nil {
		return "error: " + err.Error()
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprintf("%d %s", r.StatusCode, strings.TrimSpace(string(text)))
}

// site returns a server of this machine; its port is told apart from its name.
func site(t *testing.T, secure bool) (port uint16, address string) {
	t.Helper()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello %s from %s, %d headers of a proxy", r.URL.Path, r.Host,
			len(r.Header["X-Forwarded-For"])+len(r.Header["Proxy-Connection"]))
	})
	s := httptest.NewUnstartedServer(h)
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	a := netip.MustParseAddrPort(s.Listener.Addr().String())
	return a.Port(), a.String()
}

func TestChosenHostsAreReachedInEachWay(t *testing.T) {
	for _, secure := range []bool{false, true} {
		port, _ := site(t, secure)
		scheme := map[bool]string{false: "http", true: "https"}[secure]
		var hosts Hosts
		hosts.Add(true, Host{"site.example", port}, Host{"*.below.example", port})
		in := open(t, &hosts, map[string]string{"site.example": "127.0.0.1", "a.b.below.example": "127.0.0.1",
			"other.example": "127.0.0.1", "below.example": "127.0.0.1"})
		for _, way := range []string{"http", "socks5h"} {
			for name, want := range map[string]bool{"site.example": true, "SITE.example.": true,
				"a.b.below.example": true, "below.example": false, "other.example": false, "127.0.0.1": false} {
				got := in.get(way, fmt.Sprintf("%s://%s:%d/x", scheme, name, port))
				if reached := strings.HasPrefix(got, "200 hello /x from "); reached != want {
					t.Errorf("%s by %s, %s: %s", scheme, way, name, got)
				}
				if want && !strings.HasSuffix(got, ", 0 headers of a proxy") {
					t.Errorf("%s by %s, %s: %s", scheme, way, name, got)
				}
			}
		}
		if got := in.told(); !strings.Contains(got, "other.example") || strings.Contains(got, "site.example") {
			t.Errorf("refused: %s", got)
		}
	}
}

// A name that may be reached must not lead into this machine or its network, whatever it resolves
// to, unless the person said that it may.
func TestANameLeadsToNoPrivateAddress(t *testing.T) {
	port, address := site(t, false)
	var hosts Hosts
	hosts.Add(false, Host{"rebound.example", port}, Host{"both.example", port}, Host{"127.0.0.1", port})
	in := open(t, &hosts, map[string]string{"rebound.example": "127.0.0.1", "both.example": "::ffff:127.0.0.1 0.0.0.0"})
	for _, name := range []string{"rebound.example", "both.example", "127.0.0.1"} {
		for _, way := range []string{"http", "socks5h"} {
			got := in.get(way, fmt.Sprintf("http://%s:%d/", name, port))
			if strings.Contains(got, "hello") || way == "http" &&
				got != fmt.Sprintf("403 agentshell: %s:%d has an address of a private network", name, port) {
				t.Errorf("%s by %s: %s", name, way, got)
			}
		}
	}
	hosts.Add(true, Host{"127.0.0.1", port})
	if got := in.get("http", "http://"+address+"/"); !strings.HasPrefix(got, "200 hello") {
		t.Errorf("what the person said is not reached: %s", got)
	}
}

func TestOnlyTheInternetIsPublic(t *testing.T) {
	for _, text := range strings.Fields(`0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.1.2.3
		169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1
		198.18.0.1 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1
		255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::ffff:100.64.0.1
		::127.0.0.1 64:ff9b::7f00:1 100::1 2001:db8::1 2001:db8::1%eth0 2001::1
		2002:7f00:1:: fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1`) {
		if isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s counts as one of the internet", text)
		}
	}
	for _, text := range strings.Fields("1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700::1111 2a00::1") {
		if !isPublic(netip.MustParseAddr(text)) {
			t.Errorf("%s does not count as one of the internet", text)
		}
	}
}

func TestHostsAreReadStrictly(t *testing.T) {
	for text, want := range map[string]string{
		"example.org:443": "example.org:443", "Example.ORG.": "example.org:443", "*.example.org:80": "*.example.org:80",
		"10.0.0.1:5432": "10.0.0.1:5432", "[::1]:80": "[::1]:80", "::1": "[::1]:443", "[::ffff:1.2.3.4]:9": "1.2.3.4:9",
		"localhost:8080": "localhost:8080", "a_b.example:1": "a_b.example:1",
		"xn--mnchen-3ya.example": "xn--mnchen-3ya.example:443",
	} {
		if h, err := ParseHost(text); err != nil || h.String() != want {
			t.Errorf("%q is %v, %v; want %s", text, h, err, want)
		}
	}
	for _, text := range []string{"", ":443", "example.org:0", "example.org:65536", "example.org:https", "a b:1",
		"a..b",
		"-a.example", "a-.example", "*", "*.", "a.*.example", "münchen.example", "https://example.org", "example.org/x",
		"127.1", "0x7f.0.0.1", "2130706433", "1.2.3.0x4", "0177.0.0.1", "fe80::1%eth0", "a@b:1", "a\n:1",
		strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 127) + "example"} {
		if h, err := ParseHost(text); err == nil {
			t.Errorf("%q is taken as %v", text, h)
		}
	}
}

func TestAHostIsItsNameAndItsPort(t *testing.T) {
	var hosts Hosts
	if hosts.Any() {
		t.Error("no hosts are some")
	}
	hosts.Add(false, Host{"a.example", 443}, Host{"*.b.example", 80})
	hosts.Add(true, Host{"10.0.0.1", 5432})
	for text, want := range map[string]bool{"a.example:443": true, "a.example:80": false, "x.a.example:443": false,
		"xa.example:443": false, "a.example.x:443": false, "x.b.example:80": true, "y.x.b.example:80": true,
		"b.example:80": false, "xb.example:80": false, "x.b.example:443": false, "10.0.0.1:5432": true,
		"10.0.0.1:5433": false, "[::ffff:10.0.0.1]:5432": true} {
		h, err := ParseHost(text)
		if err != nil {
			t.Fatal(err)
		}
		if hosts.Has(h) != want || hosts.isPrivate(h) != (want && h.Port == 5432) {
			t.Errorf("%s: reached %v, private %v", text, hosts.Has(h), hosts.isPrivate(h))
		}
	}
}

// The host that is reached is the one that a request is for, whatever its head says besides.
func TestAPlainRequestGoesToTheHostThatItNames(t *testing.T) {
	port, address := site(t, false)
	var hosts Hosts
	hosts.Add(true, Host{"127.0.0.1", port})
	in := open(t, &hosts, nil)
	c, err := net.Dial("tcp", in.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET http://%s/x HTTP/1.0\r\nHost: other.example\r\nProxy-Connection: x\r\n\r\n", address)
	b, err := io.ReadAll(c)
	if err != nil || !strings.HasSuffix(string(b), "hello /x from "+address+", 0 headers of a proxy") {
		t.Errorf("%q, %v", b, err)
	}
}

// What is no request, or none that can be served, ends its own connection and nothing else.
func TestNonsenseEndsItsConnection(t *testing.T) {
	var hosts Hosts
	in := open(t, &hosts, nil)
	for text, want := range map[string]string{
		"\x05\x01\x00\x05\x02\x00\x01\x01\x02\x03\x04\x00\x50": "\x05\x00\x05\x07",
		"\x05\x01\x00\x05\x01\x00\x07":                         "\x05\x00\x05\x08", "\x05\x01\x02": "\x05\xff",
		"\x05\x01\x00\x05\x01\x00\x01\x01\x02\x03\x04\x00\x50": "\x05\x00\x05\x02"} {
		c, err := net.Dial("tcp", in.addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		_ = c.(*net.TCPConn).CloseWrite()
		if b, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("%q is answered by %q, %v", text, b, err)
		}
		_ = c.Close()
	}
	for _, text := range []string{"\x00", "\x05", "\x05\x01", "\x05\x01\x02",
		"\x05\x01\x00\x05\x02\x00\x01\x01\x02\x03\x04\x00\x50",
		"\x05\x01\x00\x05\x01\x00\x03\x00\x00\x50", "\x05\x01\x00\x05\x01\x00\x07",
		"\x05\x01\x00\x05\x01\x00\x03\x03a b\x00\x50",
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT / HTTP/1.1\r\n\r\n", "CONNECT a b HTTP/1.1\r\n\r\n",
		"GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT x:99999 HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET http://u:p@x:0/ HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01", "\x04\x01\x00\x50\x7f\x00\x00\x01\x00"} {
		c, err := net.Dial("tcp", in.addr)
		if err != nil {
			t.Fatal(err)
		}
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.WriteString(c, text); err != nil {
			t.Fatal(err)
		}
		_ = c.(*net.TCPConn).CloseWrite()
		b, err := io.ReadAll(c)
		if err != nil || strings.Contains(string(b), " 200 ") || strings.HasPrefix(text, "\x05\x01\x00\x05") &&
			(len(b) < 4 || b[3] == socksDone) {
			t.Errorf("%q is answered by %q, %v", text, b, err)
		}
		_ = c.Close()
	}
	got := in.get("http", "http://well.example/")
	if !strings.HasPrefix(got, "403 agentshell: well.example:80 is not among") {
		t.Errorf("after all that: %s", got)
	}
}

// When the command ends, nothing of its connections is left, and nothing waits for them.
func TestTheEndOfACommandEndsItsConnections(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	ended := make(chan error, 1)
	go func() {
		c, err := silent.Accept()
		if err == nil {
			_, err = c.Read(make([]byte, 1))
		}
		ended <- err
	}()
	h, err := ParseHost(silent.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	var hosts Hosts
	hosts.Add(true, h)
	in := open(t, &hosts, nil)
	c, err := net.Dial("tcp", in.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", h)
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, " 200 ") {
		t.Fatal(line, err)
	}
	idle, err := net.Dial("tcp", in.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	if got := in.get("http", "http://x.example/"); !strings.HasPrefix(got, "403 ") { // so that idle was accepted
		t.Fatal(got)
	}
	from := time.Now()
	in.end()
	<-in.over
	if took := time.Since(from); took > patience/2 {
		t.Errorf("it took %v", took)
	}
	if err := <-ended; err == nil {
		t.Error("the host got something")
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("the program got something")
	}
}

// Too many connections at a time are closed, and there is room again when others end.
func TestConnectionsAreBounded(t *testing.T) {
	var hosts Hosts
	in := open(t, &hosts, nil)
	var open []net.Conn
	for range maxConnections {
		c, err := net.Dial("tcp", in.addr)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	c, err := net.Dial("tcp", in.addr)
	if err != nil {
		t.Fatal(err)
	}
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("one more is served")
	}
	for _, c := range open {
		_ = c.Close()
	}
	for range 100 { // the proxy hears of their ends after a while
		if got := in.get("http", "http://x.example/"); strings.HasPrefix(got, "403 ") {
			return
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Error("there is no room again")
}

func FuzzGreetingNeverPanics(f *testing.F) {
	f.Add([]byte("\x05\x01\x00\x05\x01\x00\x03\x01x\x00\x50"))
	f.Fuzz(func(t *testing.T, b []byte) {
		here, there := net.Pipe()
		go func() {
			_, _ = there.Write(b)
			_ = there.Close()
		}()
		go func() { _, _ = io.Copy(io.Discard, there) }()
		if h, _, err := readRequest(here); err == nil {
			if again, err := ParseHost(h.String()); err != nil || again != h {
				t.Errorf("%v is read as %v, %v", h, again, err)
			}
		}
		_ = here.Close()
	})
}
