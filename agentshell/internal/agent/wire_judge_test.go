package agent_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"slices"
	"strings"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// known reports whether the server sent a reply whole with that mark and that thinking.
func known(sent []reply, mark, thinking string) bool {
	return slices.ContainsFunc(sent, func(p reply) bool { return p.mark == mark && p.thinking == thinking })
}

// asSent says what is wrong with the calls of a message: they are those of one reply, all of them,
// with their arguments; broken ones are an empty object.
func asSent(sent []reply, calls []wireCall) string {
	if len(calls) == 0 {
		return ""
	}
	at := slices.IndexFunc(sent, func(p reply) bool { return len(p.calls) > 0 && p.calls[0].id == calls[0].id })
	if at < 0 || len(sent[at].calls) != len(calls) {
		return fmt.Sprintf("the calls %v were not sent so", calls)
	}
	for i, c := range sent[at].calls {
		want := c.args
		var b bytes.Buffer
		if json.Compact(&b, []byte(want)) != nil || !strings.HasPrefix(b.String(), "{") {
			b.Reset()
			b.WriteString("{}")
		}
		var got bytes.Buffer
		if err := json.Compact(&got, []byte(calls[i].args)); err != nil || got.String() != b.String() ||
			calls[i].id != c.id || calls[i].name != c.name {
			return fmt.Sprintf("the call %v was sent as %v", calls[i], c)
		}
	}
	return ""
}

