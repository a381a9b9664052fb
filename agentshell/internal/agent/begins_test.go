package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/script"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
)

// begins is tools, a person and an observer with one diary.
type begins struct {
	agent.NopObserver
	diary []string
	err   error // of a note
}

func (b *begins) Specs() []provider.Tool {
	return []provider.Tool{{Name: "change"}, {Name: "look", ReadOnly: true}}
}

func (b *begins) Prepare(_ context.Context, name, id string, _ json.RawMessage) (tool.Call, error) {
	c := tool.Call{Title: name, Run: func(context.Context, func(string)) (tool.Result, error) {
		b.diary = append(b.diary, name+" runs")
		return tool.Result{Text: "ok"}, nil
	}}
	if name == "change" {
		c.Mutates, c.Proposal = true, &approval.Proposal{ID: "p", Call: id, Payload: approval.Command{Command: "x"}}
	}
	return c, nil
}

func (b *begins) Ask(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
	b.diary = append(b.diary, "asked")
	return approval.Yes{ID: p.ID}, nil
}

func (b *begins) CallBegins(id string) error {
	b.diary = append(b.diary, id+" begins")
	return b.err
}

// A call is noted between the answer and its first effect. Without the note it is not run.
func TestACallIsNotedBeforeItRuns(t *testing.T) {
	for _, c := range []struct {
		err  error
		want []string
	}{
		{nil, []string{"asked", "w begins", "change runs", "look runs"}},
		{errors.New("not run: no space"), []string{"asked", "w begins", "look runs"}},
	} {
		b := &begins{err: c.err}
		m, err := script.Parse("test", []byte(`{"delay_ms":0,"tool_calls":[{"id":"w","name":"change",`+
			`"input":{}}]}`+"\n"+`{"delay_ms":0,"tool_calls":[{"id":"r","name":"look","input":{}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		failed := ""
		err = agent.New(agent.Config{Model: m, Tools: b, Approver: b, Observer: b}).RunTurn(t.Context(),
			agent.Message{Text: "go"}, func(e agent.Event) {
				if end, is := e.(agent.ToolEnd); is && !end.OK {
					failed = end.Text
				}
			})
		if err != nil || !slices.Equal(b.diary, c.want) || (failed != "") != (c.err != nil) {
			t.Errorf("%v: %q, failed %q, %v", c.err, b.diary, failed, err)
		}
	}
}
