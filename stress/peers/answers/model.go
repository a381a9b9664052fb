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

// model plays a model, by the Messages API. Each request with tools gets the words of the answer,
// one an event, at its rate.
type model struct {
	words []string
	rate  int

	mu   sync.Mutex
	sent []time.Time // when each word went out
	done chan struct{}
}

// newModel returns a model that answers once.
func newModel(words []string, rate int) *model {
	return &model{words: words, rate: rate, done: make(chan struct{})}
}

// times returns when each word went out.
func (m *model) times() []time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent
}

// ServeHTTP implements http.Handler. A request without tools is for the title of a conversation.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct{ Tools []json.RawMessage }
	if r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/messages") ||
		json.NewDecoder(r.Body).Decode(&req) != nil {
		http.NotFound(w, r)
		return
	}
	words, isAnswer := m.words, len(req.Tools) > 0
	if !isAnswer {
		words = []string{"A title"}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send(w, "message_start", object{"message": object{"id": "msg_1", "type": "message", "role": "assistant",
		"model": "claude-sonnet-4-5", "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": object{"input_tokens": 1000, "output_tokens": 1}}})
	send(w, "content_block_start", object{"index": 0, "content_block": object{"type": "text", "text": ""}})
	start := time.Now()
	for i, word := range words {
		if isAnswer {
			time.Sleep(time.Until(start.Add(time.Duration(i+1) * time.Second / time.Duration(m.rate))))
			m.mu.Lock()
			m.sent = append(m.sent, time.Now())
			m.mu.Unlock()
		}
		send(w, "content_block_delta", object{"index": 0, "delta": object{"type": "text_delta", "text": word}})
	}
	send(w, "content_block_stop", object{"index": 0})
	send(w, "message_delta", object{"delta": object{"stop_reason": "end_turn", "stop_sequence": nil},
		"usage": object{"output_tokens": len(words)}})
	send(w, "message_stop", object{})
	if isAnswer {
		close(m.done)
	}
}

// send writes one event.
func send(w http.ResponseWriter, kind string, o object) {
	o["type"] = kind
	b, _ := json.Marshal(o)
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b)
	_ = http.NewResponseController(w).Flush()
}

// answer returns n words of Markdown, each with what stands before it: paragraphs, headings, lists,
// code, a table. Each has a number, by which it is found on the screen.
func answer(n int) (deltas, marks []string) {
	shapes := []struct {
		before string // of the first word of each line
		words  int    // of a line
		around string // what stands on both sides of every fifth word
		after  string // the whole shape
		lines  int
	}{
		{"\n\n", 70, "**", "", 1}, {"\n\n## ", 5, "", "", 1}, {"\n- ", 12, "`", "", 4}, {"\n\n", 90, "*", "", 1},
		{"\n    ", 6, "", "\n", 8}, {"\n1. ", 15, "**", "", 3},
	}
	stems := []string{"row", "of", "the", "tape", "a", "is", "kept", "in", "and", "w", "it", "so"}
	for s := 0; len(deltas) < n; s++ {
		shape := shapes[s%len(shapes)]
		for line := range shape.lines {
			for w := 0; w < shape.words && len(deltas) < n; w++ {
				mark := fmt.Sprintf("%s%03d", stems[len(deltas)%len(stems)], len(deltas))
				text := " " + mark
				switch {
				case w == 0 && line == 0 && s > 0:
					text = "\n" + shape.before + mark
				case w == 0 && s > 0:
					text = shape.before + mark
				case w%5 == 4:
					text = " " + shape.around + mark + shape.around
				}
				deltas, marks = append(deltas, text), append(marks, mark)
			}
		}
	}
	return deltas, marks
}
