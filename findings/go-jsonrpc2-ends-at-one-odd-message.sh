#!/usr/bin/env bash
# github.com/sourcegraph/jsonrpc2 v0.2.3: a message that is JSON, but no request or response (its
# method is a number), should be answered with "Invalid Request" (-32600), as JSON-RPC 2.0 says, or
# be left out: the frames behind it are whole. Instead the connection ends, and every call that waits
# fails with "jsonrpc2: connection is closed"; why stands in the log only. A request for a method that
# nobody knows is the control: it is answered, and the connection goes on. It matters to whoever
# talks to language servers: one odd message of a server ends all that runs, and the error does not
# say why. Whoever needs to know has to decode in an ObjectStream of their own.
set -euo pipefail
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
export GOFLAGS=-mod=mod GOPATH="$dir/go" GOCACHE="$dir/cache"

cat >go.mod <<'MOD'
module finding

go 1.26

require github.com/sourcegraph/jsonrpc2 v0.2.3
MOD
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

type nothing struct{}

func (nothing) Handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if !r.Notif {
		_ = c.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "unknown"})
	}
}

// try sends a message to a client with an open call, and then the answer to that call.
func try(message string) string {
	ours, theirs := net.Pipe()
	go io.Copy(io.Discard, theirs)
	conn := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}), nothing{})
	waiter, err := conn.DispatchCall(context.Background(), "slow", nil, jsonrpc2.PickID(jsonrpc2.ID{Num: 7}))
	if err != nil {
		return err.Error()
	}
	go func() {
		for _, m := range []string{message, `{"jsonrpc":"2.0","id":7,"result":"fine"}`} {
			fmt.Fprintf(theirs, "Content-Length: %d\r\n\r\n%s", len(m), m)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var result string
	if err := waiter.Wait(ctx, &result); err != nil {
		return err.Error()
	}
	return result
}

func main() {
	fmt.Println("an unknown method:", try(`{"jsonrpc":"2.0","id":1,"method":"x"}`))
	fmt.Println("a method that is a number:", try(`{"jsonrpc":"2.0","id":1,"method":5}`))
}
GO
go mod tidy >/dev/null 2>&1
out=$(go run . 2>err) || { cat err >&2; exit 1; }
printf '%s\n' "$out"
[ "$out" = "an unknown method: fine
a method that is a number: jsonrpc2: connection is closed" ] || { echo "the behaviour has changed" >&2; exit 1; }
