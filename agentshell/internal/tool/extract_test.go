package tool

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
)

func TestAPartOfAnAgentsResultIsRead(t *testing.T) {
	b := newBench(t, nil)
	results := map[string]string{"Lexer": `{"findings":[{"file":"a.go","line":3},{"a.b/c":"x"}],"ok":true,"n":null}`,
		"Docs.In": "no JSON\n", "List": `[["deep"]]`}
	b.env.Addresses = Addresses{"agent": func(_ context.Context, id string) (string, error) {
		if text, ok := results[id]; ok {
			return text, nil
		}
		return "", errors.New("there is no agent " + id)
	}}
	b.reg = Builtin(b.env)
	for _, c := range []struct{ address, want string }{
		{"agent://Lexer/findings/0/file", "a.go\n"},
		{"agent://Lexer/findings/0", "{\n  \"file\": \"a.go\",\n  \"line\": 3\n}\n"},
		{"agent://Lexer?q=.findings[0].line", "3\n"},
		{"agent://Lexer?q=findings[1][\"a.b/c\"]", "x\n"},
		{"agent://Lexer/findings/1/a.b%2Fc", "x\n"},
		{"agent://Lexer/ok", "true\n"},
		{"agent://List?q=.[0][0]", "deep\n"},
		{"agent://Lexer/", `findings`},
		{"agent://Lexer?q=.", `findings`},
		{"agent://Docs.In", "no JSON"},
		{"agent://Docs.In/x", "tool_failed: the result of Docs.In is no JSON"},
		{"agent://Lexer/ok?q=.ok", "invalid_args: Lexer/ok?q=.ok has a path and ?q=: use one of them"},
		{"agent://Lexer?p=1", "invalid_args: Lexer?p=1 may have ?q= behind it"},
		{"agent://Lexer?q=.a[0", "invalid_args: the query \".a[0\" has a [ without its ]"},
		{"agent://Lexer?q=.a..b", "invalid_args: the query \".a..b\" has a part without a name"},
		{"agent://Lexer/none", `tool_failed: there is no "none" in the result of Lexer; there are findings, n, ok`},
		{"agent://Lexer/findings/7", `tool_failed: there is no "7" in findings of Lexer; it is a list of 2 items`},
		{"agent://Lexer/findings/-1", `tool_failed: there is no "-1" in findings`},
		{"agent://Lexer/ok/x", `tool_failed: there is no "x" in ok of Lexer, which is a single value`},
		{"agent://Nobody/x", "tool_failed: there is no agent Nobody"},
		{"agent://Lexer/findings/0:50", "invalid_args: Cannot combine query extraction with offset/limit"},
	} {
		call, err := b.reg.Prepare(t.Context(), "read_file", "1", []byte(`{"path":`+strconv.Quote(c.address)+`}`))
		var r Result
		if err == nil {
			r, err = call.Run(t.Context(), func(string) {})
		}
		got := r.Text
		if err != nil {
			got = Kind(err) + ": " + err.Error()
		}
		exact := strings.HasSuffix(c.want, "\n")
		if exact && got != c.want || !exact && !strings.Contains(got, c.want) {
			t.Errorf("%s gives %q, want %q", c.address, got, c.want)
		}
	}
}
