package agent_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/job"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
)

// ended gives jobs at the calls of that number, counted from 1.
func ended(at map[int]job.Job) func() []job.Job {
	n := 0
	return func() []job.Job {
		n++
		if j, ok := at[n]; ok {
			return []job.Job{j}
		}
		return nil
	}
}

func build(id string) job.Job {
	return job.Job{ID: id, State: job.Completed, Ended: true, Took: 61 * time.Second, Label: "bash make",
		Result: "built\n"}
}

func jobLines(events []agent.Event) (lines []string) {
	for _, e := range events {
		if e, ok := e.(agent.JobsEnded); ok {
			lines = append(lines, e.Line())
		}
	}
	return lines
}

// The model is told of a job that has ended at the next step: with the next message of the person,
// between two steps, and where it was about to end its turn.
func TestTheModelIsToldOfAJobThatHasEnded(t *testing.T) {
	const text = "The background job job-1 completed after 1m1s: bash make\nbuilt"
	for name, c := range map[string]struct {
		at    int
		lines []string
	}{
		"with a message":    {1, []string{`{"expect":"job-1 completed","say":"I know.","delay_ms":0}`}},
		"between two steps": {2, []string{calls(look), `{"expect":"job-1 completed","say":"I know.","delay_ms":0}`}},
		"at the end": {2, []string{`{"expect_not":"job-1","say":"Done.","delay_ms":0}`,
			`{"expect":"job-1 completed","say":"I know.","delay_ms":0}`}},
	} {
		a := agent.New(agent.Config{Model: model(t, c.lines...), Tools: kit(t),
			Inbox: inbox{finished: ended(map[int]job.Job{c.at: build("job-1")})}})
		events := turn(t, a, t.Context(), "go")
		if r := end(events).Reason; r != agent.Done {
			t.Errorf("%s: it ended by %s, %v", name, r, end(events).Err)
		}
		if got := jobLines(events); !slices.Equal(got, []string{"job-1 completed after 1m1s: bash make"}) {
			t.Errorf("%s: %q", name, got)
		}
		n := 0
		for _, m := range a.Messages() {
			if said, from := m.MainText(); from == provider.Job {
				if n++; said != text {
					t.Errorf("%s: %q", name, said)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: it was told %d times", name, n)
		}
	}
}

func TestNoSecretIsInWhatIsToldOfAJob(t *testing.T) {
	j := build("job-1")
	const key = "sk-hush-0123456789abcdef"
	j.Label, j.Result, j.Output = "bash echo "+key, key+"\n", key+"\n"
	a := agent.New(agent.Config{Model: model(t, `{"say":"Yes.","delay_ms":0}`), Secrets: secret.New(key),
		Inbox: inbox{finished: ended(map[int]job.Job{1: j})}})
	events := turn(t, a, t.Context(), "go")
	for _, e := range events {
		if e, ok := e.(agent.JobsEnded); ok &&
			strings.Contains(e.Text+e.Line()+e.Jobs[0].Result+e.Jobs[0].Output, "hush") {
			t.Errorf("%+v", e)
		}
	}
	for _, m := range a.Messages() {
		if said, _ := m.MainText(); strings.Contains(said, "hush") {
			t.Error(said)
		}
	}
	if len(jobLines(events)) != 1 {
		t.Error("nothing was told")
	}
}

// A conversation says which of its jobs are not over.
func TestTheOpenJobsOfAConversation(t *testing.T) {
	result := func(text string) provider.Message {
		return provider.Message{Role: provider.User, Parts: []provider.Part{provider.ToolResult{Text: text}}}
	}
	said := func(from provider.Origin, text string) provider.Message {
		return provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: text, Origin: from}}}
	}
	open, highest := agent.OpenJobs([]provider.Message{
		result("The command goes on in the background as job-2. You are told.\n"),
		result("The command goes on in the background as job-3. You are told.\n"),
		result("The command goes on in the background as job-11. You are told.\n"),
		said(provider.Typed, "The background job job-2 completed after 1 s: x"), // nobody but the shell says so
		said(provider.Job, "The background job job-3 failed after 1 s: x"),
		result("# Ended (1)\n## job-11 completed after 1 s: x\n"),
	})
	if !slices.Equal(open, []string{"job-2"}) || highest != 11 {
		t.Errorf("%q, %d", open, highest)
	}
}

// A turn can begin with what has come for the model; without that it ends at once, and nothing is
// asked.
func TestATurnBeginsWithWhatHasCome(t *testing.T) {
	for came, want := range map[bool][]string{true: {"I know."}, false: nil} {
		at := map[int]job.Job{}
		if came {
			at[1] = build("job-1")
		}
		a := agent.New(agent.Config{Model: model(t, `{"expect":"job-1 completed","say":"I know.","delay_ms":0}`),
			Tools: kit(t), Inbox: inbox{finished: ended(at)}})
		var said []string
		var last agent.TurnEnd
		if err := a.RunTurn(t.Context(), agent.Message{OnArrival: true}, func(e agent.Event) {
			switch e := e.(type) {
			case agent.Text:
				said = append(said, e.Delta)
			case agent.TurnEnd:
				last = e
			}
		}); err != nil || last.Reason != agent.Done {
			t.Errorf("it ended by %s, %v", last.Reason, err)
		}
		messages := a.Messages()
		if !slices.Equal([]string{strings.Join(said, "")}, []string{strings.Join(want, "")}) ||
			len(messages) != 2*len(want) {
			t.Errorf("came %v: it said %q, and the conversation is %v", came, said, messages)
		}
	}
}
