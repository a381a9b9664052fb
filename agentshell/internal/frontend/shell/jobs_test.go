package shell

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// withJobs plays a session with background jobs.
func withJobs(t *testing.T, screen tuitest.Config, play func(s *session, jobs *job.Manager), lines ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		jobs := job.New(time.Now, 0)
		s := beginConfigured(t, screen, func(cfg *Config) { cfg.Programs.Jobs = jobs }, lines...)
		s.pass(2 * time.Second)
		play(s, jobs)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		jobs.Close(ctx)
	})
}

// work starts a job that prints a row in each second, and ends after so many.
func (s *session) work(jobs *job.Manager, label string, rows int, end error) {
	s.t.Helper()
	_, err := jobs.Run(s.t.Context(), label, 0, nil, func(ctx context.Context, out func(string)) (string, error) {
		var all strings.Builder
		for i := range rows {
			select {
			case <-ctx.Done():
				return all.String() + "[ended before it was done]\n", ctx.Err()
			case <-time.After(time.Second):
			}
			row := fmt.Sprintf("row %d\x1b[31m\n", i+1)
			all.WriteString(row)
			out(row)
		}
		return all.String(), end
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.Settle()
}

func TestAJobIsShownWhileItRunsAndItsEndIs(t *testing.T) {
	withJobs(t, tuitest.Config{Cols: 80, Rows: 24}, func(s *session, jobs *job.Manager) {
		s.Type("/jobs")
		s.Press("enter")
		s.holds("No background job runs, and none has ended lately.")
		s.work(jobs, "bash make\x1b]0;x\a", 8, nil)
		s.work(jobs, "bash npm test", 3, errors.New("exit 1"))
		s.holds("ask · 2 jobs · ")
		s.pass(5 * time.Second)
		s.holds("job-2 failed after 3 s  bash npm test", "ask · 1 job · ")
		s.pass(5 * time.Second)
		s.holds("job-1 completed after 8 s  bash make", "4 rows not shown, /jobs shows all", "row 8")
		if strings.Contains(s.Visible(), "job ·") {
			t.Error(s.Visible())
		}
	})
}

func TestTheOutputOfAJobIsShownAsItComesAndAKeyEndsIt(t *testing.T) {
	withJobs(t, tuitest.Config{Cols: 80, Rows: 24}, func(s *session, jobs *job.Manager) {
		s.work(jobs, "bash make", 100, nil)
		s.work(jobs, "bash true", 1, nil)
		s.pass(2500 * time.Millisecond)
		s.Type("/jobs")
		s.Press("enter")
		s.pass(time.Second)
		s.holds("job-1  bash make", "row 3", "running for 3 s", "x ends the job", "job 1 of 2")
		s.pass(2 * time.Second)
		s.holds("row 5")
		s.Type("]")
		s.pass(200 * time.Millisecond)
		s.holds("job-2  bash true", "completed after 1 s")
		s.Type("x[")
		s.pass(400 * time.Millisecond)
		s.holds("running for 6 s")
		s.Type("x")
		s.pass(200 * time.Millisecond)
		s.holds("running for 6 s", "end this job? x ends it, any other key lets it run")
		s.Type("jx")
		s.pass(200 * time.Millisecond)
		s.holds("running for 6 s", "end this job?")
		s.Type("x")
		s.pass(time.Second)
		s.holds("cancelled after 6 s")
		s.Type("q")
		s.pass(time.Second)
		s.holds("job-1 cancelled after 6 s", "[ended before it was done]")
		if jobs.Running() != 0 {
			t.Error("it runs on")
		}
	})
}

func TestTheModelIsToldOfAJobWithTheNextMessage(t *testing.T) {
	withJobs(t, tuitest.Config{Cols: 80, Rows: 24}, func(s *session, jobs *job.Manager) {
		s.work(jobs, "bash make", 1, nil)
		s.pass(3 * time.Second)
		s.Type("and?")
		s.Press("enter")
		s.pass(3 * time.Second)
		s.holds("It is built.")
	}, `{"expect":"The background job job-1 completed after 1.0 s: bash make","say":"It is built."}`)
}

func TestQuittingAsksOnceWhileAJobRuns(t *testing.T) {
	for name, again := range map[string]func(s *session){
		"/quit":  func(s *session) { s.Type("/quit"); s.Press("enter") },
		"Ctrl+D": func(s *session) { s.Press("ctrl+d") },
		"Ctrl+C": func(s *session) { s.Press("ctrl+c"); s.Press("ctrl+c") },
	} {
		withJobs(t, tuitest.Config{Cols: 80, Rows: 24}, func(s *session, jobs *job.Manager) {
			s.work(jobs, "bash make", 100, nil)
			again(s)
			s.pass(time.Second)
			s.holds("1 background job would end with the shell:", "job-1  bash make",
				"Quit again to end it, or go on. /jobs shows it.")
			again(s)
			if err := s.Wait(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	withJobs(t, tuitest.Config{Cols: 80, Rows: 24}, func(s *session, jobs *job.Manager) {
		s.work(jobs, "bash make", 1, nil)
		s.pass(3 * time.Second)
		s.Press("ctrl+d") // what is over is not asked about
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
	})
}
