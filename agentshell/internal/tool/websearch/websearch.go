// Package websearch asks search services on the internet, each by the key of the user.
//
// What a service answers was written by others. Of it come only texts without controls, and
// addresses that begin with http:// or https://.
package websearch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"
)

// Query describes a web search. A number that is 0 means the service's default.
type Query struct {
	Text    string
	Recency string // "day", "week", "month" or "year"; "": any time
	// Limit is the number of sources to return. Breadth is the number of sources that the service
	// considers.
	Limit, Breadth int
	MaxTokens      int      // MaxTokens limits the answer that a model writes.
	Temperature    *float64 // Temperature is the temperature of that model; nil: its default.
	Now            time.Time
}

// count returns the number of results to request, between least and most. unset is the number for a
// query that sets none.
func (q Query) count(unset, least, most int) int {
	n := q.Breadth
	if n <= 0 {
		n = q.Limit
	}
	if n <= 0 {
		n = unset
	}
	return min(max(n, least), most)
}

// Answer is the result of a web search.
type Answer struct {
	Service   string // Service is the name of the service for display.
	Text      string // Text is the text that the service wrote; "": it only lists sources.
	Sources   []Source
	Citations []Citation
	Related   []string // Related lists related questions.
	Queries   []string // Queries lists the queries that the service itself has made.
	Model     string   // Model is the model that wrote Text; "": none.
}

// Source is a page that the search has found.
type Source struct{ Title, URL, Snippet, Date string }

// Citation is a quotation from a page to which Answer.Text refers.
type Citation struct{ Title, URL, Text string }

// Account holds the user's settings and API key for one service.
type Account struct {
	Service string // Service is the name of the service.
	// Key returns the API key; nil: requests are made without one.
	Key func(ctx context.Context) (string, error)
	// URL replaces the service's usual URL; "": it is not replaced.
	URL   string
	Model string // Model is the model of a service that is a model; "": the usual one.
	// User is the user name for HTTP Basic authorization; Key returns the password for it.
	User string
	// Categories and Language are settings of SearXNG.
	Categories, Language string
}

// Searcher searches with the services for which the user has accounts. It is safe for use by
// several goroutines.
type Searcher struct {
	accounts     []Account
	hosts        []proxy.Host // hosts holds the host of each account, in the same order.
	allowedHosts *proxy.Hosts
	secrets      secret.Set
}

// New returns a Searcher that tries the accounts in their order. allowed holds the hosts that may
// be reached. An account's own URL may lead into a private network. secrets are removed from all
// results.
func New(accounts []Account, allowed *proxy.Hosts, secrets secret.Set) (*Searcher, error) {
	s := &Searcher{accounts: accounts, allowedHosts: allowed, secrets: secrets}
	for _, a := range accounts {
		service, ok := findService(a.Service)
		if !ok {
			return nil, fmt.Errorf("there is no search service %q", a.Service)
		}
		host, err := hostOf(a.address(service))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", service.label, err)
		}
		if err := a.check(service); err != nil {
			return nil, fmt.Errorf("%s: %w", service.label, err)
		}
		s.hosts = append(s.hosts, host)
	}
	return s, nil
}

// address returns the URL of the service for this account.
func (a Account) address(s searchService) string {
	switch {
	case a.URL != "":
		return strings.TrimRight(a.URL, "/")
	case a.Key == nil && s.keylessURL != "":
		return s.keylessURL
	}
	return s.url
}

