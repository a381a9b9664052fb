//go:build unix

package acp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
)

// extended opens a session in which the user has the extension of the tests.
func extended(t *testing.T, client, script string) (r *raw, session string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "test")
	if err := extensiontest.Write(dir, "well"); err != nil {
		t.Fatal(err)
	}
	r = newConfigured(t, fmt.Sprintf("sandbox = \"off\"\n[extensions.test]\ndir = %q\n", dir), script).reads()
	return r, r.beginAs(client)
}

// beginAs initializes the connection as a client with these capabilities, and opens a session.
func (r *raw) beginAs(client string) (session string) {
	r.t.Helper()
	r.answer(r.request("initialize", map[string]any{"protocolVersion": 1,
		"clientCapabilities": json.RawMessage(client)}))
	m := r.answer(r.request("session/new", map[string]any{"cwd": r.work, "mcpServers": []any{}}))
	var s struct{ SessionID string }
	if err := json.Unmarshal(m.Result, &s); err != nil {
		r.t.Fatal(err)
	}
	return s.SessionID
}

// tells sends a message, and returns everything that the client receives until the end of the turn.
// It answers forms with reply, and approves calls.
func (r *raw) tells(session, words, reply string) string {
	r.t.Helper()
	var told strings.Builder
	id := r.request("session/prompt", said(session, text(words)))
	r.wait("the end of "+words, func(m message) bool {
		switch told.Write(m.Params); m.Method {
		case "elicitation/create":
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`+"\n", m.ID, reply))
		case "session/request_permission":
			answer := r.permits
			if answer == "" {
				answer = `{"outcome":"selected","optionId":"yes"}`
			}
			r.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"outcome":%s}}`+"\n", m.ID, answer))
		}
		return m.Method == "" && m.ID == id
	})
	return strings.ReplaceAll(told.String(), `\"`, `"`)
}

// Commands of an extension are commands in an editor, and its pickers and forms are forms of the
// editor, if it has forms. A view needs a terminal.
func TestExtensionsInAnEditor(t *testing.T) {
	t.Parallel()
	const forms, none = `{"elicitation":{"form":{}}}`, `{}`
	for _, c := range []struct {
		client, message, reply string
		want                   []string
	}{
		{forms, "/do this", "", []string{"did this"}},
		{forms, "/do pick", `{"action":"accept","content":{"field_01":"topic"}}`,
			[]string{`"message":"The extension test asks: Switch to"`, `"title":"main: 2 days ago"`,
				`{"value":"topic"}`}},
		{forms, "/do pick", `{"action":"accept","content":{"field_01":"other"}}`, []string{`{"cancelled":true}`}},
		{forms, "/do pick", `{"action":"decline"}`, []string{`{"cancelled":true}`}},
		{forms, "/do alike", `{"action":"accept","content":{"field_01":"same (2)"}}`, []string{`{"value":"2"}`}},
		{forms, "/do form", `{"action":"accept","content":{"field_01":"y","field_02":"large","field_03":false}}`,
			[]string{`"default":"x"`, `"default":true`, `"oneOf":[{"const":"small"`,
				`{"value":{"name":"y","size":"large","sure":false}}`}},
		{forms, "/do form", `{"action":"accept","content":{"field_01":"y"}}`, []string{`{"cancelled":true}`}},
		{forms, "/do view", "", []string{`"message":"no screen"`}},
		{none, "/do pick", "", []string{`"message":"no screen"`}},
		{none, "/extensions", "", []string{"test  not started", "adds  /do; tool count", `"name":"extensions"`}},
		{none, "/extensions restart test", "", []string{"The extension test runs."}},
		{none, "/extensions stop none", "", []string{`Nothing was done: there is no extension "none".`}},
		{none, "/do draft", "", []string{"For the prompt:", "a draft"}},
		{none, "/do send", "", []string{"Sent to the model:", "say this", "Said."}},
		{forms, "count", `{"action":"accept","content":{"field_01":"topic"}}`, []string{"extension test/count",
			`{"value":"topic"}`, "Counted."}},
		{none, "count", "", []string{`"message":"no screen"`, "Counted."}},
	} {
		t.Run(c.message+" "+c.client, func(t *testing.T) {
			t.Parallel()
			script := scriptOf(`{"expect":"say this","say":"Said.","delay_ms":0,"chunk_runes":99}`)
			if c.message == "count" {
				script = scriptOf(call("a", "ext__test__count", `{"text":"ask"}`),
					`{"say":"Counted.","delay_ms":0,"chunk_runes":99}`)
			}
			r, session := extended(t, c.client, script)
			told := r.tells(session, c.message, c.reply)
			for _, want := range c.want {
				if !strings.Contains(told, want) {
					t.Errorf("%q is missing in\n%s", want, told)
				}
			}
		})
	}
}

