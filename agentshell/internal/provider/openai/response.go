package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// responseRequest is the JSON body of a request to /responses, with the fields that this package
// uses.
type responseRequest struct {
	Model        string         `json:"model"`
	Stream       bool           `json:"stream"`
	Store        bool           `json:"store"` // Always false: the conversation is stored on this machine only.
	Include      []string       `json:"include,omitempty"`
	Instructions string         `json:"instructions,omitempty"`
	Reasoning    *reasoning     `json:"reasoning,omitempty"`
	Tools        []responseTool `json:"tools,omitempty"`
	Choice       *responseTool  `json:"tool_choice,omitempty"`
	Output       int            `json:"max_output_tokens,omitempty"`
	Input        []item         `json:"input"`
}

type (
	reasoning struct {
		Effort  string `json:"effort,omitempty"`
		Summary string `json:"summary,omitempty"`
	}
	responseTool struct {
		Type string `json:"type"`
		function
		Strict *bool `json:"strict,omitempty"` // nil: the provider decides.
	}
	// item is one entry of the conversation. Fields that do not belong to its type are left out.
	item struct {
		Type      string     `json:"type"`
		Role      string     `json:"role,omitempty"`
		Content   []ioPart   `json:"content,omitempty"`
		ID        string     `json:"id,omitempty"`
		CallID    string     `json:"call_id,omitempty"`
		Name      string     `json:"name,omitempty"`
		Arguments *string    `json:"arguments,omitempty"`
		Output    any        `json:"output,omitempty"` // A string or a []ioPart.
		Summary   *[]summary `json:"summary,omitempty"`
		Encrypted string     `json:"encrypted_content,omitempty"`
		Status    string     `json:"status,omitempty"`
	}
	summary struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	ioPart struct {
		Type     string `json:"type"`
		Text     string `json:"text,omitempty"`
		Refusal  string `json:"refusal,omitempty"`
		ImageURL string `json:"image_url,omitempty"`
	}
)

// reasons reports whether the model of that name can reason. Other models refuse requests that ask
// for reasoning.
func reasons(name string) bool {
	for _, prefix := range []string{"gpt-5", "gpt-6", "o1", "o3", "o4", "codex"} {
		if strings.HasPrefix(name, prefix) {
			return !strings.Contains(name, "-chat")
		}
	}
	return false
}

// response converts req to a request of the Responses API. The function without reports whether to
// leave out the part with a given name.
func (m *Model) response(req provider.Request, without func(name string) bool) (responseRequest, error) {
	r := responseRequest{Model: m.name, Stream: true, Instructions: req.System, Output: m.output, Input: []item{}}
	if reasons(m.name) || m.effort != "" {
		if !without(encryptedThoughts) {
			r.Include = []string{"reasoning.encrypted_content"}
		}
		var wanted reasoning
		if !without(reasoningEffort) {
			wanted.Effort = m.effort
		}
		if m.thinking && !without(reasoningSummary) {
			wanted.Summary = "auto"
		}
		if wanted != (reasoning{}) {
			r.Reasoning = &wanted
		}
	}
	var calls provider.Message
	for _, msg := range provider.WithImages(req.Messages, m.Sees()) {
		if msg.Role == provider.Assistant {
			calls = msg
			r.Input = append(r.Input, m.answered(msg)...)
		} else {
			r.Input = append(r.Input, m.asked(msg, calls)...)
		}
	}
	var loose *bool
	if !without(strict) {
		loose = new(bool)
	}
	for _, spec := range req.Tools {
		schema, err := schemaOf(spec.Name, spec.Schema)
		if err != nil {
			return r, err
		}
		r.Tools = append(r.Tools, responseTool{"function", function{spec.Name, spec.Description, schema}, loose})
	}
	if req.Force != "" && !without(toolChoice) {
		r.Choice = &responseTool{Type: "function", function: function{Name: req.Force}}
	}
	return r, nil
}

// answered returns a message of the model as items of the API. Its reasoning is sent back
// encrypted, before the item that followed it. Reasoning at the end is dropped, since the API
// refuses it.
func (m *Model) answered(msg provider.Message) (out []item) {
	for _, part := range msg.Parts {
		switch part := part.(type) {
		case provider.Thinking:
			if part.From == m.from && part.Redacted != "" && part.Signature != "" {
				sum := []summary{}
				if part.Text != "" {
					sum = append(sum, summary{"summary_text", part.Text})
				}
				out = append(out, item{Type: "reasoning", ID: part.Signature, Summary: &sum, Encrypted: part.Redacted})
			}
		case provider.Text:
			if part.Text != "" {
				out = append(out, item{Type: "message", Role: "assistant",
					Content: []ioPart{{Type: "output_text", Text: part.Text}}})
			}
		case provider.ToolCall:
			args := string(part.Object())
			out = append(out, item{Type: "function_call", CallID: part.IDFor(m.from), Name: part.Name,
				Arguments: &args})
		}
	}
	for len(out) > 0 && out[len(out)-1].Type == "reasoning" {
		out = out[:len(out)-1]
	}
	return out
}

