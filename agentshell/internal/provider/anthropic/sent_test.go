package anthropic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// What is sent is what an encoder makes of the whole request, to the byte, however the conversation
// grows, becomes another one and comes back.
func TestARequestInPartsIsTheWholeRequest(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	part := func(i int) provider.Part {
		id := fmt.Sprintf("<%d> & \u2028 \xff", i)
		return []provider.Part{provider.Text{Text: id}, provider.Text{Text: "  "},
			provider.Thinking{Text: id, Signature: "s"},
			provider.Thinking{Text: "no signature"},
			provider.ToolCall{ID: id, Name: "n", Input: []byte(`{ "a" : "<" }`)},
			provider.ToolCall{ID: id, Input: []byte(`{"broken`)}, provider.ToolResult{ID: id, Text: id, IsError: true},
			provider.Image{Picture: picture.Picture{Name: id, Data: []byte("data")}}, provider.Compaction{Text: id},
		}[r.IntN(9)]
	}
	m := &Model{name: "m", thinking: true, effort: "high"}
	var talks [2][]provider.Message
	for i := range 400 {
		k := min(r.IntN(8), 1)
		msg := provider.Message{Role: []provider.Role{provider.User, provider.Assistant}[r.IntN(2)]}
		for range r.IntN(4) {
			msg.Parts = append(msg.Parts, part(i))
		}
		if talks[k] = append(talks[k], msg); r.IntN(50) == 0 {
			talks[k] = talks[k][:len(talks[k])/2]
		}
		req := provider.Request{System: "be <kind>", Messages: talks[k],
			Tools: []provider.Tool{{Name: "t", Schema: json.RawMessage(`{"type":"object"}`)}}}
		got, err := m.body(req, all)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := m.request(req, all)
		if err != nil {
			t.Fatal(err)
		}
		var calls provider.Message
		for _, msg := range talks[k] {
			if msg.Role == provider.Assistant {
				calls = msg
			}
			var blocks []block
			for _, p := range msg.Parts {
				blocks = append(blocks, content(p, calls, "")...)
			}
			if len(blocks) > 0 {
				whole.Messages = append(whole.Messages, message{string(msg.Role), blocks})
			}
		}
		if want, err := remote.Encode(whole); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d, request %d: %v\n%s\nwant\n%s", seed, i, err, got, want)
		}
	}
}

// A message that was sent is not encoded again.
func TestWhatWasSentIsNotEncodedAgain(t *testing.T) {
	m := &Model{name: "m"}
	var req provider.Request
	add := func(n int) {
		for i := range n {
			req.Messages = append(req.Messages, provider.Message{Role: provider.User, Parts: []provider.Part{
				provider.ToolCall{ID: fmt.Sprint(i), Name: "n", Input: []byte(`{"a":[1,2,3]}`)}}})
		}
	}
	body := func() {
		if _, err := m.body(req, all); err != nil {
			t.Fatal(err)
		}
	}
	add(1000)
	first := testing.AllocsPerRun(1, func() { m.sent.last = nil; body() })
	again := testing.AllocsPerRun(1, body)
	if 20*again > first {
		t.Errorf("a request of 1,000 messages takes %.0f allocations, and the same again %.0f", first, again)
	}
}

// all leaves nothing out.
func all(string) bool { return false }
