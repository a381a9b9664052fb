package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
)

// reply is an answer of a model, whatever the protocol.
type reply struct {
	thinking string // "" for none
	mark     string // that goes back with the thinking
	text     string
	calls    []wireCall
	stop     string // as the protocol has it; "": the usual one
}

type wireCall struct{ id, name, args string }

// protocol writes answers and judges requests.
type protocol struct {
	name  string
	model func(url string) (provider.Model, error)
	// events writes a reply as the data of events, in one of the ways that are legal.
	events func(r *rand.Rand, p reply) []string
	// judge says what is wrong with a request, "" for nothing. sent are the replies, also those
	// that were cut off.
	judge func(body []byte, sent []reply) string
	fault string // an error within a stream
}

// wire is one session's server: it answers at random, and judges each request.
type wire struct {
	protocol
	mu    sync.Mutex
	r     *rand.Rand
	n     int // requests
	sent  []reply
	wrong []string
}

func (w *wire) ServeHTTP(out http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n++
	if err == nil {
		if why := w.judge(body, w.sent); why != "" {
			w.wrong = append(w.wrong, fmt.Sprintf("request %d: %s\n%s", w.n, why, body))
		}
	}
	switch w.r.IntN(12) {
	case 0:
		out.Header().Set("Retry-After-Ms", "1")
		http.Error(out, `{"error":{"type":"rate_limit_error","message":"slow down"}}`, http.StatusTooManyRequests)
		return
	case 1:
		http.Error(out, `<html>bad gateway`, http.StatusBadGateway)
		return
	case 2:
		if w.r.IntN(3) == 0 {
			http.Error(out, `{"error":{"type":"invalid_request_error","message":"no"}}`, http.StatusBadRequest)
			return
		}
	}
	p := w.reply()
	events := w.events(w.r, p)
	fault := w.r.IntN(8)
	switch fault {
	case 0: // cut off between events
		events = events[:w.r.IntN(len(events))]
	case 1: // an error in its midst
		events = append(events[:w.r.IntN(len(events))], w.fault)
	}
	text := w.framed(events)
	if fault == 2 { // cut off anywhere
		text = text[:w.r.IntN(len(text))]
	}
	w.sent = append(w.sent, p)
	out.Header().Set("Content-Type", "text/event-stream")
	for len(text) > 0 { // in pieces that end anywhere
		n := min(len(text), 1+w.r.IntN(200))
		_, _ = io.WriteString(out, text[:n])
		_ = http.NewResponseController(out).Flush()
		text = text[n:]
	}
	if fault == 2 {
		panic(http.ErrAbortHandler)
	}
}

// framed returns events as a stream, in one of the ways that are legal.
func (w *wire) framed(events []string) string {
	var b strings.Builder
	end := []string{"\n", "\r\n", "\r"}[w.r.IntN(3)]
	named := w.r.IntN(2) == 0
	for i, data := range events {
		switch w.r.IntN(10) {
		case 0:
			b.WriteString(": keep-alive" + end + end)
		case 1:
			b.WriteString("event: of_the_future" + end + `data: {"type":"of_the_future","index":{"a":[1]},` +
				`"delta":7}` + end + end)
		case 2:
			b.WriteString("id: 7" + end + "retry: 10" + end)
		}
		if named && strings.Contains(data, `"type":"`) {
			_, kind, _ := strings.Cut(data, `"type":"`)
			kind, _, _ = strings.Cut(kind, `"`)
			b.WriteString("event: " + kind + end)
		}
		b.WriteString("data:")
		if w.r.IntN(5) > 0 {
			b.WriteString(" ")
		}
		b.WriteString(data + end)
		if i < len(events)-1 || w.r.IntN(2) == 0 {
			b.WriteString(end)
		}
	}
	return b.String()
}

// reply returns what the model says next: fewer calls the longer it goes on, so that turns end.
func (w *wire) reply() (p reply) {
	words := []string{"I look.", "Grüße 漢字", "x\ny", `"quoted" \ back`, " ", "\u2028", strings.Repeat("long ", 50)}
	if w.r.IntN(2) == 0 {
		p.thinking, p.mark = words[w.r.IntN(len(words))], fmt.Sprintf("sig+/=%d", w.r.Uint32())
	}
	if w.r.IntN(4) > 0 {
		p.text = words[w.r.IntN(len(words))]
	}
	for i := range w.r.IntN(max(1, 5-w.n/2)) {
		c := wireCall{id: fmt.Sprintf("call_%d_%d", w.n, i), name: []string{"look", "change", "boom",
			"none"}[w.r.IntN(4)]}
		c.args = []string{`{"path":"a"}`, `{ "path" : "b\n" }`, `{}`, `{"fail":"prepare"}`, `{"path":`, ``,
			`{"path":"Grüße"}`, `[1]`}[w.r.IntN(8)]
		p.calls = append(p.calls, c)
	}
	if w.r.IntN(10) == 0 {
		p.stop = "cut"
	}
	return p
}

