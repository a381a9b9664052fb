package github

import (
	"context"

	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/plural"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/untrusted"
	"github.com/scrollkeep/scrollkeep/internal/lazyregexp"
)

// Watch says which GitHub Actions runs to watch: one run, or all runs of the newest commit of a
// branch.
type Watch struct {
	Repository Repository
	Run        int64  // Run is the id of the run; 0: all runs of Branch.
	Branch     string // Branch is the branch of which the newest commit is watched.
	Tail       int    // Tail is the number of lines to report of the log of each failed job.
}

// These constants limit a watch.
const (
	DefaultTail = 15
	MaxTail     = 200

	pollInterval = 3 * time.Second
	// failureGrace is the time between the first failed job and the report, for jobs that fail soon
	// after it.
	failureGrace    = 5 * time.Second
	firstRunTimeout = time.Minute // firstRunTimeout is how long to wait for the first run of a commit.
	watchTimeout    = 6 * time.Hour
	maxLogBytes     = 4 << 20 // maxLogBytes is the number of bytes of one log.
	maxAllLogsBytes = 16 << 20
	maxRuns         = 100
)

// ParseRun parses the number or the URL of a workflow run. r is the repository that was named
// separately; it must not contradict the URL.
func ParseRun(text string, r Repository, host string) (Repository, int64, error) {
	if n, err := parseNumber(text); err == nil {
		return r, n, nil
	}
	of, n, err := parseLink(text, host, "actions/runs")
	switch {
	case err != nil:
		return r, 0, fmt.Errorf("run is a number, or an address such as "+
			"https://%s/OWNER/NAME/actions/runs/NUMBER", host)
	case !r.IsZero() && !strings.EqualFold(r.String(), of.String()):
		return r, 0, fmt.Errorf("the run is one of %s, and repo is %s", of, r)
	}
	return of, n, nil
}

// run is a GitHub Actions workflow run.
type run struct {
	ID                 int64
	Name               string
	DisplayTitle       string `json:"display_title"`
	Status, Conclusion string
	HTMLURL            string `json:"html_url"`
	HeadSHA            string `json:"head_sha"`
	HeadBranch         string `json:"head_branch"`
	jobs               []job
}

// job is a job of a workflow run.
type job struct {
	ID                 int64
	Name               string
	Status, Conclusion string
	HTMLURL            string `json:"html_url"`
}

func isDone(status string) bool { return status == "completed" }

// isFailed reports whether a conclusion of GitHub Actions means a failure.
func isFailed(conclusion string) bool {
	return slices.Contains([]string{"failure", "timed_out", "cancelled", "action_required", "startup_failure", "stale"},
		conclusion)
}

// stateText returns the conclusion of a run or job, or its status if it has none yet.
func stateText(status, conclusion string) string {
	if conclusion != "" {
		return oneLine(conclusion)
	}
	return oneLine(status)
}

// failedJobs returns the failed jobs of runs.
func failedJobs(runs []run) (list []job) {
	for _, r := range runs {
		for _, j := range r.jobs {
			if isFailed(j.Conclusion) {
				list = append(list, j)
			}
		}
	}
	return list
}

// anyFailed reports whether a run or one of its jobs has failed.
func anyFailed(runs []run) bool {
	return len(failedJobs(runs)) > 0 || slices.ContainsFunc(runs, func(r run) bool { return isFailed(r.Conclusion) })
}

func allDone(runs []run) bool {
	return !slices.ContainsFunc(runs, func(r run) bool { return !isDone(r.Status) })
}

// runIDs returns the sorted ids of runs.
func runIDs(runs []run) (list []int64) {
	for _, r := range runs {
		list = append(list, r.ID)
	}
	slices.Sort(list)
	return list
}

// Watched is the result of a watch.
type Watched struct {
	Text   string
	Failed bool
	Jobs   int    // Jobs is the number of failed jobs.
	Logs   string // Logs holds the complete logs of the failed jobs; "": there are none.
}

