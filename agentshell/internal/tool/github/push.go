package github

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Push is a plan to push the branch of a pull request. The user sees it before agreeing.
type Push struct {
	Branch, Commit   string // Branch and Commit are the local branch and its commit.
	Remote, Address  string
	HeadRef          string // HeadRef is the name of the branch in the remote repository.
	Old              string // Old is the commit that the remote branch had when it was last checked out or pushed.
	PullURL          string
	Force            bool // Force replaces the remote branch if it is still at Old (git push --force-with-lease).
	Cross, CanModify bool
	Commits, Diff    string

	checkout checkout
}

// maxShownDiff is the number of bytes of a diff that the user is shown.
const maxShownDiff = 2 << 20

// PlanPush prepares pushing a branch, and changes nothing. The branch must have been created by the
// pr_checkout tool; "" means the current one.
func (s *Service) PlanPush(ctx context.Context, branch string, force bool) (Push, error) {
	c, err := s.checkout(ctx)
	if err != nil {
		return Push{}, err
	}
	if branch == "" {
		if branch, err = c.branch(ctx); err != nil {
			return Push{}, err
		}
	}
	if !IsRefName(branch) {
		return Push{}, fmt.Errorf("branch %q is none", oneLine(branch))
	}
	p := Push{Branch: branch, Force: force, checkout: c}
	if p.Commit, err = c.git(ctx, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch+"^{commit}"); err != nil {
		return Push{}, fmt.Errorf("there is no local branch %s", branch)
	}
	if err := p.readPushTarget(ctx); err != nil {
		return Push{}, err
	}
	if p.Commit == p.Old {
		return Push{}, fmt.Errorf("there is nothing to push: %s is what the pull request has", branch)
	}
	if _, err := c.git(ctx, "merge-base", "--is-ancestor", p.Old, p.Commit); err != nil && !force {
		return Push{}, fmt.Errorf("%s does not continue what the pull request has; forceWithLease replaces it", branch)
	}
	return p, p.describe(ctx)
}

// readPushTarget reads the remote repository and branch from the settings of the local branch.
func (p *Push) readPushTarget(ctx context.Context) error {
	settings, err := p.checkout.settings(ctx, `^(branch|remote)\.`)
	if err != nil {
		return err
	}
	values := map[string][]string{}
	for _, s := range settings {
		values[s[0]] = append(values[s[0]], s[1])
	}
	of := func(key string) string {
		if list := values["branch."+p.Branch+"."+key]; len(list) > 0 {
			return list[len(list)-1]
		}
		return ""
	}
	if p.HeadRef = of(headKey); p.HeadRef == "" {
		return fmt.Errorf("branch %s has no pull request: pr_checkout makes such a branch", p.Branch)
	}
	if p.Remote = of("pushremote"); p.Remote == "" {
		p.Remote = of("remote")
	}
	p.Old, p.PullURL = of(commitKey), webAddress(of(urlKey))
	p.Cross, p.CanModify = of(crossKey) == "true", of(modifyKey) == "true"
	addresses := values["remote."+p.Remote+".pushurl"]
	if len(addresses) == 0 {
		addresses = values["remote."+p.Remote+".url"]
	}
	switch {
	case !IsRefName(p.HeadRef) || !IsRefName(p.Remote) || !isObject(p.Old):
		return fmt.Errorf("the settings of branch %s are not those that pr_checkout writes", p.Branch)
	case len(addresses) != 1 || addresses[0] == "" || addresses[0][0] == '-':
		return fmt.Errorf("the remote %s has not one address", p.Remote)
	}
	p.Address = addresses[0]
	return nil
}

// describe sets the commits that the push adds to the remote branch, and their diff.
func (p *Push) describe(ctx context.Context) (err error) {
	c := p.checkout
	p.Commits, err = c.git(ctx, "log", "--no-show-signature", "--no-color", "--max-count=201",
		"--format=commit %h by %an <%ae>%n%w(0,4,4)%B", p.Old+".."+p.Commit, "--")
	if err != nil {
		return err
	}
	p.Diff, err = c.git(ctx, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--src-prefix=a/",
		"--dst-prefix=b/", p.Old, p.Commit, "--")
	return err
}

// TooLong reports whether the diff is longer than ShownDiff.
func (p Push) TooLong() bool { return len(p.Diff) > maxShownDiff }

// ShownDiff returns the diff, cut after maxShownDiff bytes.
func (p Push) ShownDiff() string { return width.Head(p.Diff, maxShownDiff) }

// PushRepository returns the GitHub repository to which p pushes.
func (s *Service) PushRepository(p Push) (Repository, error) {
	r, ok := remoteRepository(p.Address, s.config.Host)
	if !ok {
		return r, fmt.Errorf("the address of the remote %s leads to no repository on %s", p.Remote, s.config.Host)
	}
	return r, nil
}

// Text describes the push for the user.
func (p Push) Text() string {
	var r reportBuilder
	r.linef("%s to %s of %s", p.Branch, p.HeadRef, withoutLogin(p.Address))
	r.field("pull request", p.PullURL)
	r.linef("%s there becomes %s", shortCommit(p.Old), shortCommit(p.Commit))
	if p.Force {
		r.linef("what the branch has there is replaced, if it is still %s", shortCommit(p.Old))
	}
	if p.Cross && !p.CanModify {
		r.linef("its author does not let maintainers push to it")
	}
	r.linef("no hook of the repository runs")
	r.linef("\n%s", p.Commits)
	return r.String()
}

// Push carries out a plan of [Service.PlanPush]. It returns an error if the branch or its settings
// have changed since the user saw the plan.
func (s *Service) Push(ctx context.Context, shown Push) (string, error) {
	c := shown.checkout
	defer s.lockRepository(c.commonDir)()
	now, err := s.PlanPush(ctx, shown.Branch, shown.Force)
	if err != nil {
		return "", err
	}
	if now != shown {
		return "", errors.New("the branch or its settings have changed since they were shown; call again")
	}
	objects, err := c.git(ctx, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(objects, "\n\"") {
		return "", errors.New("the path of the repository has a line break or a quote")
	}
	folder, err := c.isolate(ctx, func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "objects", "info", "alternates"), []byte(objects+"\n"), 0o600)
	})
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	args := []string{"push", "--porcelain", "--no-verify", "--no-recurse-submodules"}
	if shown.Force {
		args = append(args, "--force-with-lease=refs/heads/"+shown.HeadRef+":"+shown.Old)
	}
	args = append(args, "--", shown.Address, shown.Commit+":refs/heads/"+shown.HeadRef)
	if _, err := c.transfer(ctx, folder.Path, nil, args...); err != nil {
		return "", err
	}
	_, err = c.git(ctx, "config", "--local", "--replace-all", "branch."+shown.Branch+"."+commitKey, shown.Commit)
	var r reportBuilder
	r.linef("# Pushed Pull Request Branch")
	r.linef("Branch: %s", shown.Branch)
	r.linef("Remote: %s", shown.Remote)
	r.linef("Remote branch: %s", shown.HeadRef)
	r.linef("Remote URL: %s", withoutLogin(shown.Address))
	r.field("URL", shown.PullURL)
	r.field("Force with lease", yesOrEmpty(shown.Force))
	r.linef("Commit: %s", shortCommit(shown.Commit))
	return r.String(), err
}
