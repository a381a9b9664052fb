package anthropic_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
)

// What a piece of text costs from the body of the answer to the event, in objects and time: an
// operation is an answer of a thousand pieces.
func BenchmarkThousandPieces(b *testing.B) {
	var body strings.Builder
	write := func(kind, data string) { body.WriteString("event: " + kind + "\ndata: " + data + "\n\n") }
	write("message_start", `{"type":"message_start","message":{"usage":{"input_tokens":1,"output_tokens":1}}}`)
	write("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)
	for range 1000 {
		write("content_block_delta",
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" a \"word\""}}`)
	}
	write("content_block_stop", `{"type":"content_block_stop","index":0}`)
	write("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}`)
	write("message_stop", `{"type":"message_stop"}`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(body.String()))
	}))
	defer server.Close()
	m, err := anthropic.New(anthropic.Config{BaseURL: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for e, err := range m.Stream(b.Context(), provider.Request{}) {
			if err != nil {
				b.Fatal(err)
			}
			if _, is := e.(provider.TextDelta); is {
				n++
			}
		}
		if n != 1000 {
			b.Fatalf("%d pieces", n)
		}
	}
}
