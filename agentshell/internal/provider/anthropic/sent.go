package anthropic

import (
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// sent caches the encoded messages of the last request. Each request contains the whole
// conversation, and the last request contained nearly all of it. The key of a message is the memory
// of its parts, which nobody changes.
type sent struct {
	mu   sync.Mutex
	last map[parts][]byte
}

// parts identifies a message by the address of its first part, the number of its parts, and its
// role.
type parts struct {
	first *provider.Part
	n     int
	role  provider.Role
}

// encode returns the JSON of each message that is not empty, for a request to the given server.
// Messages with pictures are not cached, since they are large.
func (s *sent) encode(messages []provider.Message, server string) (list [][]byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := make(map[parts][]byte, len(messages))
	var calls provider.Message
	for _, m := range messages {
		if m.Role == provider.Assistant {
			calls = m
		}
		if len(m.Parts) == 0 {
			continue
		}
		key := parts{&m.Parts[0], len(m.Parts), m.Role}
		text, known := s.last[key]
		if !known {
			if text, err = encode(m, calls, server); err != nil {
				return nil, err
			}
		}
		if !slices.ContainsFunc(m.Parts, pictured) {
			now[key] = text
		}
		if text != nil {
			list = append(list, text)
		}
	}
	s.last = now
	return list, nil
}

// encode returns a message as the JSON of the API, or nil if nothing of it can be sent. calls is
// the assistant's message before it, which made the tool calls for the results in m.
func encode(m, calls provider.Message, server string) ([]byte, error) {
	var blocks []block
	for _, part := range m.Parts {
		blocks = append(blocks, content(part, calls, server)...)
	}
	if len(blocks) == 0 {
		return nil, nil
	}
	return remote.Encode(message{string(m.Role), blocks})
}

// pictured reports whether a part contains a picture.
func pictured(p provider.Part) bool {
	result, ok := p.(provider.ToolResult)
	_, image := p.(provider.Image)
	return image || ok && len(result.Images) > 0
}
