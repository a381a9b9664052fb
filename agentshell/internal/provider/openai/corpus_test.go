package openai_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// told is what an answer came to, whatever pieces it came in.
type told struct {
	text, thinking string
	calls          []string // name and arguments
	stop           string
	notices        []string
	fails          string // the message of the error in its place
}

// tell returns what came of a stream. Text that streams and the message must say the same.
func tell(t *testing.T, h http.HandlerFunc) (got told) {
	t.Helper()
	events, err := providertest.Collect(t.Context(), serve(t, openai.Config{}, h), providertest.Hello())
	if err != nil {
		return told{fails: err.Error()}
	}
	streamed := told{}
	names := map[string]string{}
	for _, e := range events {
		switch e := e.(type) {
		case provider.TextDelta:
			streamed.text += e.Text
		case provider.ThinkingDelta:
			streamed.thinking += e.Text
		case provider.TextWasThinking:
			streamed.text, streamed.thinking = "", streamed.thinking+strings.TrimSpace(streamed.text)
		case provider.ToolCallStart:
			if _, twice := names[e.ID]; twice || e.ID == "" {
				t.Errorf("two calls have the id %q", e.ID)
			}
			names[e.ID] = e.Name
		case provider.ToolCall:
			streamed.calls = append(streamed.calls, names[e.ID]+string(e.Input))
		case provider.Notice:
			got.notices = append(got.notices, e.Text)
		case provider.End:
			got.stop = e.Stop
			for _, p := range e.Message.Parts {
				switch p := p.(type) {
				case provider.Text:
					got.text += p.Text
				case provider.Thinking:
					got.thinking += p.Text
				case provider.ToolCall:
					got.calls = append(got.calls, p.Name+string(p.Input))
				}
			}
		}
	}
	if streamed.text != got.text || streamed.thinking != got.thinking || !reflect.DeepEqual(streamed.calls, got.calls) {
		t.Errorf("streamed %+v, the message says %+v", streamed, got)
	}
	return got
}

