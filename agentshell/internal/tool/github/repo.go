package github

import (
	"context"
	"strings"
)

// Overview describes a repository, as `gh repo view` prints it.
type Overview struct {
	NameWithOwner, Description, URL, SSHURL, Visibility, ViewerPermission string
	UpdatedAt, HomepageURL                                                string
	DefaultBranchRef                                                      struct{ Name string }
	PrimaryLanguage                                                       struct{ Name string }
	IsPrivate, IsArchived, IsFork                                         bool
	StargazerCount, ForkCount                                             int
	RepositoryTopics                                                      []struct{ Name string }
}

const overviewFields = "nameWithOwner,description,url,defaultBranchRef,visibility,isPrivate,viewerPermission," +
	"primaryLanguage,stargazerCount,forkCount,isArchived,isFork,updatedAt,homepageUrl,repositoryTopics"

// View returns a description of a repository as text. branch is the branch of which to show
// details; "": the default branch.
func (s *Service) View(ctx context.Context, r Repository, branch string) (string, error) {
	args := []string{"repo", "view", s.config.Host + "/" + r.String()}
	if branch != "" {
		args = append(args, "--branch="+branch)
	}
	var o Overview
	if err := s.runFields(ctx, &o, overviewFields, args...); err != nil {
		return "", err
	}
	return o.format(branch), nil
}

// visibility returns public, private or internal. An older gh does not print the field; then it
// depends on IsPrivate.
func (o Overview) visibility() string {
	switch {
	case o.Visibility != "":
		return strings.ToLower(oneLine(o.Visibility))
	case o.IsPrivate:
		return "private"
	}
	return "public"
}

func (o Overview) format(branch string) string {
	var r reportBuilder
	r.linef("# %s", oneLine(o.NameWithOwner))
	r.linef("%s", foreignNote)
	r.field("Description", oneLine(o.Description))
	r.field("URL", webAddress(o.URL))
	r.field("Default branch", oneLine(o.DefaultBranchRef.Name))
	r.field("Branch", oneLine(branch))
	r.field("Visibility", o.visibility())
	r.field("Permission", strings.ToLower(oneLine(o.ViewerPermission)))
	r.field("Language", oneLine(o.PrimaryLanguage.Name))
	r.linef("Stars: %d", o.StargazerCount)
	r.linef("Forks: %d", o.ForkCount)
	r.field("Archived", yesOrEmpty(o.IsArchived))
	r.field("Fork", yesOrEmpty(o.IsFork))
	r.field("Updated", formatTime(o.UpdatedAt))
	r.field("Homepage", webAddress(o.HomepageURL))
	var topics []string
	for _, t := range o.RepositoryTopics {
		topics = append(topics, t.Name)
	}
	r.field("Topics", oneLine(strings.Join(topics, ", ")))
	return r.String()
}
