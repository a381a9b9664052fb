package github

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Pulls is a plan to check out pull requests, each in a work tree of its own. The user sees it
// before agreeing.
type Pulls struct {
	Repository Repository
	Remote     string // Remote is the name of the git remote for the repository.
	Address    string // Address is the URL of the remote.
	Folder     string // Folder is the directory for the work trees.
	Force      bool
	List       []PullName

	checkout checkout
}

// PullName is one pull request of Pulls.
type PullName struct {
	Name   string // Name is a number or a branch.
	Number int64  // Number is the pull request's number; 0: GitHub has to be asked.
	Old    string // Old is the commit of the existing local branch; "": there is none, or Number is 0.
}

// maxPulls is the number of pull requests that one call can check out.
const maxPulls = 20

// remoteOf returns the first remote that leads to r, or an error.
func (c checkout) remoteOf(ctx context.Context, r Repository) (remote, error) {
	list, err := c.remotes(ctx)
	for _, v := range list {
		if strings.EqualFold(v.repository.String(), r.String()) {
			return v, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("no remote of this repository leads to %s on %s", r, c.service.config.Host)
	}
	return remote{}, err
}

// PlanPulls prepares checking out pull requests, and changes nothing. names are numbers, branches
// or URLs of pull requests; if there are none, it takes the pull request of the current branch. r
// is the repository for names that are not URLs. force allows to reset an existing local branch.
func (s *Service) PlanPulls(ctx context.Context, r Repository, names []string, force bool) (Pulls, error) {
	c, err := s.checkout(ctx)
	if err != nil {
		return Pulls{}, err
	}
	if s.config.Worktrees == "" {
		return Pulls{}, errors.New("there is no folder for work trees: set worktrees below [github] in the config file")
	}
	if len(names) == 0 {
		branch, err := c.branch(ctx)
		if err != nil {
			return Pulls{}, err
		}
		names = []string{branch}
	}
	if len(names) > maxPulls {
		return Pulls{}, fmt.Errorf("at most %d pull requests at once", maxPulls)
	}
	p := Pulls{Repository: r, Force: force, checkout: c}
	for _, name := range names {
		v := PullName{Name: strings.TrimPrefix(strings.TrimSpace(name), "#")}
		if strings.Contains(v.Name, "://") {
			of, n, err := parseLink(v.Name, s.config.Host, "pull")
			if err != nil {
				return Pulls{}, err
			}
			if p.Repository.IsZero() {
				p.Repository = of
			}
			if !strings.EqualFold(of.String(), p.Repository.String()) {
				return Pulls{}, fmt.Errorf("%s is a pull request of another repository than %s", oneLine(v.Name),
					p.Repository)
			}
			v.Name = strconv.FormatInt(n, 10)
		}
		v.Number, _ = parseNumber(v.Name)
		if v.Number == 0 && !IsRefName(v.Name) {
			return Pulls{}, fmt.Errorf("%q is no number, branch or address of a pull request", oneLine(v.Name))
		}
		if v.Number != 0 {
			v.Old, _ = c.git(ctx, "rev-parse", "--verify", "--quiet", pullRef(v.Number))
		}
		p.List = append(p.List, v)
	}
	if p.Repository.IsZero() {
		if p.Repository, err = s.Current(ctx); err != nil {
			return Pulls{}, err
		}
	}
	from, err := c.remoteOf(ctx, p.Repository)
	p.Remote, p.Address = from.name, from.address
	p.Folder = filepath.Join(s.config.Worktrees, dirName(c.commonDir))
	return p, err
}

// dirName returns the name of the directory for a repository's work trees, made of the path of the
// repository.
func dirName(common string) string {
	top := strings.TrimSuffix(common, string(filepath.Separator)+".git")
	return strings.Trim(strings.Map(func(r rune) rune {
		if r == filepath.Separator || r == ':' || !isVisible(r) || r == ' ' {
			return '-'
		}
		return r
	}, top), "-")
}

func pullBranch(number int64) string { return "pr-" + strconv.FormatInt(number, 10) }

func pullRef(number int64) string { return "refs/heads/" + pullBranch(number) }

// Text describes the plan for the user.
func (p Pulls) Text() string {
	var r reportBuilder
	for _, v := range p.List {
		name := "the pull request of branch " + v.Name
		branch := "pr-NUMBER"
		if v.Number != 0 {
			name, branch = "pull request "+v.Name, pullBranch(v.Number)
		}
		r.linef("%s of %s", name, p.Repository)
		r.linef("  as branch %s in the work tree %s", branch, filepath.Join(p.Folder, branch))
		if v.Old != "" && p.Force {
			r.linef("  the branch is at %s; it is reset to the pull request", shortCommit(v.Old))
		}
	}
	r.linef("git fetches it from %s", withoutLogin(p.Address))
	r.linef("its settings for pr_push go into the settings of the repository; a pull request of a fork adds a " +
		"remote fork-OWNER")
	r.linef("no hook of the repository runs, and no file of Git LFS is fetched")
	return r.String()
}

// pullHead is a pull request as gh describes it, with the fields that are needed to check it out.
type pullHead struct {
	Number                               int64
	Title, State, URL                    string
	BaseRefName, HeadRefName, HeadRefOid string
	HeadRepository                       *struct{ Name string }
	HeadRepositoryOwner                  *account
	IsCrossRepository                    bool
	MaintainerCanModify                  bool
}

const pullHeadFields = "number,title,state,url,baseRefName,headRefName,headRefOid,headRepository,headRepositoryOwner," +
	"isCrossRepository,maintainerCanModify"

// CheckedOut describes a pull request that was checked out.
type CheckedOut struct {
	Number                        int64
	Branch, Tree, Remote, HeadRef string
	Reused                        bool
	head                          pullHead
}

// CheckOut creates the work trees of the plan p. After an error list holds those that were created
// before it.
func (s *Service) CheckOut(ctx context.Context, p Pulls) (text string, list []CheckedOut, err error) {
	for _, v := range p.List {
		one, err := s.checkOutOne(ctx, p, v)
		if err != nil && len(list) > 0 {
			err = fmt.Errorf("%s: %w; checked out before: %d", v.Name, err, len(list))
		}
		if err != nil {
			return "", list, err
		}
		list = append(list, one)
	}
	var r reportBuilder
	if len(list) > 1 {
		r.linef("# %d Pull Request Worktrees (%s)", len(list), p.Repository)
	}
	for i, one := range list {
		if len(list) > 1 {
			r.linef("%s", map[bool]string{true: "", false: "\n---\n"}[i == 0])
		}
		one.add(&r, p)
	}
	return r.String(), list, nil
}

func (o CheckedOut) add(r *reportBuilder, p Pulls) {
	r.linef("# Pull Request #%d of %s", o.Number, p.Repository)
	r.linef("%s", foreignNote)
	r.field("Title", oneLine(o.head.Title))
	r.field("URL", webAddress(o.head.URL))
	r.linef("Branch: %s", o.Branch)
	r.linef("Work tree: %s", o.Tree)
	r.field("Reused", yesOrEmpty(o.Reused))
	r.linef("Base: %s", oneLine(o.head.BaseRefName))
	r.linef("Head: %s at %s", oneLine(o.HeadRef), shortCommit(o.head.HeadRefOid))
	if o.Remote == "" {
		r.linef("The repository of the branch is gone: it cannot be pushed.")
		return
	}
	r.linef("Remote: %s", o.Remote)
	if o.head.IsCrossRepository && !o.head.MaintainerCanModify {
		r.linef("Its author does not let maintainers push to it.")
	}
}

// check returns an error if gh has described another pull request than v, or one whose branch name
// git does not accept.
func (h pullHead) check(v PullName) error {
	switch {
	case h.Number <= 0 || v.Number != 0 && h.Number != v.Number:
		return &FailedError{Text: "GitHub answers with another pull request"}
	case !IsRefName(h.HeadRefName) || !isObject(h.HeadRefOid):
		return &FailedError{Text: fmt.Sprintf("pull request %d has a branch or commit that git cannot take: %s",
			h.Number,
			oneLine(h.HeadRefName))}
	}
	return nil
}

// checkOutOne fetches one pull request and creates its branch and its work tree.
func (s *Service) checkOutOne(ctx context.Context, p Pulls, v PullName) (CheckedOut, error) {
	var h pullHead
	if err := s.runFields(ctx, &h, pullHeadFields, "pr", "view", v.Name, s.repoOption(p.Repository)); err != nil {
		return CheckedOut{}, err
	}
	if err := h.check(v); err != nil {
		return CheckedOut{}, err
	}
	c := p.checkout
	defer s.lockRepository(c.commonDir)()
	commit, err := c.fetchPull(ctx, p.Address, h.Number)
	if err != nil {
		return CheckedOut{}, err
	}
	if commit != h.HeadRefOid {
		return CheckedOut{}, &FailedError{Text: fmt.Sprintf("pull request %d changes while it is fetched; try "+
			"again", h.Number)}
	}
	o := CheckedOut{Number: h.Number, Branch: pullBranch(h.Number), HeadRef: h.HeadRefName, head: h,
		Tree: filepath.Join(p.Folder, pullBranch(h.Number))}
	at, err := c.workTreeOf(ctx, pullRef(h.Number), o.Tree)
	if err != nil {
		return CheckedOut{}, err
	}
	if err := c.setBranch(ctx, p, v, h, at); err != nil {
		return CheckedOut{}, err
	}
	if at.path != "" && !at.prunable {
		o.Tree, o.Reused = at.path, true
	} else if err := c.addTree(ctx, o, at.prunable); err != nil {
		return CheckedOut{}, err
	}
	o.Remote, err = c.writePushTarget(ctx, p, h)
	return o, err
}

// fetchPull fetches the newest commit of a pull request from address into the repository, and
// returns the id of the commit.
func (c checkout) fetchPull(ctx context.Context, address string, number int64) (string, error) {
	objects, err := c.git(ctx, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return "", err
	}
	folder, err := c.isolate(ctx, func(string) error { return nil })
	if err != nil {
		return "", err
	}
	defer folder.Remove()
	env := []string{"GIT_OBJECT_DIRECTORY=" + objects}
	const fetched = "refs/fetched/head"
	if _, err := c.transfer(ctx, folder.Path, env, "fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
		"--no-write-fetch-head", "--", address, fmt.Sprintf("+refs/pull/%d/head:%s", number, fetched)); err != nil {
		return "", err
	}
	return c.transfer(ctx, folder.Path, env, "rev-parse", "--verify", fetched+"^{commit}")
}

// workTree is a work tree of the repository, with the ref of its branch.
type workTree struct {
	path, ref string
	prunable  bool // prunable says that its directory is gone.
}

// workTreeOf returns the work tree of a branch, zero if the branch has none. It returns an error if
// the directory path is used by the work tree of another branch.
func (c checkout) workTreeOf(ctx context.Context, ref, path string) (found workTree, err error) {
	out, err := c.git(ctx, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return workTree{}, err
	}
	for entry := range strings.SplitSeq(out, "\x00\x00") {
		var t workTree
		for field := range strings.SplitSeq(entry, "\x00") {
			name, value, _ := strings.Cut(field, " ")
			switch name {
			case "worktree":
				t.path = value
			case "branch":
				t.ref = value
			case "prunable":
				t.prunable = true
			}
		}
		if t.ref == ref {
			found = t
		} else if t.path == path && !t.prunable {
			return workTree{}, fmt.Errorf("%s is a work tree of another branch: %s", path, oneLine(t.ref))
		}
	}
	if _, err := os.Lstat(path); err == nil && found.path != path {
		return workTree{}, fmt.Errorf("%s is there already and is no work tree of this repository", path)
	}
	return found, nil
}

// setBranch creates the local branch at the commit of the pull request, or moves it there. It moves
// an existing branch only if p.Force is set and the user has seen the branch's present commit. at
// is the branch's work tree.
func (c checkout) setBranch(ctx context.Context, p Pulls, v PullName, h pullHead, at workTree) error {
	ref := pullRef(h.Number)
	old, err := c.git(ctx, "rev-parse", "--verify", "--quiet", ref)
	switch {
	case err != nil:
		_, err = c.git(ctx, "update-ref", ref, h.HeadRefOid, strings.Repeat("0", len(h.HeadRefOid)))
		return err
	case old == h.HeadRefOid:
		return nil
	case !p.Force:
		return fmt.Errorf("the local branch %s is at %s, the pull request at %s; force resets the branch",
			pullBranch(h.Number), shortCommit(old), shortCommit(h.HeadRefOid))
	case v.Old != old:
		return fmt.Errorf("the local branch %s was not shown at %s; ask for pull request %[3]d by its number",
			pullBranch(h.Number),
			shortCommit(old), h.Number)
	case at.path != "" && !at.prunable: // git moves no branch that a work tree has
		return c.resetTree(ctx, at.path, h.HeadRefOid)
	}
	_, err = c.git(ctx, "update-ref", ref, h.HeadRefOid, old)
	return err
}

// resetTree moves a work tree and its branch to a commit. It returns an error if files have
// uncommitted changes that would be lost.
func (c checkout) resetTree(ctx context.Context, path, commit string) error {
	off, err := c.filterSettings(ctx)
	if err != nil {
		return err
	}
	_, _ = c.gitIn(ctx, path, off, "update-index", "-q", "--refresh") // a new time alone is no change
	if _, err := c.gitIn(ctx, path, off, "reset", "--quiet", "--keep", commit, "--"); err != nil {
		return fmt.Errorf("the work tree %s has changes that are not committed: %w", path, err)
	}
	return nil
}

// filterSettings returns the names of the filter settings of the repository, such as
// filter.lfs.smudge. They are switched off, because the files of a pull request could select one.
func (c checkout) filterSettings(ctx context.Context) (names []string, err error) {
	settings, err := c.settings(ctx, `^filter\..*\.(clean|smudge|process|required)$`)
	for _, s := range settings {
		names = append(names, s[0])
	}
	return names, err
}

// addTree creates the work tree o.Tree for a branch. Neither hooks nor filters of the repository
// run. again says that git still lists a work tree of the branch, whose directory is gone.
func (c checkout) addTree(ctx context.Context, o CheckedOut, again bool) error {
	off, err := c.filterSettings(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.Tree), 0o700); err != nil {
		return err
	}
	args := []string{"worktree", "add", "--quiet"}
	if again { // git knows a work tree of the branch whose folder is gone
		args = append(args, "--force")
	}
	_, err = c.gitIn(ctx, c.workTree, off, append(args, "--", o.Tree, o.Branch)...)
	return err
}

