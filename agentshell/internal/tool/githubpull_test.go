//go:build unix

package tool

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
)

// pulls is a hub with repositories: that of the project, a fork, and the workspace as a checkout.
type pulls struct {
	*hub
	base, fork string // bare
	trees      string
	work       string // where the author of pull requests works
}

func newPulls(t *testing.T) *pulls {
	t.Helper()
	store, trees := t.TempDir(), t.TempDir()
	p := &pulls{hub: newHub(t, nil, func(c *github.Config) { c.Worktrees = trees }), trees: trees,
		base: filepath.Join(store, "acme", "tides.git"), fork: filepath.Join(store, "eve", "tides.git"),
		work: filepath.Join(store, "work")}
	for _, dir := range []string{p.base, p.fork, p.work} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.git(p.base, "init", "-q", "--template=", "--bare")
	p.git(p.fork, "init", "-q", "--template=", "--bare")
	p.git(p.work, "init", "-q", "--template=")
	p.commit("first", "a.txt", "one\n")
	p.git(p.work, "push", "-q", p.base, "HEAD:refs/heads/main")
	p.git(p.dir, "init", "-q", "--template=")
	p.git(p.dir, "remote", "add", "origin", p.base)
	p.git(p.dir, "fetch", "-q", "origin")
	p.git(p.dir, "reset", "-q", "--hard", "origin/main")
	return p
}

// commit commits a file in the author's folder and returns the commit.
func (p *pulls) commit(message, name, text string) string {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.work, name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git(p.work, "add", "-A")
	p.git(p.work, "commit", "-qm", message)
	return p.git(p.work, "rev-parse", "HEAD")
}

// offer makes a pull request of what the author has, from a branch of the project or of the fork,
// and has the host tell of it.
func (p *pulls) offer(number int, head, commit string, cross bool) {
	p.t.Helper()
	to, owner := p.base, "acme"
	if cross {
		to, owner = p.fork, "eve"
	}
	p.git(p.work, "push", "-qf", p.base, fmt.Sprintf("%s:refs/pull/%d/head", commit, number))
	if strings.HasPrefix(head, "good") {
		p.git(p.work, "push", "-qf", to, commit+":refs/heads/"+head)
	}
	p.JSON("PullRequestByNumber", fmt.Sprintf(`{"data":{"repository":{"pullRequest":{"number":%d,"title":"Rise",
		"state":"OPEN","url":"https://h/acme/tides/pull/%[1]d","baseRefName":"main","headRefName":%q,"headRefOid":%q,
		"headRepository":{"id":"R","name":"tides"},"headRepositoryOwner":{"id":"O","login":%q},
		"isCrossRepository":%v,"maintainerCanModify":false}}}}`, number, head, commit, owner, cross))
}

func (p *pulls) checkout(more args) (Result, error) {
	p.t.Helper()
	a := args{"op": "pr_checkout"}
	for name, v := range more {
		a[name] = v
	}
	return p.call(a)
}

// tree returns the work tree of a pull request.
func (p *pulls) tree(number int) string {
	p.t.Helper()
	list, _ := filepath.Glob(filepath.Join(p.trees, "*", fmt.Sprintf("pr-%d", number)))
	if len(list) != 1 {
		p.t.Fatalf("the work trees of %d: %v", number, list)
	}
	return list[0]
}

