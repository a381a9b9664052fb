package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// calledTool is a [Caller] whose tools give one result. It notes the last call.
type calledTool struct {
	result Result
	name   string
	input  string
}

// CallTool implements Caller.
func (c *calledTool) CallTool(_ context.Context, name string, input json.RawMessage) (Result, error) {
	c.name, c.input = name, string(input)
	return c.result, nil
}

// MakeCall implements Caller.
func (c *calledTool) MakeCall(context.Context, string, json.RawMessage,
	func(ctx context.Context, id string) (Call, error)) (Result, error) {
	return c.result, nil
}

// Complete implements Caller.
func (c *calledTool) Complete(context.Context, string, provider.Request) (provider.Message, error) {
	return provider.Message{}, nil
}

// A cell of JavaScript names no kind of agent unless it wants one.
func TestAnAgentOfACellIsOfTheKindTaskUnlessItIsNamed(t *testing.T) {
	caller := &calledTool{result: Result{Data: []AgentResult{{ID: "A", Text: "done"}}}}
	host := &cellHost{caller: caller}
	for _, c := range []struct{ args, kind string }{
		{`{"prompt":"p"}`, "task"}, {`{"prompt":"p","agentType":""}`, "task"},
		{`{"prompt":"p","agentType":"explore"}`, "explore"},
	} {
		value, err := host.Call(t.Context(), "agent", []byte(c.args))
		if err != nil || value != "done" || caller.name != TaskName ||
			!strings.Contains(caller.input, `"agent":"`+c.kind+`"`) {
			t.Errorf("%s: %v, %v, calls %s %s", c.args, value, err, caller.name, caller.input)
		}
	}
}

// The result of an agent that has to be of a form is an object, or an error.
func TestAnAgentOfACellThatGivesNoJSONFails(t *testing.T) {
	for text, want := range map[string]string{`{"n":1}`: `{"n":1}`, "": "", "I am done.": "", `{"n":`: ""} {
		host := &cellHost{caller: &calledTool{result: Result{Data: []AgentResult{{ID: "A", Text: text}}}}}
		value, err := host.Call(t.Context(), "agent", []byte(`{"prompt":"p","schema":{"type":"object"}}`))
		raw, _ := value.(json.RawMessage)
		switch {
		case want != "" && (err != nil || string(raw) != want):
			t.Errorf("%q: %v, %v", text, value, err)
		case want == "" && (value != nil || err == nil || err.Error() != "A gave a result that is no JSON"):
			t.Errorf("%q: %v, %v", text, value, err)
		}
		value, err = host.Call(t.Context(), "agent", []byte(`{"prompt":"p"}`))
		if err != nil || value != text {
			t.Errorf("without a form, %q: %v, %v", text, value, err)
		}
	}
}
