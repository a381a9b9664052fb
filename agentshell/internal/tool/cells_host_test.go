package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// calledTool is a [Caller] whose tools give one result, and whose models one answer. It notes the
// last call.
type calledTool struct {
	result  Result
	answer  []provider.Part
	name    string // of the tool or the tier
	input   string
	request provider.Request
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
func (c *calledTool) Complete(_ context.Context, tier string, r provider.Request) (provider.Message, error) {
	c.name, c.request = tier, r
	return provider.Message{Parts: c.answer}, nil
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

// A completion has the prompt, the system prompt and nothing else. With a form the model has to
// call one tool with an object of that form.
func TestWhatACompletionAsks(t *testing.T) {
	caller := &calledTool{answer: []provider.Part{provider.Text{Text: "a"}, provider.Text{Text: "b"}}}
	host := &cellHost{caller: caller}
	value, err := host.Call(t.Context(), "completion", []byte(`{"prompt":"p","system":"s"}`))
	text, _ := caller.request.Messages[0].Parts[0].(provider.Text)
	if r := caller.request; err != nil || value != "ab" || caller.name != "default" || r.System != "s" ||
		len(r.Messages) != 1 || len(r.Messages[0].Parts) != 1 || text.Text != "p" || len(r.Tools) > 0 || r.Force != "" {
		t.Errorf("%v, %v, %q is asked %+v", value, err, caller.name, r)
	}
	caller.answer = append(caller.answer, provider.ToolCall{Name: "respond", Input: json.RawMessage(`{"n":1}`)})
	value, err = host.Call(t.Context(), "completion", []byte(`{"prompt":"p","model":"slow","schema":{"a":1}}`))
	raw, _ := value.(json.RawMessage)
	if r := caller.request; err != nil || string(raw) != `{"n":1}` || caller.name != "slow" || r.Force != "respond" ||
		len(r.Tools) != 1 || r.Tools[0].Name != "respond" || string(r.Tools[0].Schema) != `{"a":1}` {
		t.Errorf("with a form: %v, %v, %q is asked %+v", value, err, caller.name, r)
	}
	for _, prompt := range []string{"", " \n"} {
		if _, err := host.Call(t.Context(), "completion", mustJSON(t, args{"prompt": prompt})); err == nil {
			t.Errorf("%q is asked", prompt)
		}
	}
}

// read gives a part of a file by its lines, and tree the names that are not hidden, so deep.
func TestWhatACellReadsOfTheWorkspace(t *testing.T) {
	b := newBench(t, map[string]string{"f": "1\n2\n3\n", "d/e/g": "x", "d/.h/i": "x", ".j": "x"})
	host := &cellHost{cells: NewCells(b.env, CellsConfig{})}
	for _, c := range []struct{ helper, args, want string }{
		{"read", `{"path":"f"}`, "1\n2\n3\n"}, {"read", `{"path":"f","offset":2}`, "2\n3\n"},
		{"read", `{"path":"f","offset":2,"limit":1}`, "2\n"}, {"read", `{"path":"f","limit":2}`, "1\n2\n"},
		{"read", `{"path":"f","offset":9}`, ""},
		{"tree", `{"path":".","depth":3}`, "d/\nd/e/\nd/e/g\nf"}, {"tree", `{"path":".","depth":1}`, "d/\nf"},
		{"tree", `{"path":"d","depth":1,"hidden":true}`, ".h/\ne/"},
		{"tree", `{"path":".","hidden":true}`, ".j\nd/\nd/.h/\nd/.h/i\nd/e/\nd/e/g\nf"},
	} {
		if got, err := host.Call(t.Context(), c.helper, []byte(c.args)); err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v, want %q", c.helper, c.args, got, err, c.want)
		}
	}
	for _, address := range []string{"agent://A", "https://example.com", "d", "none"} {
		if got, err := host.Call(t.Context(), "read", mustJSON(t, args{"path": address})); err == nil {
			t.Errorf("%s is read: %q", address, got)
		}
	}
}

// output reads what an agent or an earlier call gave, by its address.
func TestOutputOfACellNamesAgentsAndOutputs(t *testing.T) {
	caller := &calledTool{result: Result{Text: "text"}}
	host := &cellHost{caller: caller}
	for id, want := range map[string]string{"output-1": "artifact://output-1", "Lexer": "agent://Lexer",
		"local://notes.md": "local://notes.md"} {
		value, err := host.Call(t.Context(), "output", mustJSON(t, args{"id": id}))
		if err != nil || value != "text" || caller.name != "read_file" || caller.input != `{"path":"`+want+`"}` {
			t.Errorf("%s: %v, %v, calls %s %s", id, value, err, caller.name, caller.input)
		}
	}
}
