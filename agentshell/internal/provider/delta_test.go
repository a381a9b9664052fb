package provider_test

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/openai"
)

// deltaStream is an answer of one API: head, then any number of the delta, then tail.
type deltaStream struct {
	name              string
	head, delta, tail string
	model             func() (provider.Model, error)
	events            int // beside those of the deltas
	allocs, bytes     int // for each delta, at most
}

// chatEnd returns the last event with a choice.
func chatEnd(reason string) string {
	return strings.Replace(chatChunk(`{}`), `"finish_reason":null`, `"finish_reason":"`+reason+`"`, 1)
}

// sseEvents returns a stream of events. A line is the data of one, or NAME|DATA.
func sseEvents(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		if name, data, named := strings.Cut(line, "|"); named {
			fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, data)
		} else {
			fmt.Fprintf(&b, "data: %s\n\n", line)
		}
	}
	return b.String()
}

// chatChunk returns an event of Chat Completions as OpenAI sends it.
func chatChunk(delta string) string {
	return `{"id":"chatcmpl-9lyW7qq2RZ","object":"chat.completion.chunk","created":1785000000,"model":"gpt-5.2",` +
		`"service_tier":"default","system_fingerprint":"fp_44709d6fcb","choices":[{"index":0,"delta":` + delta +
		`,"logprobs":null,"finish_reason":null}]}`
}

func chatModel(base string) func() (provider.Model, error) {
	return func() (provider.Model, error) {
		return openai.New(openai.Config{Key: "k", BaseURL: base, API: openai.Chat})
	}
}

// deltaStreams are the streams that most answers are made of.
func deltaStreams() []deltaStream {
	text := deltaStream{name: "openai-text",
		head:  sseEvents(chatChunk(`{"role":"assistant","content":"","refusal":null}`)),
		delta: sseEvents(chatChunk(`{"content":" the next"}`)),
		tail:  sseEvents(chatEnd("stop"), "[DONE]"),
		model: chatModel(""), events: 2, allocs: 16, bytes: 1451}
	other := text
	other.name, other.model = "compatible-text", chatModel("https://models.example.com/v1")
	call := text
	call.name = "openai-call"
	call.head = sseEvents(chatChunk(`{"role":"assistant","content":null,"tool_calls":[{"index":0,`+
		`"id":"call_DdmO9pD3xa9","type":"function","function":{"name":"write_file","arguments":""}}]}`),
		chatChunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"text\":\""}}]}`))
	call.delta = sseEvents(chatChunk(`{"tool_calls":[{"index":0,"function":{"arguments":" the next"}}]}`))
	call.tail = sseEvents(chatChunk(`{"tool_calls":[{"index":0,"function":{"arguments":"\"}"}}]}`),
		chatEnd("tool_calls"), "[DONE]")
	call.events, call.allocs, call.bytes = 6, 19, 1893
	claude := deltaStream{name: "anthropic-text",
		head: sseEvents(`message_start|{"type":"message_start","message":{"id":"msg_01","type":"message",`+
			`"role":"assistant","content":[],"model":"claude-sonnet-4-5","stop_reason":null,`+
			`"usage":{"input_tokens":25,"output_tokens":1}}}`,
			`content_block_start|{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`),
		delta: sseEvents(`content_block_delta|{"type":"content_block_delta","index":0,"delta":{"type":"text_delta",` +
			`"text":" the next"}}`),
		tail: sseEvents(`content_block_stop|{"type":"content_block_stop","index":0}`,
			`message_delta|{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}`,
			`message_stop|{"type":"message_stop"}`),
		model:  func() (provider.Model, error) { return anthropic.New(anthropic.Config{Key: "k"}) },
		events: 2, allocs: 15, bytes: 1218}
	return []deltaStream{text, other, call, claude}
}

// A cannedConn is a connection to a server that answers each request with the same bytes.
type cannedConn struct {
	net.Conn
	answer *strings.Reader
	asked  chan struct{}
}

func (c *cannedConn) Read(p []byte) (int, error) {
	<-c.asked
	return c.answer.Read(p)
}

// Write takes the request. All of it fits into one call.
func (c *cannedConn) Write(p []byte) (int, error) {
	select {
	case <-c.asked:
	default:
		close(c.asked)
	}
	return len(p), nil
}

func (c *cannedConn) Close() error                     { return nil }
func (c *cannedConn) SetDeadline(time.Time) error      { return nil }
func (c *cannedConn) SetReadDeadline(time.Time) error  { return nil }
func (c *cannedConn) SetWriteDeadline(time.Time) error { return nil }
func (c *cannedConn) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *cannedConn) RemoteAddr() net.Addr             { return &net.TCPAddr{} }

// start returns a function that takes an answer of n deltas up to its end.
func (s deltaStream) start(tb testing.TB, n int) (take func()) {
	body := s.head + strings.Repeat(s.delta, n) + s.tail
	answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		len(body), body)
	before := http.DefaultTransport
	defer func() { http.DefaultTransport = before }()
	http.DefaultTransport = &http.Transport{DialTLSContext: func(context.Context, string, string) (net.Conn, error) {
		return &cannedConn{answer: strings.NewReader(answer), asked: make(chan struct{})}, nil
	}}
	m, err := s.model() // it copies the transport
	if err != nil {
		tb.Fatal(err)
	}
	said := provider.Message{Role: provider.User, Parts: []provider.Part{provider.Text{Text: "x"}}}
	return func() {
		events := 0
		for _, err := range m.Stream(tb.Context(), provider.Request{Messages: []provider.Message{said}}) {
			if err != nil {
				tb.Fatal(err)
			}
			events++
		}
		if events != n+s.events {
			tb.Fatalf("%d events of %d deltas", events, n)
		}
	}
}

// BenchmarkDelta measures the time from the last byte of a delta to its Event.
func BenchmarkDelta(b *testing.B) {
	for _, s := range deltaStreams() {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			take := s.start(b, b.N)
			b.ResetTimer()
			take()
		})
	}
}

// A delta comes many times a second. The bounds are its memory before the providers took the
// streams of servers that deviate from the API.
func TestADeltaTakesNoMoreMemoryThanItDid(t *testing.T) {
	const n = 500
	for _, s := range deltaStreams() {
		allocs, bytes := uint64(math.MaxUint64), uint64(math.MaxUint64)
		for range 3 { // other goroutines allocate, too
			take := s.start(t, n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			take()
			runtime.ReadMemStats(&after)
			allocs = min(allocs, (after.Mallocs-before.Mallocs)/n)
			bytes = min(bytes, (after.TotalAlloc-before.TotalAlloc)/n)
		}
		const slack = 1.05 // the request and the growing message take a share, and so does the race detector
		if allocs > uint64(s.allocs) || float64(bytes) > slack*float64(s.bytes) {
			t.Errorf("%s: %d allocations of %d bytes for a delta, at most %d of %d",
				s.name, allocs, bytes, s.allocs, s.bytes)
		}
	}
}
