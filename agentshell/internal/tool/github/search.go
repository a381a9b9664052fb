package github

import (
	"context"
	"fmt"

	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Search describes one search on GitHub.
type Search struct {
	Kind  string // Kind is "issues", "prs", "code", "commits" or "repos".
	Query string
	// Repository limits the search; zero: only the query does. It is always zero for "repos".
	Repository   Repository
	Since, Until string // Since and Until limit the date: see [Search.Text].
	DateField    string // "created" or "updated"; "": created
	Limit        int
}

// These constants limit the number of results of a search.
const (
	DefaultLimit = 10
	MaxLimit     = 50
)

// scopeQualifier matches a qualifier that limits a query to repositories or owners, such as repo:
// or org:.
var scopeQualifier = lazyregexp.New(`(?i)(^|\s|\()-?(repo|org|user|owner):`)

// IsScoped reports whether a query itself limits the repositories or owners in which it searches.
func IsScoped(query string) bool { return scopeQualifier().MatchString(query) }

// Text returns the query as it is sent to GitHub. Since and Until may be a date, a date with a
// time, or an age such as 3d, 12h, 2w, 2mo or 1y, counted back from now.
func (q Search) Text(now time.Time) (string, error) {
	dates, err := q.dates(now)
	if err != nil {
		return "", err
	}
	parts := []string{strings.TrimSpace(q.Query), dates}
	if !q.Repository.IsZero() {
		parts = append(parts, "repo:"+q.Repository.String())
	}
	switch q.Kind {
	case "issues":
		parts = append(parts, "is:issue")
	case "prs":
		parts = append(parts, "is:pr")
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " "), nil
}

// dates returns the qualifier for Since and Until, such as created:>=2026-01-02, or "" if both are
// empty.
func (q Search) dates(now time.Time) (string, error) {
	if q.Since == "" && q.Until == "" {
		return "", nil
	}
	if q.Kind == "code" {
		return "", fmt.Errorf("search_code takes no since and until: GitHub's search of code has no dates")
	}
	field := "created"
	switch {
	case q.Kind == "commits":
		field = "committer-date"
	case q.DateField == "updated" && q.Kind == "repos":
		field = "pushed"
	case q.DateField == "updated":
		field = "updated"
	}
	since, err := dateBound(q.Since, now)
	if err != nil {
		return "", fmt.Errorf("since: %w", err)
	}
	until, err := dateBound(q.Until, now)
	if err != nil {
		return "", fmt.Errorf("until: %w", err)
	}
	switch {
	case until == "":
		return field + ":>=" + since, nil
	case since == "":
		return field + ":<=" + until, nil
	}
	return field + ":" + since + ".." + until, nil
}

var relativeAge = lazyregexp.New(`^([0-9]{1,4})(h|d|w|mo|y)$`)

// dateBound converts a value of Since or Until to a date as GitHub accepts it. It returns "" for
// "".
func dateBound(text string, now time.Time) (string, error) {
	if text == "" {
		return "", nil
	}
	if m := relativeAge().FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		now = now.UTC()
		switch m[2] {
		case "h":
			return now.Add(-time.Duration(n) * time.Hour).Format("2006-01-02T15:04:05Z"), nil
		case "d":
			now = now.AddDate(0, 0, -n)
		case "w":
			now = now.AddDate(0, 0, -7*n)
		case "mo":
			now = now.AddDate(0, -n, 0)
		case "y":
			now = now.AddDate(-n, 0, 0)
		}
		return now.Format(time.DateOnly), nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t.Format(time.DateOnly), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC().Format("2006-01-02T15:04:05Z"), nil
		}
	}
	return "", fmt.Errorf("%q is no date: 3d, 12h, 2w, 2mo, 1y, YYYY-MM-DD or an ISO date with a time", oneLine(text))
}

// endpointByKind holds the REST endpoints by Search.Kind, and headingByKind the words for the
// results.
var (
	endpointByKind = map[string]string{"issues": "/search/issues", "prs": "/search/issues", "code": "/search/code",
		"commits": "/search/commits", "repos": "/search/repositories"}
	headingByKind = map[string]string{"issues": "issues", "prs": "pull requests", "code": "code", "commits": "commits",
		"repos": "repositories"}
)

// Search runs a search and returns the results as text. found is the number of results in the text.
func (s *Service) Search(ctx context.Context, q Search) (text string, found int, err error) {
	query, err := q.Text(s.config.Now())
	if err != nil {
		return "", 0, err
	}
	args := []string{"api", "--method=GET", endpointByKind[q.Kind], "--raw-field=q=" + query,
		fmt.Sprintf("--raw-field=per_page=%d", q.Limit)}
	if q.Kind == "code" {
		args = append(args, "--header=Accept: application/vnd.github.text-match+json")
	}
	var answer struct {
		Total      int  `json:"total_count"`
		Incomplete bool `json:"incomplete_results"`
		Items      []searchResult
	}
	if err := s.runJSON(ctx, &answer, args...); err != nil {
		return "", 0, err
	}
	if len(answer.Items) > q.Limit {
		answer.Items = answer.Items[:q.Limit]
	}
	var r reportBuilder
	r.linef("# GitHub %s search", headingByKind[q.Kind])
	r.linef("%s", foreignNote)
	r.field("Query", oneLine(query))
	if !q.Repository.IsZero() {
		r.field("Repository", q.Repository.String())
	}
	r.linef("Results: %d of %d", len(answer.Items), max(answer.Total, len(answer.Items)))
	if answer.Incomplete {
		r.linef("GitHub stopped early: there may be more.")
	}
	for _, i := range answer.Items {
		r.linef("")
		i.add(&r, q.Kind)
	}
	return r.String(), len(answer.Items), nil
}

