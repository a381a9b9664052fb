//go:build unix

package tool

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
)

// git runs git in a folder of a test.
func (h *hub) git(dir string, args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c",
		"init.defaultBranch=main", "-c", "commit.gpgSign=false"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(h.Environ(), "GIT_CONFIG_GLOBAL=/dev/null")
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

const newRepository = `{"data":{"repository":{"id":"R1","name":"tides","owner":{"login":"acme"},"hasIssuesEnabled":true,
	"viewerPermission":"WRITE","defaultBranchRef":{"name":"main"},"parent":null}}}`

func (h *hub) serveCreation() {
	h.JSON("RepositoryInfo", newRepository)
	h.JSON("PullRequestForBranch", `{"data":{"repository":{"pullRequests":{"nodes":[]},
		"defaultBranchRef":{"name":"main"}}}}`)
	h.JSON("PullRequestCreate", `{"data":{"createPullRequest":{"pullRequest":{"id":"P1",
		"url":"https://`+h.Host+`/acme/tides/pull/9"}}}}`)
	h.JSON("PullRequestCreateMetadata", `{"data":{"updatePullRequest":{"__typename":"X"}}}`)
	h.JSON("PullRequestCreateRequestReviews", `{"data":{"requestReviews":{"pullRequest":{"id":"P1"}}}}`)
	h.JSON("RepositoryResolveMetadataIDs", `{"data":{"u000":{"id":"U1","login":"bob"},"u001":{"id":"U2","login":"al"},
		"repository":{"l000":{"id":"L1","name":"bug"},"l001":{"id":"L2","name":"a, \"b\""}}}}`)
	h.JSON("PullRequestByNumber", `{"data":{"repository":{"pullRequest":{"number":9,"title":"Rise","state":"OPEN",
		"isDraft":true,"url":"u","author":{"id":"U3","login":"mona"},"baseRefName":"main","headRefName":"rise",
		"createdAt":"2026-11-28T12:00:00Z","labels":{"nodes":[{"name":"bug"}]},"body":"text"}}}}`)
}

// inputs returns the inputs of the mutations that were sent, by their operations.
func (h *hub) inputs() map[string]string {
	all := map[string]string{}
	for _, q := range h.Requests() {
		var sent struct {
			Query     string
			Variables struct{ Input json.RawMessage }
		}
		if json.Unmarshal([]byte(q.Body), &sent) == nil && strings.Contains(sent.Query, "mutation") {
			all[q.Operation] += string(sent.Variables.Input)
		}
	}
	return all
}

// A pull request is shown in full before it is sent, always asked for, and sent as it was shown.
func TestANewPullRequestIsShownInFull(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil, nil)
	h.serveCreation()
	c, err := h.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"op": "pr_create", "repo": "acme/tides",
		"title": "--web", "body": "one\n\n@all \"two\"\n", "head": "eve:rise", "base": "main", "draft": true,
		"reviewer": []string{"bob"},
		"assignee": "al", "label": []string{"bug", `a, "b"`}}))
	if err != nil {
		t.Fatal(err)
	}
	pay, ok := c.Proposal.Payload.(approval.Publish)
	want := "acme/tides on " + h.Host + "\nmerge eve:rise into main\ntitle: --web\ndraft: yes\nreviewers: bob\n" +
		"assignees: al\nlabels: bug, a, \"b\"\nmaintainers of the repository may change the branch, if it is one " +
		"of a fork\n" +
		"body:\none\n\n@all \"two\"\n\n"
	if !ok || pay.Text != want || !strings.HasPrefix(pay.Line(), "Create a pull request: acme/tides on ") {
		t.Errorf("%s\n%q, want\n%q", pay.Line(), pay.Text, want)
	}
	if lines := strings.Join(c.Proposal.Above(), "\n"); !strings.Contains(lines, `  @all "two"`) {
		t.Errorf("in the plain form: %s", lines)
	}
	rule, _ := approval.ParseRule(approval.Allow, "github(pr_create/**)")
	for _, mode := range []string{approval.ModeAsk, approval.ModeEdits, approval.ModeTrusted, approval.ModePlan} {
		p, err := approval.NewPolicy(approval.PolicyConfig{Mode: mode, Rules: []approval.Entry{{Rule: rule}},
			Tools: Traits()})
		if err != nil {
			t.Fatal(err)
		}
		v := p.Decide(c.Subject(GitHubName))
		if wanted := map[bool]approval.Action{true: approval.Deny,
			false: approval.Ask}[mode == approval.ModePlan]; v.Action != wanted {
			t.Errorf("mode %s: %+v", mode, v)
		}
	}
	if n := len(h.Requests()); n > 0 {
		t.Fatalf("%d requests before the yes", n)
	}
	r, err := c.Run(t.Context(), func(string) {})
	wantText := "# Created Pull Request #9\nURL: https://" + h.Host + "/acme/tides/pull/9\nTitle: Rise\nState: open\n" +
		"Draft: yes\nBranches: main <- rise\nAuthor: @mona\nCreated: 2026-11-28 12:00\nLabels: bug\n\n> text\n"
	if err != nil || r.Text != wantText {
		t.Errorf("%v\n%s\nwant\n%s", err, r.Text, wantText)
	}
	sent := h.inputs()
	if got := sent["PullRequestCreate"]; !strings.Contains(got, `"body":"one\n\n@all \"two\"\n"`) ||
		!strings.Contains(got, `"title":"--web"`) || !strings.Contains(got, `"headRefName":"eve:rise"`) ||
		!strings.Contains(got, `"baseRefName":"main"`) || !strings.Contains(got, `"draft":true`) {
		t.Errorf("%s", got)
	}
	if got := sent["PullRequestCreateMetadata"]; !strings.Contains(got, `"assigneeIds":["U2"]`) ||
		!strings.Contains(got, `"L1"`) || !strings.Contains(got, `"L2"`) {
		t.Errorf("%s", got)
	}
	if got := sent["PullRequestCreateRequestReviews"]; !strings.Contains(got, `"userIds":["U1"]`) || len(sent) != 3 {
		t.Errorf("%v", sent)
	}
}

