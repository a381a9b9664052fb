package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// floods returns what a server may say without an end, as scripts for sh.
func floods() map[string]string {
	say := func(text string) string { return "exec yes '" + text + "'" }
	note := func(method, params string) string {
		return say(`{"jsonrpc":"2.0","method":"notifications/` + method + `","params":` + params + `}`)
	}
	return map[string]string{
		"bytes without a line": `tr '\0' x </dev/zero`,
		"lines":                say("no message"),
		"progress":             note("progress", `{"progressToken":1,"progress":1}`),
		"changes":              say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`),
		"log messages":         note("message", `{"level":"info","data":"x"}`),
		"cancellations":        note("cancelled", `{"requestId":1}`),
		"requests":             say(`{"jsonrpc":"2.0","id":7,"method":"ping"}`),
		"answers":              say(`{"jsonrpc":"2.0","id":99,"result":{}}`),
		"errors":               "yes garbage >&2",
		"long messages": `while :; do printf '{"jsonrpc":"2.0","method":"notifications/message","params":"'; ` +
			`head -c 3000000 /dev/zero | tr '\0' x; echo '"}'; done`,
	}
}

func TestAServerThatFloodsBeforeItIsReadyIsEnded(t *testing.T) {
	t.Parallel()
	for name, script := range floods() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantFlood(t, Server{Name: "x", Command: []string{"sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"},
				Log: io.Discard})
		})
	}
}

// wantFlood starts a server, which is ended for what it sends.
func wantFlood(t *testing.T, s Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c, _, err := Start(ctx, s, "0")
	if err == nil {
		c.Close()
		t.Fatal("it has started")
	}
	if !errors.Is(err, errPreludeFlood) || strings.Contains(err.Error(), "exited") {
		t.Errorf("%v", err)
	}
}

// A server over HTTP that floods in the answer to the greeting, in each form that an answer has.
func TestAServerOverHTTPThatFloodsBeforeItIsReadyIsEnded(t *testing.T) {
	t.Parallel()
	event := "event: message\ndata: "
	for name, c := range map[string]struct{ kind, head, text string }{
		"a JSON answer": {"application/json", `{"jsonrpc":"2.0","id":1,"result":{"x":"`,
			strings.Repeat("x", 1000)},
		"blanks":             {"application/json", "", strings.Repeat(" ", 1000)},
		"a line of an event": {"text/event-stream", event, strings.Repeat("x", 1000)},
		"comments":           {"text/event-stream", "", ": x\n"},
		"notifications": {"text/event-stream", "", event +
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}` + "\n\n"},
		"requests": {"text/event-stream", "", event + `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				_, err := io.WriteString(w, c.head)
				for err == nil {
					_, err = io.WriteString(w, c.text)
				}
			}))
			defer far.Close()
			defer far.CloseClientConnections()
			wantFlood(t, Server{Name: "x", URL: far.URL})
		})
	}
}

// A server that floods once it is ready is read at a pace, and its tools answer. One sends more
// than comes at once at that pace, the others more than a server may send before it is ready.
func TestAServerThatFloodsOnceItIsReadyAnswers(t *testing.T) {
	t.Parallel()
	const hello = `for i in 1 2 3; do read -r line; id=${line#*'"id":'}; id=${id%%,*}
case "$line" in
*'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}}';;
*'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"put","inputSchema":{"type":"object"}}]}}';;
esac; done
`
	const call = `while read -r line; do case "$line" in *'"tools/call"'*) id=${line#*'"id":'}; id=${id%%,*}
echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"put"}]}}';; esac; done
`
	for name, flood := range floods() {
		if !strings.Contains(flood, "yes") {
			continue // it would answer nothing
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flood = strings.TrimPrefix(flood, "exec ")
			n := maxPreludeMessages + 500
			if name == "lines" {
				n = messagePace().Burst + 400
			}
			script := fmt.Sprintf("%s%s | head -n %d\n%s", hello, flood, n, call)
			s := Server{Name: "x", Command: []string{"sh", "-c", script},
				Env: []string{"PATH=/usr/bin:/bin"}, Log: io.Discard, Timeout: time.Minute}
			if name == "errors" {
				s.Command[2] = hello + fmt.Sprintf("yes garbage | head -c %d >&2\n", maxPreludeBytes+1<<20) + call
			}
			c, _, err := Start(t.Context(), s, "0")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if a, err := c.Call(t.Context(), "put", nil, nil); err != nil || a.Text != "put" {
				t.Errorf("%+v, %v", a, err)
			}
		})
	}
}
