package remote

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// address is the URL of an API in two parts: base goes before the path of a request, query behind
// it.
type address struct{ base, query string }

// endpoints are paths of requests, which people copy along with an address.
var endpoints = []string{"/chat/completions", "/responses", "/messages"}

// newAddress splits the URL that a person configured. It drops the path of a request at its end.
func newAddress(url string) address {
	url, _, _ = strings.Cut(url, "#")
	base, query, _ := strings.Cut(url, "?")
	base = strings.TrimRight(base, "/")
	for _, path := range endpoints {
		base = strings.TrimSuffix(base, path)
	}
	return address{base, query}
}

// requestURL returns the URL of the request with that path. The path may have a query of its own. A
// "/v1" that both ends the base and begins the path is written once.
func (a address) requestURL(path string) string {
	path, query, _ := strings.Cut(path, "?")
	base := a.base
	if strings.HasPrefix(path, "/v1/") {
		base = strings.TrimSuffix(base, "/v1")
	}
	if query = strings.Trim(a.query+"&"+query, "&"); query != "" {
		query = "?" + query
	}
	return base + path + query
}

// versioned finds a version in a path.
var versioned = lazyregexp.New(`://[^/]+/(?:.*/)?v\d`)

// plain reports whether the base has neither a version nor the name of a deployment, as Azure has
// it.
func (a address) plain() bool {
	return !versioned().MatchString(a.base) && !strings.Contains(a.base, "/deployments/")
}