// asked returns a message of the role user as items of the API: the results of tools, and the
// user's texts and pictures. calls is the message with the tool calls.
func (m *Model) asked(msg, calls provider.Message) (out []item) {
	var parts []ioPart
	for _, part := range msg.Parts {
		switch part := part.(type) {
		case provider.Text:
			if strings.TrimSpace(part.Text) != "" {
				parts = append(parts, ioPart{Type: "input_text", Text: part.Text})
			}
		case provider.Compaction:
			parts = append(parts, ioPart{Type: "input_text", Text: part.Text})
		case provider.Image:
			parts = append(parts, ioPart{Type: "input_image", ImageURL: dataURL(part.Picture)})
		case provider.ToolResult:
			i := item{Type: "function_call_output", CallID: calls.ResultID(part.ID, m.from), Output: part.Text}
			if len(part.Images) > 0 {
				list := []ioPart{{Type: "input_text", Text: part.Text}}
				for _, p := range part.Images {
					list = append(list, ioPart{Type: "input_image", ImageURL: dataURL(p)})
				}
				i.Output = list
			}
			out = append(out, i)
		}
	}
	if len(parts) > 0 {
		out = append(out, item{Type: "message", Role: "user", Content: parts})
	}
	return out
}

// responseEvent is one event of the stream. Fields that do not belong to its type are empty.
type responseEvent struct {
	Type     string
	Delta    string
	Output   int `json:"output_index"`
	Item     responseItem
	Response struct {
		Status     string
		Error      *failure
		Incomplete struct{ Reason string } `json:"incomplete_details"`
		Usage      struct {
			Input   int `json:"input_tokens"`
			Output  int `json:"output_tokens"`
			Details struct {
				Cached int `json:"cached_tokens"`
			} `json:"input_tokens_details"`
		}
	}
	failure                        // The content of an event of the type "error".
	Failure        *failure        `json:"error"`
	SequenceNumber json.RawMessage `json:"sequence_number"`
}

// responseItem is an output item as the server sends it.
type responseItem struct {
	Type, ID, Name, Arguments string
	CallID                    string `json:"call_id"`
	Content                   []ioPart
	Summary                   []summary
	Encrypted                 string `json:"encrypted_content"`
}

// responseAnswer converts the events of one response to provider events, which it yields, and
// collects the message.
type responseAnswer struct {
	*collector
	items   []*output // The output items, in the order in which they began.
	refused bool
	ended   bool
}

// output is one item of the answer, as far as it has arrived.
type output struct {
	index    int
	kind     string
	id, name string // id is set for a reasoning item, and name for a function call.
	as       provider.ToolCall
	text     strings.Builder // The summary of a reasoning item.
	speech   provider.Speech // The content of a message item.
	input    []byte
	secret   string // The reasoning, encrypted by the provider.
	done     bool
}

// over reports whether the server has said that the answer has ended.
func (a *responseAnswer) over() bool { return a.ended }

// event handles the data of one event. It returns false if no more events are wanted.
func (a *responseAnswer) event(data []byte) bool {
	var e responseEvent
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		open := func(o *output) bool { return o.kind == "function_call" && !o.done }
		a.ended = len(a.items) > 0 && !slices.ContainsFunc(a.items, open)
		a.stop = a.reason("")
		return false
	}
	if err := remote.Decode(data, &e); err != nil {
		return a.fail(err)
	}
	switch e.Type {
	case "response.output_item.added":
		return a.begin(e)
	case "response.output_text.delta", "response.refusal.delta":
		a.refused = a.refused || e.Type == "response.refusal.delta"
		return a.goesOn(a.at(e.Output, "message").speech.Write(e.Delta))
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		if err := a.tally.CountThinking(len(e.Delta)); err != nil {
			return a.fail(err)
		}
		a.at(e.Output, "reasoning").text.WriteString(e.Delta)
		return e.Delta == "" || a.give(provider.ThinkingDelta{Text: e.Delta})
	case "response.reasoning_summary_part.added":
		if o := a.at(e.Output, "reasoning"); o.text.Len() > 0 {
			o.text.WriteString("\n\n")
			return a.give(provider.ThinkingDelta{Text: "\n\n"})
		}
	case "response.function_call_arguments.delta":
		o := a.at(e.Output, "function_call")
		if err := a.tally.CountArguments(len(o.input), len(e.Delta)); err != nil {
			return a.fail(err)
		}
		o.input = append(o.input, e.Delta...)
		return e.Delta == "" || a.give(provider.ToolCallDelta{ID: o.as.ID, JSON: e.Delta})
	case "response.output_item.done":
		return a.close(e)
	case "response.completed", "response.incomplete":
		u := e.Response.Usage
		a.usage = provider.Usage{Input: u.Input, Output: u.Output, CacheRead: u.Details.Cached}
		a.stop, a.ended = a.reason(e.Response.Incomplete.Reason), true
		return false
	case "response.failed":
		f := failure{Message: "the answer failed"}
		if e.Response.Error != nil {
			f = *e.Response.Error
		}
		return a.fail(f.error(0, data))
	case "error":
		f := e.failure
		if e.Failure != nil { // other servers put it a level deeper
			f = *e.Failure
		}
		f.Type = strings.TrimPrefix(f.Type, "error")
		return a.fail(f.error(0, data))
	}
	return true
}

