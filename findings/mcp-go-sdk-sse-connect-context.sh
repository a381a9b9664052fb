#!/usr/bin/env bash
# github.com/modelcontextprotocol/go-sdk v1.8.0: Client.Connect takes a context, and one would
# guess that it bounds the connecting, as a dial's context does. With StreamableClientTransport it
# does. With SSEClientTransport (the HTTP+SSE transport of 2024-11-05) the stream of the session
# lives in that context: whoever sets a time limit for the start and cancels it behind Connect, as
# `go vet` wants, loses the session at once. It matters because a client that starts servers with a
# time limit finds every server with the older transport dead right behind its start, while those
# with the newer one work.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOPATH="$dir/go" GOCACHE="$dir/cache"

cat >go.mod <<'MOD'
module finding

go 1.26

require github.com/modelcontextprotocol/go-sdk v1.8.0
MOD
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "look"},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
	one := func(*http.Request) *mcp.Server { return server }
	older := httptest.NewServer(mcp.NewSSEHandler(one, nil))
	newer := httptest.NewServer(mcp.NewStreamableHTTPHandler(one, nil))
	for _, c := range []struct {
		name string
		by   mcp.Transport
		end  bool // the context of Connect ends behind it
	}{
		{"streamable, cancelled", &mcp.StreamableClientTransport{Endpoint: newer.URL}, true},
		{"sse, kept", &mcp.SSEClientTransport{Endpoint: older.URL}, false},
		{"sse, cancelled", &mcp.SSEClientTransport{Endpoint: older.URL}, true},
	} {
		start, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil).Connect(start, c.by, nil)
		if err != nil {
			fmt.Println(c.name, "does not connect:", err)
			continue
		}
		if c.end {
			cancel()
			time.Sleep(200 * time.Millisecond)
		}
		call, stop := context.WithTimeout(context.Background(), 5*time.Second)
		tools, err := session.ListTools(call, nil)
		if err != nil {
			fmt.Printf("%s: the session is lost\n", c.name)
		} else {
			fmt.Printf("%s: %d tool\n", c.name, len(tools.Tools))
		}
		stop()
		cancel()
	}
}
GO
go mod tidy >/dev/null 2>&1
out=$(go run .)
printf '%s\n' "$out"
[ "$out" = "streamable, cancelled: 1 tool
sse, kept: 1 tool
sse, cancelled: the session is lost" ] || { echo "the behaviour has changed" >&2; exit 1; }
