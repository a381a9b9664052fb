package anthropic_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/anthropic"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/providertest"
)

// told is what an answer came to.
type told struct {
	text, thinking string
	calls          []string // name and arguments
	stop           string
	fails          string // the message of the error in its place
}

func tell(t *testing.T, stream string) (got told) {
	t.Helper()
	events, err := providertest.Collect(t.Context(), serve(t, anthropic.Config{}, providertest.Sends(stream)),
		providertest.Hello())
	if err != nil {
		return told{fails: err.Error()}
	}
	var calls []string
	for _, e := range events {
		switch e := e.(type) {
		case provider.ToolCall:
			calls = append(calls, e.Name+string(e.Input))
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
	if !reflect.DeepEqual(calls, got.calls) {
		t.Errorf("streamed %q, the message says %q", calls, got.calls)
	}
	return got
}

func data(events ...string) (stream string) {
	for _, e := range events {
		stream += "data: " + e + "\n\n"
	}
	return stream
}

const (
	textStart = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	textDelta = `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}`
	textStop  = `{"type":"content_block_stop","index":0}`
	ended     = `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}`
	stopped   = `{"type":"message_stop"}`
	early     = "the connection to the model broke: the answer ended before it was complete"
)

func TestServersThatSpeakNearlyTheProtocol(t *testing.T) {
	ok := told{text: "ok", stop: "end"}
	without := func(index string) string {
		return strings.ReplaceAll(data(textStart, `{"type":"ping"}`, textDelta, textStop, ended, stopped), `,"index":0`,
			index)
	}
	called := told{calls: []string{`a{"p":1}`}, stop: "tool"}
	call := func(input, piece string) string {
		start := `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"x","name":"a",` +
			`"input":` + input + `}}`
		if piece == "" {
			return data(start, ended, stopped)
		}
		return data(start, `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+
			piece+`}}`, ended, stopped)
	}
	for name, c := range map[string]struct {
		stream string
		want   told
	}{
		"no message_stop":       {data(textStart, textDelta, ended), ok},
		"no message_delta":      {data(textStart, textDelta, stopped), ok},
		"only [DONE]":           {data(textStart, textDelta, "[DONE]"), ok},
		"neither":               {data(textStart, textDelta), told{fails: early}},
		"no index":              {without(""), ok},
		"another index":         {without(`,"index":7`), ok},
		"no start of the block": {data(textDelta, ended, stopped), ok},
		"an empty block":        {data(textStart, textStop, textStart, textDelta, ended, stopped), ok},
		"all blocks of index 0": {data(strings.Replace(textStart, `"text","text"`, `"thinking","thinking"`, 1),
			`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}`, textStart,
			textDelta, ended, stopped), told{text: "ok", thinking: "hm", stop: "end"}},
		"a block without its end":       {call(`{}`, `"{\"p\":1}"`), called},
		"input at the start":            {call(`{"p":1}`, ""), called},
		"input as text at the start":    {call(`"{\"p\":1}"`, ""), called},
		"input as an object in a piece": {call(`{}`, `{"p":1}`), called},
		"an error as text": {data(textStart, `{"type":"error","error":"broke"}`),
			told{fails: "the provider answered 500: broke"}},
		"an error without its type": {data(textStart, `{"error":{"type":"overloaded_error","message":"later"}}`),
			told{fails: "the provider is overloaded (529): later"}},
		"the reason error": {data(textStart, textDelta, strings.Replace(ended, "end_turn", "error", 1), stopped),
			told{fails: `the provider answered 500: the server ended its answer with the reason "error"`}},
		"thinking in tags": {data(textStart, strings.Replace(textDelta, "ok", `<think>hm`, 1),
			strings.Replace(textDelta, "ok", `</think>\nok`, 1), ended, stopped),
			told{text: "ok", thinking: "hm", stop: "end"}},
		"CRLF and no blank": {strings.NewReplacer("\n", "\r\n", "data: ", "data:").Replace(data(textStart, textDelta,
			ended, stopped)), ok},
	} {
		if got := tell(t, c.stream); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, c.want)
		}
	}
}