func TestAPullRequestIsCheckedOutIntoAWorkTree(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	one := p.commit("Rise", "a.txt", "two\n")
	p.offer(7, "good/rise", one, true)
	c, err := p.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"op": "pr_checkout", "pr": 7}))
	if err != nil {
		t.Fatal(err)
	}
	pay := c.Proposal.Payload.(approval.Publish)
	if c.Name != "pr_checkout/acme/tides" || !c.Mutates || len(c.Proposal.Flags) > 0 || len(p.Requests()) > 0 ||
		!strings.HasPrefix(pay.Text, "pull request 7 of acme/tides\n  as branch pr-7 in the work tree "+p.trees) ||
		!strings.Contains(pay.Text, "git fetches it from "+p.base+"\n") {
		t.Errorf("%s, %+v\n%s", c.Name, c.Proposal.Flags, pay.Text)
	}
	before := p.git(p.dir, "for-each-ref")
	r, err := p.checkout(args{"pr": 7})
	if err != nil {
		t.Fatal(err)
	}
	tree := p.tree(7)
	if text, _ := os.ReadFile(filepath.Join(tree, "a.txt")); string(text) != "two\n" {
		t.Errorf("%q", text)
	}
	if want := "# Pull Request #7 of acme/tides\n" + notesLine + "Title: Rise\nURL: https://h/acme/tides/pull/7\n" +
		"Branch: pr-7\n" +
		"Work tree: " + tree + "\nBase: main\nHead: good/rise at " + one[:12] + "\nRemote: fork-eve\n" +
		"Its author does not let maintainers push to it.\n"; r.Text != want {
		t.Errorf("%s\nwant\n%s", r.Text, want)
	}
	for key, want := range map[string]string{"remote": "fork-eve", "merge": "refs/heads/good/rise",
		"pushremote":          "fork-eve",
		"agentshellprheadref": "good/rise", "agentshellprurl": "https://h/acme/tides/pull/7",
		"agentshellpriscrossrepository": "true", "agentshellprmaintainercanmodify": "false",
		"agentshellprheadoid": one} {
		if got := p.git(p.dir, "config", "branch.pr-7."+key); got != want {
			t.Errorf("%s is %s", key, got)
		}
	}
	if got := p.git(p.dir, "config", "remote.fork-eve.url"); got != p.fork {
		t.Errorf("the fork is %s", got)
	}
	if got := strings.ReplaceAll(p.git(p.dir, "for-each-ref"), one+" commit\trefs/heads/pr-7",
		""); strings.TrimSpace(got) !=
		strings.TrimSpace(before) && !strings.Contains(got, "refs/remotes/origin/main") {
		t.Errorf("%s\nbefore\n%s", got, before)
	}
	if r, err = p.checkout(args{"pr": "https://" + p.Host + "/acme/tides/pull/7"}); err != nil ||
		!strings.Contains(r.Text, "\nReused: yes\n") {
		t.Errorf("again: %v\n%s", err, r.Text)
	}
	if got := p.git(p.dir, "config", "--get-all", "branch.pr-7.merge"); got != "refs/heads/good/rise" {
		t.Errorf("%s", got)
	}
}

// A branch that stands elsewhere is reset with force alone, and a work tree with changes never.
func TestABranchOfAPullRequestIsResetWithForceAlone(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	one := p.commit("Rise", "a.txt", "two\n")
	p.offer(7, "good", one, false)
	if _, err := p.checkout(args{"pr": 7}); err != nil {
		t.Fatal(err)
	}
	if got := p.git(p.dir, "config", "branch.pr-7.remote"); got != "origin" {
		t.Errorf("the remote is %s", got)
	}
	two := p.commit("Set", "a.txt", "three\n")
	p.offer(7, "good", two, false)
	_, err := p.checkout(args{"pr": 7})
	want := fmt.Sprintf("the local branch pr-7 is at %s, the pull request at %s; force resets the branch",
		one[:12], two[:12])
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	tree := p.tree(7)
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(tree, "a.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("mine\n")
	if _, err := p.checkout(args{"pr": 7, "force": true}); err == nil || !strings.Contains(err.Error(),
		"has changes that are not committed") || p.git(tree, "rev-parse", "HEAD") != one {
		t.Errorf("%v", err)
	}
	write("two\n")
	c, err := p.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"op": "pr_checkout", "pr": 7, "force": true}))
	if err != nil {
		t.Fatal(err)
	}
	if text := c.Proposal.Payload.(approval.Publish).Text; !c.Proposal.Flagged(approval.FlagLasting) ||
		!strings.Contains(text, "the branch is at "+one[:12]+"; it is reset to the pull request\n") {
		t.Errorf("%+v, %s", c.Proposal.Flags, text)
	}
	r, err := p.checkout(args{"pr": 7, "force": true})
	if err != nil || p.git(tree, "rev-parse", "HEAD") != two || p.git(tree, "status", "--porcelain") != "" ||
		!strings.Contains(r.Text, "Reused: yes") {
		t.Errorf("%v\n%s", err, r.Text)
	}
	three := p.commit("Again", "a.txt", "four\n")
	p.offer(7, "good", three, false)
	p.git(p.dir, "worktree", "remove", tree)
	if _, err := p.checkout(args{"pr": 7, "force": true}); err != nil || p.git(p.tree(7), "rev-parse",
		"HEAD") != three {
		t.Errorf("without a work tree: %v", err)
	}
	// What is asked for by its branch is not shown with the commit of the local one.
	p.JSON("PullRequestForBranch", fmt.Sprintf(`{"data":{"repository":{"pullRequests":{"nodes":[{"number":7,`+
		`"state":"OPEN",
		"headRefName":"good","headRefOid":%q,"baseRefName":"main","url":"u","title":"t"}]},
		"defaultBranchRef":{"name":"main"}}}}`, two))
	p.git(p.work, "push", "-qf", p.base, two+":refs/pull/7/head")
	if _, err := p.checkout(args{"pr": "good", "force": true}); err == nil || !strings.Contains(err.Error(),
		"ask for pull request 7 by its number") {
		t.Errorf("%v", err)
	}
}

