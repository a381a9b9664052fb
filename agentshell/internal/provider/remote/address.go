package remote

import (
	"regexp"
	"strings"
)

// address is where an API is asked: what stands before a path, and the query that goes behind it.
type address struct{ base, query string }

// endpoints are paths of requests, which people copy along with an address.
var endpoints = []string{"/chat/completions", "/responses", "/messages"}

// newAddress takes a base URL apart. The path of a request at its end does not belong to it.
func newAddress(url string) address {
	url, _, _ = strings.Cut(url, "#")
	base, query, _ := strings.Cut(url, "?")
	base = strings.TrimRight(base, "/")
	for _, path := range endpoints {
		base = strings.TrimSuffix(base, path)
	}
	return address{base, query}
}

// to returns the URL of a path, which may have a query of its own. A version that ends the base and
// begins the path stands there once.
func (a address) to(path string) string {
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
var versioned = regexp.MustCompile(`://[^/]+/(?:.*/)?v\d`)

// plain reports whether the base has neither a version nor the name of a deployment, as Azure has
// it.
func (a address) plain() bool {
	return !versioned.MatchString(a.base) && !strings.Contains(a.base, "/deployments/")
}
