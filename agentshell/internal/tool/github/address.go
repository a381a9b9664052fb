package github

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Address is a parsed issue:// or pr:// URL, by which a model names an issue, a pull request or a
// list of them.
type Address struct {
	Kind       string     // "issue" or "pr"
	Repository Repository // Repository is the named repository; zero: the repository of the workspace.
	Number     int64      // Number is the number of the issue or pull request; 0: the address is that of a list.
	NoComments bool
	// Part is "" for the pull request itself, "diff" for the list of its changed files, "all" for
	// its complete diff, or "file" for the diff of one file: the one with number File.
	Part string
	File int

	State, Author string // State, Author, Labels and Limit narrow a list.
	Labels        []string
	Limit         int
}

// These constants limit the number of entries of a list.
const (
	defaultListLimit = 30
	maxListLimit     = 100
)

// IsAddress reports whether a URL scheme is one of an Address: issue or pr.
func IsAddress(scheme string) bool { return scheme == "issue" || scheme == "pr" }

// ParseAddress parses the part of a URL behind issue:// or pr://. An empty rest and OWNER/NAME mean
// a list. [OWNER/NAME/]NUMBER means one issue or pull request; for a pull request /diff, /diff/all
// or /diff/2 may follow. kind is "issue" or "pr", and host is the GitHub host.
func ParseAddress(kind, rest, host string) (Address, error) {
	a := Address{Kind: kind, State: "open", Limit: defaultListLimit}
	place, query, _ := strings.Cut(rest, "?")
	parts := slices.DeleteFunc(strings.Split(place, "/"), func(p string) bool { return p == "" })
	bad := fmt.Errorf("%s://%s is no address: write %s://NUMBER, %[1]s://OWNER/NAME/NUMBER or %[1]s:// for a list",
		kind, oneLine(rest), kind)
	if len(parts) >= 2 && !isNumber(parts[0]) {
		r, err := ParseRepository(parts[0]+"/"+parts[1], host)
		if err != nil {
			return a, bad
		}
		a.Repository, parts = r, parts[2:]
	}
	if len(parts) > 0 {
		n, err := parseNumber(parts[0])
		if err != nil {
			return a, bad
		}
		a.Number = n
		if err := a.parsePart(parts[1:]); err != nil {
			return a, err
		}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return a, bad
	}
	return a, a.parseQuery(values)
}

func isNumber(text string) bool {
	_, err := parseNumber(text)
	return err == nil
}

// parsePart parses the path elements behind the number, such as diff/all.
func (a *Address) parsePart(parts []string) error {
	if len(parts) == 0 {
		return nil
	}
	if a.Kind == "pr" && parts[0] == "diff" && len(parts) <= 2 {
		if len(parts) == 1 {
			a.Part = "diff"
			return nil
		}
		if parts[1] == "all" {
			a.Part = "all"
			return nil
		}
		if n, err := parseNumber(parts[1]); err == nil && n < 1<<20 {
			a.Part, a.File = "file", int(n)
			return nil
		}
	}
	return fmt.Errorf("%s is no part of it: there are /diff, /diff/all and /diff/NUMBER of a pull request",
		oneLine(strings.Join(parts, "/")))
}

// parseQuery parses the query of the URL, such as ?state=closed. An unknown parameter is an error.
func (a *Address) parseQuery(values url.Values) error {
	for name, list := range values {
		value := list[len(list)-1]
		switch {
		case a.Number != 0 && name == "comments" && a.Part == "":
			a.NoComments = value == "0" || value == "false"
		case a.Number == 0 && name == "state" && (slices.Contains([]string{"open", "closed", "all"}, value) ||
			value == "merged" && a.Kind == "pr"):
			a.State = value
		case a.Number == 0 && name == "limit":
			n, err := strconv.Atoi(value)
			if err != nil || n <= 0 {
				return fmt.Errorf("limit is a number greater than 0")
			}
			a.Limit = min(n, maxListLimit)
		case a.Number == 0 && name == "author" && isName(strings.TrimPrefix(value, "@")):
			a.Author = value
		case a.Number == 0 && name == "label":
			for _, l := range list {
				if l == "" || oneLine(l) != l {
					return fmt.Errorf("label %q is none", oneLine(l))
				}
			}
			a.Labels = list
		default:
			return fmt.Errorf("%s=%s is not understood there", oneLine(name), oneLine(value))
		}
	}
	return nil
}