// A work tree whose folder was deleted is made again; what is there already is not touched.
func TestAWorkTreeThatIsGoneIsMadeAgain(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	one := p.commit("Rise", "a.txt", "two\n")
	p.offer(7, "good", one, false)
	if _, err := p.checkout(args{"pr": 7}); err != nil {
		t.Fatal(err)
	}
	tree := p.tree(7)
	if err := os.RemoveAll(tree); err != nil {
		t.Fatal(err)
	}
	if r, err := p.checkout(args{"pr": 7}); err != nil || strings.Contains(r.Text, "Reused") || p.tree(7) != tree {
		t.Errorf("%v", err)
	}
	p.offer(8, "good", one, false)
	other := filepath.Join(filepath.Dir(tree), "pr-8")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := p.checkout(args{"pr": 8}); err == nil || !strings.HasSuffix(err.Error(),
		"is there already and is no work tree of this repository") {
		t.Errorf("%v", err)
	}
	p.offer(9, "good", one, false)
	p.git(p.dir, "worktree", "add", "-q", "-b", "mine", filepath.Join(filepath.Dir(tree), "pr-9"))
	if _, err := p.checkout(args{"pr": 9}); err == nil || !strings.Contains(err.Error(),
		"is a work tree of another branch: refs/heads/mine") {
		t.Errorf("%v", err)
	}
}

func TestSeveralPullRequestsAreCheckedOut(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	one := p.commit("Rise", "a.txt", "two\n")
	p.offer(7, "good", one, false)
	p.JSON("PullRequestForBranch", `{"data":{"repository":{"pullRequests":{"nodes":[]},`+
		`"defaultBranchRef":{"name":"main"}}}}`)
	if r, err := p.checkout(args{"pr": []any{7, "7"}}); err != nil ||
		!strings.HasPrefix(r.Text, "# 2 Pull Request Worktrees (acme/tides)\n") || !strings.Contains(r.Text,
		"\n---\n\n#") ||
		r.Summary != "2 work trees" {
		t.Errorf("%v\n%s", err, r.Text)
	}
	_, err := p.checkout(args{"pr": []any{7, "other"}})
	if err == nil || !strings.Contains(err.Error(), `no pull requests found for branch "other"; checked out `+
		`before: 1`) {
		t.Errorf("%v", err)
	}
	p.git(p.dir, "checkout", "-qb", "mine")
	if _, err := p.checkout(nil); err == nil || !strings.Contains(err.Error(), `no pull requests found for `+
		`branch "mine"`) {
		t.Errorf("that of the current branch: %v", err)
	}
}

