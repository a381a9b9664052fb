package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pieces are contents of results as servers in the wild give them, and what comes of them.
var pieces = []struct {
	content, text string
	images        int
}{
	{`[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"AAAA"}]`, "a", 1}, // a control
	{`[{"type":"text","text":"a"},{"type":"image","data":"data:image/png;base64,AAAA"}]`, "a", 1},
	{`[{"type":"image","mimeType":"image/png","data":"AA-_"},{"type":"text","text":"a"}]`, "a", 1},
	{`[{"type":"image","mimeType":"image/png","data":"AA"},{"type":"text","text":"a"}]`, "a", 1},
	{`[{"type":"image","mimeType":"image/png","data":"AA\nAA"},{"type":"text","text":"a"}]`, "a", 1},
	{`[{"type":"image","mimeType":"image/png","data":"***"},{"type":"text","text":"a"}]`,
		"[content of the type \"image\", 52 bytes, not shown]\na", 0},
	{`[{"type":"text","text":"a"},{"type":"json","json":{"b":1}}]`,
		"a\n[content of the type \"json\", 30 bytes, not shown]", 0},
	{`[{"type":"markdown","text":"# b"},{"text":"c"}]`, "# b\nc", 0},
	{`[{"type":"text","text":5},1,null,"d"]`, "[content of the type \"text\", 24 bytes, not shown]\n" +
		"[content that is no object, 1 bytes, not shown]\n[content that is no object, 4 bytes, not shown]\nd", 0},
	{`"only this"`, "only this", 0},
	{`{"type":"text","text":"one"}`, "one", 0},
	{`[{"type":"resource","resource":5},{"type":"text","text":"a"}]`,
		"[content of the type \"resource\", 32 bytes, not shown]\na", 0},
}

// One piece that cannot be decoded costs that piece, over each way to a server.
func TestAPieceOfContentThatCannotBeDecodedCostsThatPiece(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"pipe", "json", "events"} {
		for i, c := range pieces {
			t.Run(fmt.Sprint(way, i), func(t *testing.T) {
				t.Parallel()
				client, _, err := Start(t.Context(), contentServer(t, way, c.content), "0")
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				a, err := client.Call(t.Context(), "put", json.RawMessage(`{}`), nil)
				if err != nil || a.Text != c.text || len(a.Images) != c.images {
					t.Errorf("%s is %q with %d images, %v; want %q with %d", c.content, a.Text, len(a.Images), err,
						c.text, c.images)
				}
			})
		}
	}
}

// contentServer returns a server of one tool whose result has that content.
func contentServer(t *testing.T, way, content string) Server {
	t.Helper()
	answer := func(method string) string {
		switch method {
		case "tools/list":
			return `{"tools":[{"name":"put","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			return `{"content":` + content + `}`
		}
		return "{}"
	}
	if way == "json" {
		return lister(t, func(method, _ string) string { return answer(method) })
	}
	if way == "pipe" {
		script := filepath.Join(t.TempDir(), "server.sh")
		var b strings.Builder
		b.WriteString("while read -r line; do id=${line#*'\"id\":'}; id=${id%%,*}; case \"$line\" in\n")
		for method, result := range map[string]string{"initialize": `{"protocolVersion":"2025-06-18","capabilities":` +
			`{"tools":{}},"serverInfo":{"name":"n","version":"1"}}`, "tools/list": answer("tools/list"),
			"tools/call": answer("tools/call")} {
			fmt.Fprintf(&b, "*'\"%s\"'*) printf '%%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"result\":%s}';;\n",
				method, result)
		}
		b.WriteString("esac; done\n")
		if err := os.WriteFile(script, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return Server{Name: "near", Command: []string{"sh", script}, Env: []string{"PATH=/usr/bin:/bin"}}
	}
	inner := lister(t, func(method, _ string) string { return answer(method) })
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(r.Body)
		resp, err := http.Post(inner.URL, "application/json", &body) //nolint:noctx // of a test
		if err != nil || r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			w.WriteHeader(resp.StatusCode)
			return
		}
		var said bytes.Buffer
		_, _ = said.ReadFrom(resp.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: message\ndata: %s\n\n", said.String())
	}))
	t.Cleanup(far.Close)
	return Server{Name: "far", URL: far.URL}
}
