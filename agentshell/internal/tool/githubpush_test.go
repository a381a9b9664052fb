//go:build unix

package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
)

// out checks a pull request of the fork out and returns its work tree.
func (p *pulls) out(cross bool) (tree, commit string) {
	p.t.Helper()
	commit = p.commit("Rise", "a.txt", "two\n")
	p.offer(7, "good/rise", commit, cross)
	if _, err := p.checkout(args{"pr": 7}); err != nil {
		p.t.Fatal(err)
	}
	return p.tree(7), commit
}

// change commits a change of a.txt in a folder.
func (p *pulls) change(dir, text, message string) string {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git(dir, "commit", "-qam", message)
	return p.git(dir, "rev-parse", "HEAD")
}

// pushed returns what the branch of the pull request has in the fork.
func (p *pulls) pushed() string { return p.git(p.fork, "rev-parse", "refs/heads/good/rise") }

// A push is shown with its commits and their diff, always asked for, and is what was shown.
func TestAPushOfAPullRequestIsShown(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	tree, old := p.out(true)
	if _, err := p.call(args{"op": "pr_push", "branch": "pr-7"}); err == nil || !strings.HasPrefix(err.Error(),
		"there is nothing to push: pr-7 is what the pull request has") {
		t.Errorf("%v", err)
	}
	commit := p.change(tree, "three\n", "Set\n\nthe \x1b[2J moon")
	sent := len(p.Requests())
	c, err := p.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"op": "pr_push", "branch": "pr-7"}))
	if err != nil {
		t.Fatal(err)
	}
	pay := c.Proposal.Payload.(approval.Publish)
	want := "pr-7 to good/rise of " + p.fork + "\npull request: https://h/acme/tides/pull/7\n" + old[:12] +
		" there becomes " +
		commit[:12] + "\nits author does not let maintainers push to it\nno hook of the repository runs\n\n" +
		"commit " + commit[:7] + " by Ann <ann@example.org>\n    Set\n    \n    the \x1b[2J moon\n"
	if strings.TrimSpace(pay.Text) != strings.TrimSpace(want) {
		t.Errorf("%q\nwant\n%q", pay.Text, want)
	}
	if !strings.Contains(pay.UnifiedDiff, "\n-two\n+three") || !c.Proposal.Flagged(approval.FlagLasting) ||
		!c.Proposal.Flagged(approval.FlagHidden) || c.Name != "pr_push/eve/tides" || !c.Mutates {
		t.Errorf("%s, %+v, %s", c.Name, c.Proposal.Flags, pay.UnifiedDiff)
	}
	if p.pushed() != old || len(p.Requests()) != sent {
		t.Error("something is pushed before the yes")
	}
	r, err := c.Run(t.Context(), func(string) {})
	wantText := "# Pushed Pull Request Branch\nBranch: pr-7\nRemote: fork-eve\nRemote branch: good/rise\nRemote " +
		"URL: " + p.fork +
		"\nURL: https://h/acme/tides/pull/7\nCommit: " + commit[:12] + "\n"
	if err != nil || r.Text != wantText || p.pushed() != commit || len(p.Requests()) != sent {
		t.Errorf("%v\n%s\nwant\n%s", err, r.Text, wantText)
	}
	if got := p.git(p.dir, "config", "branch.pr-7.agentshellprheadoid"); got != commit {
		t.Errorf("the next push begins at %s", got)
	}
}

// What has changed since it was shown is not pushed.
func TestAPushThatIsNoLongerWhatWasShown(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	tree, old := p.out(true)
	p.change(tree, "three\n", "Set")
	elsewhere := p.fork + "/../../acme/tides.git"
	for name, change := range map[string]func(){
		"a commit":    func() { p.change(tree, "four\n", "More") },
		"the branch":  func() { p.git(p.dir, "config", "branch.pr-7.agentshellPrHeadRef", "main") },
		"the remote":  func() { p.git(p.dir, "config", "branch.pr-7.pushRemote", "origin") },
		"its address": func() { p.git(p.dir, "config", "remote.fork-eve.url", elsewhere) },
		"where it was": func() {
			root := p.git(tree, "rev-list", "--max-parents=0", "HEAD")
			p.git(p.dir, "config", "branch.pr-7.agentshellPrHeadOid", root)
		},
	} {
		c, err := p.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"op": "pr_push", "branch": "pr-7"}))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		change()
		if _, err := c.Run(t.Context(), func(string) {}); err == nil || !strings.Contains(err.Error(),
			"have changed since they were shown") {
			t.Errorf("%s: %v", name, err)
		}
		p.git(p.dir, "config", "branch.pr-7.agentshellPrHeadRef", "good/rise")
		p.git(p.dir, "config", "branch.pr-7.pushRemote", "fork-eve")
		p.git(p.dir, "config", "remote.fork-eve.url", p.fork)
		p.git(p.dir, "config", "branch.pr-7.agentshellPrHeadOid", old)
	}
	if p.pushed() != old || p.git(p.base, "rev-parse", "refs/heads/main") == p.git(tree, "rev-parse", "HEAD") {
		t.Error("something was pushed")
	}
}

