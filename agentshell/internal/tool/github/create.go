package github

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pull describes a pull request that is to be created.
type Pull struct {
	Repository Repository
	// Base is the branch to merge into, "" for the default branch. Head is the branch with the
	// changes, or OWNER:BRANCH in a fork.
	Title, Body, Base, Head      string
	Draft                        bool
	Reviewers, Assignees, Labels []string
}

// These constants limit a new pull request, in bytes. GitHub accepts 65536 characters of a body.
const (
	maxTitleBytes    = 1000
	maxPullBodyBytes = 256 << 10
	maxListItems     = 50 // maxListItems limits the reviewers, the assignees and the labels.
	maxCommits       = 250
)

// Check returns an error if a field is not valid, before anything is sent.
func (p Pull) Check() error {
	owner, branch, fork := strings.Cut(p.Head, ":")
	if !fork {
		owner, branch = "x", p.Head
	}
	switch {
	case strings.TrimSpace(p.Title) == "" || len(p.Title) > maxTitleBytes || strings.ContainsAny(p.Title, "\n\r\x00"):
		return fmt.Errorf("title is one line of at most %d bytes", maxTitleBytes)
	case len(p.Body) > maxPullBodyBytes || strings.ContainsRune(p.Body, 0):
		return fmt.Errorf("body has at most %d bytes, and no NUL", maxPullBodyBytes)
	case !isName(owner) || !IsRefName(branch):
		return fmt.Errorf("head %q is no branch", oneLine(p.Head))
	case p.Base != "" && !IsRefName(p.Base):
		return fmt.Errorf("base %q is no branch", oneLine(p.Base))
	}
	for _, list := range [][]string{p.Reviewers, p.Assignees, p.Labels} {
		if len(list) > maxListItems {
			return fmt.Errorf("at most %d reviewers, assignees or labels", maxListItems)
		}
	}
	for _, name := range slices.Concat(p.Reviewers, p.Assignees) {
		team := strings.Split(strings.TrimPrefix(name, "@"), "/")
		if len(team) > 2 || slices.ContainsFunc(team, func(part string) bool { return !isName(part) }) {
			return fmt.Errorf("%q is no account", oneLine(name))
		}
	}
	for _, label := range p.Labels {
		if label == "" || oneLine(label) != label {
			return fmt.Errorf("%q is no label", oneLine(label))
		}
	}
	return nil
}

// Text describes all that is sent to GitHub. The user sees it before agreeing.
func (p Pull) Text(host string) string {
	var r reportBuilder
	r.linef("%s on %s", p.Repository, host)
	base := p.Base
	if base == "" {
		base = "the default branch"
	}
	r.linef("merge %s into %s", p.Head, base)
	r.field("title", p.Title)
	r.field("draft", yesOrEmpty(p.Draft))
	r.field("reviewers", strings.Join(p.Reviewers, ", "))
	r.field("assignees", strings.Join(p.Assignees, ", "))
	r.field("labels", strings.Join(p.Labels, ", "))
	r.linef("maintainers of the repository may change the branch, if it is one of a fork")
	if p.Body == "" {
		r.linef("body: empty")
	} else {
		r.linef("body:\n%s", p.Body)
	}
	return r.String()
}