// Nothing that a repository or a pull request names runs, and none of it leads git elsewhere.
func TestACheckOutRunsNothing(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	mark := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >>"+mark+"\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.work, ".gitattributes"), []byte("* filter=x diff=x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	one := p.commit("Rise", "a.txt", "two\n")
	p.offer(7, "good", one, false)
	hooks := filepath.Join(p.dir, ".git", "hooks")
	if err := os.Mkdir(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"post-checkout", "reference-transaction", "pre-push", "post-index-change"} {
		if err := os.Symlink(script, filepath.Join(hooks, name)); err != nil {
			t.Fatal(err)
		}
	}
	for key, value := range map[string]string{"filter.x.smudge": script, "filter.x.clean": script,
		"filter.x.process":  script,
		"filter.x.required": "true", "core.fsmonitor": script, "core.sshCommand": script, "core.pager": script,
		"credential.helper": "!" + script, "diff.x.textconv": script, "diff.external": script, "core.editor": script,
		"url." + filepath.Join(p.trees, "elsewhere") + "/.insteadOf": filepath.Dir(filepath.Dir(p.base)),
		"core.alternateRefsCommand":                                  script, "gpg.program": script,
		"log.showSignature": "true",
		"core.askPass":      script} {
		p.git(p.dir, "config", key, value)
	}
	if _, err := p.checkout(args{"pr": 7}); err != nil {
		t.Fatal(err)
	}
	tree := p.tree(7)
	if text, _ := os.ReadFile(filepath.Join(tree, "a.txt")); string(text) != "two\n" {
		t.Errorf("%q", text)
	}
	p.git(tree, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "filter.x.clean=", "-c",
		"filter.x.process=", "-c", "filter.x.required=false", "commit", "-q", "--allow-empty", "-m", "mine")
	_ = os.Remove(mark)
	r, err := p.call(args{"op": "pr_push", "branch": "pr-7"})
	if err != nil || !strings.HasPrefix(r.Text, "# Pushed Pull Request Branch\n") {
		t.Errorf("%v\n%s", err, r.Text)
	}
	two := p.commit("Set", "a.txt", "three\n")
	p.offer(7, "good", two, false)
	if _, err := p.checkout(args{"pr": 7, "force": true}); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("it ran: %s", text)
	}
}

// What the host tells of a pull request is checked before git is told.
func TestOddPullRequestsAreRefused(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	one := p.commit("Rise", "a.txt", "two\n")
	before := p.git(p.dir, "for-each-ref") + p.git(p.dir, "config", "--list", "--local")
	refused := func(want string) {
		t.Helper()
		if _, err := p.checkout(args{"pr": 7}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	for _, head := range []string{"-x", "--upload-pack=x", "../../x", "a b", "a\x1b[2Jb", "a..b", "x.lock", "", "a:b"} {
		p.offer(7, "good", one, false)
		p.JSON("PullRequestByNumber", fmt.Sprintf(`{"data":{"repository":{"pullRequest":{"number":7,"headRefName":%s,
			"headRefOid":%q}}}}`, mustJSON(t, head), one))
		refused("has a branch or commit that git cannot take")
	}
	p.JSON("PullRequestByNumber", `{"data":{"repository":{"pullRequest":{"number":7,"headRefName":"x",`+
		`"headRefOid":"--x"}}}}`)
	refused("has a branch or commit that git cannot take")
	p.offer(8, "good", one, false)
	refused("GitHub answers with another pull request")
	p.offer(7, "good", one, false)
	p.git(p.work, "push", "-qf", p.base, one+"~1:refs/pull/7/head")
	refused("pull request 7 changes while it is fetched; try again")
	if after := p.git(p.dir, "for-each-ref") + p.git(p.dir, "config", "--list", "--local"); after != before {
		t.Errorf("%s\nbefore\n%s", after, before)
	}
	for _, name := range []string{"--web", "-7", "a b", "https://other.example.net/acme/tides/pull/7",
		"https://" + p.Host + "/other/tides/pull/7", "https://" + p.Host + "/acme/tides/issues/7", "a\x1b", "../7"} {
		if _, err := p.checkout(args{"pr": name, "repo": "acme/tides"}); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	if _, err := p.checkout(args{"pr": 7, "repo": "no/remote"}); err == nil || !strings.Contains(err.Error(),
		"no remote of this repository leads to no/remote") {
		t.Errorf("%v", err)
	}
}