// sendsBytes sends a stream byte by byte.
func sendsBytes(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range len(body) {
			_, _ = w.Write([]byte{body[i]})
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// lines returns events of lines of data.
func lines(data ...string) (stream string) {
	for _, d := range data {
		stream += "data: " + d + "\n\n"
	}
	return stream
}

// say returns the data of an event with a delta and a reason, "" for none.
func say(delta, reason string) string {
	finish := "null"
	if reason != "" {
		finish = `"` + reason + `"`
	}
	return `{"id":"c","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}`
}

const read = `{"path":"a"}`

// corpus is streams of servers that speak nearly the protocol.
var corpus = map[string]struct {
	stream string
	want   told
}{
	// Ends.
	"a reason and no [DONE]": {lines(say(`{"content":"ok"}`, "stop")), told{text: "ok", stop: "end"}},
	"[DONE] and no reason":   {lines(say(`{"content":"ok"}`, ""), "[DONE]"), told{text: "ok", stop: "end"}},
	"[DONE] behind a call": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`,
		""), "[DONE]"), told{calls: []string{"a{}"}, stop: "tool"}},
	"[DONE] in the middle of a call": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":"{\"p"}}]}`, ""), "[DONE]"),
		told{fails: "the connection to the model broke: the answer ended before it was complete"}},
	"neither": {lines(say(`{"content":"ok"}`, "")),
		told{fails: "the connection to the model broke: the answer ended before it was complete"}},
	"a reason that is empty": {lines(say(`{"content":"ok"}`, "null"), say(`{"content":"!"}`, "eos")),
		told{text: "ok!", stop: "end"}},
	"text behind the reason": {lines(say(`{"content":"o"}`, "stop"), say(`{"content":"k"}`, ""), "[DONE]"),
		told{text: "ok", stop: "end"}},
	"calls behind the reason": {lines(say(`{}`, "stop"),
		say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`, ""), "[DONE]"),
		told{calls: []string{"a{}"}, stop: "tool"}},

	// Errors.
	"the reason error": {lines(say(`{"content":"half an"}`, ""), say(`{}`, "error"), "[DONE]"),
		told{fails: `the provider answered 500: the server ended its answer with the reason "error"`}},
	"an error in a choice": {lines(say(`{"content":"half an"}`, ""), `{"choices":[{"index":0,"delta":{"content":""},`+
		`"finish_reason":"error","error":{"code":502,"message":"upstream broke"}}]}`, "[DONE]"),
		told{fails: "the provider answered 502: upstream broke"}},
	"an error without a reason": {lines(`{"choices":[{"index":0,"error":{"code":429,"message":"slow down"}}]}`,
		"[DONE]"),
		told{fails: "rate limited (429): slow down"}},
	"an error that is a text": {lines(say(`{"content":"x"}`, ""), `{"error":"out of memory"}`),
		told{fails: "the provider answered 500: out of memory"}},
	"an error without a field around it": {lines(`{"object":"error","message":"no such model","type":"NotFoundError",` +
		`"param":null,"code":404}`), told{fails: "the provider does not know this model (404): no such model"}},
	"an error of a framework": {lines(`{"detail":"broke"}`), told{fails: "the provider answered 500: broke"}},
	"an error that is null": {lines(`{"error":null,"choices":[{"index":0,"delta":{"content":"ok"},` +
		`"finish_reason":"stop"}]}`), told{text: "ok", stop: "end"}},

	// Content.
	"content as a list": {lines(say(`{"content":[{"type":"text","text":"o"},{"type":"output_text","text":"k"}]}`,
		"stop")), told{text: "ok", stop: "end"}},
	"thinking in content": {lines(say(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]}`, ""),
		say(`{"content":[{"type":"reasoning","text":" so"}]}`, ""),
		say(`{"content":[{"type":"text","text":"ok"}]}`, ""),
		say(`{"content":"!"}`, "stop")), told{text: "ok!", thinking: "hm so", stop: "end"}},
	"a refusal in content": {lines(say(`{"content":[{"type":"refusal","refusal":"No."}]}`, "stop")),
		told{text: "No.", stop: "refusal"}},
	"a picture in content": {lines(say(`{"content":[{"type":"image_url","image_url":{"url":"x"}},"ok",7,null]}`,
		"stop")), told{text: "ok", stop: "end"}},
	"content that is null": {lines(say(`{"role":"assistant","content":null,"tool_calls":null,"refusal":null}`, ""),
		say(`{"content":"ok"}`, "stop")), told{text: "ok", stop: "end"}},
	"a delta that is null": {lines(`{"choices":[{"index":0,"delta":null,"finish_reason":null}]}`,
		say(`{"content":"ok"}`, "stop")), told{text: "ok", stop: "end"}},

	// Thinking.
	"reasoning_content": {lines(say(`{"reasoning_content":"hm"}`, ""), say(`{"content":"ok"}`, "stop")),
		told{text: "ok", thinking: "hm", stop: "end"}},
	"reasoning and its details": {lines(say(`{"content":"","reasoning":"hm","reasoning_details":[{"type":`+
		`"reasoning.text","text":"hm"}]}`, ""), say(`{"content":"ok"}`, "stop")),
		told{text: "ok", thinking: "hm", stop: "end"}},
	"reasoning_details": {lines(say(`{"reasoning_details":[{"type":"reasoning.text","text":"hm"},{"type":`+
		`"reasoning.summary","summary":" so"},{"type":"reasoning.encrypted","data":"xx"}]}`, ""),
		say(`{"content":"ok"}`, "stop")), told{text: "ok", thinking: "hm so", stop: "end"}},
	"thinking": {lines(say(`{"thinking":"hm"}`, ""), say(`{"content":"ok"}`, "stop")),
		told{text: "ok", thinking: "hm", stop: "end"}},
	"reasoning_text": {lines(say(`{"reasoning_text":"hm"}`, ""), say(`{"content":"ok"}`, "stop")),
		told{text: "ok", thinking: "hm", stop: "end"}},
	"thinking as an object": {lines(say(`{"thinking":{"content":"hm"}}`, ""), say(`{"content":"ok"}`, "stop")),
		told{text: "ok", thinking: "hm", stop: "end"}},
	"reasoning as a list": {lines(say(`{"reasoning":[{"type":"text","text":"hm"}]}`, ""),
		say(`{"content":"ok"}`, "stop")), told{text: "ok", thinking: "hm", stop: "end"}},

	"thinking in tags": {lines(say(`{"content":"<thi"}`, ""), say(`{"content":"nk>\nhm"}`, ""),
		say(`{"content":"\n</thin"}`, ""), say(`{"content":"k>\n\nok"}`, "stop")),
		told{text: "ok", thinking: "hm", stop: "end"}},
	"thinking in tags before calls": {lines(say(`{"content":"<think>hm</think>\n"}`, ""),
		say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`, "tool_calls")),
		told{thinking: "hm", calls: []string{"a{}"}, stop: "tool"}},
	"thinking in tags that nobody shuts": {lines(say(`{"content":"<think>hm"}`, "stop")),
		told{thinking: "hm", stop: "end"}},
	"a tag that nobody opens": {lines(say(`{"content":"hm"}`, ""), say(`{"content":".\n</think>\n\nok"}`, "stop")),
		told{text: "ok", thinking: "hm.", stop: "end"}},
	"a tag that nobody opens, before a call": {lines(say(`{"content":"hm.\n</think>"}`, ""),
		say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`, "tool_calls")),
		told{thinking: "hm.", calls: []string{"a{}"}, stop: "tool"}},
	"tags in a block of code": {lines(say("{\"content\":\"```\\n<think>\\n\"}", ""),
		say("{\"content\":\"x\\n</think>\\n```\"}", "stop")),
		told{text: "```\n<think>\nx\n</think>\n```", stop: "end"}},
	"a tag behind thinking that has a field": {lines(say(`{"reasoning":"hm"}`, ""),
		say(`{"content":"a.\n</think>\nb"}`, "stop")), told{text: "a.\n</think>\nb", thinking: "hm", stop: "end"}},
	"half a tag at the end": {lines(say(`{"content":"a </thi"}`, "stop")), told{text: "a </thi", stop: "end"}},
	"thinking in tags in a whole answer": {lines(`{"choices":[{"index":0,"message":{"content":` +
		`"<think>hm</think>ok"},"finish_reason":"stop"}]}`), told{text: "ok", thinking: "hm", stop: "end"}},

	// Calls.
	"arguments as an object": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":`+read+
		`}}]}`, "tool_calls")),
		told{calls: []string{"a" + read}, stop: "tool"}},
	"two calls with objects": {lines(say(`{"tool_calls":[{"function":{"name":"a","arguments":`+read+`}},`+
		`{"function":{"name":"a","arguments":{"path":"b"}}}]}`, "stop")),
		told{calls: []string{"a" + read, `a{"path":"b"}`}, stop: "tool"}},
	"an empty object, then pieces": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":{}}}]}`, ""), say(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"path\":"}}]}`, ""),
		say(`{"tool_calls":[{"index":0,"function":{"arguments":"\"a\"}"}}]}`, "tool_calls")),
		told{calls: []string{"a" + read}, stop: "tool"}},
	"arguments that are null": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":null}}]}`, "tool_calls")), told{calls: []string{"a{}"}, stop: "tool"}},
	"no index": {lines(say(`{"tool_calls":[{"id":"x","function":{"name":"a","arguments":"{\"path\":"}}]}`, ""),
		say(`{"tool_calls":[{"function":{"arguments":"\"a\"}"}}]}`, ""),
		say(`{"tool_calls":[{"id":"y","function":{"name":"b","arguments":"{"}}]}`, ""),
		say(`{"tool_calls":[{"function":{"arguments":"}"}}]}`, "tool_calls")),
		told{calls: []string{"a" + read, "b{}"}, stop: "tool"}},
	"no index and no id": {lines(say(`{"tool_calls":[{"function":{"name":"a","arguments":"{}"}},`+
		`{"function":{"name":"a","arguments":"{}"}}]}`, ""), say(`{"tool_calls":[{"function":{"name":"b"}}]}`, ""),
		say(`{"tool_calls":[{"function":{"arguments":"{}"}}]}`, "stop")),
		told{calls: []string{"a{}", "a{}", "b{}"}, stop: "tool"}},
	"each call has the index 0": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":"{}"}}]}`, ""),
		say(`{"tool_calls":[{"index":0,"id":"y","function":{"name":"b","arguments":"{"}}]}`, ""),
		say(`{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`, "tool_calls")),
		told{calls: []string{"a{}", "b{}"}, stop: "tool"}},
	"each call has the same id": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":"{}"}},{"index":1,"id":"x","function":{"name":"b","arguments":"{}"}}]}`, "tool_calls")),
		told{calls: []string{"a{}", "b{}"}, stop: "tool"}},
	"each call has the same id and index": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":"{}"}},{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`, "tool_calls")),
		told{calls: []string{"a{}", "a{}"}, stop: "tool"}},
	"each piece has another id": {lines(say(`{"tool_calls":[{"index":0,"id":"x1","function":{"name":"a",`+
		`"arguments":"{\"path\":"}}]}`, ""),
		say(`{"tool_calls":[{"index":0,"id":"x2","function":{"arguments":"\"a\"}"}}]}`, "tool_calls")),
		told{calls: []string{"a" + read}, stop: "tool"}},
	"an id that is a number": {lines(say(`{"tool_calls":[{"index":0,"id":7,"function":{"name":"a","arguments":"{}"}}]}`,
		"tool_calls")), told{calls: []string{"a{}"}, stop: "tool"}},
	"an index that is a text": {lines(say(`{"tool_calls":[{"index":"1","id":"y","function":{"name":"a",`+
		`"arguments":"{"}}]}`, ""), say(`{"tool_calls":[{"index":"1","function":{"arguments":"}"}}]}`, "tool_calls")),
		told{calls: []string{"a{}"}, stop: "tool"}},
	"the name with each piece": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":"{\"path\":"}}]}`, ""), say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":"\"a\"}"}}]}`, ""), say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a",`+
		`"arguments":""}}]}`, "tool_calls")),
		told{calls: []string{"a" + read}, stop: "tool"}},
	"the name behind the id": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"arguments":""}}]}`, ""),
		say(`{"tool_calls":[{"index":0,"function":{"name":"a","arguments":"{}"}}]}`, "tool_calls")),
		told{calls: []string{"a{}"}, stop: "tool"}},
	"calls in turns": {lines(say(`{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{"}},`+
		`{"index":1,"id":"y","function":{"name":"b","arguments":"{"}}]}`, ""),
		say(`{"tool_calls":[{"index":0,"function":{"arguments":"}"}},{"index":1,"function":{"arguments":"}"}}]}`,
			"tool_calls")), told{calls: []string{"a{}", "b{}"}, stop: "tool"}},
	"function_call": {lines(say(`{"function_call":{"name":"a","arguments":"{\"path\":"}}`, ""),
		say(`{"function_call":{"arguments":"\"a\"}"}}`, "function_call")),
		told{calls: []string{"a" + read}, stop: "tool"}},

	// Frames.
	"empty choices": {lines(`{"choices":[],"prompt_filter_results":[]}`, `{"choices":null}`,
		say(`{"content":"ok"}`, "stop"), `{"choices":[],"usage":null}`, "[DONE]"), told{text: "ok", stop: "end"}},
	"comments and names": {": OPENROUTER PROCESSING\n\nevent: message\nid: 1\nretry: 10\n" +
		lines(say(`{"content":"ok"}`, "stop")) + ":\n\n" + lines("[DONE]"), told{text: "ok", stop: "end"}},
	"CRLF": {strings.ReplaceAll(lines(say(`{"content":"o"}`, ""), say(`{"content":"k"}`, "stop"), "[DONE]"), "\n",
		"\r\n"), told{text: "ok", stop: "end"}},
	"a byte order mark": {"\xef\xbb\xbf" + lines(say(`{"content":"ok"}`, "stop"), "[DONE]"),
		told{text: "ok", stop: "end"}},
	"no blank behind data:": {strings.ReplaceAll(lines(say(`{"content":"o"}`, ""), say(`{"content":"k"}`, "stop"),
		"[DONE]"), "data: ", "data:"), told{text: "ok", stop: "end"}},
	"data in several lines": {"data: {\"choices\":[{\"index\":0,\ndata: \"delta\":{\"content\":\"ok\"},\n" +
		"data: \"finish_reason\":\"stop\"}]}\n\n" + lines("[DONE]"), told{text: "ok", stop: "end"}},
	"one line break between events": {strings.ReplaceAll(lines(say(`{"content":"o"}`, ""), say(`{"content":"k"}`,
		"stop"), "[DONE]"), "\n\n", "\n"), told{text: "ok", stop: "end"}},
	"a whole answer": {lines(`{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",` +
		`"content":"ok","reasoning_content":"hm","tool_calls":[{"id":"x","type":"function","function":{"name":"a",` +
		`"arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"total_tokens":2}}`),
		told{text: "ok", thinking: "hm", calls: []string{"a{}"}, stop: "tool"}},
	"the whole message behind its pieces": {lines(say(`{"content":"ok"}`, ""), `{"choices":[{"index":0,"message":`+
		`{"content":"ok"},"finish_reason":"stop"}]}`), told{text: "ok", stop: "end"}},
}

