package agent_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
)

// strictServer gives its calls ids in a way of its own, and refuses a conversation in which an id
// stands twice, or a result has no call before it, or an id is neither its own nor of its form.
type strictServer struct {
	t        *testing.T
	messages bool // it speaks the Messages API, else Chat Completions
	form     *regexp.Regexp
	ids      giver
	number   int // of the server
	step     int
	gave     map[string]bool
}

// giver gives calls ids; distinct: no call of any server has another one's.
type giver struct {
	give     func(server, step, i int) string // "": none
	distinct bool
}

const callsAStep = 2

// ServeHTTP checks the request and answers with calls, in each third request with a text.
func (s *strictServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.check(body)
	s.step++
	w.Header().Set("Content-Type", "text/event-stream")
	if s.step%3 == 0 {
		s.send(w, `{"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}`,
			`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"ok"}}`,
			`{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`, `{"type":"message_stop"}`)
		return
	}
	var chat, blocks []string
	for i := range callsAStep {
		id := s.ids.give(s.number, s.step, i)
		s.gave[id] = true
		id = fmt.Sprintf("%q", id)
		if id == `""` {
			id = "null"
		}
		chat = append(chat, fmt.Sprintf(`{"index":%d,"id":%s,"function":{"name":"look",`+
			`"arguments":"{\"path\":\"a\"}"}}`, i, id))
		blocks = append(blocks, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{`+
			`"type":"tool_use","id":%s,"name":"look","input":{"path":"a"}}}`, i, id),
			fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
	}
	s.send(w, `{"choices":[{"index":0,"delta":{"tool_calls":[`+strings.Join(chat, ",")+`]},"finish_reason":"stop"}]}`,
		append(blocks, `{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`)...)
}

func (s *strictServer) send(w io.Writer, chat string, messages ...string) {
	if !s.messages {
		messages = []string{chat}
	}
	for _, data := range messages {
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
	}
}

// ids matches the id of a call, and the id with which a result names its call, in both APIs.
var ids = regexp.MustCompile(`"(id|tool_call_id|tool_use_id)":"((?:[^"\\]|\\.)*)"`)

func (s *strictServer) check(body []byte) {
	var open, seen []string
	for _, m := range ids.FindAllSubmatch(body, -1) {
		var id string
		if err := json.Unmarshal([]byte(`"`+string(m[2])+`"`), &id); err != nil {
			s.t.Error(err)
		}
		if string(m[1]) != "id" {
			if i := slices.Index(open, id); i != 0 {
				s.t.Errorf("step %d: the result of %q is no result of the next call: %q", s.step, id, open)
				return
			}
			open = open[1:]
			continue
		}
		if slices.Contains(seen, id) {
			s.t.Errorf("step %d: two calls have the id %q", s.step, id)
		}
		if !s.form.MatchString(id) && !s.gave[id] {
			s.t.Errorf("step %d: %q has not the form of the server's ids, and it did not give it", s.step, id)
		}
		seen, open = append(seen, id), append(open, id)
	}
	if len(open) > 0 {
		s.t.Errorf("step %d: calls without a result: %q", s.step, open)
	}
	for id := range s.gave {
		if s.ids.distinct && !slices.Contains(seen, id) {
			s.t.Errorf("step %d: the server gave %q, and does not get it back", s.step, id)
		}
	}
}

func (s *strictServer) model() provider.Model {
	s.gave = map[string]bool{}
	server := httptest.NewServer(s)
	s.t.Cleanup(server.Close)
	var m provider.Model
	var err error
	if s.messages {
		m, err = anthropic.New(anthropic.Config{BaseURL: server.URL})
	} else {
		m, err = openai.New(openai.Config{BaseURL: server.URL + "/v1"})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// Whatever ids servers give, each of them takes the conversation, over many steps, over changes of
// the model, and when it was kept with ids that stand twice.
func TestACallHasAnIDOfItsOwnWhateverServersGive(t *testing.T) {
	openAI, mistral := regexp.MustCompile(`^[!-~]{1,40}$`), regexp.MustCompile(`^[0-9A-Za-z]{9}$`)
	messages := regexp.MustCompile(`^[a-zA-Z0-9_-]+$`)
	givers := map[string]giver{
		"none":      {give: func(_, _, _ int) string { return "" }},
		"repeated":  {give: func(_, _, i int) string { return fmt.Sprint("call_", i) }},
		"all alike": {give: func(_, _, _ int) string { return "c00000001" }},
		"some":      {give: func(_, step, i int) string { return strings.Repeat(fmt.Sprint("id", step), i) }},
		"of tools": {func(server, step, i int) string {
			return fmt.Sprintf("functions.look:%d", server*1000+step*callsAStep+i)
		}, true},
		"long": {func(server, step, i int) string {
			return fmt.Sprint(strings.Repeat("long", 100), server, ".", step, ".", i)
		}, true},
		"proper": {func(server, step, i int) string { return fmt.Sprintf("toolu_%d_%d_%d", server, step, i) }, true},
	}
	kept := func() (list []provider.Message) {
		for range 3 {
			list = append(list, provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "x"}}},
				provider.Message{Role: provider.Assistant, Parts: []provider.Part{
					provider.ToolCall{ID: "call_1", Name: "look"}, provider.ToolCall{ID: "call_1", Name: "look"}}},
				provider.Message{Role: provider.User, Parts: []provider.Part{
					provider.ToolResult{ID: "call_1", Text: "1"}, provider.ToolResult{ID: "call_1", Text: "2"}}})
		}
		return list
	}
	for first := range givers {
		for second := range givers {
			servers := []*strictServer{{ids: givers[first], form: openAI}, {ids: givers[second], form: mistral},
				{ids: givers[second], form: messages, messages: true}}
			var models []provider.Model
			for i, s := range servers {
				s.t, s.number = t, i
				models = append(models, s.model())
			}
			a := agent.New(agent.Config{Tools: &bench{}, Approver: approver(yes), Messages: kept(), Model: models[0]})
			for _, i := range []int{0, 1, 2, 0, 2, 1} {
				a.SetModel(models[i])
				if end := end(turn(t, a, t.Context(), "go on")); end.Reason != agent.Done {
					t.Fatalf("%s, %s: %+v", first, second, end)
				}
			}
			if t.Failed() || servers[0].step != 6 {
				t.Fatalf("%d steps with ids %s, then %s", servers[0].step, first, second)
			}
		}
	}
}
