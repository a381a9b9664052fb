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

// YieldName is the name of the tool with which an agent gives its result.
const YieldName = "yield"

// Yield is the tool with which an agent gives its result to who started it, once. The zero value
// takes any text. It is safe for use by several goroutines.
type Yield struct {
	// Schema is what the result must be, as a JSON schema; nil: a text.
	Schema json.RawMessage
	// Check says why a result is not what Schema says; nil: it is.
	Check func(result json.RawMessage) error

	mu    sync.Mutex
	taken bool
	text  string
	fault string
}

// Result returns what the agent has yielded: its result, or the reason why it has none.
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
	schema := y.Schema
	if schema == nil {
		schema = json.RawMessage(`{"type":"string","description":"All that who started you has to know: they see ` +
			`nothing else of your work."}`)
	}
	return provider.Tool{Name: YieldName, ReadOnly: true,
		Schema: json.RawMessage(`{"type":"object","properties":{"result":` + string(schema) +
			`,"error":{"type":"string","description":"In place of result: why there is none."}}}`),
		Description: "Give your result, or say why there is none. This ends your work: call it alone and last."}
}

// Prepare implements Tool.
func (y *Yield) Prepare(_ context.Context, _ string, input json.RawMessage) (Call, error) {
	var args struct {
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(input, &args); err != nil {
		return Call{}, invalidArgs("the input is no object with result or error: %v", err)
	}
	text := strings.TrimSpace(string(args.Result))
	empty := text == "" || text == "null" || text == `""`
	switch {
	case empty && strings.TrimSpace(args.Error) == "":
		return Call{}, invalidArgs("yield needs a result, or an error that says why there is none")
	case !empty && y.Check != nil:
		if err := y.Check(args.Result); err != nil {
			return Call{}, invalidArgs("the result is not what is asked for: %v", err)
		}
	}
	if empty {
		text = ""
	}
	var plain string
	if json.Unmarshal(args.Result, &plain) == nil {
		text = plain
	} else if text != "" {
		var b bytes.Buffer
		if json.Indent(&b, args.Result, "", "  ") == nil {
			text = b.String()
		}
	}
	return Call{Title: YieldName, Run: func(context.Context, func(string)) (Result, error) {
		y.mu.Lock()
		defer y.mu.Unlock()
		y.taken, y.text, y.fault = true, text, args.Error
		return Result{Text: "Your work is done.", Summary: "done"}, nil
	}}, nil
}
