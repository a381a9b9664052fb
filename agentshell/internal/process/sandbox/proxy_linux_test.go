package sandbox

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

// asks returns a command that asks the proxy of its cell for a host and prints the first line of
// the answer, and what comes of a request to the host.
func asks(host string) string {
	return fmt.Sprintf(`exec 3<>/dev/tcp/127.0.0.1/3128 && printf 'CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n\r\n' >&3 &&
		IFS= read -r line <&3 && echo "${line%%$'\r'}" && IFS= read -r line <&3 &&
		printf 'GET / HTTP/1.0\r\nHost: %[1]s\r\n\r\n' >&3 && tail -n 1 <&3`, host)
}

// A confined command reaches the hosts that it may, by the proxy, and nothing else.
func TestACommandReachesChosenHostsOnly(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "well, "+r.Host)
	}))
	defer server.Close()
	address := server.Listener.Addr().String()
	host, err := proxy.ParseHost(address)
	if err != nil {
		t.Fatal(err)
	}
	boxes(t, func(t *testing.T, b *Box) {
		b.KeepSpare()
		defer b.family.Close(0)
		for range 2 { // by a fresh stage and by one that waited
			s := newSite(t)
			var hosts proxy.Hosts
			hosts.Add(true, host)
			var mu sync.Mutex
			var refused []string
			p := proxy.Proxy{Hosts: &hosts, Refused: func(r proxy.Refusal) {
				mu.Lock()
				defer mu.Unlock()
				refused = append(refused, r.Host.String())
			}}
			var ends sync.WaitGroup
			s.policy.Proxy = func(l net.Listener) {
				ends.Add(1)
				defer ends.Done()
				p.Serve(t.Context(), l)
			}
			well := "HTTP/1.1 200 Connection established\nwell, " + address + "\n"
			if r := s.in(b, asks(address)); !r.ok || r.out != well {
				t.Errorf("a host that may be reached: %+v", r)
			}
			if r := s.in(b, asks("other.example:443")); !r.ok || !strings.HasPrefix(r.out, "HTTP/1.1 403 Forbidden\n") {
				t.Errorf("another host: %+v", r)
			}
			direct := "exec 3<>/dev/tcp/" + strings.Replace(address, ":", "/", 1)
			if r := s.in(b, direct); !r.ok || r.Exit == 0 {
				t.Errorf("without the proxy: %+v", r)
			}
			r := s.in(b, "echo $HTTPS_PROXY $https_proxy $ALL_PROXY $NO_PROXY")
			if r.out != "http://127.0.0.1:3128 http://127.0.0.1:3128 socks5h://127.0.0.1:3128 "+
				"localhost,127.0.0.1,::1\n" {
				t.Errorf("the environment: %+v", r)
			}
			ends.Wait()
			mu.Lock()
			if got := strings.Join(refused, " "); got != "other.example:443" {
				t.Errorf("refused: %q", got)
			}
			mu.Unlock()
			s.policy.Proxy = nil
			if r := s.in(b, asks(address)); !r.ok || r.Exit == 0 {
				t.Errorf("a command without a proxy has one: %+v", r)
			}
			b.spares.wait()
		}
	})
}

// proxied returns the attempt where there is a proxy, which reaches nothing.
func (a attempt) proxied(t *testing.T) attempt {
	setup := a.setup
	a.setup = func(s *site) {
		none := &proxy.Proxy{Hosts: new(proxy.Hosts)}
		s.policy.Proxy = func(l net.Listener) { none.Serve(t.Context(), l) }
		if setup != nil {
			setup(s)
		}
	}
	return a
}