// quoteForList quotes a value for an option of gh that takes a comma-separated list.
func quoteForList(value string) string {
	if strings.ContainsAny(value, `,"`) {
		return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	return value
}

// Create creates a pull request with gh, and returns a description of it. It always passes the head
// branch, so gh asks no questions and pushes nothing.
func (s *Service) Create(ctx context.Context, p Pull) (string, error) {
	if err := p.Check(); err != nil {
		return "", err
	}
	args := []string{"pr", "create", s.repoOption(p.Repository), "--title=" + p.Title, "--body-file=-",
		"--head=" + p.Head}
	if p.Base != "" {
		args = append(args, "--base="+p.Base)
	}
	if p.Draft {
		args = append(args, "--draft")
	}
	for _, list := range []struct {
		option string
		values []string
	}{{"--reviewer=", p.Reviewers}, {"--assignee=", p.Assignees}, {"--label=", p.Labels}} {
		for _, v := range list.values {
			args = append(args, list.option+quoteForList(v))
		}
	}
	out, err := s.runGH(ctx, strings.NewReader(p.Body), args...)
	failed, partly := errors.AsType[*FailedError](err)
	if partly {
		out = failed.output
	}
	out = strings.TrimSpace(out)
	address := out[strings.LastIndexByte(out, '\n')+1:]
	r, n, bad := parseLink(address, s.config.Host, "pull")
	switch {
	case partly && bad == nil: // it is there, and labels or reviewers are not
		return s.describeCreated(ctx, r, n) + "gh could not do the rest: " + failed.Text + "\n", nil
	case err != nil:
		return "", err
	case bad != nil:
		return "# Created Pull Request\ngh says: " + oneLine(address) + "\n", nil
	}
	return s.describeCreated(ctx, r, n), nil
}

// describeCreated describes a new pull request. Details are added if GitHub answers; otherwise the
// number and URL must do.
func (s *Service) describeCreated(ctx context.Context, of Repository, number int64) string {
	const fields = "number,title,state,isDraft,url,author,baseRefName,headRefName,createdAt,labels,body"
	address := fmt.Sprintf("https://%s/%s/pull/%d", s.config.Host, of, number)
	var r reportBuilder
	r.linef("# Created Pull Request #%d", number)
	r.linef("URL: %s", address)
	var h threadHead
	if s.runFields(ctx, &h, fields, "pr", "view", fmt.Sprint(number), s.repoOption(of)) != nil || h.Number != number {
		return r.String()
	}
	r.field("Title", oneLine(h.Title))
	r.field("State", strings.ToLower(oneLine(h.State)))
	r.field("Draft", yesOrEmpty(h.IsDraft))
	r.linef("Branches: %s <- %s", oneLine(h.BaseRefName), oneLine(h.HeadRefName))
	r.field("Author", h.Author.name())
	r.field("Created", formatTime(h.CreatedAt))
	r.field("Labels", oneLine(joinNames(h.Labels)))
	if h.Body != "" {
		r.linef("\n%s", quoteLines(h.Body))
	}
	return r.String()
}

// Fill returns a title and a body for a new pull request. It takes them from the commits that the
// checked out branch has and base does not have: the message of a single commit, or the first lines
// of several. into is base, or the default branch of the remote if base is "".
func (s *Service) Fill(ctx context.Context, r Repository, base string) (title, body, into string, err error) {
	c, err := s.checkout(ctx)
	if err != nil {
		return "", "", "", err
	}
	from, err := c.remoteOf(ctx, r)
	if err != nil {
		return "", "", "", err
	}
	if base == "" {
		name, err := c.git(ctx, "symbolic-ref", "--quiet", "refs/remotes/"+from.name+"/HEAD")
		if base = strings.TrimPrefix(name, "refs/remotes/"+from.name+"/"); err != nil || !IsRefName(base) {
			return "", "", "", errors.New("git does not know the default branch here; pass base")
		}
	}
	if !IsRefName(base) {
		return "", "", "", fmt.Errorf("base %q is no branch", oneLine(base))
	}
	branch, err := c.branch(ctx)
	if err != nil {
		return "", "", "", err
	}
	out, err := c.git(ctx, "log", "--reverse", "--no-show-signature", fmt.Sprintf("--max-count=%d", maxCommits+1),
		"--format=%s%x00%b%x01", "refs/remotes/"+from.name+"/"+base+".."+"refs/heads/"+branch, "--")
	if err != nil {
		return "", "", "", err
	}
	commits := strings.Split(strings.TrimSuffix(strings.TrimSpace(out), "\x01"), "\x01")
	first, message, _ := strings.Cut(strings.TrimSpace(commits[0]), "\x00")
	switch {
	case first == "":
		return "", "", "", fmt.Errorf("%s has no commit that %s/%s has not", branch, from.name, base)
	case len(commits) > maxCommits:
		return "", "", "", fmt.Errorf("there are more than %d commits; pass title and body", maxCommits)
	case len(commits) == 1:
		return first, strings.TrimSpace(message), base, nil
	}
	for _, text := range commits {
		subject, _, _ := strings.Cut(strings.TrimSpace(text), "\x00")
		body += "- " + subject + "\n"
	}
	return strings.Join(strings.FieldsFunc(branch, func(r rune) bool { return strings.ContainsRune("-_/", r) }), " "),
		strings.TrimSuffix(body, "\n"), base, nil
}