// String returns the URL with OWNER/NAME, without the query.
func (a Address) String() string {
	text := a.Kind + "://" + a.Repository.String()
	if a.Number == 0 {
		return text
	}
	text += "/" + strconv.FormatInt(a.Number, 10)
	switch a.Part {
	case "":
		return text
	case "diff":
		return text + "/diff"
	case "all":
		return text + "/diff/all"
	}
	return text + "/diff/" + strconv.Itoa(a.File)
}

// Page returns the URL of the web page on the host that shows the same.
func (a Address) Page(host string) string {
	page := "https://" + host + "/" + a.Repository.String()
	switch {
	case a.Number == 0:
		return page + map[string]string{"issue": "/issues", "pr": "/pulls"}[a.Kind]
	case a.Kind == "issue":
		return page + "/issues/" + strconv.FormatInt(a.Number, 10)
	}
	page += "/pull/" + strconv.FormatInt(a.Number, 10)
	if a.Part != "" {
		page += "/files"
	}
	return page
}

// Read returns the text of an issue, a pull request, a diff or a list. a.Repository must be set.
// Lists are always requested; everything else may come from the [Cache].
func (s *Service) Read(ctx context.Context, a Address) (string, error) {
	switch {
	case a.Number == 0:
		return s.requestList(ctx, a)
	case a.Part != "":
		return s.diff(ctx, a)
	}
	comments := "comments"
	if a.NoComments {
		comments = "no comments"
	}
	text, at, err := s.readCached(ctx, s.cacheKey(a.Kind, a.Repository.String(), strconv.FormatInt(a.Number, 10),
		comments),
		func(ctx context.Context) (string, error) { return s.fetchThread(ctx, a) })
	if err != nil {
		return "", err
	}
	return formatThread(a, text, at)
}

// listEntry is one issue or pull request of a list, as gh prints it.
type listEntry struct {
	Number            int64
	Title, State, URL string
	Author            *account
	Labels            []struct{ Name string }
	UpdatedAt         string
	IsDraft           bool
	HeadRefName       string
}

// requestList requests the issues or pull requests of a repository, and returns them as text.
func (s *Service) requestList(ctx context.Context, a Address) (string, error) {
	args := []string{a.Kind, "list", s.repoOption(a.Repository), "--state=" + a.State, fmt.Sprintf("--limit=%d",
		a.Limit)}
	if a.Author != "" {
		args = append(args, "--author="+a.Author)
	}
	for _, l := range a.Labels {
		args = append(args, "--label="+l)
	}
	fields, title := "number,title,state,url,author,labels,updatedAt", "Issues"
	if a.Kind == "pr" {
		fields, title = fields+",isDraft,headRefName", "Pull requests"
	}
	var list []listEntry
	if err := s.runFields(ctx, &list, fields, args...); err != nil {
		return "", err
	}
	var r reportBuilder
	r.linef("# %s of %s (%s)", title, a.Repository, a.State)
	r.linef("%s", foreignNote)
	if len(list) == 0 {
		r.linef("There are none.")
	}
	for _, e := range list[:min(len(list), a.Limit)] {
		state := strings.ToLower(oneLine(e.State))
		if e.IsDraft {
			state += ", draft"
		}
		r.linef("- #%d %s", e.Number, oneLine(e.Title))
		r.linef("  %s · %s · updated %s", state, e.Author.name(), formatTime(e.UpdatedAt))
		r.field("  Labels", oneLine(joinNames(e.Labels)))
		r.field("  Branch", oneLine(e.HeadRefName))
	}
	if len(list) >= a.Limit {
		r.linef("[only the first %d; ?limit= lists up to %d]", a.Limit, maxListLimit)
	}
	return r.String(), nil
}

func joinNames(list []struct{ Name string }) string {
	var names []string
	for _, l := range list {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}
