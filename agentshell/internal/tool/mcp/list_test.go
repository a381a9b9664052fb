package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// lister returns a server over HTTP that answers with JSON: answer gives the result of a method.
func lister(t *testing.T, answer func(method, cursor string) string) Server {
	t.Helper()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct{ Cursor string }
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}`
		if m.Method != "initialize" {
			result = answer(m.Method, m.Params.Cursor)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}))
	t.Cleanup(far.Close)
	return Server{Name: "far", URL: far.URL}
}

// A list whose cursor stands still, or that never ends, is asked for as far as it is of use, and
// said once.
func TestAListOfToolsThatDoesNotEndIsLeft(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next         func(n int32) string
		tool         func(n int32) string
		pages, tools int
		skipped      int
	}{
		"a cursor that stands still": {func(int32) string { return "again" },
			func(int32) string { return "put" }, 2, 1, 2},
		"two cursors in turns": {func(n int32) string { return fmt.Sprint(n % 2) },
			func(n int32) string { return fmt.Sprint("t", n) }, 3, 3, 1},
		"new cursors, the same tool": {func(n int32) string { return fmt.Sprint(n) },
			func(int32) string { return "put" }, 50, 1, 2},
		"new cursors, new tools": {func(n int32) string { return fmt.Sprint(n) },
			func(n int32) string { return fmt.Sprint("t", n) }, 50, 50, 1},
		"an end": {func(n int32) string { return strings.Repeat("x", int(max(3-n, 0))) },
			func(n int32) string { return fmt.Sprint("t", n) }, 3, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			s := lister(t, func(method, _ string) string {
				if method != "tools/list" {
					return "{}"
				}
				n := asked.Add(1)
				return fmt.Sprintf(`{"tools":[{"name":%q,"inputSchema":{"type":"object"}}],"nextCursor":%q}`,
					c.tool(n), c.next(n))
			})
			client, tools, err := Start(t.Context(), s, "0")
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if int(asked.Load()) != c.pages || len(tools) != c.tools || len(client.Skipped) != c.skipped {
				t.Errorf("%d pages, %d tools, %q; want %d, %d, %d", asked.Load(), len(tools), client.Skipped,
					c.pages, c.tools, c.skipped)
			}
		})
	}
}

// Whatever a tool is called, it is called by that.
func TestAToolIsCalledByItsOwnName(t *testing.T) {
	c, tools, err := Start(t.Context(), server(t, "well", &bytes.Buffer{}), "0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, tool := range tools {
		if tool.Name == "bad name" {
			a, err := c.Call(t.Context(), tool.Name, json.RawMessage(`{}`), nil)
			if err != nil || a.Text != "by its name" {
				t.Errorf("%+v, %v", a, err)
			}
			return
		}
	}
	t.Errorf("%+v", tools)
}