// What the branch has there is replaced with a lease alone, and only if it is what is known of it.
func TestAPushReplacesWithALeaseAlone(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	tree, old := p.out(true)
	p.git(tree, "reset", "-q", "--hard", "HEAD~1")
	mine := p.change(tree, "other\n", "Another way")
	if _, err := p.call(args{"op": "pr_push", "branch": "pr-7"}); err == nil || !strings.Contains(err.Error(),
		"pr-7 does not continue what the pull request has; forceWithLease replaces it") {
		t.Errorf("%v", err)
	}
	force := args{"op": "pr_push", "branch": "pr-7", "forceWithLease": true}
	theirs := p.commit("Theirs", "b.txt", "x\n")
	p.git(p.work, "push", "-q", p.fork, theirs+":refs/heads/good/rise")
	if _, err := p.call(force); err == nil || p.pushed() != theirs {
		t.Errorf("a branch that has gone on: %v", err)
	}
	p.git(p.work, "push", "-qf", p.fork, old+":refs/heads/good/rise")
	r, err := p.call(force)
	if err != nil || p.pushed() != mine || !strings.Contains(r.Text, "\nForce with lease: yes\n") {
		t.Errorf("%v\n%s", err, r.Text)
	}
}

func TestAPushThatCannotBe(t *testing.T) {
	t.Parallel()
	p := newPulls(t)
	tree, _ := p.out(false)
	p.change(tree, "three\n", "Set")
	for branch, want := range map[string]string{
		"main":  "branch main has no pull request: pr_checkout makes such a branch",
		"none":  "there is no local branch none",
		"--all": `branch "--all" is none`, "": "branch main has no pull request",
	} {
		if _, err := p.call(args{"op": "pr_push", "branch": branch}); err == nil || !strings.Contains(err.Error(),
			want) {
			t.Errorf("%q: %v, want %s", branch, err, want)
		}
	}
	for _, c := range []struct{ key, value, want string }{
		{"branch.pr-7.agentshellPrHeadRef", "--mirror", "are not those that pr_checkout writes"},
		{"branch.pr-7.agentshellPrHeadRef", "x:refs/heads/y", "are not those that pr_checkout writes"},
		{"branch.pr-7.agentshellPrHeadOid", "HEAD", "are not those that pr_checkout writes"},
		{"branch.pr-7.pushRemote", "--receive-pack=x", "are not those that pr_checkout writes"},
		{"branch.pr-7.pushRemote", "nowhere", "the remote nowhere has not one address"},
		{"remote.origin.url", "--receive-pack=x/y/z", "the remote origin has not one address"},
		{"remote.origin.url", "https://other.example.net/acme/tides", "leads to no repository on " + p.Host},
		{"remote.origin.url", "ext::sh -c true acme/tides", "leads to no repository on " + p.Host},
	} {
		old := p.git(p.dir, "config", c.key)
		p.git(p.dir, "config", c.key, c.value)
		if _, err := p.call(args{"op": "pr_push", "branch": "pr-7"}); err == nil || !strings.Contains(err.Error(),
			c.want) {
			t.Errorf("%s = %s: %v, want %s", c.key, c.value, err, c.want)
		}
		p.git(p.dir, "config", c.key, old)
	}
	p.git(p.dir, "config", "--add", "remote.origin.pushurl", p.fork)
	p.git(p.dir, "config", "--add", "remote.origin.pushurl", p.base)
	if _, err := p.call(args{"op": "pr_push", "branch": "pr-7"}); err == nil || !strings.Contains(err.Error(),
		"has not one address") {
		t.Errorf("two addresses: %v", err)
	}
}
