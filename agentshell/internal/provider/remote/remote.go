// Package remote sends requests to the API of a provider over HTTP. It uses only the configured
// address, follows no redirects, and limits the time and the size of answers.
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

// Client returns an HTTP client for the requests to one provider.
//
// A response that sends nothing for the time idle, not even keep-alives, ends with an error; idle 0
// means 2 minutes. A response that exceeds the bounds ends with a [provider.Excess]. A redirect is
// an error, so that the key goes to no other address.
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

// CheckKey returns an error if key cannot be a key. name is the environment variable that should
// hold it. If free is true, the key may be empty. The error never contains the key.
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

// longest is the maximum number of bytes of a provider's message that an error holds.
const longest = 2000

// Cut returns text, or its beginning if it is too long for an error.
func Cut(text string) string {
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(width.Head(text, longest), "") + "..."
}

// RetryAfter returns the wait that a response asks for before the next attempt, or 0. Its headers
// have it as milliseconds, seconds, or a date.
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

// CheckURL returns an error if s cannot be the address of an API; "" means the provider's own.
// Plain http is allowed only for this machine and private networks, unless insecure is true.
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

// Near reports whether the URL s points to this machine, or to an IP address of a private network.
// Servers there often have neither a key nor TLS.
func Near(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

// refuseRedirect returns an error for each redirect, because the key must not go to another
// address.
func refuseRedirect(req *http.Request, via []*http.Request) error {
	status := http.StatusFound
	if req.Response != nil {
		status = req.Response.StatusCode
	}
	return &provider.Error{Status: status,
		Message: "it sends us to " + req.URL.Host + ", which is not the configured address; the key is not sent there"}
}
