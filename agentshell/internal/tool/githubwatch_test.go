//go:build unix

package tool

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/github/githubtest"
)

const commit = "0123456789012345678901234567890123456789"

func someRun(id int, status, conclusion string) string {
	return fmt.Sprintf(`{"id":%d,"name":"build","display_title":"moon","status":%q,"conclusion":%q,"head_sha":%q,
		"head_branch":"main","html_url":"https://h/runs/%[1]d"}`, id, status, conclusion, commit)
}

func someJobs(list ...string) githubtest.Answer {
	var jobs []string
	for i, conclusion := range list {
		status := "completed"
		if conclusion == "" {
			status = "in_progress"
		}
		jobs = append(jobs, fmt.Sprintf(`{"id":%d,"name":"job %[1]d","status":%q,"conclusion":%q}`, i+1, status,
			conclusion))
	}
	return githubtest.Answer{Body: `{"jobs":[` + strings.Join(jobs, ",") + `]}`}
}

// waits records how long a watch waits.
func waits(list *[]time.Duration) func(c *github.Config) {
	return func(c *github.Config) {
		c.Wait = func(ctx context.Context, d time.Duration) error {
			*list = append(*list, d)
			return ctx.Err()
		}
	}
}

// watch calls run_watch and returns what came while it ran.
func (h *hub) watch(a args) (r Result, seen string, err error) {
	h.t.Helper()
	a["op"], a["repo"] = "run_watch", "acme/tides"
	c, err := h.tool.Prepare(h.t.Context(), "t1", mustJSON(h.t, a))
	if err != nil {
		return Result{}, "", err
	}
	r, err = c.Run(h.t.Context(), func(text string) { seen += text })
	return r, seen, err
}

func TestARunIsWatchedToItsEnd(t *testing.T) {
	t.Parallel()
	var pauses []time.Duration
	h := newHub(t, nil, waits(&pauses))
	h.On("GET /repos/acme/tides/actions/runs/5", githubtest.Answer{Body: someRun(5, "queued", "")},
		githubtest.Answer{Body: someRun(5, "queued", "")}, githubtest.Answer{Body: someRun(5, "completed", "success")})
	h.On("GET /repos/acme/tides/actions/runs/5/jobs", someJobs("", ""), someJobs("", ""), someJobs("success", "sk"+
		"ipped"))
	r, seen, err := h.watch(args{"run": 5})
	want := "# acme/tides: run 5\n" + notesLine + "Result: success\n\n## build: success\nTitle: moon\n" +
		"Commit: 012345678901\nBranch: main\nURL: https://h/runs/5\n- job 1: success\n- job 2: skipped\n"
	if err != nil || r.Text != want || r.Partial {
		t.Errorf("%v\n%s\nwant\n%s", err, r.Text, want)
	}
	if want := "build: queued, 0 of 2 jobs done\nbuild: success, 2 of 2 jobs done\n"; seen != want {
		t.Errorf("%q, want %q", seen, want)
	}
	if fmt.Sprint(pauses) != "[3s 3s]" {
		t.Errorf("%v", pauses)
	}
}

// The first failure is reported after a moment, with others of that moment, the ends of their logs
// and where all of them are.
func TestARunThatFailsIsReportedWithItsLogs(t *testing.T) {
	t.Parallel()
	var pauses []time.Duration
	h := newHub(t, nil, waits(&pauses))
	h.JSON("GET /repos/acme/tides/actions/runs/5", someRun(5, "in_progress", ""))
	h.On("GET /repos/acme/tides/actions/runs/5/jobs", someJobs("failure", "", ""), someJobs("failure", "timed_out", ""))
	var log strings.Builder
	for i := range 300 {
		fmt.Fprintf(&log, "\x1b[31mline %d\x1b[0m\x07\r\n", i)
	}
	h.On("GET /repos/acme/tides/actions/jobs/1/logs", githubtest.Answer{Status: 302,
		Header: map[string]string{"Location": "https://" + h.Host + "/storage/log"}})
	h.On("GET /storage/log", githubtest.Answer{Body: log.String(), Header: map[string]string{"Content-Type": "tex" +
		"t/plain"}})
	r, seen, err := h.watch(args{"run": fmt.Sprintf("https://%s/acme/tides/actions/runs/5/job/7", h.Host), "tail": 2.5})
	want := "\n## Log of job 1 (job 1)\n[298 lines before]\n> line 298\n> line 299\n\n## Log of job 2 (job 2)\n" +
		"Log tail unavailable.\n\nFull failed-job logs: artifact://output-1\n"
	if err != nil || !strings.HasSuffix(r.Text, want) || !strings.Contains(r.Text, "\nResult: failure\n") ||
		r.Summary != "failed: 2 jobs" || !r.Partial {
		t.Errorf("%v, %s\n%s\nwant\n%s", err, r.Summary, r.Text, want)
	}
	if !strings.Contains(seen, "1 job failed; looking again in 5s\n") || fmt.Sprint(pauses) != "[5s]" {
		t.Errorf("%q, %v", seen, pauses)
	}
	all, err := h.env.Outputs.Text("output-1")
	if err != nil || !strings.HasPrefix(all, "=== job 1 (job 1) ===\nline 0\nline 1\n") ||
		!strings.HasSuffix(all, "=== job 2 (job 2) ===\nFull log unavailable.\n\n") {
		t.Errorf("%v\n%s", err, all)
	}
	h.On("GET /repos/acme/tides/actions/runs/5/jobs", someJobs("failure"))
	h.JSON("GET /repos/acme/tides/actions/runs/5", someRun(5, "completed", "failure"))
	r, _, err = h.watch(args{"run": 5, "tail": 900})
	if err != nil || strings.Count(r.Text, "> line ") != 200 || len(pauses) != 1 {
		t.Errorf("%v, %v\n%s", err, pauses, r.Text)
	}
	r, _, err = h.watch(args{"run": 5})
	if err != nil || strings.Count(r.Text, "> line ") != 15 {
		t.Errorf("%v\n%s", err, r.Text)
	}
}

