package shell

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// wakes plays a session in which the end of any job begins a turn.
func wakes(t *testing.T, play func(s *session, jobs *job.Manager), lines ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		jobs := job.New(time.Now, 0)
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Programs.Jobs = jobs
			cfg.Arrived = func() string {
				for _, j := range jobs.Unreported() {
					return j.ID + " has ended"
				}
				return ""
			}
		}, lines...)
		s.pass(2 * time.Second)
		play(s, jobs)
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		jobs.Close(ctx)
	})
}

const builtLine = `{"expect":"The background job job-1 completed after 1.0 s: bash make","say":"It is built."}`

func TestTheModelGoesOnByItselfWhenAJobHasEnded(t *testing.T) {
	wakes(t, func(s *session, jobs *job.Manager) {
		s.work(jobs, "bash make", 1, nil)
		s.pass(5 * time.Second)
		s.holds("The model goes on: job-1 has ended.", "It is built.")
		s.work(jobs, "bash test", 1, errors.New("exit 1"))
		s.pass(5 * time.Second)
		s.holds("job-2 has ended", "The test fails.")
		s.lacks("working")
	}, builtLine, `{"expect":"The background job job-2 failed","say":"The test fails."}`)
}

// While the person types, looks at a list, or has stopped the model, it waits; the next message or
// the end of the list takes what has come along.
func TestTheModelDoesNotGoOnWhileThePersonIsBusy(t *testing.T) {
	for name, c := range map[string]struct {
		begin, end func(s *session)
		said       string
	}{
		"a draft": {func(s *session) { s.Type("and") }, func(s *session) { s.Type("?"); s.Press("enter") }, "and?"},
		"a list": {func(s *session) { s.Type("/jobs"); s.Press("enter") }, func(s *session) { s.Type("q") },
			"The model goes on: job-1 has ended."},
		"a command": {func(s *session) { s.Type("/help") }, func(s *session) { s.Press("enter") },
			"The model goes on: job-1 has ended."},
	} {
		t.Run(name, func(t *testing.T) {
			wakes(t, func(s *session, jobs *job.Manager) {
				s.work(jobs, "bash make", 1, nil)
				c.begin(s)
				s.pass(5 * time.Second)
				if s.lacks("goes on", "It is built."); len(jobs.Unreported()) != 1 {
					t.Error("the model was told")
				}
				c.end(s)
				s.pass(5 * time.Second)
				s.holds(c.said, "It is built.")
			}, builtLine)
		})
	}
}

func TestTheModelDoesNotGoOnAfterAStop(t *testing.T) {
	wakes(t, func(s *session, jobs *job.Manager) {
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.work(jobs, "bash make", 1, nil)
		s.Press("esc")
		s.pass(9 * time.Second)
		s.lacks("goes on")
		s.Type("now")
		s.Press("enter")
		s.pass(5 * time.Second)
		s.holds("It is built.")
	}, `{"say":"I think.","delay_ms":60000}`, builtLine)
}

// Turns that begin by themselves have a bound, which a message of the person lifts.
func TestTheModelGoesOnByItselfSoOftenOnly(t *testing.T) {
	var lines []string
	for range maxWoken + 2 {
		lines = append(lines, `{"say":"Seen."}`)
	}
	wakes(t, func(s *session, jobs *job.Manager) {
		for range maxWoken + 2 {
			s.work(jobs, "bash make", 1, nil)
			s.pass(3 * time.Second)
		}
		if n := strings.Count(s.tape(), "The model goes on: "); n != maxWoken {
			t.Errorf("it went on %d times", n)
		}
		s.holds("The model has begun 20 turns by itself.")
		s.Type("well?")
		s.Press("enter")
		s.pass(3 * time.Second)
		s.work(jobs, "bash make", 1, nil)
		s.pass(3 * time.Second)
		if n := strings.Count(s.tape(), "The model goes on: "); n != maxWoken+1 {
			t.Errorf("after a message it went on %d times", n)
		}
	}, lines...)
}
