//go:build unix

package acp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What a request may leave out it may leave out; what it must have is named, with the code for
// parameters. A server of an unknown type is left out with a notice.
func TestRequestsOfAnEditorWithWhatIsOptionalMissing(t *testing.T) {
	t.Parallel()
	r := newRaw(t, strings.Repeat(done+"\n", 40)).reads()
	r.answer(r.request("initialize", map[string]any{"protocolVersion": 1}))
	servers := func(list string) string { return fmt.Sprintf(`{"cwd":%q,"mcpServers":%s}`, r.work, list) }
	const params = -32602
	for _, c := range []struct {
		method, params string
		code           int
		want           string // in the error
	}{
		{"session/new", fmt.Sprintf(`{"cwd":%q}`, r.work), 0, ""},
		{"session/new", servers("null"), 0, ""},
		{"session/new", servers(`[{"name":"a","command":"true"}]`), 0, ""},
		{"session/new", servers(`[{"name":"a","command":"true","args":null,"env":null,"type":"stdio"}]`), 0, ""},
		{"session/new", servers(`[{"name":"a","url":"https://localhost:1/"}]`), 0, ""},
		{"session/new", servers(`[{"type":"http","name":"a","url":"https://localhost:1/","headers":null}]`), 0, ""},
		{"session/new", servers(`[{"type":"sse","name":"a","url":"https://localhost:1/"}]`), 0, ""},
		{"session/new", servers(`[{"type":"acp","name":"a","id":"1"},{"type":"carrier pigeon","name":"b"}]`), 0, ""},
		{"session/new", servers(`[{"name":"a"}]`), params, `"a" has no command`},
		{"session/new", servers(`[{"type":"http","name":"a"}]`), params, `"a" has no url`},
		{"session/new", servers(`[{"command":"true"}]`), params, "has no name"},
		{"session/new", servers(`[{"name":"a","command":"true","env":{"A":"b"}}]`), 0, ""},
		{"session/new", servers(`[{"type":"http","name":"a","url":"https://a.b/","headers":{"A":"b"}}]`), 0, ""},
		{"session/new", servers(`[{"name":"a","command":"true","args":"x"}]`), params,
			`the MCP server "a": the field args has the wrong type, string`},
		{"session/new", servers(`[{"name":"a","command":"true","env":5}]`), params,
			`the MCP server "a": the field env has the wrong type, number`},
		{"session/new", `[]`, params, "cannot be read"},
		{"session/new", servers(`{}`), params, "the field mcpServers has the wrong type, object"},
		{"session/new", `{}`, params, "cwd is missing"},
		{"session/new", ``, params, "cwd is missing"},
		{"session/new", `{"cwd":"here"}`, params, "no absolute path"},
		{"session/load", fmt.Sprintf(`{"cwd":%q}`, r.work), params, "sessionId is missing"},
		{"session/load", `{"sessionId":"20200101-000000-aaaaaaaaaa"}`, params, "cwd is missing"},
		{"session/prompt", `{}`, params, "there is no session"},
		{"session/prompt", `{"sessionId":"SESSION"}`, params, "the prompt is empty"},
		{"session/prompt", `{"sessionId":"SESSION","prompt":[{"type":"text","text":"x"}]}`, 0, ""},
		{"session/prompt", `{"sessionId":"SESSION","prompt":[{"type":"text"},` +
			`{"type":"resource_link","uri":"https://x"}]}`, 0, ""},
		{"session/prompt", `{"sessionId":"SESSION","prompt":[{"type":"text","text":"x"},{"type":"resource"},` +
			`{"type":"image"},{"type":"odd"},{}]}`, 0, ""},
		{"session/prompt", `{"sessionId":"SESSION","prompt":"x"}`, params, "the field prompt has the wrong type, " +
			"string"},
		{"session/list", ``, 0, ""},
		{"session/close", `{}`, params, "there is no session"},
		{"session/set_mode", `{"sessionId":"SESSION"}`, params, "the mode was not changed"},
		{"authenticate", `{}`, -32601, "authenticate"},
		{"nothing/like/it", ``, -32601, "nothing/like/it"},
	} {
		r.next++
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q`, r.next, c.method)
		if c.params != "" {
			line += `,"params":` + strings.ReplaceAll(c.params, "SESSION", r.session)
		}
		r.write(line + "}\n")
		m := r.answer(r.next)
		switch {
		case c.code == 0 && m.Error != nil, c.code != 0 && m.Error == nil:
			t.Errorf("%s %s: %s %+v", c.method, c.params, m.Result, m.Error)
		case c.code != 0 && (m.Error.Code != c.code || !strings.Contains(m.Error.Message, c.want)):
			t.Errorf("%s %s: %+v, want %d %s", c.method, c.params, *m.Error, c.code, c.want)
		}
		var s struct{ SessionID string }
		if c.method == "session/new" && m.Error == nil && json.Unmarshal(m.Result, &s) == nil {
			r.session = s.SessionID
		}
	}
}

func TestAServerOfAnUnknownTypeIsLeftOutWithANotice(t *testing.T) {
	t.Parallel()
	r := newRaw(t, done+"\n").reads()
	r.answer(r.request("initialize", map[string]any{"protocolVersion": 1}))
	m := r.answer(r.request("session/new", map[string]any{"cwd": r.work, "mcpServers": []any{
		map[string]any{"type": "carrier pigeon", "name": "b"}}}))
	var s struct{ SessionID string }
	if err := json.Unmarshal(m.Result, &s); err != nil {
		t.Fatalf("%v %+v", err, m.Error)
	}
	r.request("session/prompt", said(s.SessionID, text("x")))
	r.wait("the notice", func(m message) bool {
		return strings.Contains(string(m.Params), "The MCP server b is left out: its type carrier pigeon")
	})
}
