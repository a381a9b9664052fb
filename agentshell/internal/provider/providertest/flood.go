package providertest

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

// Dialect describes how an API writes the events of an answer. The texts that its functions get
// must need no escaping in JSON.
type Dialect struct {
	Begin string                // The events at the beginning of every answer.
	Text  func(s string) string // Returns an event with a piece of text.
	// Returns an event with a piece of reasoning. It must come before any text.
	Thinking func(s string) string
	// Returns the event that begins tool call i. Calls are numbered from 0, without gaps.
	Call      func(i int, name string) string
	Arguments func(i int, piece string) string // Returns an event with a piece of the arguments of call i.
	Wide      func(n int) string               // Returns one event with about n empty JSON objects.
	End       string                           // The events at the end of an answer with tool calls.
}

// Anthropic writes answers of the Messages API. Reasoning is block 0, text is block 1, and tool
// call i is block i+2.
var Anthropic = Dialect{
	Begin: sse("message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant",`+
		`"model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}`) +
		sse("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"thinking",`+
			`"thinking":"","signature":""}}`) +
		sse("content_block_start",
			`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`),
	Text: func(s string) string {
		return sse("content_block_delta",
			`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"`+s+`"}}`)
	},
	Thinking: func(s string) string {
		return sse("content_block_delta",
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"`+s+`"}}`)
	},
	Call: func(i int, name string) string {
		return sse("content_block_start",
			fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"c%d",`+
				`"name":"%s","input":{}}}`, i+2, i, name))
	},
	Arguments: func(i int, piece string) string {
		return sse("content_block_delta",
			fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta",`+
				`"partial_json":"%s"}}`, i+2, piece))
	},
	Wide: func(n int) string {
		return sse("message_start", `{"type":"message_start","message":{"content":[`+strings.Repeat("{},", n)+`{}]}}`)
	},
	End: sse("content_block_stop", `{"type":"content_block_stop","index":2}`) + sse("message_delta",
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`) + sse("message_stop",
		`{"type":"message_stop"}`),
}

// OpenAI writes answers of the Chat Completions API.
var OpenAI = Dialect{
	Begin:    delta(`{"role":"assistant","content":""}`),
	Text:     func(s string) string { return delta(`{"content":"` + s + `"}`) },
	Thinking: func(s string) string { return delta(`{"reasoning_content":"` + s + `"}`) },
	Call: func(i int, name string) string {
		return delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"c%d","type":"function",`+
			`"function":{"name":"%s","arguments":""}}]}`, i, i, name))
	},
	Arguments: func(i int, piece string) string {
		return delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":"%s"}}]}`, i, piece))
	},
	Wide: func(n int) string { return `data: {"id":"c","choices":[` + strings.Repeat("{},", n) + "{}]}\n\n" },
	End:  `data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n",
}

// Responses writes answers of OpenAI's Responses API. Reasoning is item 0, text is item 1, and tool
// call i is item i+2.
var Responses = Dialect{
	Begin: item("added", `,"output_index":0,"item":{"type":"reasoning","id":"r"}`),
	Text: func(s string) string {
		return said("output_text", `,"output_index":1,"delta":"`+s+`"`)
	},
	Thinking: func(s string) string {
		return said("reasoning_summary_text", `,"output_index":0,"delta":"`+s+`"`)
	},
	Call: func(i int, name string) string {
		return item("added", fmt.Sprintf(`,"output_index":%d,"item":{"type":"function_call","call_id":"c%d",`+
			`"name":"%s","arguments":""}`, i+2, i, name))
	},
	Arguments: func(i int, piece string) string {
		return said("function_call_arguments", fmt.Sprintf(`,"output_index":%d,"delta":"%s"`, i+2, piece))
	},
	Wide: func(n int) string {
		return item("added", `,"output_index":1,"item":{"type":"message","content":[`+strings.Repeat("{},", n)+`{}]}`)
	},
	End: item("done", `,"output_index":2,"item":{"type":"function_call","call_id":"c0"}`) +
		sse("response.completed", `{"type":"response.completed","response":{"status":"completed"}}`),
}

// item returns an event of the Responses API about an output item. what is "added" or "done".
func item(what, fields string) string {
	return sse("response.output_item."+what, `{"type":"response.output_item.`+what+`"`+fields+"}")
}

// said returns an event of the Responses API with a piece of the content that what names.
func said(what, fields string) string {
	return sse("response."+what+".delta", `{"type":"response.`+what+`.delta"`+fields+"}")
}

// sse returns a server-sent event.
func sse(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

// delta returns a chunk of the Chat Completions API with the given delta.
func delta(d string) string {
	return `data: {"id":"c","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":` + d +
		`,"finish_reason":null}]}` + "\n\n"
}

// Said is the text at the beginning of each [Flood] that contains text.
const Said = "I begin."

// Flood is a response without an end, which a provider must cut off at one of its bounds.
type Flood struct {
	Name string
	// Cut returns the part of the expected error that names the exceeded bound.
	Cut    func(b provider.Bounds) string
	Says   bool // The response begins with the text Said.
	Status int  // The HTTP status of the response, if it is an error; 0 otherwise.
	// Handler returns a handler that writes until the client disconnects, or until it has written
	// most bytes.
	Handler func(most int) http.HandlerFunc
}

// Floods returns the endless responses in the format of d: endless lines, events, text, tool calls,
// errors, and others.
func (d Dialect) Floods() []Flood {
	begin := d.Begin + d.Text(Said)
	long := strings.Repeat("a word and ", 300)
	stream := func(name string, cut func(provider.Bounds) string, first string, next func(i int) string) Flood {
		return Flood{Name: name, Cut: cut, Says: true, Handler: func(most int) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				pour(w, most, begin+first, next)
			}
		}}
	}
	same := func(s string) func(int) string { return func(int) string { return s } }
	text := func(b provider.Bounds) string { return "its text is longer than " + provider.FormatSize(b.Text) }
	whole := func(b provider.Bounds) string { return "the stream is longer than " + provider.FormatSize(b.Response) }
	line := func(b provider.Bounds) string {
		return "a line of the stream is longer than " + provider.FormatSize(b.Line)
	}
	think := func(b provider.Bounds) string {
		return "its thinking is longer than " + provider.FormatSize(b.Thinking)
	}
	floods := []Flood{
		stream("line", line, "data: ", same(long)),
		stream("event", func(b provider.Bounds) string {
			return "an event of the stream is longer than " + provider.FormatSize(b.Event)
		}, "", same("data: "+long+"\n")),
		stream("tiny events", whole, "", same("event: ping\ndata: {\"type\": \"ping\"}\n\n")),
		stream("comments", whole, "", same(": keep-alive\n\n")),
		stream("blank lines", whole, "", same("\n")),
		stream("values", func(b provider.Bounds) string {
			return fmt.Sprintf("an event of the stream has more than %d values", b.Values)
		}, "", same(d.Wide(100_000))),
		stream("arguments", func(b provider.Bounds) string {
			return "the arguments of a call are longer than " + provider.FormatSize(b.Arguments)
		}, d.Call(0, "write_file")+d.Arguments(0, `{\"path\":\"a\",\"content\":\"`), same(d.Arguments(0, long))),
		stream("calls", func(b provider.Bounds) string {
			return fmt.Sprintf("it makes more than %d calls", b.Calls)
		}, "",
			func(i int) string { return d.Call(i, "list_dir") + d.Arguments(i, `{\"path\":\".\"}`) }),
		stream("thinking", think, "", same(d.Thinking(long+`\n\n`))),
		stream("text lines", text, "", same(d.Text(strings.Repeat(`line\n`, 200)))),
		stream("paragraphs", text, "", same(d.Text(strings.Repeat(`a paragraph\n\n`, 100)))),
		stream("one text line", text, "", same(d.Text(long))),
		stream("quotes", text, "", same(d.Text(strings.Repeat(">", 1000)))),
		stream("brackets", text, "", same(d.Text(strings.Repeat("[a", 500)))),
	}
	for _, status := range []int{http.StatusUnauthorized, http.StatusInternalServerError} {
		floods = append(floods, Flood{
			Name: fmt.Sprint("error ", status), Status: status,
			Cut: func(b provider.Bounds) string {
				return "(the error is longer than " + provider.FormatSize(b.Refusal) + ", the rest of it was not read)"
			},
			Handler: func(most int) http.HandlerFunc {
				return func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(status)
					pour(w, most, `{"error":{"message":"`, same(long))
				}
			},
		})
	}
	return append(floods,
		Flood{Name: "header", Cut: func(b provider.Bounds) string {
			return "its header is longer than " + provider.FormatSize(b.Header)
		},
			Handler: func(most int) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) {
					// A client that still sends would report that, not the answer.
					_, _ = io.Copy(io.Discard, r.Body)
					conn, _, err := http.NewResponseController(w).Hijack()
					if err != nil {
						return
					}
					defer conn.Close()
					pour(conn, most, "HTTP/1.1 200 OK\r\n", func(i int) string {
						return fmt.Sprintf("X-%d: %s\r\n", i, long)
					})
				}
			}},
		Flood{Name: "compressed line", Cut: line, Says: true, Handler: func(most int) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				w.Header().Set("Content-Encoding", "gzip")
				var once strings.Builder // the same MiB again and again: the reader is what is tried
				zip := gzip.NewWriter(&once)
				_, _ = io.WriteString(zip, strings.Repeat("a", 1<<20))
				_ = zip.Close()
				much := once.String()
				once.Reset()
				zip.Reset(&once)
				_, _ = io.WriteString(zip, begin+"data: ")
				_ = zip.Close()
				pour(w, most>>20*len(much), once.String(), same(much)) // members in a row are one text
			}
		}})
}

