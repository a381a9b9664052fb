package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// YieldName is the name of the tool with which a subagent hands its result to the agent that
// started it.
const YieldName = "yield"

// Yield is the tool with which a subagent hands its result, or the reason why it has none, to the
// agent that started it. The zero value accepts any text as the result. A Yield is safe for use by
// several goroutines.
type Yield struct {
	output outputSchema

	mu sync.Mutex
	// taken is true once the agent has yielded. text is then its result, and fault the reason why
	// there is none.
	taken bool
	text  string
	fault string
}

type yieldArgs struct {
	Result string `json:"result,omitempty" doc:"All that who started you has to know: they see nothing else of your work."`
	Error  string `json:"error,omitempty" doc:"In place of result: why there is none."`
}

// NewYield returns the tool for results that match the JSON schema output. With a nil schema any
// text is a valid result. It returns an error if the schema itself is invalid.
func NewYield(output json.RawMessage) (*Yield, error) {
	schema, err := newOutputSchema(output)
	return &Yield{output: schema}, err
}

// Reset discards the result that the agent has yielded, so that the agent can be given further
// work.
func (y *Yield) Reset() {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.taken, y.text, y.fault = false, "", ""
}

// Result returns what the agent has yielded: text is its result, and fault the reason why there is
// none. If the agent has not called the tool since the last Reset, taken is false.
func (y *Yield) Result() (text, fault string, taken bool) {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.text, y.fault, y.taken
}

// Traits implements Tool.
func (y *Yield) Traits() approval.Traits {
	return approval.Traits{Subject: approval.NoSubject, Kind: approval.KindKeeps}
}

// Spec implements Tool.
func (y *Yield) Spec() provider.Tool {
	return provider.Tool{Name: YieldName, ReadOnly: true, Schema: y.schema(),
		Description: "Give your result, or say why there is none. This ends your work: call it alone and last."}
}

// schema returns the JSON schema of the tool's arguments, in which the property result has the
// schema that results must match.
func (y *Yield) schema() json.RawMessage {
	if y.output.text == nil {
		return schemaOf[yieldArgs]()
	}
	var all map[string]any
	if err := json.Unmarshal(schemaOf[yieldArgs](), &all); err != nil {
		return schemaOf[yieldArgs]()
	}
	all["properties"].(map[string]any)["result"] = y.output.text
	b, err := json.Marshal(all)
	if err != nil { // what was read from JSON can be written
		return schemaOf[yieldArgs]()
	}
	return b
}

// Prepare implements Tool. It returns an error if the result does not match the schema and no error
// is yielded instead.
func (y *Yield) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	var args struct {
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(input, &args); err != nil {
		return Call{}, invalidArgs("the input is no object with result or error: %v", err)
	}
	result, err := y.output.check(args.Result)
	if err != nil && strings.TrimSpace(args.Error) == "" {
		return Call{}, invalidArgs("%v", err)
	}
	text := resultText(result)
	if text == "" && strings.TrimSpace(args.Error) == "" {
		return Call{}, invalidArgs("yield needs a result, or an error that says why there is none")
	}
	return Call{Title: YieldName, Run: func(context.Context, func(string)) (Result, error) {
		y.mu.Lock()
		defer y.mu.Unlock()
		y.taken, y.text, y.fault = true, text, args.Error
		return Result{Text: "Your work is done.", Summary: "done"}, nil
	}}, nil
}

// resultText returns a yielded JSON value as text: a string unquoted, any other value as indented
// JSON. It returns "" for null and for a missing value.
func resultText(result json.RawMessage) string {
	var text *string
	var indented bytes.Buffer
	switch {
	case len(result) == 0:
		return ""
	case json.Unmarshal(result, &text) != nil:
		_ = json.Indent(&indented, result, "", "  ") // it was decoded before
		return indented.String()
	case text == nil:
		return ""
	}
	return *text
}
