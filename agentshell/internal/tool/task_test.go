package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
)

// hands is a crew whose agents give what their assignment says, or end with it as an error.
type hands struct {
	mu      sync.Mutex
	joined  []Assignment
	dropped []string
	hold    chan bool // nil: they are done at once
}

func (*hands) Kinds() []AgentKind {
	return []AgentKind{{Name: "task"}, {Name: "slow", Blocking: true}}
}

func (*hands) Refusal(kind string) string {
	if kind != "task" && kind != "slow" {
		return "there is no kind of agent " + kind
	}
	return ""
}

func (h *hands) Join(a Assignment) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.joined = append(h.joined, a)
	return fmt.Sprintf("A%d", len(h.joined))
}

func (h *hands) Work(ctx context.Context, id string, a Assignment, progress func(string)) AgentResult {
	progress(id + ": step 1")
	if h.hold != nil {
		select {
		case <-h.hold:
		case <-ctx.Done():
			return AgentResult{ID: id, Text: "half", Err: errors.New("it was stopped"), Aborted: true}
		}
	}
	if why, bad := strings.CutPrefix(a.Text, "fail "); bad {
		return AgentResult{ID: id, Text: "last words", Err: errors.New(why)}
	}
	return AgentResult{ID: id, Text: a.Text, Steps: 1}
}

func (h *hands) Drop(id string) { h.dropped = append(h.dropped, id) }

func (*hands) Wait(_ context.Context, _ []string, wait func()) { wait() }

// call runs one call of task.
func (h *hands) call(t *testing.T, jobs *job.Manager, input string) (Result, error) {
	t.Helper()
	call, err := (&task{h, jobs}).Prepare(t.Context(), "1", json.RawMessage(input))
	if err != nil {
		return Result{}, err
	}
	return call.Run(t.Context(), func(string) {})
}

func TestAgentsInTheBackgroundAreJobsAndTheirResultsComeLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, jobs := &hands{hold: make(chan bool)}, job.New(time.Now, 4)
		r, err := h.call(t, jobs, `{"agent":"task","context":"c","tasks":[`+
			`{"assignment":"one","description":"the lexer"},{"assignment":"fail no disk"},{"assignment":"three"}]}`)
		if err != nil || !strings.HasPrefix(r.Text, "- The agent A1 works in the background as job-5.\n- The agent") {
			t.Fatalf("%v %q", err, r.Text)
		}
		synctest.Wait()
		list := jobs.List()
		if len(list) != 3 || list[0].Agent != "A1" || list[0].Label != "agent A1 the lexer" ||
			list[0].Output != "A1: step 1\n" || list[0].State != job.Running || len(jobs.TakeEnded()) != 0 {
			t.Errorf("%+v", list)
		}
		jobs.Cancel("job-7", true)
		h.hold <- true
		h.hold <- true
		synctest.Wait()
		told := Told(jobs.TakeEnded())
		for _, want := range []string{"The background job job-5 completed after 0.0 s: agent A1 the lexer\n# A1: done",
			"\none\nA1 is idle now: write to it with irc to follow up. Its transcript is history://A1.",
			"The background job job-6 failed", "Error: no disk\nlast words\nA2 is idle now"} {
			if !strings.Contains(told, want) {
				t.Errorf("%q is not in\n%s", want, told)
			}
		}
		list = jobs.List()
		if j := list[2]; j.State != job.Cancelled || !strings.HasSuffix(j.Result, "half\nThe transcript of A3 is "+
			"history://A3.\n") || strings.Contains(told, "A3") {
			t.Errorf("the one that was cancelled: %+v", j)
		}
		var open []string
		for line := range strings.SplitSeq(r.Text+told, "\n") {
			if id, over := JobLine(line); id != "" && !over {
				open = append(open, id)
			}
		}
		if !slices.Equal(open, []string{"job-5", "job-6", "job-7"}) {
			t.Errorf("what was started is read again as %q", open)
		}
	})
}

func TestAgentsThatCannotBeStartedAreNamedAndTheOthersWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, jobs := &hands{hold: make(chan bool)}, job.New(time.Now, 0)
		forever := func(ctx context.Context, _ func(string)) (string, error) {
			<-ctx.Done()
			return "", nil
		}
		for range 99 {
			if _, err := jobs.RunAgent(t.Context(), "x", "x", forever); err != nil {
				t.Fatal(err)
			}
		}
		two := `{"agent":"task","context":"c","tasks":[{"assignment":"one"},{"assignment":"two"}]}`
		r, err := h.call(t, jobs, two)
		if err != nil || !r.Partial || !strings.Contains(r.Text, "The agent A1 works in the background as job-100.") ||
			!strings.Contains(r.Text, "These were not started:\n- A2: 100 agents work in the background already") ||
			!slices.Equal(h.dropped, []string{"A2"}) || r.Summary != "1 agent in the background, 1 not started" {
			t.Errorf("%v %+v, dropped: %q", err, r, h.dropped)
		}
		if _, err := h.call(t, jobs, two); err == nil || len(h.dropped) != 3 ||
			!strings.HasPrefix(err.Error(), "no agent was started:\n- A3: ") {
			t.Errorf("%v, dropped: %q", err, h.dropped)
		}
		if _, err := jobs.Run(t.Context(), "a command", 0, nil, func(context.Context, func(string)) (string, error) {
			return "", nil
		}); err != nil {
			t.Errorf("agents leave no room for a command: %v", err)
		}
		jobs.Close(t.Context())
	})
}

func TestACallWaitsForAgentsOfAKindThatBlocks(t *testing.T) {
	for input, jobs := range map[string]*job.Manager{
		`{"agent":"slow","context":"c","tasks":[{"assignment":"one"}]}`: job.New(time.Now, 0),
		`{"agent":"task","context":"c","tasks":[{"assignment":"one"}]}`: nil,
		`{"agent":"task","assignment":"one"}`:                           nil,
	} {
		h := new(hands)
		if r, err := h.call(t, jobs, input); err != nil || r.Text != "# A1: done, 1 step, 0.0 s\none\n" {
			t.Errorf("%s: %v %q", input, err, r.Text)
		}
		if jobs != nil && len(jobs.List()) > 0 {
			t.Errorf("%s: %+v", input, jobs.List())
		}
	}
}
