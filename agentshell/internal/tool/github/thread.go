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
	pageSize        = 100     // pageSize is the number of comments in one request.
	maxPages        = 10      // maxPages is the number of requests for one list.
	maxThreadBytes  = 1 << 20 // maxThreadBytes is the number of bytes of the text.
	maxListedFiles  = 50      // maxListedFiles is the number of changed files that the text of a pull request lists.
	maxListedChecks = 100
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
	if err := s.runFields(ctx, &t.Head, fields, a.Kind, "view", number, s.repoOption(a.Repository)); err != nil {
		return "", err
	}
	place := "/repos/" + a.Repository.String()
	if !a.NoComments {
		if err := s.requestPages(ctx, &t, &t.Comments, place+"/issues/"+number+"/comments"); err != nil {
			return "", err
		}
	}
	if !a.NoComments && a.Kind == "pr" {
		if err := s.requestPages(ctx, &t, &t.Reviews, place+"/pulls/"+number+"/reviews"); err != nil {
			return "", err
		}
		if err := s.requestPages(ctx, &t, &t.ReviewComments, place+"/pulls/"+number+"/comments"); err != nil {
			return "", err
		}
	}
	text, err := json.Marshal(t)
	return string(text), err
}

// requestPages requests a list page by page, and appends its entries to list. After [maxPages]
// pages it stops and sets t.More.
func (s *Service) requestPages(ctx context.Context, t *thread, list *[]json.RawMessage, endpoint string) error {
	for page := 1; page <= maxPages; page++ {
		var some []json.RawMessage
		err := s.callAPI(ctx, &some, endpoint, fmt.Sprintf("per_page=%d", pageSize), fmt.Sprintf("page=%d", page))
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

// threadHead is an issue or a pull request without its comments, as gh prints it.
type threadHead struct {
	Number                                   int64
	Title, State, StateReason, URL, Body     string
	Author                                   *account
	CreatedAt, UpdatedAt, ClosedAt, MergedAt string
	Labels                                   []struct{ Name string }
	Assignees                                []*account
	Milestone                                *struct{ Title string }
	IsDraft, IsCrossRepository               bool
	BaseRefName, HeadRefName, HeadRefOid     string
	Mergeable, ReviewDecision                string
	Additions, Deletions, ChangedFiles       int
	Files                                    []struct {
		Path                 string
		Additions, Deletions int
	}
	StatusCheckRollup []statusCheck
}

// statusCheck is one status check of a pull request's newest commit.
type statusCheck struct{ Name, Context, Status, Conclusion, State string }

// comment is a comment or a review.
type comment struct {
	User        *account
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
	var h threadHead
	if err := decode(string(t.Head), &h); err != nil {
		return "", err
	}
	var r reportBuilder
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

func (h threadHead) format(r *reportBuilder, a Address, at time.Time) {
	r.linef("# %s#%d %s", a.Repository, h.Number, oneLine(h.Title))
	r.linef("%s", foreignNote)
	r.linef("Fetched: %s", at.UTC().Format("2006-01-02 15:04"))
	state := strings.ToLower(oneLine(h.State))
	if h.StateReason != "" {
		state += " (" + strings.ToLower(oneLine(h.StateReason)) + ")"
	}
	if h.IsDraft {
		state += ", draft"
	}
	r.field("State", state)
	r.field("URL", webAddress(h.URL))
	r.field("Author", h.Author.name())
	r.field("Created", formatTime(h.CreatedAt))
	r.field("Updated", formatTime(h.UpdatedAt))
	r.field("Merged", formatTime(h.MergedAt))
	r.field("Closed", formatTime(h.ClosedAt))
	r.field("Labels", oneLine(joinNames(h.Labels)))
	var names []string
	for _, l := range h.Assignees {
		names = append(names, l.name())
	}
	r.field("Assignees", strings.Join(names, ", "))
	if h.Milestone != nil {
		r.field("Milestone", oneLine(h.Milestone.Title))
	}
	if a.Kind == "pr" {
		h.formatPull(r, a)
	}
	r.linef("\n%s", quoteLines(h.Body))
}

func (h threadHead) formatPull(r *reportBuilder, a Address) {
	from := oneLine(h.HeadRefName)
	if h.IsCrossRepository {
		from += " of a fork"
	}
	r.linef("Branches: %s <- %s at %s", oneLine(h.BaseRefName), from, shortCommit(h.HeadRefOid))
	r.field("Mergeable", strings.ToLower(oneLine(h.Mergeable)))
	r.field("Review", strings.ToLower(oneLine(h.ReviewDecision)))
	for i, c := range h.StatusCheckRollup {
		if i == maxListedChecks {
			r.linef("[%s more]", plural.Of(len(h.StatusCheckRollup)-i, "check"))
			break
		}
		r.linef("Check: %s: %s", oneLine(c.Name+c.Context), strings.ToLower(oneLine(strings.TrimSpace(
			c.Conclusion+" "+c.State+c.pendingStatus()))))
	}
	r.linef("Changes: %s, +%d -%d; read %s://%s/%d/diff", plural.Of(h.ChangedFiles, "file"), h.Additions,
		h.Deletions, a.Kind,
		a.Repository, h.Number)
	for _, f := range h.Files[:min(len(h.Files), maxListedFiles)] {
		r.linef("- %s +%d -%d", oneLine(f.Path), f.Additions, f.Deletions)
	}
	if more := h.ChangedFiles - min(len(h.Files), maxListedFiles); more > 0 {
		r.linef("[%s more]", plural.Of(more, "file"))
	}
}

// pendingStatus returns the status of a check that is still running, and "" for one with a
// conclusion.
func (c statusCheck) pendingStatus() string {
	if c.Conclusion == "" {
		return c.Status
	}
	return ""
}

// addComments appends the comments in list below the heading name. It stops when the text has more
// than maxThreadBytes bytes.
func addComments(r *reportBuilder, name string, list []json.RawMessage) error {
	if len(list) > 0 {
		r.linef("\n## %s (%d)", name, len(list))
	}
	for i, raw := range list {
		if r.b.Len() > maxThreadBytes {
			r.linef("[%s more: the text is too long]", plural.Of(len(list)-i, "comment"))
			return nil
		}
		var c comment
		if err := decode(string(raw), &c); err != nil {
			return err
		}
		title := strings.TrimSpace(c.User.name() + " " + formatTime(c.CreatedAt+c.SubmittedAt))
		if c.State != "" {
			title += " " + strings.ToLower(oneLine(c.State))
		}
		if c.Path != "" {
			title += " " + oneLine(c.Path)
			if c.Line > 0 {
				title += ":" + strconv.Itoa(c.Line)
			}
		}
		r.linef("\n### %s\n%s", title, quoteLines(c.Body))
	}
	return nil
}