// All runs of a commit are watched, and success counts only if no other run has come a moment
// later.
func TestAllRunsOfACommitAreWatched(t *testing.T) {
	t.Parallel()
	var pauses []time.Duration
	h := newHub(t, nil, waits(&pauses))
	h.JSON("GET /repos/acme/tides/branches/next%2Fone", `{"commit":{"sha":"`+commit+`"}}`)
	h.JSON("GET /repos/acme/tides/branches/next/one", `{"commit":{"sha":"`+commit+`"}}`)
	runs := func(list ...string) githubtest.Answer {
		return githubtest.Answer{Body: `{"workflow_runs":[` + strings.Join(list, ",") + `]}`}
	}
	one, two := someRun(1, "completed", "success"), someRun(2, "completed", "success")
	h.On("GET /repos/acme/tides/actions/runs", runs(), runs(one), runs(two, one), runs(one, two))
	h.On("GET /repos/acme/tides/actions/runs/1/jobs", someJobs("success"))
	h.On("GET /repos/acme/tides/actions/runs/2/jobs", someJobs("success"))
	r, seen, err := h.watch(args{"branch": "next/one"})
	if err != nil || !strings.HasPrefix(r.Text, "# acme/tides: runs of commit 012345678901 of next/one\n") ||
		strings.Count(r.Text, "## build: success\n") != 2 || len(pauses) != 3 {
		t.Errorf("%v, %v\n%s", err, pauses, r.Text)
	}
	if !strings.HasPrefix(seen, "no run yet\nbuild: success, 1 of 1 job done\n") {
		t.Errorf("%q", seen)
	}
	for _, q := range h.Requests() {
		if strings.Contains(q.Path, "actions/runs?") &&
			q.Path != "/repos/acme/tides/actions/runs?branch=next%2Fone&head_sha="+commit+"&per_page=100" {
			t.Errorf("%s", q.Path)
		}
	}
	late := newHub(t, nil, nil)
	late.JSON("GET /repos/acme/tides/branches/main", `{"commit":{"sha":"`+commit+`"}}`)
	late.On("GET /repos/acme/tides/actions/runs", runs())
	late.passes = 40 * time.Second
	_, _, err = late.watch(args{"branch": "main"})
	if err == nil || !strings.Contains(err.Error(), "there is no run for commit 012345678901 of main") {
		t.Errorf("without runs: %v", err)
	}
}

func TestAWatchThatCannotBe(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil, nil)
	for _, c := range []struct {
		args args
		want string
	}{
		{args{"run": "x"}, "run is a number, or an address such as https://" + h.Host + "/OWNER/NAME/actions/runs" +
			"/NUMBER"},
		{args{"run": "-5"}, "run is a number"},
		{args{"run": "https://" + h.Host + "/other/tides/actions/runs/5"}, "the run is one of other/tides, and " +
			"repo is acme/tides"},
		{args{"run": "https://other.example.net/acme/tides/actions/runs/5"}, "run is a number"},
		{args{"run": 5, "tail": 0}, "tail must be greater than 0"},
		{args{"branch": "-x"}, "branch -x is no name of a branch"},
		{args{}, "the workspace is not a git repository"},
		{args{"run": 9}, "Not Found"},
	} {
		if _, _, err := h.watch(c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.args, err, c.want)
		}
	}
	h.JSON("GET /repos/acme/tides/actions/runs/9", someRun(8, "completed", "success"))
	if _, _, err := h.watch(args{"run": 9}); err == nil || err.Error() != "GitHub answers with another run" {
		t.Errorf("%v", err)
	}
	h.JSON("GET /repos/acme/tides/branches/main", `{"commit":{"sha":"../../x"}}`)
	if _, _, err := h.watch(args{"branch": "main"}); err == nil || err.Error() != "GitHub names no commit of the "+
		"branch" {
		t.Errorf("%v", err)
	}
}

// A watch that takes long goes on as a job, and ends with it.
func TestAWatchGoesOnInTheBackground(t *testing.T) {
	t.Parallel()
	h := newHub(t, nil, func(c *github.Config) {
		c.Wait = func(ctx context.Context, _ time.Duration) error {
			<-ctx.Done()
			return ctx.Err()
		}
	})
	h.env.Commands.Jobs, h.env.Commands.Patience = job.New(time.Now, 0), time.Millisecond
	h.tool = GitHub(h.env)[0]
	h.JSON("GET /repos/acme/tides/actions/runs/5", someRun(5, "queued", ""))
	h.On("GET /repos/acme/tides/actions/runs/5/jobs", someJobs(""))
	r, _, err := h.watch(args{"run": 5})
	if err != nil || !strings.HasPrefix(r.Text, inBackground+"job-1.") {
		t.Fatalf("%v, %s", err, r.Text)
	}
	if was := h.env.Commands.Jobs.Cancel("job-1", true); was != job.Running {
		t.Errorf("%v", was)
	}
	list := h.env.Commands.Jobs.Poll(t.Context(), []string{"job-1"}, true, time.Minute)
	if len(list) != 1 || !list[0].Ended || list[0].State != job.Cancelled {
		t.Errorf("%+v", list)
	}
}
