package approval

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Rules of read_file about pages of the internet:
//
//	read_file(https://docs.python.org/**)   all pages of a host
//	read_file(https://*.python.org/**)      and those of all hosts below a name
//
// An allow rule is about all pages of a host, since a page that was read may lead to any other.

const (
	pageScheme = "https://"
	pageRest   = "/**"
)

// isPage reports whether the path of a call of read_file is the address of a web page.
func isPage(path string) bool {
	return strings.HasPrefix(path, pageScheme) || strings.HasPrefix(path, "http://")
}

// pagesHost returns the host in a pattern that covers all pages of a host, and "" for any other
// pattern.
func pagesHost(pattern string) string {
	host, ok := strings.CutPrefix(pattern, pageScheme)
	if host, _ = strings.CutSuffix(host, pageRest); !ok || host+pageRest != pattern[len(pageScheme):] {
		return ""
	}
	name := strings.TrimPrefix(host, "*.")
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-:") != "" ||
		!strings.ContainsAny(name, "abcdefghijklmnopqrstuvwxyz0123456789") || strings.HasPrefix(name, ".") {
		return ""
	}
	return host
}

// parsePages parses the pattern of a rule about web pages into r. For deny and ask rules, the
// pattern may be any glob on addresses.
func (r *Rule) parsePages(pattern string) error {
	if r.host = pagesHost(pattern); r.host == "" && r.Action == Allow {
		return fmt.Errorf("a rule that allows pages names their host: read_file(%sHOST%s)", pageScheme, pageRest)
	}
	r.glob = pattern
	return nil
}

// coversPage reports whether the rule covers all pages of the host in an address.
func (r Rule) coversPage(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), ":443")
	want := strings.TrimSuffix(r.host, ":443")
	if below, ok := strings.CutPrefix(want, "*"); ok {
		return strings.HasSuffix(host, below) && len(host) > len(below)
	}
	return host == want
}

// allowedPage returns the rule that allows reading the web page of a call, and whether there is
// one. Such a rule also answers the question about a new host, which rules about files do not.
func (r *request) allowedPage() (rule string, ok bool) {
	if r.Tool != "read_file" || !isPage(r.Path) ||
		slices.ContainsFunc(r.Flags, func(f Flag) bool { return f.Name != FlagNetwork }) {
		return "", false
	}
	for _, e := range r.rules {
		if e.Rule.Action == Allow && e.Rule.host != "" && e.Rule.matches(r.Subject, r.line) {
			return e.Rule.text, true
		}
	}
	return "", false
}

// pageOffer returns the rule that is offered to the user for a web page, or "".
func pageOffer(s Subject) string {
	u, err := url.Parse(s.Path)
	if err != nil || s.Tool != "read_file" || u.Scheme != "https" {
		return ""
	}
	pattern := pageScheme + strings.ToLower(u.Host) + pageRest
	if pagesHost(pattern) == "" {
		return ""
	}
	return "read_file(" + pattern + ")"
}
