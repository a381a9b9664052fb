package openai

import (
	"encoding/json"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
)

func TestPicturesGoToTheProvidersOwnModels(t *testing.T) {
	cat := picture.Picture{Name: "cat.png", Media: "image/png", Data: []byte("png")}
	req := provider.Request{Messages: []provider.Message{
		{Role: provider.User, Parts: []provider.Part{provider.Image{Picture: cat}, provider.Text{Text: "look"}}},
		{Role: provider.Assistant, Parts: []provider.Part{provider.ToolCall{ID: "call00001", Name: "read_file"}}},
		{Role: provider.User,
			Parts: []provider.Part{provider.ToolResult{ID: "call00001", Text: "read", Images: []picture.Picture{cat}}}},
	}}
	const image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,cG5n"}}`
	for url, want := range map[string]string{
		"": `[{"role":"user","content":[` + image + `,{"type":"text","text":"look"}]},
			{"role":"assistant","tool_calls":[{"id":"call00001","type":"function","function":{"name":"read_file","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"call00001","content":"read"},{"role":"user","content":[` + image + `]}]`,
		"http://localhost:1/v1": "",
	} {
		m, err := New(Config{Key: "k", BaseURL: url})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.completion(req, func(string) bool { return false })
		if err != nil || provider.Sees(m) != (want != "") {
			t.Fatalf("%v, sees %v", err, provider.Sees(m))
		}
		text, _ := json.Marshal(p.Turns)
		var got, wanted any
		_ = json.Unmarshal(text, &got)
		_ = json.Unmarshal([]byte(want), &wanted)
		a, _ := json.Marshal(got)
		if b, _ := json.Marshal(wanted); want != "" && string(a) != string(b) {
			t.Errorf("%s\nwant\n%s", a, b)
		} else if want == "" && len(p.Turns) != 3 {
			t.Errorf("elsewhere: %s", a)
		}
	}
}
