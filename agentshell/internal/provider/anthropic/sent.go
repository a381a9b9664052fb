package anthropic

import (
	"slices"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/remote"
)

// sent is the messages of the last request as they were encoded, by their parts, which nobody
// changes. A conversation is sent whole at each step, and all but its end was sent before.
type sent struct {
	mu   sync.Mutex
	last map[parts][]byte
}

// parts tells the parts of a message: where they begin, and how many there are.
type parts struct {
	first *provider.Part
	n     int
	role  provider.Role
}

// encode returns each message that has something to send. Those with pictures are encoded anew each
// time: they are large.
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

// encode returns a message as the API takes it, nil if there is nothing to send of it.
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

// pictured reports whether a part has a picture.
func pictured(p provider.Part) bool {
	result, ok := p.(provider.ToolResult)
	_, image := p.(provider.Image)
	return image || ok && len(result.Images) > 0
}
