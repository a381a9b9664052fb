package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// responseRequest is the body of /responses, as far as we use it.
type responseRequest struct {
	Model        string         `json:"model"`
	Stream       bool           `json:"stream"`
	Store        bool           `json:"store"` // never: the conversation is ours
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
		Strict *bool `json:"strict,omitempty"` // without it the provider decides
	}
	// item is a part of the conversation; what is not of its type is left out.
	item struct {
		Type      string     `json:"type"`
		Role      string     `json:"role,omitempty"`
		Content   []ioPart   `json:"content,omitempty"`
		ID        string     `json:"id,omitempty"`
		CallID    string     `json:"call_id,omitempty"`
		Name      string     `json:"name,omitempty"`
		Arguments *string    `json:"arguments,omitempty"`
		Output    any        `json:"output,omitempty"` // a text or a list of parts
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

// reasons reports whether a model thinks, by its name: others refuse to be asked for it.
func reasons(name string) bool {
	for _, prefix := range []string{"gpt-5", "gpt-6", "o1", "o3", "o4", "codex"} {
		if strings.HasPrefix(name, prefix) {
			return !strings.Contains(name, "-chat")
		}
	}
	return false
}

// response writes the conversation as Responses wants it.
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

// answered returns a message of the model. What it thought goes back encrypted, before what came of
// it; thoughts with nothing behind them would be refused.
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

// asked returns the results of calls, which stand in the message before, and what the person said
// and brought.
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

// responseEvent is an event of Responses; what is not of its type is empty.
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
	failure                        // of the type error
	Failure        *failure        `json:"error"`
	SequenceNumber json.RawMessage `json:"sequence_number"`
}

type responseItem struct {
	Type, ID, Name, Arguments string
	CallID                    string `json:"call_id"`
	Content                   []ioPart
	Summary                   []summary
	Encrypted                 string `json:"encrypted_content"`
}

// responseAnswer turns the events of one stream into ours and collects the message.
type responseAnswer struct {
	*collector
	items   []*output // as they began
	refused bool
	ended   bool
}

// output is an item of the answer.
type output struct {
	index    int
	kind     string
	id, name string // of a reasoning; of a call
	as       provider.ToolCall
	text     strings.Builder // of a reasoning
	speech   provider.Speech // of a message
	input    []byte
	secret   string // what the model thought, encrypted
	done     bool
}

func (a *responseAnswer) over() bool { return a.ended }

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

// at returns the item of an index, which begins with the first of its events, whatever that is.
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

// close takes the whole item, which counts where its pieces did not come.
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

func (o *output) call() provider.ToolCall { return toolCall(o.as, o.name, o.input) }

// finish ends a complete message. A call that was cut off is none.
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