// judgeMessages holds a request to the rules of the Messages API: roles, no blank text, each call
// with exactly one result in the next message, thinking first and as it was signed.
func judgeMessages(body []byte, sent []reply) string {
	var req struct {
		Messages []struct {
			Role    string
			Content []struct {
				Type, Text, ID, Name, Thinking, Signature string
				ToolUse                                   string          `json:"tool_use_id"`
				Input                                     json.RawMessage `json:"input"`
			}
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return err.Error()
	}
	if len(req.Messages) == 0 || req.Messages[0].Role != "user" {
		return "the first message is not the user's"
	}
	if req.Messages[len(req.Messages)-1].Role != "user" {
		return "the last message is the assistant's"
	}
	var open []string // calls of the message before
	for i, m := range req.Messages {
		if len(m.Content) == 0 {
			return fmt.Sprintf("message %d is empty", i)
		}
		var results, calls []string
		var made []wireCall
		other := false
		for j, b := range m.Content {
			switch b.Type {
			case "text":
				if strings.TrimSpace(b.Text) == "" {
					return fmt.Sprintf("message %d has a blank text", i)
				}
				other = true
			case "thinking":
				if m.Role != "assistant" || j > 0 && m.Content[j-1].Type != "thinking" {
					return fmt.Sprintf("message %d: thinking is not first", i)
				}
				if !known(sent, b.Signature, b.Thinking) {
					return fmt.Sprintf("message %d: thinking %q was not signed so", i, b.Thinking)
				}
				if j == len(m.Content)-1 && i < len(req.Messages)-1 && len(m.Content) == 1 {
					continue // thinking alone was an answer
				}
			case "tool_use":
				if m.Role != "assistant" || b.ID == "" || !json.Valid(b.Input) || b.Input[0] != '{' {
					return fmt.Sprintf("message %d: a call that is none", i)
				}
				calls = append(calls, b.ID)
				made = append(made, wireCall{b.ID, b.Name, string(b.Input)})
			case "tool_result":
				if other {
					return fmt.Sprintf("message %d: a result behind something else", i)
				}
				results = append(results, b.ToolUse)
			default:
				return "a block of the type " + b.Type
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(open)), slices.Sorted(slices.Values(results))) {
			return fmt.Sprintf("message %d: results of %q for calls %q", i, results, open)
		}
		if why := asSent(sent, made); why != "" {
			return fmt.Sprintf("message %d: %s", i, why)
		}
		open = calls
	}
	if len(open) > 0 {
		return "calls without results at the end"
	}
	return ""
}

// judgeChat holds a request to the rules of Chat Completions, and of models that want their
// thinking back within a turn.
func judgeChat(body []byte, sent []reply) string {
	var req struct {
		Messages []struct {
			Role     string
			Content  any
			Call     string `json:"tool_call_id"`
			Thinking string `json:"reasoning_content"`
			Calls    []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return err.Error()
	}
	last := 0 // message of the user
	for i, m := range req.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	var open []string
	for i, m := range req.Messages {
		switch m.Role {
		case "tool":
			at := slices.Index(open, m.Call)
			if at < 0 {
				return fmt.Sprintf("message %d: a result of %q, open are %q", i, m.Call, open)
			}
			open = slices.Delete(open, at, at+1)
			continue
		case "assistant":
			if m.Content == nil && len(m.Calls) == 0 {
				return fmt.Sprintf("message %d is empty", i)
			}
			want := ""
			for _, p := range sent {
				if len(m.Calls) > 0 && len(p.calls) > 0 && p.calls[0].id == m.Calls[0].ID && i > last {
					want = p.thinking
				}
			}
			if m.Thinking != want {
				return fmt.Sprintf("message %d: thinking %q came as %q", i, m.Thinking, want)
			}
		case "user":
			if text, ok := m.Content.(string); !ok || strings.TrimSpace(text) == "" {
				return fmt.Sprintf("message %d: blank", i)
			}
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d: calls %q have no results", i, open)
		}
		var made []wireCall
		for _, c := range m.Calls {
			made = append(made, wireCall{c.ID, c.Function.Name, c.Function.Arguments})
		}
		if why := asSent(sent, made); why != "" {
			return fmt.Sprintf("message %d: %s", i, why)
		}
		for _, c := range m.Calls {
			if !json.Valid([]byte(c.Function.Arguments)) || c.Function.Arguments[0] != '{' || c.ID == "" {
				return fmt.Sprintf("message %d: arguments %q", i, c.Function.Arguments)
			}
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return "calls without results at the end"
	}
	return ""
}

// judgeResponses holds a request to the rules of Responses: each call has one output behind it
// before anybody speaks again, and reasoning stands right before what came of it, as it was sent.
func judgeResponses(body []byte, sent []reply) string {
	var req struct {
		Store bool
		Input []struct {
			Type, Role, ID, Name, Arguments string
			CallID                          string `json:"call_id"`
			Encrypted                       string `json:"encrypted_content"`
			Summary                         []struct{ Text string }
			Content                         []struct{ Type, Text string }
		}
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return err.Error()
	}
	if req.Store || len(req.Input) == 0 {
		return "it is stored, or empty"
	}
	var open []string
	var made []wireCall
	for i, it := range req.Input {
		if it.Type != "function_call" {
			if why := asSent(sent, made); why != "" {
				return fmt.Sprintf("item %d: %s", i, why)
			}
			made = nil
		}
		switch it.Type {
		case "function_call":
			made = append(made, wireCall{it.CallID, it.Name, it.Arguments})
			if !json.Valid([]byte(it.Arguments)) || it.Arguments[0] != '{' || it.CallID == "" {
				return fmt.Sprintf("item %d: arguments %q", i, it.Arguments)
			}
			open = append(open, it.CallID)
		case "function_call_output":
			at := slices.Index(open, it.CallID)
			if at < 0 {
				return fmt.Sprintf("item %d: an output of %q, open are %q", i, it.CallID, open)
			}
			open = slices.Delete(open, at, at+1)
		case "reasoning":
			text := ""
			for _, s := range it.Summary {
				text += s.Text
			}
			if !known(sent, it.Encrypted, text) {
				return fmt.Sprintf("item %d: reasoning %q was not sent so", i, text)
			}
			if i+1 == len(req.Input) || req.Input[i+1].Type == "reasoning" || req.Input[i+1].Role == "user" ||
				req.Input[i+1].Type == "function_call_output" {
				return fmt.Sprintf("item %d: reasoning without what came of it", i)
			}
		case "message":
			if len(open) > 0 && it.Role == "user" {
				return fmt.Sprintf("item %d: calls %q have no outputs", i, open)
			}
			if len(it.Content) == 0 || it.Content[0].Text == "" {
				return fmt.Sprintf("item %d is empty", i)
			}
		}
	}
	if len(open) > 0 {
		return "calls without outputs at the end"
	}
	return ""
}
