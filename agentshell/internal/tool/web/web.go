// Package web fetches pages of hosts that a user has allowed.
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
)

// These constants limit the fetching of one page.
const (
	maxBodyBytes = 8 << 20 // maxBodyBytes is the number of bytes of a page.
	maxRedirects = 10
	fetchTimeout = 30 * time.Second
	// maxKeptPages is the number of pages that are kept, so that a model can read on in a page
	// without fetching it again.
	maxKeptPages = 16
)

// Page is a fetched web page.
type Page struct {
	URL  string // URL is the address after all redirects.
	Type string // Type is the media type, such as "text/html", in lower case and without parameters.
	Body []byte // Body is in UTF-8 if it is text in a known encoding.
}

// Reader fetches web pages. Hosts must be set. It is safe for use by several goroutines.
type Reader struct {
	Hosts *proxy.Hosts // Hosts holds the hosts that may be reached.

	mu   sync.Mutex
	kept []keptPage // kept holds the last pages, the newest last.
}

type keptPage struct {
	asked string
	only  bool // only says that the page was fetched by FetchOnly.
	page  Page
	err   error // err is the error of FetchOnly if the page does not exist.
}

// Parse parses the address of a page: http or https, without a user name or password. host is the
// host that must be allowed for it.
func Parse(address string) (u *url.URL, host proxy.Host, err error) {
	u, err = url.Parse(address)
	if err != nil {
		return nil, host, fmt.Errorf("%q is not an address", address)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, host, fmt.Errorf("%q is not an address that begins with http:// or https://", address)
	}
	if u.User != nil {
		return nil, host, errors.New("an address with a name or password is not fetched")
	}
	u.Fragment = ""
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	name := u.Hostname()
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if strings.HasPrefix(name, "*") {
		return nil, host, fmt.Errorf("%q names no host", address)
	}
	host, err = proxy.ParseHost(name + ":" + port)
	return u, host, err
}

// Status is the error of a response with another HTTP status than success.
type Status int

func (s Status) Error() string {
	return "the server answers " + strconv.Itoa(int(s)) + " " + http.StatusText(int(s))
}

// Redirect is the error of a redirect to a host that may not be reached.
type Redirect string

func (r Redirect) Error() string { return "it leads to " + string(r) }

// Fetch returns the page at an address, whose host must be in Hosts. It may return a page that it
// fetched before. It connects only to public IP addresses, unless Hosts allows a private one for
// that host.
func (r *Reader) Fetch(ctx context.Context, address string) (Page, error) {
	return r.get(ctx, address, false)
}

// FetchOnly fetches a page like Fetch, but follows no redirect. It remembers that a page does not
// exist.
func (r *Reader) FetchOnly(ctx context.Context, address string) (Page, error) {
	return r.get(ctx, address, true)
}

func (r *Reader) get(ctx context.Context, address string, only bool) (Page, error) {
	u, _, err := Parse(address)
	if err != nil {
		return Page{}, err
	}
	r.mu.Lock()
	for _, k := range r.kept {
		if k.asked == u.String() && k.only == only {
			defer r.mu.Unlock()
			return k.page, k.err
		}
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	page, err := r.fetch(ctx, u, only)
	var status Status
	absent := only && errors.As(err, &status)
	if err != nil && !absent {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it did not come within %v", fetchTimeout)
		}
		return Page{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, keptPage{u.String(), only, page, err})
	if len(r.kept) > maxKeptPages {
		r.kept = r.kept[1:]
	}
	return page, err
}

func (r *Reader) fetch(ctx context.Context, u *url.URL, only bool) (Page, error) {
	way := &proxy.Proxy{Hosts: r.Hosts}
	transport := &http.Transport{DialContext: way.Dial, ForceAttemptHTTP2: true, DisableKeepAlives: true,
		TLSHandshakeTimeout: 10 * time.Second, MaxResponseHeaderBytes: 1 << 20}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		_, host, err := Parse(req.URL.String())
		switch {
		case only:
			return http.ErrUseLastResponse
		case err != nil:
			return err
		case !r.Hosts.Has(host):
			return Redirect(req.URL.String())
		case len(via) >= maxRedirects:
			return errors.New("it leads on and on")
		}
		return nil
	}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Page{}, err
	}
	req.Header.Set("User-Agent", "agentshell")
	req.Header.Set("Accept", "text/markdown, text/html;q=0.9, */*;q=0.5")
	res, err := client.Do(req)
	if err != nil {
		return Page{}, errorWithoutURL(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return Page{}, Status(res.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBodyBytes+1))
	if err != nil {
		return Page{}, errorWithoutURL(err)
	}
	if len(body) > maxBodyBytes {
		return Page{}, fmt.Errorf("it has more than %d MiB", maxBodyBytes>>20)
	}
	given := res.Header.Get("Content-Type")
	if given == "" {
		given = http.DetectContentType(body)
	}
	kind, _, err := mime.ParseMediaType(given)
	if err != nil {
		kind = "application/octet-stream"
	}
	return Page{URL: res.Request.URL.String(), Type: strings.ToLower(kind), Body: inUTF8(body, given)}, nil
}

// errorWithoutURL returns the error without the URL, which the reader of the message knows already.
func errorWithoutURL(err error) error {
	var of *url.Error
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
