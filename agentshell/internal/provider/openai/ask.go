package openai

import (
	"encoding/json"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// The names of the parts that can be left out of a request, as they appear in its JSON or in error
// messages.
const (
	streamOptions       = "stream_options"
	reasoningEffort     = "reasoning_effort"
	maxTokens           = "max_tokens"
	maxCompletionTokens = "max_completion_tokens"
	thoughts            = "reasoning_content"
	systemRole          = "the role system"
	encryptedThoughts   = "reasoning.encrypted_content"
	reasoningSummary    = "reasoning.summary"
	strict              = "strict"
	toolChoice          = "tool_choice"
)

// chatOmissions returns the parts of a request of Chat Completions that can be left out if a server
// refuses them. Requests never contain temperature, top_p, parallel_tool_calls or the role
// developer, which some servers refuse, too.
func chatOmissions() []remote.Omission {
	return []remote.Omission{
		{Name: streamOptions, Words: []string{"include_usage"}, Means: "token counts and costs may be missing"},
		{Name: reasoningEffort, Words: []string{"does not support thinking", "does not support reasoning"}, Model: true,
			Means: "the model decides on its effort"},
		{Name: maxTokens, Model: true, Means: "max_completion_tokens takes its place"},
		{Name: maxCompletionTokens, Model: true, Means: "an answer is as long as the server lets it be"},
		{Name: thoughts, Words: []string{"property 'reasoning' is unsupported", "reasoning: extra inputs"},
			Means: "the model is not told what it thought between its calls"},
		{Name: systemRole, Words: []string{"system role", "does not support 'system'", "role 'system'", `role "system"`,
			"conversation roles must alternate", "role: system"}, Model: true,
			Means: "its text stands before your first message"},
		{Name: toolChoice, Model: true, Means: "an agent may end without its result"},
	}
}

// responseOmissions returns the parts of a request of the Responses API that can be left out if a
// server refuses them.
func responseOmissions() []remote.Omission {
	return []remote.Omission{
		{Name: encryptedThoughts, Words: []string{"encrypted content", "encrypted_content"}, Model: true,
			Means: "the model is not told what it thought between its calls"},
		{Name: reasoningSummary, Words: []string{"reasoning summar"}, Model: true, Means: "thinking is not shown"},
		{Name: reasoningEffort, Words: []string{"reasoning.effort"}, Model: true,
			Means: "the model decides on its effort"},
		{Name: strict, Means: "the provider decides how it checks calls"},
		{Name: toolChoice, Model: true, Means: "an agent may end without its result"},
	}
}

// ask returns req in the form that remote.API sends, for the API that the model uses.
func (m *Model) ask(req provider.Request) remote.Ask {
	ask := remote.Ask{Path: "/chat/completions", Model: m.name, Versioned: true, Parts: chatOmissions(),
		Tools: req.Tools, Events: toChunks}
	ask.Body = func(without func(string) bool, tools []provider.Tool) (any, error) {
		req.Tools = tools
		return m.completion(req, without)
	}
	if m.responses {
		ask.Path, ask.Parts, ask.Events = "/responses", responseOmissions(), toResponseEvents
		ask.Body = func(without func(string) bool, tools []provider.Tool) (any, error) {
			req.Tools = tools
			return m.response(req, without)
		}
	}
	return ask
}

// toChunks converts a complete chat completion, which came as one JSON value, to a chunk of a
// stream. It returns a chunk unchanged.
func toChunks(value []byte) [][]byte {
	var whole map[string]json.RawMessage
	var choices []map[string]json.RawMessage
	if json.Unmarshal(value, &whole) != nil || json.Unmarshal(whole["choices"], &choices) != nil {
		return [][]byte{value}
	}
	for _, c := range choices {
		message, is := c["message"]
		if !is || c["delta"] != nil {
			return [][]byte{value}
		}
		c["delta"] = withIndexes(message)
		delete(c, "message")
		if reason := string(c["finish_reason"]); reason == "" || reason == "null" || reason == `""` {
			c["finish_reason"] = json.RawMessage(`"stop"`)
		}
	}
	var err error
	if whole["choices"], err = json.Marshal(choices); err != nil {
		return [][]byte{value}
	}
	chunk, err := json.Marshal(whole)
	if err != nil {
		return [][]byte{value}
	}
	return [][]byte{chunk}
}

// withIndexes returns message with an index in each tool call, as in chunks.
func withIndexes(message json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	var calls []map[string]json.RawMessage
	if json.Unmarshal(message, &fields) != nil || json.Unmarshal(fields["tool_calls"], &calls) != nil {
		return message
	}
	for i, c := range calls {
		if c != nil {
			c["index"] = json.RawMessage(fmt.Sprint(i))
		}
	}
	var err error
	if fields["tool_calls"], err = json.Marshal(calls); err != nil {
		return message
	}
	if text, err := json.Marshal(fields); err == nil {
		return text
	}
	return message
}

// toResponseEvents converts a complete response, which came as one JSON value, to the events of a
// stream. It returns an event unchanged.
func toResponseEvents(value []byte) [][]byte {
	var whole struct {
		Object, Status string
		Output         []json.RawMessage
	}
	if json.Unmarshal(value, &whole) != nil || whole.Output == nil {
		return [][]byte{value}
	}
	var list [][]byte
	for i, item := range whole.Output {
		list = append(list, fmt.Appendf(nil, `{"type":"response.output_item.done","output_index":%d,"item":%s}`,
			i, item))
	}
	kind := "completed"
	if whole.Status == "incomplete" || whole.Status == "failed" {
		kind = whole.Status
	}
	return append(list, fmt.Appendf(nil, `{"type":"response.%s","response":%s}`, kind, value))
}