// WatchRuns waits until all watched runs have ended, or a job has failed. It calls progress with a
// text whenever the state changes. For a commit it looks once more after success, because further
// runs may have started meanwhile.
func (s *Service) WatchRuns(ctx context.Context, w Watch, progress func(string)) (Watched, error) {
	began := s.config.Now()
	watch := runWatch{service: s, Watch: w, progress: progress}
	if w.Run == 0 {
		if err := watch.findCommit(ctx); err != nil {
			return Watched{}, err
		}
	}
	var sure []int64 // the runs of a commit that had all succeeded one look before
	for {
		runs, err := watch.requestRuns(ctx)
		if err != nil {
			return Watched{}, err
		}
		pause := pollInterval
		switch {
		case len(runs) == 0:
			if s.config.Now().Sub(began) > firstRunTimeout {
				return Watched{}, &FailedError{Text: fmt.Sprintf("there is no run for commit %s of %s",
					shortCommit(watch.commit),
					oneLine(w.Branch))}
			}
		case anyFailed(runs):
			return watch.reportFailure(ctx, runs)
		case allDone(runs) && (w.Run != 0 || slices.Equal(sure, runIDs(runs))):
			return Watched{Text: watch.formatReport(runs, nil)}, nil
		case allDone(runs):
			sure = runIDs(runs)
		default:
			sure = nil
		}
		if s.config.Now().Sub(began) > watchTimeout {
			return Watched{}, &FailedError{Text: fmt.Sprintf("it runs for more than %v and is not watched any "+
				"longer", watchTimeout)}
		}
		if err := s.config.Wait(ctx, pause); err != nil {
			return Watched{}, err
		}
	}
}

// runWatch is the state of a running watch.
type runWatch struct {
	Watch
	service   *Service
	progress  func(string)
	commit    string
	lastShown string // lastShown is the last text passed to progress.
}

// findCommit requests the newest commit of the branch.
func (w *runWatch) findCommit(ctx context.Context) error {
	var branch struct{ Commit struct{ SHA string } }
	if err := w.service.callAPI(ctx, &branch,
		"/repos/"+w.Repository.String()+"/branches/"+url.PathEscape(w.Branch)); err != nil {
		return err
	}
	if !isObject(branch.Commit.SHA) {
		return &FailedError{Text: "GitHub names no commit of the branch"}
	}
	w.commit = branch.Commit.SHA
	return nil
}

// requestRuns requests the watched runs with their jobs. It calls progress if their state has
// changed.
func (w *runWatch) requestRuns(ctx context.Context) (runs []run, err error) {
	place := "/repos/" + w.Repository.String() + "/actions/runs"
	if w.Run != 0 {
		runs = make([]run, 1)
		err = w.service.callAPI(ctx, &runs[0], fmt.Sprintf("%s/%d", place, w.Run))
		if err == nil && runs[0].ID != w.Run {
			err = &FailedError{Text: "GitHub answers with another run"}
		}
	} else {
		var list struct {
			Runs []run `json:"workflow_runs"`
		}
		err = w.service.callAPI(ctx, &list, place, "head_sha="+w.commit, "branch="+w.Branch, fmt.Sprintf("per_page=%"+
			"d", maxRuns))
		runs = list.Runs[:min(len(list.Runs), maxRuns)]
	}
	for i := range runs {
		if err == nil {
			runs[i].jobs, err = w.jobs(ctx, fmt.Sprintf("%s/%d/jobs", place, runs[i].ID))
		}
	}
	if err != nil {
		return nil, err
	}
	if text := formatStates(runs); text != w.lastShown {
		w.lastShown = text
		w.callProgress(text)
	}
	return runs, nil
}

func (w *runWatch) callProgress(text string) {
	if w.progress != nil {
		w.progress(text)
	}
}

// jobs requests all jobs of a run, page by page.
func (w *runWatch) jobs(ctx context.Context, endpoint string) (all []job, err error) {
	for page := 1; page <= maxPages; page++ {
		var some struct{ Jobs []job }
		err := w.service.callAPI(ctx, &some, endpoint, fmt.Sprintf("per_page=%d", pageSize), fmt.Sprintf("page=%d",
			page))
		if err != nil {
			return nil, err
		}
		all = append(all, some.Jobs...)
		if len(some.Jobs) < pageSize {
			break
		}
	}
	return all, nil
}

// formatStates returns the state of runs as text, one line for each run.
func formatStates(runs []run) string {
	var r reportBuilder
	if len(runs) == 0 {
		r.linef("no run yet")
	}
	for _, v := range runs {
		done := 0
		for _, j := range v.jobs {
			if isDone(j.Status) {
				done++
			}
		}
		r.linef("%s: %s, %d of %s done", oneLine(v.Name), stateText(v.Status, v.Conclusion), done,
			plural.Of(len(v.jobs), "job"))
	}
	return r.String()
}