// hostOf returns the host of a service's URL, or an error if the URL is not valid.
func hostOf(address string) (proxy.Host, error) {
	u, err := url.Parse(address)
	switch {
	case address == "":
		return proxy.Host{}, errors.New("no address is set")
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "":
		return proxy.Host{}, errors.New("the address does not begin with https:// or http:// and a host")
	case u.User != nil:
		return proxy.Host{}, errors.New("the address holds a name or a password; set a key instead")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	name := u.Hostname()
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	return proxy.ParseHost(name + ":" + port)
}

// Fresh returns the services whose hosts are not allowed yet.
func (s *Searcher) Fresh() (list []Reach) {
	for i, h := range s.hosts {
		if !s.allowedHosts.Has(h) {
			list = append(list, s.reach(i))
		}
	}
	return list
}

// Reach names a service and the host to which its queries are sent.
type Reach struct{ Service, Host string }

// Services returns the configured services in the order in which they are tried.
func (s *Searcher) Services() (list []Reach) {
	for i := range s.hosts {
		list = append(list, s.reach(i))
	}
	return list
}

// reach returns the service of account number i, with its host.
func (s *Searcher) reach(i int) Reach {
	service, _ := findService(s.accounts[i].Service)
	return Reach{service.label, s.hosts[i].String()}
}

// Allow adds the hosts of all services to the allowed ones.
func (s *Searcher) Allow() {
	for i, h := range s.hosts {
		if !s.allowedHosts.Has(h) {
			s.allowedHosts.Add(s.accounts[i].URL != "", h)
		}
	}
}

// Search tries one service after the other until one answers. It calls asking before each. The
// error says why none has answered.
func (s *Searcher) Search(ctx context.Context, q Query, asking func(Reach)) (Answer, error) {
	if len(s.accounts) == 0 {
		return Answer{}, failureOf("No web search provider configured.")
	}
	var failures []error
	for i, a := range s.accounts {
		if !s.allowedHosts.Has(s.hosts[i]) {
			continue
		}
		asking(s.reach(i))
		answer, err := s.askService(ctx, a, q)
		switch {
		case err == nil:
			return answer, nil
		case ctx.Err() != nil:
			return Answer{}, ctx.Err()
		}
		failures = append(failures, err)
	}
	return Answer{}, joinFailures(failures)
}

// joinFailures combines the failures of all services into one error.
func joinFailures(failures []error) error {
	if len(failures) == 1 {
		return failures[0]
	}
	texts := make([]string, len(failures))
	for i, err := range failures {
		texts[i] = err.Error()
	}
	return failureOf("All web search providers failed: %s", strings.Join(texts, "; "))
}

// askService searches with one service. The API key is removed from everything that it returns.
func (s *Searcher) askService(ctx context.Context, a Account, q Query) (Answer, error) {
	service, _ := findService(a.Service)
	secrets := s.secrets
	key := ""
	if a.Key != nil {
		var err error
		if key, err = a.Key(ctx); err != nil {
			return Answer{}, fmt.Errorf("%s: %w", service.label, err)
		}
		secrets = secrets.With(key)
	}
	ctx, cancel := context.WithTimeout(ctx, service.patience())
	defer cancel()
	c := serviceClient{service: service, base: a.address(service), account: a, key: key, allowed: s.allowedHosts}
	answer, err := service.search(ctx, c, q)
	if err != nil {
		return Answer{}, errors.New(untrusted.Line(secrets.Redact(c.explain(ctx, err)), maxErrorBytes))
	}
	answer.Service = service.label
	return cleanAnswer(answer, q, secrets), nil
}

// These constants limit an answer.
const (
	maxSources      = 40
	maxAnswerBytes  = 32 << 10 // maxAnswerBytes and the limits of texts below it are in bytes.
	maxTitleBytes   = 300      // and of a title
	maxURLBytes     = 2000     // maxURLBytes is the length of a URL; a longer one is left out.
	maxSnippetBytes = 4000
	maxDateBytes    = 60
	maxRelated      = 10
	maxErrorBytes   = 500
)

// cleanAnswer returns an answer within its limits, without control characters and secrets.
func cleanAnswer(a Answer, q Query, secrets secret.Set) Answer {
	line := func(text string, most int) string { return untrusted.Line(secrets.Redact(text), most) }
	limit := maxSources
	if q.Limit > 0 {
		limit = min(limit, q.Limit)
	}
	out := Answer{Service: a.Service, Text: untrusted.Paragraphs(secrets.Redact(a.Text), maxAnswerBytes),
		Model: line(a.Model,
			maxDateBytes)}
	seen := map[string]bool{}
	for _, s := range a.Sources {
		at, ok := webAddress(secrets.Redact(s.URL))
		if !ok || seen[at] || len(out.Sources) == limit {
			continue
		}
		seen[at] = true
		out.Sources = append(out.Sources, Source{titleOr(line(s.Title, maxTitleBytes), at), at, line(s.Snippet,
			maxSnippetBytes),
			line(s.Date, maxDateBytes)})
	}
	for _, c := range a.Citations {
		if at, ok := webAddress(secrets.Redact(c.URL)); ok && len(out.Citations) < maxSources {
			out.Citations = append(out.Citations, Citation{titleOr(line(c.Title, maxTitleBytes), at), at,
				line(c.Text, maxSnippetBytes)})
		}
	}
	for _, list := range []struct{ to, from *[]string }{{&out.Related, &a.Related}, {&out.Queries, &a.Queries}} {
		for _, text := range *list.from {
			if text = line(text, maxTitleBytes); text != "" && len(*list.to) < maxRelated && !slices.Contains(*list.to,
				text) {
				*list.to = append(*list.to, text)
			}
		}
	}
	return out
}

// titleOr returns title, or address if title is empty.
func titleOr(title, address string) string {
	if title == "" {
		return address
	}
	return title
}

// webAddress returns the URL in text in a form that is safe to show and to open. ok is false if
// text is no http or https URL.
func webAddress(text string) (address string, ok bool) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return "", false
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool { return r >= 0x7f }) {
		if u.Host, err = idna.Lookup.ToASCII(u.Host); err != nil {
			return "", false
		}
	}
	address = u.String()
	if len(address) > maxURLBytes || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return "", false
	}
	return address, true
}