// pieces cuts a text: per character, at random, or not at all.
func pieces(r *rand.Rand, text string) (list []string) {
	if text == "" {
		return nil
	}
	how := r.IntN(3)
	runes := []rune(text)
	for len(runes) > 0 {
		n := []int{1, 1 + r.IntN(7), len(runes)}[how]
		n = min(n, len(runes))
		list = append(list, string(runes[:n]))
		runes = runes[n:]
	}
	return list
}

func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// wireSessions returns how many sessions are played: SCROLLKEEP_WIRE, else some.
func wireSessions() int {
	if n, err := strconv.Atoi(os.Getenv("SCROLLKEEP_WIRE")); err == nil {
		return n
	}
	return 60
}

// Sessions over the wire of each protocol, with answers in every legal form, with errors, cuts and
// stops at any moment: each request is one that the provider takes, and what a model thought goes
// back as it came.
func TestEveryRequestIsOneThatTheProviderTakes(t *testing.T) {
	protocols := []protocol{messagesProtocol, chatProtocol, responsesProtocol}
	total := 0
	for seed := range wireSessions() {
		p := protocols[seed%len(protocols)]
		w := &wire{protocol: p, r: rand.New(rand.NewPCG(uint64(seed), 1))}
		total += w.play(t, uint64(seed))
		for _, why := range w.wrong {
			t.Fatalf("%s, seed %d: %s", p.name, seed, why)
		}
	}
	t.Logf("%d requests in %d sessions", total, wireSessions())
}

func (w *wire) play(t *testing.T, seed uint64) int {
	server := httptest.NewUnstartedServer(w)
	server.Config.ErrorLog = quiet()
	server.Start()
	defer server.Close()
	m, err := w.model(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 2)) // of the person
	answer := func(_ context.Context, p *approval.Proposal) (approval.Answer, error) {
		switch r.IntN(4) {
		case 0:
			return approval.No{ID: p.ID, Reason: "not this one"}, nil
		case 1:
			return approval.Stop{ID: p.ID}, nil
		}
		return approval.Yes{ID: p.ID}, nil
	}
	a := agent.New(agent.Config{Model: m, Tools: &bench{}, Approver: approver(answer), System: "be kind",
		Limits:  agent.Limits{Steps: 8},
		Retries: agent.Retries{Attempts: 3, Wait: time.Millisecond, MaxWait: 2 * time.Millisecond}})
	for range 4 {
		ctx, stop := context.WithCancel(t.Context())
		left := r.IntN(120) // events until a stop
		if r.IntN(3) > 0 {
			left = 1 << 20
		}
		_ = a.RunText(ctx, []string{"go on", "Grüße", "x\n\ny"}[r.IntN(3)], func(agent.Event) {
			if left--; left == 0 {
				stop()
			}
		})
		stop()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

// messagesProtocol is the Messages API.
var messagesProtocol = protocol{name: "messages",
	model: func(url string) (provider.Model, error) {
		return anthropic.New(anthropic.Config{Key: "k", Model: "m", BaseURL: url})
	},
	fault: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`,
	events: func(r *rand.Rand, p reply) []string {
		list := []string{`{"type":"message_start","message":{"id":"m","role":"assistant","content":[],` +
			`"usage":{"input_tokens":3,"output_tokens":1}}}`}
		i := 0
		block := func(begin string, deltas ...string) {
			list = append(list, fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, begin))
			for _, d := range deltas {
				if r.IntN(6) == 0 {
					list = append(list, `{"type":"ping"}`)
				}
				list = append(list, fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, d))
			}
			list = append(list, fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
			i++
		}
		deltas := func(kind, field, text string) (out []string) {
			for _, s := range pieces(r, text) {
				out = append(out, fmt.Sprintf(`{"type":%q,%q:%s}`, kind, field, quoted(s)))
			}
			return out
		}
		if p.thinking != "" {
			block(`{"type":"thinking","thinking":"","signature":""}`, append(deltas("thinking_delta", "thinking",
				p.thinking), `{"type":"signature_delta","signature":`+quoted(p.mark)+`}`)...)
		}
		if p.text != "" {
			block(`{"type":"text","text":""}`, deltas("text_delta", "text", p.text)...)
		}
		for _, c := range p.calls {
			block(fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":{}}`, c.id, c.name),
				deltas("input_json_delta", "partial_json", c.args)...)
		}
		stop := "end_turn"
		switch {
		case p.stop != "":
			stop = []string{"max_tokens", "refusal", "model_context_window_exceeded"}[r.IntN(3)]
		case len(p.calls) > 0:
			stop = "tool_use"
		}
		return append(list, fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},`+
			`"usage":{"output_tokens":9}}`,
			stop), `{"type":"message_stop"}`)
	},
	judge: judgeMessages,
}

// chatProtocol is Chat Completions of a server whose model thinks.
var chatProtocol = protocol{name: "chat",
	model: func(url string) (provider.Model, error) {
		return openai.New(openai.Config{Model: "m", BaseURL: url + "/v1"})
	},
	fault: `{"error":{"message":"overloaded","type":"server_error","code":503}}`,
	events: func(r *rand.Rand, p reply) []string {
		var list []string
		delta := func(d string) {
			list = append(list, `{"id":"c","choices":[{"index":0,"delta":`+d+`,"finish_reason":null}]}`)
		}
		delta(`{"role":"assistant","content":""}`)
		for _, s := range pieces(r, p.thinking) {
			delta(`{"reasoning_content":` + quoted(s) + `}`)
		}
		for _, s := range pieces(r, p.text) {
			delta(`{"content":` + quoted(s) + `}`)
		}
		var rest [][]string // of the arguments of each call
		for i, c := range p.calls {
			delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%q,"type":"function","function":{"name":%q,`+
				`"arguments":""}}]}`,
				i, c.id, c.name))
			rest = append(rest, pieces(r, c.args))
		}
		for open := len(rest); open > 0; { // in turns
			i := r.IntN(len(rest))
			if len(rest[i]) == 0 {
				open = 0
				for _, l := range rest {
					open += len(l)
				}
				continue
			}
			delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, i, quoted(rest[i][0])))
			rest[i] = rest[i][1:]
		}
		stop := "stop"
		switch {
		case p.stop != "":
			stop = []string{"length", "content_filter"}[r.IntN(2)]
		case len(p.calls) > 0 && r.IntN(3) > 0:
			stop = "tool_calls"
		}
		list = append(list, `{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"`+stop+`"}]}`)
		if r.IntN(2) == 0 {
			list = append(list, `{"id":"c","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,`+
				`"total_tokens":7}}`)
		}
		if r.IntN(2) == 0 {
			list = append(list, `[DONE]`)
		}
		return list
	},
	judge: judgeChat,
}

