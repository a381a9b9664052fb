package github

import (
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// Repository names a repository on the GitHub host of a Service.
type Repository struct{ Owner, Name string }

// String returns OWNER/NAME.
func (r Repository) String() string { return r.Owner + "/" + r.Name }

// IsZero reports whether r names no repository.
func (r Repository) IsZero() bool { return r == Repository{} }

const maxNameBytes = 100 // maxNameBytes is the number of bytes that the name of an owner or a repository may have.

// isName reports whether text is valid as the name of an owner or of a repository. Such a name is
// never an option of a program or a path.
func isName(text string) bool {
	for _, c := range []byte(text) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_.",
			rune(c)) {
			return false
		}
	}
	return text != "" && len(text) <= maxNameBytes && text[0] != '-' && text != "." && text != ".."
}

// ParseRepository parses OWNER/NAME, or HOST/OWNER/NAME if HOST is host.
func ParseRepository(text, host string) (Repository, error) {
	parts := strings.Split(text, "/")
	if len(parts) == 3 && strings.EqualFold(parts[0], host) {
		parts = parts[1:]
	}
	if len(parts) != 2 || !isName(parts[0]) || !isName(parts[1]) {
		return Repository{}, fmt.Errorf("%q is not OWNER/NAME of a repository on %s", text, host)
	}
	return Repository{parts[0], parts[1]}, nil
}

// parseLink parses the URL of a page on the host, such as https://HOST/OWNER/NAME/pull/12. It
// returns the repository and the number. kind is the wanted kind of page: "pull", "issues" or
// "actions/runs".
func parseLink(text, host, kind string) (Repository, int64, error) {
	bad := fmt.Errorf("%q is no address of that kind on %s", text, host)
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.User != nil || !strings.EqualFold(u.Host, host) {
		return Repository{}, 0, bad
	}
	parts := strings.SplitN(strings.TrimPrefix(u.Path, "/"), "/", 3)
	if len(parts) != 3 || !isName(parts[0]) || !isName(parts[1]) {
		return Repository{}, 0, bad
	}
	number, ok := strings.CutPrefix(parts[2], kind+"/")
	number, _, _ = strings.Cut(number, "/")
	n, err := parseNumber(number)
	if err != nil || !ok {
		return Repository{}, 0, bad
	}
	return Repository{parts[0], parts[1]}, n, nil
}

// parseNumber parses the number of an issue, a pull request or a workflow run: an integer above 0.
func parseNumber(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || text[0] == '+' {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return n, nil
}

// remoteRepository returns the repository in the URL of a git remote: the last two names of its
// path. ok is false if the URL has none, or leads to another host. A path, and an ssh URL, whose
// host may be an alias, count as leading to host.
func remoteRepository(address, host string) (r Repository, ok bool) {
	at := ""
	place := address
	if u, err := url.Parse(address); err == nil && u.Scheme != "" && u.Host != "" {
		place, at = u.Path, u.Host
		if u.Scheme == "ssh" {
			at = ""
		}
	} else if before, after, found := strings.Cut(address, ":"); found && !strings.Contains(before, "/") {
		place = after // user@host:path
	}
	place = strings.TrimSuffix(strings.Trim(place, "/"), ".git")
	r = Repository{path.Base(path.Dir(place)), path.Base(place)}
	return r, isName(r.Owner) && isName(r.Name) && (at == "" || strings.EqualFold(at, host))
}

// IsRefName reports whether git accepts text as the name of a branch and no program takes it for an
// option.
func IsRefName(text string) bool {
	if text == "" || len(text) > 244 || text[0] == '-' || strings.HasSuffix(text, ".") || text == "@" ||
		strings.Contains(text, "..") || strings.Contains(text, "@{") || strings.Contains(text, "//") ||
		strings.ContainsAny(text, " ~^:?*[\\\x7f") || text[0] == '/' || strings.HasSuffix(text, "/") {
		return false
	}
	for _, part := range strings.Split(text, "/") {
		if strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || !isVisible(r) })
}

// isObject reports whether text is the complete id of a git object, in hexadecimal digits.
func isObject(text string) bool {
	return (len(text) == 40 || len(text) == 64) && strings.Trim(text, "0123456789abcdef") == ""
}