// What GitHub does not tell of a new pull request is no error, and neither is an odd address.
func TestANewPullRequestThatCannotBeReadIsCreated(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil, nil)
	h.serveCreation()
	h.JSON("PullRequestByNumber", `{"data":{"repository":{"pullRequest":null}}}`)
	create := args{"op": "pr_create", "repo": "acme/tides", "title": "t", "head": "rise"}
	r, err := h.call(create)
	if err != nil || r.Text != "# Created Pull Request #9\nURL: https://"+h.Host+"/acme/tides/pull/9\n" {
		t.Errorf("%v\n%s", err, r.Text)
	}
	if got := h.inputs()["PullRequestCreate"]; !strings.Contains(got, `"body":""`) || !strings.Contains(got, `"dr`+
		`aft":false`) {
		t.Errorf("%s", got)
	}
	h.JSON("PullRequestCreate", `{"data":{"createPullRequest":{"pullRequest":{"id":"P1",`+
		`"url":"https://evil.example/\u001b[2J"}}}}`)
	r, err = h.call(create)
	if err != nil || !strings.HasPrefix(r.Text, "# Created Pull Request\ngh says: https://evil.example/") ||
		strings.Contains(r.Text, "\x1b") {
		t.Errorf("%v\n%q", err, r.Text)
	}
	h.serveCreation()
	h.JSON("PullRequestCreateMetadata", `{"errors":[{"message":"no such label"}]}`)
	create["label"] = "bug"
	r, err = h.call(create)
	if err != nil || !strings.HasSuffix(r.Text, "\ngh could not do the rest: pull request update "+
		"failed: GraphQL: no such label\n") {
		t.Errorf("%v\n%s", err, r.Text)
	}
	h.JSON("PullRequestCreate", `{"data":null,"errors":[{"message":"No commits between main and rise"}]}`)
	if _, err = h.call(create); err == nil || !strings.Contains(err.Error(), "No commits between main and rise") {
		t.Errorf("%v", err)
	}
}

func TestAPullRequestThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil, nil)
	for _, c := range []struct {
		more args
		want string
	}{
		{args{}, "title is required unless fill is true"},
		{args{"title": "t", "fill": true}, "fill cannot be combined with title or body"},
		{args{"body": "", "fill": true}, "fill cannot be combined with title or body"},
		{args{"head": "x", "fill": true}, "fill takes the commits of the current branch"},
		{args{"fill": true}, "the workspace is not a git repository"},
		{args{"title": "t"}, "the workspace is not a git repository"},
		{args{"title": "t\nu", "head": "x"}, "title is one line of at most 1000 bytes"},
		{args{"title": "t", "head": "--web"}, `head "--web" is no branch`},
		{args{"title": "t", "head": "-x:y"}, `head "-x:y" is no branch`},
		{args{"title": "t", "head": "x", "base": "../y"}, `base "../y" is no branch`},
		{args{"title": "t", "head": "x", "reviewer": "a,b"}, `"a,b" is no account`},
		{args{"title": "t", "head": "x", "assignee": "--web"}, `"--web" is no account`},
		{args{"title": "t", "head": "x", "label": "a\x07"}, `"a" is no label`},
		{args{"title": "t", "head": "x", "label": slices.Repeat([]string{"a"}, 51)}, "at most 50 reviewers"},
		{args{"title": "t", "head": "x", "body": strings.Repeat("b", 256<<10+1)}, "body has at most 262144 bytes"},
	} {
		a := args{"op": "pr_create", "repo": "acme/tides"}
		for name, v := range c.more {
			a[name] = v
		}
		if _, err := h.call(a); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.more, err, c.want)
		}
	}
	if n := len(h.Requests()); n > 0 {
		t.Errorf("%d requests", n)
	}
	c, err := h.tool.Prepare(t.Context(), "t1", mustJSON(t, args{"op": "pr_create", "repo": "acme/tides",
		"title": "a\u202eb", "head": "x"}))
	if err != nil || !c.Proposal.Flagged(approval.FlagHidden) || !c.Proposal.Flagged(approval.FlagLasting) {
		t.Errorf("%v, %+v", err, c.Proposal)
	}
}

// The text of a pull request comes from its commits, and is shown as it is sent.
func TestAPullRequestIsFilledFromItsCommits(t *testing.T) {
	t.Parallel()
	h := newHub(t, map[string]string{"a": "1"}, func(c *github.Config) {})
	h.git(h.dir, "init", "-q", "--template=")
	h.git(h.dir, "remote", "add", "origin", "https://"+h.Host+"/acme/tides.git")
	h.git(h.dir, "add", "a")
	h.git(h.dir, "commit", "-qm", "first")
	h.git(h.dir, "update-ref", "refs/remotes/origin/main", "HEAD")
	h.git(h.dir, "checkout", "-qb", "moon-rise/one")
	text := func(more args) string {
		t.Helper()
		a := args{"op": "pr_create", "fill": true}
		for name, v := range more {
			a[name] = v
		}
		c, err := h.tool.Prepare(t.Context(), "t1", mustJSON(t, a))
		if err != nil {
			return err.Error()
		}
		return c.Proposal.Payload.(approval.Publish).Text
	}
	if got := text(nil); got != "git does not know the default branch here; pass base" {
		t.Error(got)
	}
	h.git(h.dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	if got := text(nil); got != "moon-rise/one has no commit that origin/main has not" {
		t.Error(got)
	}
	h.git(h.dir, "commit", "-q", "--allow-empty", "-m", "Rise\n\nbecause\nof it")
	if got := text(args{"base": "main"}); !strings.Contains(got, "merge moon-rise/one into main\ntitle: Rise\n") ||
		!strings.HasSuffix(got, "body:\nbecause\nof it\n") {
		t.Error(got)
	}
	h.git(h.dir, "commit", "-q", "--allow-empty", "-m", "Set")
	if got := text(nil); !strings.Contains(got, "into main\ntitle: moon rise one\n") || !strings.HasSuffix(got, ""+
		"body:\n- Rise\n- Set\n") {
		t.Error(got)
	}
}
