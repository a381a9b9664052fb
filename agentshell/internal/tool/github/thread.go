package github

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
)

// These constants limit how much of an issue or a pull request is read.
const (
	pageSize     = 100     // pageSize is the number of comments in one request.
	maxPages     = 10      // maxPages is the number of requests for one list.
	maxThread    = 1 << 20 // maxThread is the number of bytes of the text.
	maxFiles     = 50      // maxFiles is the number of changed files that the text of a pull request lists.
	maxCheckList = 100
)

// thread is an issue or a pull request with its comments, as it is stored in the cache.
type thread struct {
	Head           json.RawMessage   `json:"head"` // Head is the output of gh.
	Comments       []json.RawMessage `json:"comments,omitempty"`
	Reviews        []json.RawMessage `json:"reviews,omitempty"`
	ReviewComments []json.RawMessage `json:"review_comments,omitempty"`
	More           bool              `json:"more,omitempty"` // More says that there are comments beyond maxPages.
}

const (
	issueFields = "number,title,state,stateReason,url,author,createdAt,updatedAt,closedAt,labels,assignees," +
		"milestone,body"
	pullFields = "number,title,state,isDraft,url,author,baseRefName,headRefName,headRefOid,isCrossRepository," +
		"mergeable," +
		"reviewDecision,createdAt,updatedAt,mergedAt,closedAt,labels,assignees,milestone,additions,deletions," +
		"changedFiles,files,statusCheckRollup,body"
)

