// Package remote is the way to a provider over the network: one address, no redirects, an end to
// patience.
package remote

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Client returns a client for the requests to one provider. An answer that is silent for idle (0: 2
// minutes), keep-alives included, counts as broken. One that goes beyond bounds ends with a
// [provider.Excess]. A redirect is an error, so that the key goes to the configured address only.
func Client(idle time.Duration, bounds provider.Bounds) *http.Client {
	if idle == 0 {
		idle = 2 * time.Minute
	}
	bounds = bounds.OrDefault()
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: 10 * time.Second, IdleConnTimeout: 90 * time.Second}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		transport = t.Clone()
	}
	transport.OnProxyConnectResponse = refusedByProxy
	transport.MaxResponseHeaderBytes = int64(bounds.Header)
	return &http.Client{Transport: bounded{bounds, patience{idle, transport}}, CheckRedirect: refuseRedirect}
}

// CheckKey finds what is wrong with a key that comes from the environment variable name. The error
// never holds the key. free: there may be none.
func CheckKey(key, name string, free bool) error {
	if key == "" && free {
		return nil
	}
	if strings.TrimSpace(key) == "" {
		return errors.New("no key: set " + name)
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return errors.New("the key has a blank, a control or a non-ASCII character in it: look at " + name)
	}
	return nil
}

// longest is the most bytes of a provider's words that an error holds.
const longest = 2000

// Cut returns the start of what may be too long for an error.
func Cut(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(width.Head(text, longest), "") + "..."
}

// RetryAfter reads what the provider asks for: milliseconds, seconds, or a date.
func RetryAfter(r *http.Response) time.Duration {
	if r == nil {
		return 0
	}
	if ms, err := strconv.ParseFloat(r.Header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e9 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := r.Header.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 && s < 1e6 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(at))
	}
	return 0
}

// CheckURL finds what is wrong with the address of an API; "" is the provider's own. insecure
// allows http to any host.
func CheckURL(s string, insecure bool) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("the base URL %q is no URL with https:// or http://", s)
	case u.User != nil:
		return fmt.Errorf("the base URL of %s holds a name or a password: name the key with key_env or key_command",
			u.Host)
	case u.Scheme == "http" && !insecure && !Near(s):
		return fmt.Errorf("the base URL %q must begin with https://, or http:// for this machine and for private "+
			"addresses (192.168..., 10...): the key and the conversation would travel in the clear. insecure = true "+
			"allows it", s)
	}
	return nil
}

// Near reports whether an address is of this machine or of a private network by its number: servers
// there often have neither a key nor TLS.
func Near(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

func refuseRedirect(req *http.Request, via []*http.Request) error {
	status := http.StatusFound
	if req.Response != nil {
		status = req.Response.StatusCode
	}
	return &provider.Error{Status: status,
		Message: "it sends us to " + req.URL.Host + ", which is not the configured address; the key is not sent there"}
}
