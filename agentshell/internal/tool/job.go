package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// pollTime is the longest time that a poll waits until a job ends.
const pollTime = 30 * time.Second

// jobTool is the tool job. It waits for background jobs, ends them and lists them (SH-22). It
// touches no file.
type jobTool struct{ jobs *job.Manager }

type jobArgs struct {
	Poll   []string `json:"poll,omitempty" doc:"Ids of jobs: wait until the first of them has ended, at most 30 seconds. Without poll, cancel and list all jobs that run are waited for."`
	Cancel []string `json:"cancel,omitempty" doc:"Ids of jobs to end."`
	List   bool     `json:"list,omitempty" doc:"Show all jobs at once, without waiting. Not with poll or cancel."`
}

func (t *jobTool) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindRuns}
}

func (t *jobTool) Spec() provider.Tool {
	return provider.Tool{
		Name: "job", ReadOnly: true, Schema: schemaOf[jobArgs](),
		Description: "Wait for commands that run in the background, end or list them. You are told of each end " +
			"without this: wait only if you cannot go on.",
	}
}

func (t *jobTool) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	args, err := decode[jobArgs](input)
	if err != nil {
		return Call{}, err
	}
	if args.List && len(args.Poll)+len(args.Cancel) > 0 {
		return Call{}, invalidArgs("list goes without poll and cancel")
	}
	title := "job"
	switch {
	case args.List:
		title += " list"
	case len(args.Cancel) > 0:
		title += " cancel " + strings.Join(args.Cancel, " ")
	default:
		title += " poll " + strings.Join(args.Poll, " ")
	}
	return Call{Title: titled(title, 200), Run: func(ctx context.Context, _ func(string)) (Result, error) {
		return t.run(ctx, args), nil
	}}, nil
}

// cancelled describes the outcome for one job that the model wanted to cancel.
type cancelled struct {
	ID     string `json:"id"`
	Status string `json:"status"` // Status is cancelled, not_found or already_completed.
}

// run lists, ends or waits for jobs, as the arguments say.
func (t *jobTool) run(ctx context.Context, args jobArgs) Result {
	if args.List {
		jobs := t.jobs.List()
		if len(jobs) == 0 {
			return Result{Text: "There are no background jobs.\n", Summary: "no jobs"}
		}
		return jobResult(nil, jobs)
	}
	var ended []cancelled
	for _, id := range args.Cancel {
		c := cancelled{ID: id, Status: "cancelled"}
		switch t.jobs.Cancel(id, true) {
		case job.Running:
		case "":
			c.Status = "not_found"
		default:
			c.Status = "already_completed"
		}
		ended = append(ended, c)
	}
	if len(args.Cancel) > 0 && args.Poll == nil {
		return jobResult(ended, nil)
	}
	jobs := t.jobs.Poll(ctx, args.Poll, false, pollTime)
	if len(jobs) == 0 && len(ended) == 0 {
		if len(args.Poll) > 0 {
			return Result{Text: "There are no jobs of these ids: " + strings.Join(args.Poll, ", ") + "\n",
				Summary: "no such job"}
		}
		return Result{Text: "No background job is running.\n", Summary: "no job runs"}
	}
	return jobResult(ended, jobs)
}

// jobResult returns the result of a call: the outcomes of its cancellations, the jobs that have
// ended, and those that are running.
func jobResult(ended []cancelled, jobs []job.Job) Result {
	var b strings.Builder
	if len(ended) > 0 {
		fmt.Fprintf(&b, "# Cancelled (%d)\n", len(ended))
		for _, c := range ended {
			fmt.Fprintf(&b, "## %s %s\n", c.ID, c.Status)
		}
	}
	var over, running []job.Job
	for _, j := range jobs {
		if j.Ended {
			over = append(over, j)
		} else {
			running = append(running, j)
		}
	}
	if len(over) > 0 {
		fmt.Fprintf(&b, "# Ended (%d)\n", len(over))
		for _, j := range over {
			fmt.Fprintf(&b, "## %s %s after %s: %s\n%s\n", j.ID, j.State, took(j.Took), j.Label,
				strings.TrimRight(j.Result, "\n"))
		}
	}
	if len(running) > 0 {
		fmt.Fprintf(&b, "# Still running (%d)\n", len(running))
		for _, j := range running {
			fmt.Fprintf(&b, "- %s, for %s: %s\n%s", j.ID, took(j.Took), j.Label, lastLines(j.Output, 10))
		}
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{len(ended), "cancelled"}, {len(over), "ended"}, {len(running), "running"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return Result{Text: b.String(), Summary: strings.Join(parts, ", "), Detail: b.String(), Data: ended}
}

// lastLines returns the last n lines of s.
func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return ""
	}
	return strings.Join(lines[max(len(lines)-n, 0):], "\n") + "\n"
}