func TestServersThatSpeakNearlyTheProtocol(t *testing.T) {
	for name, c := range corpus {
		for how, h := range map[string]http.HandlerFunc{"whole": providertest.Sends(c.stream),
			"byte by byte": sendsBytes(c.stream)} {
			if got := tell(t, h); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, %s:\n got %+v\nwant %+v", name, how, got, c.want)
			}
		}
	}
}

func TestReasonsForAnEnd(t *testing.T) {
	for want, reasons := range map[string]string{
		"end":     "stop STOP end_turn eos stop_sequence completed",
		"length":  "length max_tokens MAX_TOKENS model_length max_output_tokens",
		"window":  "model_context_window_exceeded",
		"filter":  "content_filter safety SAFETY sensitive recitation",
		"refusal": "refusal",
		"tool":    "tool_calls tool_use function_call stop",
		"error":   "error network_error abort insufficient_system_resource",
	} {
		for reason := range strings.FieldsSeq(reasons) {
			delta := `{"content":"x"}`
			if want == "tool" {
				delta = `{"tool_calls":[{"index":0,"id":"x","function":{"name":"a","arguments":"{}"}}]}`
			}
			got := tell(t, providertest.Sends(lines(say(delta, reason), "[DONE]")))
			if got.stop != want && (want != "error" || got.fails == "") || got.notices != nil {
				t.Errorf("%s: %+v, want %s", reason, got, want)
			}
		}
	}
}

