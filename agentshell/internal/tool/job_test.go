package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
)

// askJobs runs one call of job, and returns its text or its error.
func askJobs(ctx context.Context, t *testing.T, jobs *job.Manager, input string) string {
	t.Helper()
	call, err := (&jobTool{jobs}).Prepare(ctx, "1", json.RawMessage(input))
	if err == nil {
		var r Result
		if r, err = call.Run(ctx, nil); err == nil {
			return r.Text
		}
	}
	return Kind(err) + ": " + err.Error()
}

// untilStopped is work that goes on until it is stopped.
func untilStopped(ctx context.Context, _ func(string)) (string, error) {
	<-ctx.Done()
	return "stopped", ctx.Err()
}

func TestWhatJobTakesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs := job.New(time.Now, 0)
		defer jobs.Close(t.Context())
		for _, c := range []struct{ input, want string }{
			{`{"list":true,"poll":["job-1"]}`, "invalid_args: list goes without poll and cancel"},
			{`{"list":true,"cancel":["job-1"]}`, "invalid_args: list goes without poll and cancel"},
			{`{"list":true}`, "There are no background jobs."},
			{`{}`, "No background job is running."},
			{`{"poll":["job-9"]}`, "There are no jobs of these ids: job-9"},
			{`{"cancel":["job-9"]}`, "# Cancelled (1)\n## job-9 not_found\n"},
		} {
			if got := askJobs(t.Context(), t, jobs, c.input); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %q, want %q", c.input, got, c.want)
			}
		}
		if _, err := jobs.Run(t.Context(), "one", 0, nil, untilStopped); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		for _, want := range []string{"## job-1 cancelled", "## job-1 already_completed"} {
			if got := askJobs(t.Context(), t, jobs, `{"cancel":["job-1"]}`); !strings.Contains(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			synctest.Wait()
		}
		if got := askJobs(t.Context(), t, jobs, `{"poll":["job-1","job-9"]}`); !strings.Contains(got, "# Ended (1)") {
			t.Errorf("%q", got)
		}
		if !time.Now().Equal(begin) {
			t.Errorf("it waited for %v", time.Since(begin))
		}
	})
}

func TestAWaitForJobsHasABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs := job.New(time.Now, 0)
		defer jobs.Close(t.Context())
		if _, err := jobs.Run(t.Context(), "one", 0, nil, untilStopped); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		got := askJobs(t.Context(), t, jobs, `{}`)
		if !strings.Contains(got, "# Still running (1)") || time.Since(begin) != 30*time.Second {
			t.Errorf("after %v: %q", time.Since(begin), got)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		got = askJobs(ctx, t, jobs, `{"poll":["job-1"]}`)
		synctest.Wait() // until whatever was ended has ended
		if !strings.Contains(got, "# Still running (1)") || jobs.Running() != 1 {
			t.Errorf("a stopped wait: %q, %d run", got, jobs.Running())
		}
	})
}