// responsesProtocol is Responses.
var responsesProtocol = protocol{name: "responses",
	model: func(url string) (provider.Model, error) {
		return openai.New(openai.Config{Key: "k", Model: "gpt-5.2", BaseURL: url + "/v1", API: openai.Responses})
	},
	fault: `{"type":"error","code":"server_error","message":"oh"}`,
	events: func(r *rand.Rand, p reply) []string {
		list := []string{`{"type":"response.created","response":{"status":"in_progress"}}`}
		i := 0
		item := func(kind, begin, end string, pieces []string) {
			list = append(list, fmt.Sprintf(`{"type":"response.output_item.added","output_index":%d,`+
				`"item":%s}`, i, begin))
			for _, s := range pieces {
				list = append(list, fmt.Sprintf(`{"type":%q,"output_index":%d,"delta":%s}`, kind, i, quoted(s)))
			}
			list = append(list, fmt.Sprintf(`{"type":"response.output_item.done","output_index":%d,"item":%s}`, i, end))
			i++
		}
		if p.thinking != "" {
			item("response.reasoning_summary_text.delta", `{"type":"reasoning","id":"rs"}`,
				`{"type":"reasoning","id":"rs","summary":[],`+
					`"encrypted_content":`+quoted(p.mark)+`}`, pieces(r, p.thinking))
		}
		if p.text != "" {
			item("response.output_text.delta", `{"type":"message"}`, `{"type":"message",`+
				`"content":[{"type":"output_text",`+
				`"text":`+quoted(p.text)+`}]}`, pieces(r, p.text))
		}
		for _, c := range p.calls {
			whole := fmt.Sprintf(`{"type":"function_call","call_id":%q,"name":%q,"arguments":%s}`, c.id, c.name,
				quoted(c.args))
			item("response.function_call_arguments.delta", whole, whole, pieces(r, c.args))
		}
		end := `{"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":3,` +
			`"output_tokens":4}}}`
		if p.stop != "" {
			end = fmt.Sprintf(`{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":`+
				`{"reason":%q}}}`, []string{"max_output_tokens", "content_filter"}[r.IntN(2)])
		}
		return append(list, end)
	},
	judge: judgeResponses,
}
