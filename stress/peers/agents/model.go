//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// model plays a model, by the Messages API. What it answers depends on the request alone.
type model struct {
	program program

	mu       sync.Mutex
	requests int
	read     map[string]bool // the files whose text has come
	faults   []string        // what should not have come
	done     bool            // Main has got all answers
}

// request is what the model looks at.
type request struct {
	Messages []struct {
		Role    string
		Content json.RawMessage
	}
	Tools []struct{ Name string }
}

// part is one of a message.
type part struct {
	Type    string
	Text    string
	Content json.RawMessage
	IsError bool `json:"is_error"`
}

// parts returns those of a message, whose content may be a text.
func parts(content json.RawMessage) []part {
	var list []part
	if json.Unmarshal(content, &list) != nil {
		var text string
		_ = json.Unmarshal(content, &text)
		list = []part{{Type: "text", Text: text}}
	}
	return list
}

// ServeHTTP implements http.Handler.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req request
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/messages") ||
		json.NewDecoder(r.Body).Decode(&req) != nil {
		http.NotFound(w, r)
		return
	}
	text, calls := m.answer(req)
	stream(w, text, calls)
}

// answer returns what the model says and calls.
func (m *model) answer(req request) (string, []call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests++
	if len(req.Tools) == 0 {
		return "The parts", nil // the title of the conversation
	}
	var results []part
	agent := -1
	for _, msg := range req.Messages {
		for _, p := range parts(msg.Content) {
			if p.Type == "tool_result" {
				results = append(results, p)
			}
			if _, after, found := strings.Cut(p.Text, "You are reader number "); found && msg.Role == "user" {
				_, _ = fmt.Sscan(after, &agent)
			}
		}
	}
	if agent < 0 {
		return m.main(results)
	}
	return m.agent(agent, results)
}

// main returns what the model says to the conversation that starts agents.
func (m *model) main(results []part) (string, []call) {
	if len(results) == 0 {
		var prompts []string
		for i := range *agents {
			prompts = append(prompts, fmt.Sprintf("You are reader number %d . Read all files of part%d.", i, i))
		}
		return words("I start the agents.", 40), m.program.starts(prompts)
	}
	for _, p := range results {
		for i := range *agents {
			m.check(p, len(results) == 1 || i == index(p), fmt.Sprintf("All of part %d", i))
		}
	}
	m.done = true
	return words("All parts are read.", 100), nil
}

// index returns which agent a result of its own is of, -1 for none.
func index(p part) int {
	i := -1
	if _, after, found := strings.Cut(string(p.Content), "All of part "); found {
		_, _ = fmt.Sscan(after, &i)
	}
	return i
}

// agent returns what the model says to an agent: it reads the next file, or ends.
func (m *model) agent(agent int, results []part) (string, []call) {
	if n := len(results); n > 0 && n <= *files {
		m.check(results[n-1], true, fmt.Sprintf("agent %2d, file %2d, line  99", agent, n-1))
		m.read[fileName(agent, n-1)] = true
	}
	if len(results) < *files {
		return words("I read the next file.", 30),
			[]call{m.program.reads(m.program.workspace, fileName(agent, len(results)))}
	}
	answer := words(fmt.Sprintf("All of part %d is words.", agent), 100)
	if c, is := m.program.ends(answer); is {
		return words("That was all.", 10), []call{c}
	}
	return answer, nil
}

// check notes a result that is not the one wanted.
func (m *model) check(p part, wanted bool, text string) {
	if p.IsError || wanted && !strings.Contains(string(p.Content), text) {
		m.faults = append(m.faults, fmt.Sprintf("no %q in %.300s", text, p.Content))
	}
}

// fault returns what went wrong, "" if all was done.
func (m *model) fault() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case len(m.faults) > 0:
		return m.faults[0]
	case len(m.read) != *agents**files:
		return fmt.Sprintf("%d files are read", len(m.read))
	case !m.done:
		return "the first conversation has got no results"
	}
	return ""
}

// words returns a text of n words that begins with one.
func words(text string, n int) string {
	return text + strings.Repeat(" word", max(0, n-len(strings.Fields(text))))
}

// stream writes an answer, a word an event.
func stream(w http.ResponseWriter, text string, calls []call) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, o object) {
		o["type"] = kind
		b, _ := json.Marshal(o)
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
		w.(http.Flusher).Flush()
	}
	send("message_start", object{"message": object{"id": "msg_1", "type": "message", "role": "assistant",
		"model": "claude-sonnet-4-5", "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": 1000, "output_tokens": 1}}})
	block := func(i int, start object, deltas []object) {
		send("content_block_start", object{"index": i, "content_block": start})
		for _, d := range deltas {
			if *delay > 0 {
				time.Sleep(*delay)
			}
			send("content_block_delta", object{"index": i, "delta": d})
		}
		send("content_block_stop", object{"index": i})
	}
	var deltas []object
	for _, word := range strings.SplitAfter(text, " ") {
		deltas = append(deltas, object{"type": "text_delta", "text": word})
	}
	block(0, object{"type": "text", "text": ""}, deltas)
	stop := "end_turn"
	for i, c := range calls {
		stop = "tool_use"
		args, _ := json.Marshal(c.args)
		var deltas []object
		for part := range strings.SplitAfterSeq(string(args), " ") {
			deltas = append(deltas, object{"type": "input_json_delta", "partial_json": part})
		}
		block(i+1, object{"type": "tool_use", "id": callID(), "name": c.name, "input": object{}}, deltas)
	}
	send("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil},
		"usage": object{"output_tokens": 100}})
	send("message_stop", object{})
}
