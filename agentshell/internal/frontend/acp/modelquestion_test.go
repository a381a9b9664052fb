//go:build unix

package acp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Questions of the model are a form of the editor, if it has forms; without them nobody is asked.
func TestQuestionsOfTheModelAreAFormOfTheEditor(t *testing.T) {
	t.Parallel()
	ask := call("a", "ask", `{"questions":[{"question":"Which?","choices":[{"label":"a","about":"the first"},`+
		`{"label":"b"}],"free":true},{"question":"Several?","several":true,"choices":[{"label":"x"},{"label":"y"}]},`+
		`{"question":"Why?"},{"question":"One?","choices":[{"label":"1"},{"label":"2"}]}]}`)
	for _, c := range []struct{ name, client, reply, want string }{
		{"answered", `{"elicitation":{"form":{}}}`, `{"action":"accept","content":{"answer_1":"b",` +
			`"answer_2":["y","z"],"text_2":"no","text_3":" so ","answer_4":"2"}}`,
			"Which?\n  b\nSeveral?\n  y\nWhy?\n  so\nOne?\n  2\n"},
		{"a text of one's own", `{"elicitation":{"form":{}}}`, `{"action":"accept","content":{"answer_1":"b",` +
			`"text_1":"c","text_4":"no"}}`,
			"Which?\n  c\nSeveral?\n  (no answer)\nWhy?\n  (no answer)\nOne?\n  (no answer)\n"},
		{"declined", `{"elicitation":{"form":{}}}`, `{"action":"decline"}`, "left the questions without an answer"},
		{"no forms", `{"elicitation":{"url":{}}}`, "", "nobody can be asked in this run"},
		{"no elicitation", `{}`, "", "nobody can be asked in this run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRaw(t, scriptOf(ask, fmt.Sprintf(`{"expect":%q,"say":"Thank you.","delay_ms":0,"chunk_runes":99}`,
				c.want))).reads()
			r.answer(r.request("initialize", map[string]any{"protocolVersion": 1,
				"clientCapabilities": json.RawMessage(c.client)}))
			var s struct{ SessionID string }
			m := r.answer(r.request("session/new", map[string]any{"cwd": r.work, "mcpServers": []any{}}))
			if err := json.Unmarshal(m.Result, &s); err != nil {
				t.Fatal(err)
			}
			r.request("session/prompt", said(s.SessionID, text("go")))
			thanked := r.wait("thanks", func(m message) bool {
				if m.Method == "elicitation/create" {
					checkForm(t, m.Params, s.SessionID)
					r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", m.ID, c.reply))
				}
				return strings.Contains(string(m.Params), "Thank you.") || m.Method == "" && m.Result != nil
			})
			if !strings.Contains(string(thanked.Params), "Thank you.") {
				t.Errorf("the model has not got %q", c.want)
			}
		})
	}
}

// checkForm checks the form that the client is asked to show.
func checkForm(t *testing.T, params json.RawMessage, session string) {
	t.Helper()
	var p struct {
		SessionID, Mode, Message string
		RequestedSchema          struct {
			Type       string
			Properties map[string]json.RawMessage
			Required   []string
		}
	}
	if err := json.Unmarshal(params, &p); err != nil {
		t.Error(err)
	}
	schema := p.RequestedSchema
	if p.SessionID != session || p.Mode != "form" || p.Message == "" || schema.Type != "object" ||
		fmt.Sprint(schema.Required) != "[text_3 answer_4]" || len(schema.Properties) != 5 {
		t.Errorf("%s", params)
	}
	for name, want := range map[string]string{
		"answer_1": `{"oneOf":[{"const":"a","title":"a: the first"},{"const":"b","title":"b"}],` +
			`"title":"Which?","type":"string"}`,
		"text_1": `{"title":"Something else","type":"string"}`,
		"answer_2": `{"items":{"anyOf":[{"const":"x","title":"x"},{"const":"y","title":"y"}]},` +
			`"title":"Several?","type":"array"}`,
		"text_3": `{"minLength":1,"title":"Why?","type":"string"}`,
	} {
		if got := string(schema.Properties[name]); got != want {
			t.Errorf("%s is %s", name, got)
		}
	}
}
