package tool

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

// networked returns a bench whose confined commands have a proxy, and a server of this machine.
func networked(t *testing.T) (b *bench, server proxy.Host) {
	t.Helper()
	b = confined(t)
	b.env.Confinement.Hosts = new(proxy.Hosts)
	b.reg = Builtin(b.env)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "well")
	}))
	t.Cleanup(s.Close)
	server, err := proxy.ParseHost(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return b, server
}

// connects asks the proxy for a host and prints its answer.
func connects(host string) string {
	return fmt.Sprintf(`exec 3<>/dev/tcp/127.0.0.1/3128
		printf 'CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n\r\n' >&3; read -r line <&3; echo "${line%%%%$'\r'}"
		case $line in *200*);; *) exit 9;; esac`, host)
}

// What the sandbox refused is known, so that nobody has to guess: the model is told how it can ask,
// and the person sees it.
func TestARefusedHostIsTold(t *testing.T) {
	b, server := networked(t)
	r := b.run("bash", args{"command": connects("new.example:443")})
	if want := "HTTP/1.1 403 Forbidden\n[exit 9]\n[the sandbox refused the network: \"new.example:443\". A call with " +
		"network [\"new.example:443\"] and a reason asks the user for it.]\n"; r.Text != want {
		t.Errorf("%q, want %q", r.Text, want)
	}
	if want := "HTTP/1.1 403 Forbidden\nThe sandbox refused new.example:443.\n"; r.Detail != want {
		t.Errorf("%q, want %q", r.Detail, want)
	}
	b.env.Confinement.Hosts.Add(false, server)
	r = b.run("bash", args{"command": connects(server.String())})
	if !strings.Contains(r.Text, "refused the network: "+server.String()+" has an address of a private network.") ||
		!strings.HasSuffix(r.Detail, "its address is private. network_private in the config file allows it.\n") {
		t.Errorf("%+v", r)
	}
	b.env.Confinement.Hosts.Add(true, server, proxy.Host{Name: "127.0.0.1", Port: 1})
	r = b.run("bash", args{"command": connects("127.0.0.1:1")})
	if want := "HTTP/1.1 502 Bad Gateway\n[exit 9]\n[127.0.0.1:1 is not reached: dial tcp 127.0.0.1:1: " +
		"connect: connection refused]\n"; !strings.HasPrefix(r.Text, want) {
		t.Errorf("%q", r.Text)
	}
	r = b.run("bash", args{"command": connects(server.String())})
	if r.Text != "HTTP/1.1 200 Connection established\n" {
		t.Errorf("%+v", r)
	}
}

// The person is asked once for each new host; what is allowed by the config is not asked.
func TestANewHostIsAskedForOnce(t *testing.T) {
	b, server := networked(t)
	b.env.Confinement.Hosts.Add(false, proxy.Host{Name: "known.example", Port: 443})
	ask := func(hosts ...string) Call {
		t.Helper()
		return b.must("bash", args{"command": "true", "network": hosts, "reason": "it fetches\x1b[2J"})
	}
	if c := ask("known.example"); len(c.Proposal.Flags) > 0 {
		t.Errorf("a known host: %+v", c.Proposal.Flags)
	}
	c := ask("known.example:443", "New.example", "new.example:443", server.String())
	if len(c.Proposal.Flags) != 1 || !c.Proposal.Flagged(approval.FlagNetwork) ||
		c.Proposal.Flags[0].Text != "it reaches new.example:443, "+server.String()+
			", as every command of this session may then. The model's reason: it fetches\\x1b[2J" ||
		c.Proposal.Payload.(approval.Command).Note != noteHosts {
		t.Errorf("%+v", c.Proposal)
	}
	for _, mode := range []string{approval.ModeAsk, approval.ModeEdits, approval.ModeTrusted} {
		p, err := approval.NewPolicy(approval.PolicyConfig{Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		if v := p.Decide(c.Subject("bash")); v.Action != approval.Ask {
			t.Errorf("mode %s: %+v", mode, v)
		}
	}
	if b.env.Confinement.Hosts.Has(proxy.Host{Name: "new.example", Port: 443}) {
		t.Error("the host may be reached before the person was asked")
	}
	if _, err := c.Run(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if c := ask("new.example", server.String()); len(c.Proposal.Flags) > 0 {
		t.Errorf("asked again: %+v", c.Proposal.Flags)
	}
	if !b.env.Confinement.Hosts.Has(proxy.Host{Name: "new.example", Port: 443}) ||
		b.env.Confinement.Hosts.Has(proxy.Host{Name: "new.example", Port: 80}) {
		t.Error("the hosts are others than those that were shown")
	}
	if r := b.run("bash", args{"command": connects(server.String())}); !strings.Contains(r.Text, "private network") {
		t.Errorf("a model opened a private network: %+v", r)
	}
}

func TestWhatAModelMayNotAskOfTheNetwork(t *testing.T) {
	b, _ := networked(t)
	for _, c := range []struct{ network, reason, want string }{
		{`["a.example"]`, "", "network needs a reason"},
		{`["*.example:443"]`, "r", "stands for many hosts: name each one"},
		{`["https://a.example"]`, "r", "It takes host:port"},
		{`["a.example\u001b[2J:443"]`, "r", "It takes host:port"},
		{`[` + strings.Repeat(`"a",`, 10) + `"a"]`, "r", "at most 10 at once"},
	} {
		input := fmt.Sprintf(`{"command":"true","network":%s,"reason":%q}`, c.network, c.reason)
		_, err := b.reg.Prepare(t.Context(), "bash", "c1", []byte(input))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", input, err)
		}
	}
	some := []byte(`{"command":"true","network":["a"],"reason":"r"}`)
	b.env.Confinement.Hosts = nil
	b.reg = Builtin(b.env)
	if _, err := b.reg.Prepare(t.Context(), "bash", "c1", some); err == nil {
		t.Error("a sandbox without a proxy offers a network")
	}
	b.env.Confinement.Cell = nil
	b.reg = Builtin(b.env)
	if c := b.must("bash", args{"command": "true", "network": []string{"a"}}); len(c.Proposal.Flags) > 0 {
		t.Errorf("without a sandbox: %+v", c.Proposal.Flags)
	}
}