// The extensions of a workspace are used in an editor after a question that shows all that they
// register. Only a clear answer is kept.
func TestExtensionsOfAWorkspaceWaitForTheirQuestionInAnEditor(t *testing.T) {
	t.Parallel()
	const asks, unused, used = "add what is listed here, and nothing else", `there is no tool "ext__near__count"`,
		"1 letters"
	for answer, want := range map[string][3]string{ // in the first session, in the next one
		`{"outcome":"selected","optionId":"yes"}`:   {used, "", used},
		`{"outcome":"selected","optionId":"no"}`:    {unused, "", unused},
		`{"outcome":"selected","optionId":"later"}`: {unused, asks, unused},
		`{"outcome":"selected","optionId":"other"}`: {unused, asks, unused},
		`{"outcome":"cancelled"}`:                   {unused, asks, unused},
	} {
		t.Run(answer, func(t *testing.T) {
			t.Parallel()
			script := scriptOf(call("a", "ext__near__count", `{"text":"x"}`), done,
				call("b", "ext__near__count", `{"text":"x"}`), done)
			r := newConfigured(t, "sandbox = \"off\"\nallow = [\"ext__near__count\"]\n", script).reads()
			dir := filepath.Join(r.work, ".agentshell/extensions/near")
			if err := extensiontest.Write(dir, "well"); err != nil {
				t.Fatal(err)
			}
			r.permits = answer
			first := r.tells(r.beginAs(`{}`), "go", "")
			next := r.tells(r.beginAs(`{}`), "go", "")
			for _, text := range []string{asks, "near: a test", "command      /do [WHAT]", "tool         count",
				"runs         /bin/sh", want[0]} {
				if !strings.Contains(first, text) {
					t.Errorf("%q is missing in\n%s", text, first)
				}
			}
			if strings.Contains(next, asks) != (want[1] != "") || !strings.Contains(next, want[2]) {
				t.Errorf("the next session is told\n%s", next)
			}
			if lists := strings.Contains(first, `"name":"do"`); lists != (want[0] == used) {
				t.Errorf("the command is offered: %v", lists)
			}
		})
	}
}

// A command of an extension ends when the editor cancels the turn, also while its question waits.
func TestACommandOfAnExtensionIsCancelledByTheEditor(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"wait", "pick"} {
		r, session := extended(t, `{"elicitation":{"form":{}}}`, scriptOf(done))
		r.tells(session, "/do this", "") // it runs
		id := r.request("session/prompt", said(session, text("/do "+what)))
		if what == "pick" {
			r.wait("a form", func(m message) bool { return m.Method == "elicitation/create" })
		}
		r.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`+"\n", session))
		if m := r.answer(id); !strings.Contains(string(m.Result), `"cancelled"`) {
			t.Errorf("%s: %s", what, m.Result)
		}
		if told := r.tells(session, "/do that", ""); !strings.Contains(told, "did that") {
			t.Errorf("%s: the next command is told as\n%s", what, told)
		}
	}
}