// These are the settings of a branch, below branch.NAME, that the pr_push tool reads.
const (
	headKey   = "agentshellprheadref"
	urlKey    = "agentshellprurl"
	crossKey  = "agentshellpriscrossrepository"
	modifyKey = "agentshellprmaintainercanmodify"
	commitKey = "agentshellprheadoid"
)

// writePushTarget writes into the settings of the branch where pr_push is to push it. It returns
// the name of the remote, or "" if the repository of the pull request's branch was deleted.
func (c checkout) writePushTarget(ctx context.Context, p Pulls, h pullHead) (string, error) {
	name := p.Remote
	if h.IsCrossRepository {
		if h.HeadRepository == nil || h.HeadRepositoryOwner == nil || !isName(h.HeadRepository.Name) ||
			!isName(h.HeadRepositoryOwner.Login) {
			return "", nil
		}
		var err error
		if name, err = c.forkRemote(ctx, p, Repository{h.HeadRepositoryOwner.Login,
			h.HeadRepository.Name}); err != nil {
			return "", err
		}
	}
	section := "branch." + pullBranch(h.Number) + "."
	for _, kv := range [][2]string{{"remote", name}, {"merge", "refs/heads/" + h.HeadRefName}, {"pushRemote", name},
		{headKey, h.HeadRefName}, {urlKey, webAddress(h.URL)}, {crossKey, strconv.FormatBool(h.IsCrossRepository)},
		{modifyKey, strconv.FormatBool(h.MaintainerCanModify)}, {commitKey, h.HeadRefOid}} {
		if _, err := c.git(ctx, "config", "--local", "--replace-all", section+kv[0], kv[1]); err != nil {
			return "", err
		}
	}
	return name, nil
}