// pour writes first, and then the results of next for i = 0, 1, ..., until the reader disconnects
// or most bytes are written.
func pour(w io.Writer, most int, first string, next func(i int) string) {
	n, err := io.WriteString(w, first)
	for i := 0; err == nil && n < most; i++ {
		var b strings.Builder
		for b.Len() < 16<<10 {
			b.WriteString(next(i))
			i++
		}
		i--
		k := 0
		k, err = io.WriteString(w, b.String())
		n += k
	}
}

// Small holds such low bounds that a flood exceeds them at once.
var Small = provider.Bounds{
	Header: 16 << 10, Refusal: 4 << 10, Line: 64 << 10, Event: 128 << 10, Values: 100, Response: 512 << 10,
	Text: 32 << 10, Thinking: 24 << 10, Calls: 8, Arguments: 40 << 10, Message: 128 << 10,
}

// Floods tests that a model with the bounds [Small] cuts off each flood at once, with an error that
// names the bound, and that the text before it arrives. A similar answer with an end must arrive
// whole. The function model returns a model for the server at url.
func Floods(t *testing.T, d Dialect, model func(url string) (provider.Model, error)) {
	t.Run("no flood", func(t *testing.T) {
		m, err := model(Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, d.Begin+d.Thinking("hm")+d.Text(Said)+d.Text(strings.Repeat("a word ", 1000))+
				"event: ping\ndata: {\"type\": \"ping\"}\n\n: keep-alive\n\n"+d.Call(0, "list_dir")+
				d.Arguments(0, `{\"path\":\".\"}`)+d.End)
		}))
		if err != nil {
			t.Fatal(err)
		}
		checkWhole(t, m)
	})
	for _, f := range d.Floods() {
		t.Run(f.Name, func(t *testing.T) {
			left := make(chan struct{}, 1)
			m, err := model(Serve(t, func(w http.ResponseWriter, r *http.Request) {
				f.Handler(4<<20)(w, r)
				left <- struct{}{}
			}))
			if err != nil {
				t.Fatal(err)
			}
			checkCut(t, f, m)
			<-left
		})
	}
}

