package job_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
)

// lasting returns work that prints what it does, and takes so long.
func lasting(d time.Duration) job.Work {
	return func(ctx context.Context, out func(string)) (string, error) {
		out("begun\n")
		select {
		case <-time.After(d):
			out("over\n")
			return "all of it", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func start(t *testing.T, m *job.Manager, patience, d time.Duration) string {
	t.Helper()
	id, err := m.Run(t.Context(), "work", patience, func(string) {}, lasting(d))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func states(jobs []job.Job) string {
	var list []string
	for _, j := range jobs {
		list = append(list, j.ID+" "+string(j.State))
	}
	return strings.Join(list, ", ")
}

func TestWorkBecomesAJobWhenPatienceIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 0)
		var seen strings.Builder
		pass := func(s string) { seen.WriteString(s) }
		if id, err := m.Run(t.Context(), "quick", time.Minute, pass, lasting(time.Second)); id != "" || err != nil {
			t.Errorf("quick work is job %q, %v", id, err)
		}
		if seen.String() != "begun\nover\n" || len(m.List()) != 0 {
			t.Errorf("it gave %q, and the jobs are %v", seen.String(), m.List())
		}
		seen.Reset()
		began := time.Now()
		id, err := m.Run(t.Context(), "slow", time.Minute, pass, lasting(2*time.Minute))
		if id != "job-1" || err != nil || time.Since(began) != time.Minute {
			t.Errorf("slow work is job %q, %v, after %v", id, err, time.Since(began))
		}
		<-time.After(2 * time.Minute)
		synctest.Wait()
		if seen.String() != "begun\n" {
			t.Errorf("progress went on behind the return: %q", seen.String())
		}
		j := m.List()[0]
		if j.State != job.Completed || j.Output != "begun\nover\n" || j.Result != "all of it" ||
			j.Took != 2*time.Minute {
			t.Errorf("the job is %+v", j)
		}
	})
}

func TestAStopEndsWorkInTheForegroundAndNoJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 4)
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		id, err := m.Run(ctx, "job", 0, nil, lasting(time.Minute))
		if id != "job-5" || err != nil {
			t.Fatalf("it is job %q, %v", id, err)
		}
		if id, err := m.Run(ctx, "held", -1, func(string) {}, lasting(time.Hour)); id != "" || err != nil {
			t.Errorf("stopped work is job %q, %v", id, err)
		}
		if got := states(m.List()); got != "job-5 running" {
			t.Errorf("after the stop there is %s", got)
		}
		<-time.After(time.Minute)
		synctest.Wait()
		if got := states(m.List()); got != "job-5 completed" {
			t.Errorf("in the end there is %s", got)
		}
	})
}

func TestPollWaitsForOneOrAllAndItsEndsAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, began := job.New(time.Now, 0), time.Now()
		for _, d := range []time.Duration{10, 20, 90} {
			start(t, m, 0, d*time.Second)
		}
		for _, step := range []struct {
			ids  []string
			all  bool
			want string
			at   time.Duration
		}{
			{nil, false, "job-1 completed, job-2 running, job-3 running", 10},
			{[]string{"job-1", "job-2", "job-9"}, true, "job-1 completed, job-2 completed", 20},
			{[]string{"job-3"}, false, "job-3 running", 50},
			{[]string{"job-9"}, false, "", 50},
		} {
			got := states(m.Poll(t.Context(), step.ids, step.all, 30*time.Second))
			if at := time.Since(began); got != step.want || at != step.at*time.Second {
				t.Errorf("poll of %v gave %q after %v, want %q after %v s", step.ids, got, at, step.want, int(step.at))
			}
		}
		<-time.After(time.Minute)
		synctest.Wait()
		if got := states(m.TakeEnded()); got != "job-3 completed" {
			t.Errorf("what was not polled to its end is %q", got)
		}
		if got := states(m.TakeEnded()); got != "" {
			t.Errorf("told twice: %q", got)
		}
		<-time.After(6 * time.Minute)
		if got := m.List(); len(got) != 0 {
			t.Errorf("long after their ends there is %s", states(got))
		}
	})
}

