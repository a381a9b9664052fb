package anthropic

import (
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
)

func TestAToolIsForcedWhereTheModelDoesNotThink(t *testing.T) {
	for _, c := range []struct {
		thinking bool
		force    string
		refused  string
		want     bool
	}{{false, "yield", "", true}, {false, "", "", false}, {true, "yield", "", false},
		{false, "yield", toolChoice, false}} {
		m := &Model{name: "m", answer: 100, thinking: c.thinking}
		body, err := m.body(provider.Request{Force: c.force, Messages: []provider.Message{{Role: provider.User,
			Parts: []provider.Part{provider.Text{Text: "go"}}}}}, func(name string) bool { return name == c.refused })
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(body), `"tool_choice":{"type":"tool","name":"yield"}`); got != c.want {
			t.Errorf("%+v: %s", c, body)
		}
	}
}
