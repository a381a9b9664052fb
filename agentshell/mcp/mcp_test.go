package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain is also the server of the tests: it does what its only variable says.
func TestMain(m *testing.M) {
	if how := os.Getenv("MCP_TEST_SERVER"); how != "" {
		serve(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serve is a server as it should be, but for what how says.
func serve(how string) {
	in := bufio.NewScanner(os.Stdin)
	say := func(text string) { fmt.Println(text) }
	for in.Scan() {
		var m struct {
			ID     int
			Method string
			Params struct {
				Cursor, Name string
				Arguments    map[string]any
			}
			Error *fault
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			fmt.Fprintln(os.Stderr, "bad message:", err)
		}
		reply := func(result string) { say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, m.ID, result)) }
		switch m.Method {
		case "initialize":
			switch how {
			case "silent":
				continue
			case "long":
				fmt.Println(strings.Repeat("x", maxLine+1))
			case "gone":
				return
			}
			say("this line is no message")
			say(`{"jsonrpc":"2.0","id":99,"result":{}}`) // nobody asked
			reply(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"test",` +
				`"version":"1"}}`)
		case "notifications/initialized":
			say(`{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[]}}`)
			say(`{"jsonrpc":"2.0","id":7,"method":"ping"}`)
			say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		case "tools/list":
			if m.Params.Cursor == "" {
				reply(`{"tools":[{"name":"echo","description":"says it ` +
					`again","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"bad ` +
					`name","inputSchema":{"type":"object"}},{"name":"a__b","inputSchema":{"type":"object"}},` +
					`{"name":"list","inputSchema":[]}],"nextCursor":"2"}`)
				continue
			}
			reply(`{"tools":[{"name":"env","inputSchema":{"type":"object"}},{"name":"echo",` +
				`"inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			switch m.Params.Name {
			case "echo":
				text, _ := json.Marshal(m.Params.Arguments["text"])
				reply(
					fmt.Sprintf(`{"content":[{"type":"text","text":%s},{"type":"image","mimeType":"image/png",`+
						`"data":"AA=="}],"isError":%v}`, text, m.Params.Arguments["fail"] == true))
			case "env":
				text, _ := json.Marshal(strings.Join(os.Environ(), " "))
				reply(`{"content":[{"type":"text","text":` + string(text) + `}]}`)
			case "hang":
			case "die":
				os.Exit(3)
			}
		case "notifications/cancelled":
			fmt.Fprintln(os.Stderr, "cancelled")
		case "":
			fmt.Fprintf(os.Stderr, "answer %v\n", m.Error)
		}
	}
	fmt.Fprintln(os.Stderr, "end of input")
	if how == "stubborn" {
		select {}
	}
}

func server(t *testing.T, how string, log *bytes.Buffer) Server {
	t.Setenv("SCROLLKEEP_TEST_SECRET", "leaked")
	return Server{Name: "test", Command: []string{os.Args[0]}, Env: []string{"MCP_TEST_SERVER=" + how}, Log: log}
}

func TestAServerIsGreetedAndCalled(t *testing.T) {
	var log bytes.Buffer
	c, tools, err := Start(t.Context(), server(t, "well", &log), "0")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, []string{"echo", "env"}) || len(c.Skipped) != 4 || tools[0].Description != "says it again" {
		t.Errorf("%q, left out %q", names, c.Skipped)
	}
	a, err := c.Call(t.Context(), "echo", json.RawMessage(`{"text":"hello\nthere"}`))
	if err != nil || a.Text != "hello\nthere\n[image image/png, not shown]" || a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err = c.Call(t.Context(), "echo", json.RawMessage(`{"text":"no","fail":true}`)); err != nil || !a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err = c.Call(t.Context(), "env", json.RawMessage(`{}`)); err != nil || a.Text != "MCP_TEST_SERVER=well" {
		t.Errorf("its environment is %q, %v", a.Text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Call(ctx, "hang", json.RawMessage(`{}`)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if a, err = c.Call(t.Context(), "echo", json.RawMessage(`{"text":"on"}`)); err != nil ||
		!strings.HasPrefix(a.Text, "on") {
		t.Errorf("after a cancelled call: %+v, %v", a, err)
	}
	c.Close()
	if _, err := c.Call(t.Context(), "echo", json.RawMessage(`{}`)); err == nil {
		t.Error("a closed server answers")
	}
	if got := log.String(); !strings.Contains(got, "answer &{-32601 refused}") ||
		!strings.Contains(got, "answer <nil>") || !strings.Contains(got, "end of input") {
		t.Errorf("the server saw\n%s", got)
	}
}

// A message has a bound in both directions; one that is longer is not sent, and the call says so.
func TestAMessageThatIsTooLongIsNotSent(t *testing.T) {
	most := message{Method: "m", Params: ""}
	line, err := encode(most)
	if err != nil {
		t.Fatal(err)
	}
	most.Params = strings.Repeat("x", maxLine-len(line)+1) // the newline does not count
	if line, err = encode(most); err != nil || len(line) != maxLine+1 || line[maxLine] != '\n' {
		t.Errorf("%d bytes, %v", len(line), err)
	}
	more := message{Method: "m", Params: most.Params.(string) + "x"}
	if line, err = encode(more); err == nil || line != nil || !strings.Contains(err.Error(), "was not sent") {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}

func TestServersThatMisbehave(t *testing.T) {
	for _, how := range []string{"silent", "long", "gone"} {
		ctx, cancel := context.WithCancel(t.Context())
		if how == "silent" {
			time.AfterFunc(50*time.Millisecond, cancel)
		}
		if c, _, err := Start(ctx, server(t, how, &bytes.Buffer{}), "0"); err == nil {
			t.Errorf("%s: it started", how)
			c.Close()
		}
		cancel()
	}
	if _, _, err := Start(t.Context(), Server{Command: []string{"/no/such/program"}}, "0"); err == nil {
		t.Error("a program that is not there started")
	}
	c, _, err := Start(t.Context(), server(t, "stubborn", &bytes.Buffer{}), "0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), "die", json.RawMessage(`{}`)); err == nil ||
		!strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a server that died: %v", err)
	}
	c.Close()
	c, _, err = Start(t.Context(), server(t, "stubborn", &bytes.Buffer{}), "0")
	if err != nil {
		t.Fatal(err)
	}
	c.Close() // comes back although it does not end by itself
}
