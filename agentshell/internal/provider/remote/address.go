package remote

import (
	"strings"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// address is the URL of an API in two parts. The path of a request goes behind base, and query, if
// there is one, behind that path.
type address struct{ base, query string }

// endpoints lists the paths of requests. Users often copy one of them along with the address of an
// API.
var endpoints = []string{"/chat/completions", "/responses", "/messages"}

// newAddress splits the URL that the user has configured. It drops the path of a request at the end
// of the URL.
func newAddress(url string) address {
	url, _, _ = strings.Cut(url, "#")
	base, query, _ := strings.Cut(url, "?")
	base = strings.TrimRight(base, "/")
	for _, path := range endpoints {
		base = strings.TrimSuffix(base, path)
	}
	return address{base, query}
}

// requestURL returns the full URL for the path of a request. The path may have a query of its own.
// If the base ends with "/v1" and the path begins with it, the URL contains it once.
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

// versioned matches a URL whose path contains a version, such as /v1.
var versioned = lazyregexp.New(`://[^/]+/(?:.*/)?v\d`)

// plain reports whether the base contains neither a version nor the name of a deployment, as in
// URLs of Azure.
func (a address) plain() bool {
	return !versioned().MatchString(a.base) && !strings.Contains(a.base, "/deployments/")
}
