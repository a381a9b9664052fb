package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestAToolIsForcedInBothForms(t *testing.T) {
	m := &Model{name: "m"}
	for _, refused := range []string{"", toolChoice} {
		without := func(name string) bool { return name == refused }
		req := provider.Request{Force: "yield"}
		chat, err := m.completion(req, without)
		if err != nil {
			t.Fatal(err)
		}
		response, err := m.response(req, without)
		if err != nil {
			t.Fatal(err)
		}
		for want, body := range map[string]any{
			`"tool_choice":{"type":"function","function":{"name":"yield"}}`: chat,
			`"tool_choice":{"type":"function","name":"yield"}`:              response,
		} {
			text, err := json.Marshal(body)
			if got := strings.Contains(string(text), want); err != nil || got != (refused == "") {
				t.Errorf("refused %q: %s %v", refused, text, err)
			}
		}
	}
}