func TestAnEndThatIsWatchedIsNotToldBeside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 0)
		start(t, m, 0, time.Second)
		start(t, m, 0, 10*time.Second)
		polled := make(chan []job.Job)
		go func() { polled <- m.Poll(t.Context(), nil, true, time.Minute) }()
		<-time.After(2 * time.Second)
		synctest.Wait()
		if got := states(m.TakeEnded()); got != "" {
			t.Errorf("told while it is watched: %q", got)
		}
		if got := states(<-polled); got != "job-1 completed, job-2 completed" {
			t.Errorf("the poll gave %q", got)
		}
	})
}

// An end is held until it is taken, however often others were taken before, and is told once.
func TestAnEndIsHeldUntilItIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 0)
		start(t, m, 0, time.Second)
		start(t, m, 0, time.Hour)
		for i, want := range []string{"", "job-1 completed", "", "job-2 completed", ""} {
			if got := states(m.TakeEnded()); got != want {
				t.Errorf("look %d: %q, want %q", i, got, want)
			}
			if i%2 == 0 {
				<-time.After(2*time.Hour*time.Duration(i/2) + 2*time.Second)
			}
		}
	})
}

func TestACancelledJobStaysCancelledAndItsEndIsToldUnlessItIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 0)
		first, second := start(t, m, 0, time.Hour), start(t, m, 0, time.Hour)
		if a, b, c := m.Cancel(first, true), m.Cancel(second, false), m.Cancel("job-7", false); a != job.Running ||
			b != job.Running || c != "" {
			t.Errorf("they were %q, %q, %q", a, b, c)
		}
		synctest.Wait()
		if was := m.Cancel(first, true); was != job.Cancelled {
			t.Errorf("the second time it was %q", was)
		}
		if got := states(m.TakeEnded()); got != "job-2 cancelled" {
			t.Errorf("told: %q", got)
		}
		if m.Running() != 0 {
			t.Errorf("%d run", m.Running())
		}
	})
}

func TestCloseEndsAllJobsAndStartsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 0)
		for range 15 {
			start(t, m, 0, time.Hour)
		}
		if _, err := m.Run(t.Context(), "x", 0, nil, lasting(0)); !errors.Is(err, job.ErrMany) {
			t.Errorf("one too many: %v", err)
		}
		changed := m.Changed()
		if ran := m.Close(t.Context()); len(ran) != 15 || m.Running() != 0 {
			t.Errorf("%d ran, %d run", len(ran), m.Running())
		}
		<-changed
		if _, err := m.Run(t.Context(), "x", 0, nil, lasting(0)); !errors.Is(err, job.ErrClosed) {
			t.Errorf("after the close: %v", err)
		}
	})
}

func TestWorkThatFailsOrBreaksIsAFailedJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := job.New(time.Now, 0)
		for _, w := range []job.Work{
			func(context.Context, func(string)) (string, error) { return "", errors.New("no such thing") },
			func(context.Context, func(string)) (string, error) { panic("broken") },
		} {
			if _, err := m.Run(t.Context(), "x", 0, nil, w); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		jobs := m.List()
		if states(jobs) != "job-1 failed, job-2 failed" || jobs[0].Result != "no such thing" ||
			jobs[1].Result != "the job broke: broken" {
			t.Errorf("the jobs are %+v", jobs)
		}
	})
}

func TestOfMuchOutputTheBeginningAndTheEndAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, total := job.New(time.Now, 0), 0
		_, err := m.Run(t.Context(), "flood", 0, nil, func(_ context.Context, out func(string)) (string, error) {
			for i := range 100_000 {
				row := fmt.Sprintf("row %d\n", i)
				total += len(row)
				out(row)
			}
			return "", nil
		})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		j := m.List()[0]
		if j.OutputBytes != total || len(j.Output) > 73<<10 || !strings.HasPrefix(j.Output, "row 0\nrow 1\n") ||
			!strings.HasSuffix(j.Output, "row 99998\nrow 99999\n") ||
			!strings.Contains(j.Output, " bytes left out]\nrow ") {
			t.Errorf("of %d bytes %d are counted and %d kept", total, j.OutputBytes, len(j.Output))
		}
	})
}
