//go:build unix

package acp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An agent that the model starts asks under its name, and what it does is told with its id.
func TestAnAgentAsksAnEditorUnderItsName(t *testing.T) {
	t.Parallel()
	byAgent := func(name string, line string) string { return `{"agent":"` + name + `",` + line[1:] }
	write := func(file string) string {
		return call("w", "write_file", fmt.Sprintf(`{"path":%q,"content":"new\n"}`, file))
	}
	finish := call("y", "yield", `{"result":"well done"}`)
	r := newConfigured(t, "[agents]\nmax = 2\n", scriptOf(
		call("t", "task", `{"agent":"task","context":"c","tasks":[{"id":"Lexer","assignment":"a"},`+
			`{"id":"Docs","assignment":"b"}]}`), done,
		byAgent("Lexer", write("lexer.txt")), byAgent("Lexer", finish),
		byAgent("Docs", write("docs.txt")), byAgent("Docs", finish))).reads()
	id := r.begin(false)
	turn := r.request("session/prompt", said(id, text("go")))
	var told strings.Builder
	asked := 0
	end := r.wait("the end of the turn", func(m message) bool {
		told.Write(m.Params)
		if m.Method == "session/request_permission" {
			asked++
			var p struct {
				ToolCall struct {
					ToolCallID, Title string
					Meta              map[string]string `json:"_meta"`
				}
			}
			if err := json.Unmarshal(m.Params, &p); err != nil {
				t.Error(err)
			}
			who := p.ToolCall.Meta["scrollkeep/agent"]
			option := map[string]string{"Lexer": "yes", "Docs": "stop-agent"}[who]
			if option == "" || !strings.HasPrefix(p.ToolCall.Title, who+": ") {
				t.Errorf("%s", m.Params)
			}
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`+
				"\n", m.ID, option))
		}
		return m.ID == turn && m.Method == ""
	})
	if string(end.Result) != `{"stopReason":"end_turn"}` || asked != 2 {
		t.Errorf("%d questions, the turn ended %s", asked, end.Result)
	}
	if b, err := os.ReadFile(filepath.Join(r.work, "lexer.txt")); string(b) != "new\n" {
		t.Errorf("lexer.txt is %q: %v", b, err)
	}
	if _, err := os.Stat(filepath.Join(r.work, "docs.txt")); err == nil {
		t.Error("docs.txt was written")
	}
	for _, want := range []string{`"title":"Lexer: write_file workspace/lexer.txt"`,
		`"_meta":{"scrollkeep/agent":"Docs"}`, "Lexer done, 2 steps", "Docs stopped, 1 step"} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("%s is not in what the editor is told:\n%s", want, told.String())
		}
	}
}