// forkRemote returns the name of the remote for a fork. It adds a remote if there is none, with a
// URL like that of the repository's own remote.
func (c checkout) forkRemote(ctx context.Context, p Pulls, fork Repository) (string, error) {
	address, ok := forkAddress(p.Address, fork)
	if !ok {
		return "", fmt.Errorf("the address of the remote %s has no OWNER/NAME at its end", p.Remote)
	}
	settings, err := c.settings(ctx, `^remote\..*\.url$`)
	if err != nil {
		return "", err
	}
	var names []string
	for _, s := range settings {
		name := strings.TrimSuffix(strings.TrimPrefix(s[0], "remote."), ".url")
		if s[1] == address && IsRefName(name) {
			return name, nil
		}
		names = append(names, name)
	}
	name := "fork-" + fork.Owner
	for n := 2; slices.Contains(names, name); n++ {
		name = fmt.Sprintf("fork-%s-%d", fork.Owner, n)
	}
	for _, kv := range [][2]string{{"url", address}, {"fetch", "+refs/heads/*:refs/remotes/" + name + "/*"}} {
		if _, err := c.git(ctx, "config", "--local", "remote."+name+"."+kv[0], kv[1]); err != nil {
			return "", err
		}
	}
	return name, nil
}

// forkAddress returns the URL of a fork: address with another OWNER/NAME at its end. It returns
// false if address has no such end.
func forkAddress(address string, fork Repository) (string, bool) {
	end := ""
	if before, ok := strings.CutSuffix(address, ".git"); ok {
		address, end = before, ".git"
	}
	i := strings.LastIndexByte(address, '/')
	if i < 0 {
		return "", false
	}
	j := strings.LastIndexAny(address[:i], "/:")
	if j < 0 {
		return "", false
	}
	return address[:j+1] + fork.String() + end, true
}