// at returns the item with the given index and type. It creates the item if it does not exist,
// since servers may leave out the event that begins it.
func (a *responseAnswer) at(index int, kind string) *output {
	i := slices.IndexFunc(a.items, func(o *output) bool { return o.index == index && o.kind == kind })
	if i >= 0 {
		return a.items[i]
	}
	o := &output{index: index, kind: kind, speech: provider.NewSpeech(a.habit, a.tally, a.give)}
	if slices.ContainsFunc(a.items, func(o *output) bool { return o.kind == "message" || o.kind == "reasoning" }) {
		o.speech.ServerSeparatesThinking()
	}
	a.items = append(a.items, o)
	return o
}

// begin handles the event that begins an item. It returns false if the consumer wants no more
// events, or an error was yielded.
func (a *responseAnswer) begin(e responseEvent) bool {
	const itemBytes = 256 // so that a million empty items are too many
	if err := a.tally.CountOther(itemBytes); err != nil {
		return a.fail(err)
	}
	o := a.at(e.Output, e.Item.Type)
	if o.kind != "function_call" {
		return true
	}
	if err := a.tally.CountCall(len(e.Item.CallID) + len(e.Item.Name)); err != nil {
		return a.fail(err)
	}
	o.as, o.name = a.ids.New(e.Item.CallID), e.Item.Name
	return a.give(provider.ToolCallStart{ID: o.as.ID, Name: o.name})
}

// close handles the event that ends an item. The event repeats the whole item, which is used if no
// pieces of it have arrived.
func (a *responseAnswer) close(e responseEvent) bool {
	o := a.at(e.Output, e.Item.Type)
	if o.done {
		return true
	}
	o.done = true
	switch o.kind {
	case "reasoning":
		if err := a.tally.CountOther(len(e.Item.Encrypted)); err != nil {
			return a.fail(err)
		}
		o.id, o.secret = e.Item.ID, e.Item.Encrypted
	case "message":
		if !o.speech.Empty() {
			return a.goesOn(o.speech.Flush(a.habit))
		}
		for _, p := range e.Item.Content {
			a.refused = a.refused || p.Refusal != ""
			if !a.goesOn(o.speech.Write(p.Text + p.Refusal)) {
				return false
			}
		}
	case "function_call":
		if o.name == "" && !a.begin(e) {
			return false
		}
		if len(o.input) == 0 {
			if err := a.tally.CountArguments(0, len(e.Item.Arguments)); err != nil {
				return a.fail(err)
			}
			o.input = []byte(e.Item.Arguments)
		}
		return a.give(o.call())
	}
	return true
}

// call returns a function call as a tool call.
func (o *output) call() provider.ToolCall { return toolCall(o.as, o.name, o.input) }

// finish yields the end of a complete answer. The message does not contain tool calls that were cut
// off.
func (a *responseAnswer) finish() {
	m := provider.Message{Role: provider.Assistant}
	for _, o := range a.items {
		switch {
		case o.kind == "reasoning" && (o.text.Len() > 0 || o.secret != ""):
			m.Parts = append(m.Parts, provider.Thinking{Text: o.text.String(), Signature: o.id, Redacted: o.secret,
				From: a.from})
		case o.kind == "message":
			if !a.goesOn(o.speech.Flush(nil)) {
				return
			}
			m.Parts = append(m.Parts, o.speech.Parts(a.from)...)
		case o.kind == "function_call" && o.done:
			m.Parts = append(m.Parts, o.call())
		}
	}
	a.end(m)
}

// reason returns the reason to stop, as in [provider.End]. incomplete is the API's reason for an
// incomplete response, or "".
func (a *responseAnswer) reason(incomplete string) string {
	switch {
	case incomplete == "max_output_tokens":
		return "length"
	case incomplete == "content_filter":
		return "filter"
	case incomplete != "":
		return "length"
	case a.refused:
		return "refusal"
	case slices.ContainsFunc(a.items, func(o *output) bool { return o.kind == "function_call" && o.done }):
		return "tool"
	}
	return "end"
}