func TestAReasonThatIsNotKnownIsToldOnce(t *testing.T) {
	odd := strings.Repeat("odd ", 40)
	m := serve(t, openai.Config{}, providertest.Sends(lines(say(`{"content":"x"}`, odd), "[DONE]")))
	var notices []provider.Event
	for range 2 {
		events, err := providertest.Collect(t.Context(), m, providertest.Hello())
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if n, ok := e.(provider.Notice); ok {
				notices = append(notices, n)
			}
		}
		if end, ok := events[len(events)-1].(provider.End); !ok || end.Stop != "end" {
			t.Errorf("%+v", events)
		}
	}
	want := fmt.Sprintf("The server ended its answer for a reason that is not known here: %q. "+
		"The answer is taken as complete.", odd[:60]+"...")
	if len(notices) != 1 || notices[0] != provider.Event(provider.Notice{Text: want}) {
		t.Errorf("%q", notices)
	}
}

// A server whose template begins each answer with a tag that nobody sends is known from the first
// answer on: what comes before the tag that shuts it is thinking at once. Nothing of it goes back.
func TestAServerThatOpensNoTagIsLearned(t *testing.T) {
	var asked providertest.Asked
	m := serve(t, openai.Config{Model: "m"}, asked.Takes(t, lines(say(`{"content":"hm.\n"}`, ""),
		say(`{"content":"</think>\nok"}`, "stop"))))
	var first, second []provider.Event
	for _, to := range []*[]provider.Event{&first, &second} {
		events, err := providertest.Collect(t.Context(), m, providertest.Hello())
		if err != nil {
			t.Fatal(err)
		}
		*to = events
	}
	if first[0] != provider.Event(provider.TextDelta{Text: "hm.\n"}) ||
		first[1] != provider.Event(provider.TextWasThinking{}) {
		t.Errorf("first %+v", first)
	}
	if second[0] != provider.Event(provider.ThinkingDelta{Text: "hm."}) ||
		second[1] != provider.Event(provider.TextDelta{Text: "ok"}) {
		t.Errorf("then %+v", second)
	}
	end, _ := second[len(second)-1].(provider.End)
	req := providertest.Hello()
	req.Messages = append(req.Messages, end.Message, req.Messages[0])
	if _, err := providertest.Collect(t.Context(), m, req); err != nil {
		t.Fatal(err)
	}
	asked.Says(t, `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[
		{"role":"user","content":"hello"},{"role":"assistant","content":"ok"},{"role":"user","content":"hello"}]}`)
}