// reportFailure returns the result of a watch after a job has failed. It first waits for the time
// grace, so that the report includes jobs that fail soon after.
func (w *runWatch) reportFailure(ctx context.Context, runs []run) (Watched, error) {
	if !allDone(runs) {
		w.callProgress(fmt.Sprintf("%s failed; looking again in %v\n", plural.Of(len(failedJobs(runs)), "job"),
			failureGrace))
		if err := w.service.config.Wait(ctx, failureGrace); err != nil {
			return Watched{}, err
		}
		again, err := w.requestRuns(ctx)
		if err != nil {
			return Watched{}, err
		}
		runs = again
	}
	jobs := failedJobs(runs)
	logs, size := make([]jobLog, len(jobs)), 0
	for i, j := range jobs {
		logs[i] = jobLog{job: j}
		if size >= maxAllLogsBytes {
			continue
		}
		text, err := w.service.runGH(ctx, nil, "api", "--method=GET",
			fmt.Sprintf("/repos/%s/actions/jobs/%d/logs", w.Repository, j.ID))
		if ctx.Err() != nil {
			return Watched{}, ctx.Err()
		}
		logs[i].available = err == nil
		logs[i].text = plainLog(text)
		size += len(logs[i].text)
	}
	out := Watched{Text: w.formatReport(runs, logs), Failed: true, Jobs: len(jobs)}
	if len(jobs) > 0 {
		out.Logs = completeLogs(logs)
	}
	return out, nil
}

// jobLog is the log of a failed job.
type jobLog struct {
	job       job
	text      string
	available bool
}

// colourSequences matches the escape sequences for colours in a log.
var colourSequences = lazyregexp.New(`\x1b\[[0-9;]*[A-Za-z]`)

// plainLog returns the last maxLogBytes bytes of a log, without colours and control characters.
func plainLog(text string) string {
	if len(text) > maxLogBytes {
		text = text[len(text)-maxLogBytes:]
	}
	text = colourSequences().ReplaceAllString(strings.TrimPrefix(text, "\uFEFF"), "")
	return untrusted.Paragraphs(text, 2*maxLogBytes)
}

func completeLogs(logs []jobLog) string {
	var r reportBuilder
	for _, l := range logs {
		r.linef("=== %s (job %d) ===", oneLine(l.job.Name), l.job.ID)
		if l.available {
			r.linef("%s\n", l.text)
		} else {
			r.linef("Full log unavailable.\n")
		}
	}
	return r.String()
}

// formatReport returns the result of a watch as text: the runs with their jobs, and the last lines
// of logs.
func (w *runWatch) formatReport(runs []run, logs []jobLog) string {
	var r reportBuilder
	title := fmt.Sprintf("run %d", w.Run)
	if w.Run == 0 {
		title = fmt.Sprintf("runs of commit %s of %s", shortCommit(w.commit), oneLine(w.Branch))
	}
	r.linef("# %s: %s", w.Repository, title)
	r.linef("%s", foreignNote)
	outcome := "success"
	if anyFailed(runs) {
		outcome = "failure"
	}
	r.linef("Result: %s", outcome)
	for _, v := range runs {
		r.linef("\n## %s: %s", oneLine(v.Name), stateText(v.Status, v.Conclusion))
		r.field("Title", oneLine(v.DisplayTitle))
		r.field("Commit", shortCommit(v.HeadSHA))
		r.field("Branch", oneLine(v.HeadBranch))
		r.field("URL", webAddress(v.HTMLURL))
		for _, j := range v.jobs {
			r.linef("- %s: %s", oneLine(j.Name), stateText(j.Status, j.Conclusion))
		}
	}
	for _, l := range logs {
		r.linef("\n## Log of %s (job %d)", oneLine(l.job.Name), l.job.ID)
		if !l.available {
			r.linef("Log tail unavailable.")
			continue
		}
		lines := strings.Split(strings.TrimRight(l.text, "\n"), "\n")
		if more := len(lines) - w.Tail; more > 0 {
			r.linef("[%s before]", plural.Of(more, "line"))
			lines = lines[more:]
		}
		for _, text := range lines {
			r.linef("> %s", untrusted.Line(text, 1000))
		}
	}
	return r.String()
}