// fetchThread requests an issue or a pull request, and its comments unless a.NoComments is set. It
// returns a thread as JSON.
func (s *Service) fetchThread(ctx context.Context, a Address) (string, error) {
	fields, number := issueFields, strconv.FormatInt(a.Number, 10)
	if a.Kind == "pr" {
		fields = pullFields
	}
	var t thread
	if err := s.fields(ctx, &t.Head, fields, a.Kind, "view", number, s.target(a.Repository)); err != nil {
		return "", err
	}
	place := "/repos/" + a.Repository.String()
	if !a.NoComments {
		if err := s.pages(ctx, &t, &t.Comments, place+"/issues/"+number+"/comments"); err != nil {
			return "", err
		}
	}
	if !a.NoComments && a.Kind == "pr" {
		if err := s.pages(ctx, &t, &t.Reviews, place+"/pulls/"+number+"/reviews"); err != nil {
			return "", err
		}
		if err := s.pages(ctx, &t, &t.ReviewComments, place+"/pulls/"+number+"/comments"); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(t)
	return string(text), err
}

// pages requests a list page by page, and appends its entries to list. After [maxPages] pages it
// stops and sets t.More.
func (s *Service) pages(ctx context.Context, t *thread, list *[]json.RawMessage, endpoint string) error {
	for page := 1; page <= maxPages; page++ {
		var some []json.RawMessage
		err := s.api(ctx, &some, endpoint, fmt.Sprintf("per_page=%d", pageSize), fmt.Sprintf("page=%d", page))
		if err != nil {
			return err
		}
		*list = append(*list, some...)
		if len(some) < pageSize {
			return nil
		}
	}
	t.More = true
	return nil
}

// head is an issue or a pull request without its comments, as gh prints it.
type head struct {
	Number                                   int64
	Title, State, StateReason, URL, Body     string
	Author                                   *login
	CreatedAt, UpdatedAt, ClosedAt, MergedAt string
	Labels                                   []struct{ Name string }
	Assignees                                []*login
	Milestone                                *struct{ Title string }
	IsDraft, IsCrossRepository               bool
	BaseRefName, HeadRefName, HeadRefOid     string
	Mergeable, ReviewDecision                string
	Additions, Deletions, ChangedFiles       int
	Files                                    []struct {
		Path                 string
		Additions, Deletions int
	}
	StatusCheckRollup []check
}

// check is one status check of a pull request's newest commit.
type check struct{ Name, Context, Status, Conclusion, State string }

// comment is a comment or a review.
type comment struct {
	User        *login
	Body, State string
	CreatedAt   string `json:"created_at"`
	SubmittedAt string `json:"submitted_at"`
	Path        string
	Line        int
	DiffHunk    string `json:"diff_hunk"`
}

// formatThread returns the text of an issue or a pull request for a model. kept is a thread as
// JSON, and at is the time at which it was requested.
func formatThread(a Address, kept string, at time.Time) (string, error) {
	var t thread
	if err := decode(kept, &t); err != nil {
		return "", err
	}
	var h head
	if err := decode(string(t.Head), &h); err != nil {
		return "", err
	}
	var r report
	h.format(&r, a, at)
	for _, part := range []struct {
		name string
		list []json.RawMessage
	}{{"Comments", t.Comments}, {"Reviews", t.Reviews}, {"Comments on the diff", t.ReviewComments}} {
		if err := addComments(&r, part.name, part.list); err != nil {
			return "", err
		}
	}
	if t.More {
		r.linef("[only the first %d comments of a kind are read]", pageSize*maxPages)
	}
	return r.String(), nil
}

func (h head) format(r *report, a Address, at time.Time) {
	r.linef("# %s#%d %s", a.Repository, h.Number, line(h.Title))
	r.linef("%s", foreignNote)
	r.linef("Fetched: %s", at.UTC().Format("2006-01-02 15:04"))
	state := strings.ToLower(line(h.State))
	if h.StateReason != "" {
		state += " (" + strings.ToLower(line(h.StateReason)) + ")"
	}
	if h.IsDraft {
		state += ", draft"
	}
	r.field("State", state)
	r.field("URL", webAddress(h.URL))
	r.field("Author", h.Author.name())
	r.field("Created", day(h.CreatedAt))
	r.field("Updated", day(h.UpdatedAt))
	r.field("Merged", day(h.MergedAt))
	r.field("Closed", day(h.ClosedAt))
	r.field("Labels", line(joinNames(h.Labels)))
	var names []string
	for _, l := range h.Assignees {
		names = append(names, l.name())
	}
	r.field("Assignees", strings.Join(names, ", "))
	if h.Milestone != nil {
		r.field("Milestone", line(h.Milestone.Title))
	}
	if a.Kind == "pr" {
		h.formatPull(r, a)
	}
	r.linef("\n%s", quoted(h.Body))
}

func (h head) formatPull(r *report, a Address) {
	from := line(h.HeadRefName)
	if h.IsCrossRepository {
		from += " of a fork"
	}
	r.linef("Branches: %s <- %s at %s", line(h.BaseRefName), from, short(h.HeadRefOid))
	r.field("Mergeable", strings.ToLower(line(h.Mergeable)))
	r.field("Review", strings.ToLower(line(h.ReviewDecision)))
	for i, c := range h.StatusCheckRollup {
		if i == maxCheckList {
			r.linef("[%s more]", plural.Of(len(h.StatusCheckRollup)-i, "check"))
			break
		}
		r.linef("Check: %s: %s", line(c.Name+c.Context), strings.ToLower(line(strings.TrimSpace(
			c.Conclusion+" "+c.State+c.undone()))))
	}
	r.linef("Changes: %s, +%d -%d; read %s://%s/%d/diff", plural.Of(h.ChangedFiles, "file"), h.Additions,
		h.Deletions, a.Kind,
		a.Repository, h.Number)
	for _, f := range h.Files[:min(len(h.Files), maxFiles)] {
		r.linef("- %s +%d -%d", line(f.Path), f.Additions, f.Deletions)
	}
	if more := h.ChangedFiles - min(len(h.Files), maxFiles); more > 0 {
		r.linef("[%s more]", plural.Of(more, "file"))
	}
}

// undone returns the status of a check that is still running, and "" for one with a conclusion.
func (c check) undone() string {
	if c.Conclusion == "" {
		return c.Status
	}
	return ""
}

// addComments appends the comments in list below the heading name. It stops when the text has more
// than maxThread bytes.
func addComments(r *report, name string, list []json.RawMessage) error {
	if len(list) > 0 {
		r.linef("\n## %s (%d)", name, len(list))
	}
	for i, raw := range list {
		if r.b.Len() > maxThread {
			r.linef("[%s more: the text is too long]", plural.Of(len(list)-i, "comment"))
			return nil
		}
		var c comment
		if err := decode(string(raw), &c); err != nil {
			return err
		}
		title := strings.TrimSpace(c.User.name() + " " + day(c.CreatedAt+c.SubmittedAt))
		if c.State != "" {
			title += " " + strings.ToLower(line(c.State))
		}
		if c.Path != "" {
			title += " " + line(c.Path)
			if c.Line > 0 {
				title += ":" + strconv.Itoa(c.Line)
			}
		}
		r.linef("\n### %s\n%s", title, quoted(c.Body))
	}
	return nil
}