// account is an account in an answer of GitHub. A deleted account is null.
type account struct {
	Login string `json:"login"`
}

func (l *account) name() string {
	if l == nil || l.Login == "" {
		return "ghost"
	}
	return "@" + oneLine(l.Login)
}

// searchResult is one search result; its fields are the union of those of all kinds.
type searchResult struct {
	Number        int64
	Title, State  string
	StateReason   string `json:"state_reason"`
	HTMLURL       string `json:"html_url"`
	RepositoryURL string `json:"repository_url"`
	User          *account
	Author        *account
	Labels        []struct{ Name string }
	CreatedAt     string `json:"created_at"`
	UpdatedAt     string `json:"updated_at"`
	Draft         bool

	Path, SHA  string
	Repository struct {
		FullName string `json:"full_name"`
	}
	TextMatches []struct{ Fragment string } `json:"text_matches"`

	Commit struct {
		Message string
		Author  struct{ Name, Date string }
	}

	FullName    string `json:"full_name"`
	Description string
	Language    string
	Stars       int `json:"stargazers_count"`
	Forks       int `json:"forks_count"`
	OpenIssues  int `json:"open_issues_count"`
	Visibility  string
	Private     bool
	Archived    bool
	Fork        bool
}

// firstLine returns the first line of a text from GitHub, without blank lines before it and without
// control characters.
func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return oneLine(text)
}

func (i searchResult) add(r *reportBuilder, kind string) {
	switch kind {
	case "code":
		r.linef("- %s", oneLine(i.Path))
		r.field("  Repository", oneLine(i.Repository.FullName))
		r.field("  Commit", shortCommit(commitInURL(i.HTMLURL)))
		r.field("  URL", webAddress(i.HTMLURL))
		for _, m := range i.TextMatches {
			if text := firstLine(m.Fragment); text != "" {
				r.field("  Match", text)
				break
			}
		}
	case "commits":
		r.linef("- %s %s", shortCommit(i.SHA), firstLine(i.Commit.Message))
		r.field("  Repository", oneLine(i.Repository.FullName))
		r.field("  Author", i.commitAuthor())
		r.field("  Date", formatTime(i.Commit.Author.Date))
		r.field("  URL", webAddress(i.HTMLURL))
	case "repos":
		i.addRepository(r)
	default:
		i.addIssue(r)
	}
}

// commitInURL returns the commit in the URL of a file, https://HOST/OWNER/NAME/blob/COMMIT/PATH, or
// "" if there is none.
func commitInURL(address string) string {
	_, after, _ := strings.Cut(address, "/blob/")
	id, _, _ := strings.Cut(after, "/")
	if isObject(id) {
		return id
	}
	return ""
}

func (i searchResult) commitAuthor() string {
	if i.Author != nil && i.Author.Login != "" {
		return i.Author.name()
	}
	return oneLine(i.Commit.Author.Name)
}

func (i searchResult) addIssue(r *reportBuilder) {
	r.linef("- #%d %s", i.Number, oneLine(i.Title))
	_, repository, _ := strings.Cut(i.RepositoryURL, "/repos/")
	r.field("  Repository", oneLine(repository))
	state := oneLine(i.State)
	if i.StateReason != "" {
		state += " (" + oneLine(i.StateReason) + ")"
	}
	if i.Draft {
		state += ", draft"
	}
	r.field("  State", state)
	r.field("  Author", i.User.name())
	var labels []string
	for _, l := range i.Labels {
		labels = append(labels, l.Name)
	}
	r.field("  Labels", oneLine(strings.Join(labels, ", ")))
	r.field("  Created", formatTime(i.CreatedAt))
	r.field("  Updated", formatTime(i.UpdatedAt))
	r.field("  URL", webAddress(i.HTMLURL))
}

func (i searchResult) addRepository(r *reportBuilder) {
	r.linef("- %s", oneLine(i.FullName))
	r.field("  Description", firstLine(i.Description))
	r.field("  Language", oneLine(i.Language))
	r.linef("  Stars: %d, forks: %d, open issues: %d", i.Stars, i.Forks, i.OpenIssues)
	visibility := oneLine(i.Visibility)
	if visibility == "" {
		visibility = map[bool]string{true: "private", false: "public"}[i.Private]
	}
	r.field("  Visibility", visibility)
	r.field("  Archived", yesOrEmpty(i.Archived))
	r.field("  Fork", yesOrEmpty(i.Fork))
	r.field("  Updated", formatTime(i.UpdatedAt))
	r.field("  URL", webAddress(i.HTMLURL))
}