// checkWhole tests that an answer within all bounds arrives whole.
func checkWhole(t *testing.T, m provider.Model) {
	t.Helper()
	events, err := Collect(t.Context(), m, Hello())
	if err != nil {
		t.Fatalf("an answer that is no flood: %v", err)
	}
	var said strings.Builder
	calls, ended := 0, false
	for _, e := range events {
		switch e := e.(type) {
		case provider.TextDelta:
			said.WriteString(e.Text)
		case provider.ToolCall:
			calls++
		case provider.End:
			ended = true
		}
	}
	if said.String() != Said+strings.Repeat("a word ", 1000) || calls != 1 || !ended {
		t.Errorf("%d bytes of text, %d calls, ended %v", said.Len(), calls, ended)
	}
}

// checkCut tests that the model cuts off the flood f with the expected error.
func checkCut(t *testing.T, f Flood, m provider.Model) {
	t.Helper()
	events, err := Collect(t.Context(), m, Hello())
	var (
		excess *provider.Excess
		failed *provider.Error
		said   strings.Builder
	)
	switch want := f.Cut(Small); {
	case f.Status > 0:
		if !errors.As(err, &failed) || failed.Status != f.Status || !strings.HasSuffix(failed.Message, want) ||
			len(failed.Message) > 400 {
			t.Errorf("the error is %.500v, want %s", err, want)
		}
	case !errors.As(err, &excess) || excess.Error() != "the answer was cut off: "+want:
		t.Errorf("the error is %.500v, want %s", err, want)
	}
	for _, e := range events {
		switch e := e.(type) {
		case provider.TextDelta:
			said.WriteString(e.Text)
		case provider.End:
			t.Error("an end and an error")
		}
	}
	if f.Says != strings.HasPrefix(said.String(), Said) || said.Len() > Small.Text {
		t.Errorf("said is %.100q, %d bytes", said.String(), said.Len())
	}
}

// Cuts tests that a model without a server, such as a scripted one, enforces the bounds [Small],
// too. The function model returns a model that answers with the given text, reasoning and tool
// calls.
func Cuts(t *testing.T, model func(text, thinking string, calls []provider.ToolCall) provider.Model) {
	long := strings.Repeat("x", 64<<10)
	call := provider.ToolCall{ID: "c", Name: "list_dir", Input: []byte("{}")}
	many := make([]provider.ToolCall, 9)
	for i := range many {
		many[i] = call
		many[i].ID = fmt.Sprint("c", i)
	}
	wide := call
	wide.Input = []byte(`{"path":"` + long + `"}`)
	for want, m := range map[string]provider.Model{
		"its text is longer than 32 KiB":                 model(long, "", nil),
		"its thinking is longer than 24 KiB":             model("", long, nil),
		"it makes more than 8 calls":                     model("", "", many),
		"the arguments of a call are longer than 40 KiB": model("", "", []provider.ToolCall{wide}),
	} {
		_, err := Collect(context.WithoutCancel(t.Context()), m, Hello())
		var excess *provider.Excess
		if !errors.As(err, &excess) || excess.What != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
