package anthropic

import (
	"encoding/json"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// The names of the parts that can be left out of a request, as its JSON has them.
const (
	cacheControl = "cache_control"
	adaptive     = "thinking"
	outputConfig = "output_config"
	toolChoice   = "tool_choice"
)

// omissions returns the parts of a request that can be left out if a gateway or a model refuses
// them.
func omissions() []remote.Omission {
	return []remote.Omission{
		{Name: cacheControl, Means: "the provider's cache is not used, and requests may cost more"},
		{Name: outputConfig, Words: []string{"effort parameter", "does not support effort"}, Model: true,
			Means: "the model decides on its effort"},
		{Name: adaptive, Words: []string{"adaptive thinking is not supported"}, Model: true,
			Means: "the model decides whether it thinks"},
		{Name: toolChoice, Model: true, Means: "an agent may end without its result"},
	}
}

// ask returns req in the form that remote.API sends.
func (m *Model) ask(req provider.Request) remote.Ask {
	return remote.Ask{Path: "/v1/messages", Model: m.name, Parts: omissions(), Tools: req.Tools, Events: events,
		Body: func(without func(string) bool, tools []provider.Tool) (any, error) {
			req.Tools = tools
			return m.body(req, without)
		}}
}

// events converts a complete message, which came as one JSON value, to the events of a stream. It
// returns any other value as one event.
func events(value []byte) [][]byte {
	var whole struct {
		Type    string
		Content []json.RawMessage
		Stop    json.RawMessage `json:"stop_reason"`
		Usage   json.RawMessage
	}
	if json.Unmarshal(value, &whole) != nil || whole.Content == nil || whole.Type != "message" && whole.Type != "" {
		return [][]byte{value}
	}
	list := [][]byte{fmt.Appendf(nil, `{"type":"message_start","message":%s}`, value)}
	for i, block := range whole.Content {
		list = append(list, fmt.Appendf(nil, `{"type":"content_block_start","index":%d,"content_block":%s}`, i, block),
			fmt.Appendf(nil, `{"type":"content_block_stop","index":%d}`, i))
	}
	orNull := func(text json.RawMessage) json.RawMessage {
		if len(text) == 0 {
			return json.RawMessage("null")
		}
		return text
	}
	return append(list, fmt.Appendf(nil, `{"type":"message_delta","delta":{"stop_reason":%s},"usage":%s}`,
		orNull(whole.Stop), orNull(whole.Usage)), []byte(`{"type":"message_stop"}`))
}
