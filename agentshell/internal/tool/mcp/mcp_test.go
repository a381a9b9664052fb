package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain is also the server of the tests: it does what its only variable says.
func TestMain(m *testing.M) {
	how := os.Getenv("MCP_TEST_SERVER")
	if how == "speaker" {
		if err := speaker().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv("MCP_CONFORMANCE_SCENARIO") != "" {
		if err := conform(os.Args[len(os.Args)-1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if how != "" {
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
			Error *struct {
				Code    int
				Message string
			}
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
				fmt.Println(strings.Repeat("x", maxMessageLineBytes+1))
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
			case "bad name":
				reply(`{"content":[{"type":"text","text":"by its name"}]}`)
			case "hang":
			case "die":
				fmt.Fprint(os.Stderr, "Error: it dies\nVersion 1\n\n")
				os.Exit(3)
			}
		case "notifications/cancelled":
			fmt.Fprintln(os.Stderr, "cancelled")
		case "":
			if m.Error != nil {
				fmt.Fprintln(os.Stderr, "refused", m.Error.Code)
				continue
			}
			fmt.Fprintln(os.Stderr, "answered", in.Text())
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
	if !slices.Equal(names, []string{"echo", "bad name", "a__b", "env"}) ||
		len(c.Skipped) != 2 || tools[0].Description != "says it again" {
		t.Errorf("%q, left out %q", names, c.Skipped)
	}
	a, err := c.Call(t.Context(), "echo", json.RawMessage(`{"text":"hello\nthere"}`), nil)
	if err != nil || a.Text != "hello\nthere" || len(a.Images) != 1 || len(a.Images[0]) != 1 || a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	a, err = c.Call(t.Context(), "echo", json.RawMessage(`{"text":"no","fail":true}`), nil)
	if err != nil || !a.Failed {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err = c.Call(t.Context(), "env", json.RawMessage(`{}`), nil); err != nil || a.Text != "MCP_TEST_SERVER=well" {
		t.Errorf("its environment is %q, %v", a.Text, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Call(ctx, "hang", json.RawMessage(`{}`), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if a, err = c.Call(t.Context(), "echo", json.RawMessage(`{"text":"on"}`), nil); err != nil ||
		!strings.HasPrefix(a.Text, "on") {
		t.Errorf("after a cancelled call: %+v, %v", a, err)
	}
	c.Close()
	if _, err := c.Call(t.Context(), "echo", json.RawMessage(`{}`), nil); err == nil {
		t.Error("a closed server answers")
	}
	if got := log.String(); !strings.Contains(got, "refused -3") ||
		!strings.Contains(got, `answered {"jsonrpc":"2.0","id":7,"result":{}}`) ||
		!strings.Contains(got, "end of input") {
		t.Errorf("the server saw\n%s", got)
	}
}

// A message has a bound in both directions; one that is longer is not sent, and the call says so.
func TestAMessageThatIsTooLongIsNotSent(t *testing.T) {
	c, _, err := Start(t.Context(), server(t, "well", &bytes.Buffer{}), "0")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	long := json.RawMessage(`{"text":"` + strings.Repeat("x", maxMessageLineBytes) + `"}`)
	if _, err := c.Call(t.Context(), "echo", long, nil); err == nil || !strings.Contains(err.Error(), "was not sent") {
		t.Errorf("%v", err)
	}
	if a, err := c.Call(t.Context(), "echo", json.RawMessage(`{"text":"on"}`), nil); err != nil ||
		!strings.HasPrefix(a.Text, "on") {
		t.Errorf("behind it: %+v, %v", a, err)
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
	good, tools, err := Start(t.Context(), server(t, "well", &bytes.Buffer{}), "0")
	if err != nil || len(tools) == 0 {
		t.Fatalf("one that behaves: %d tools, %v", len(tools), err)
	}
	good.Close()
	if _, _, err := Start(t.Context(), Server{Command: []string{"/no/such/program"}}, "0"); err == nil {
		t.Error("a program that is not there started")
	}
	c, _, err := Start(t.Context(), server(t, "stubborn", &bytes.Buffer{}), "0")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), "die", json.RawMessage(`{}`), nil); err == nil ||
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

func TestAServerThatDiesSaysHowAlsoToOneThatWrites(t *testing.T) {
	p, err := startProgram(server(t, "well", &bytes.Buffer{}), new(prelude))
	if err != nil {
		t.Fatal(err)
	}
	defer p.process.End()
	if _, err := p.process.In.Write([]byte(`{"method":"tools/call","params":{"name":"die"}}` + "\n")); err != nil {
		t.Fatal(err)
	}
	<-p.process.Done()
	p.process.Fail(&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}) // before its output was read to the end
	if why := p.process.Why(); why == nil || !strings.Contains(why.Error(), "exit status 3: Error: it dies") {
		t.Errorf("it says %v", why)
	}
}

// speaker returns a server by the SDK with all that we use of one.
func speaker() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "speaker", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "count", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for i := range 3 {
				_ = r.Session.NotifyProgress(ctx,
					&sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(),
						Message: "step", Progress: float64(i + 1), Total: 3})
				<-time.After(20 * time.Millisecond)
			}
			//lint:ignore SA1019 servers of today ask for them
			roots, err := r.Session.ListRoots(ctx, nil)
			if err != nil {
				return nil, err
			}
			var uris []string
			for _, r := range roots.Roots {
				uris = append(uris, r.URI)
			}
			root := strings.Join(uris, " ")
			return &sdk.CallToolResult{StructuredContent: map[string]any{"root": root},
				Content: []sdk.Content{&sdk.ResourceLink{URI: "notes://a", Name: "a"},
					&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "notes://b", Text: "embedded"}},
					&sdk.TextContent{Text: root}}}, nil
		})
	read := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c := &sdk.ResourceContents{URI: r.Params.URI, Text: "text of " + r.Params.URI + "\n"}
		if r.Params.URI == "notes://bytes" {
			c.Text, c.Blob, c.MIMEType = "", []byte{1, 2}, "image/png"
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}, nil
	}
	s.AddResource(&sdk.Resource{URI: "notes://a", Name: "a", Description: "the\nfirst"}, read)
	s.AddResource(&sdk.Resource{URI: "notes://bytes", Name: "bytes"}, read)
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "notes://of/{name}", Name: "of"}, read)
	return s
}

// used sees that all works on a connection to a speaker.
func used(t *testing.T, c *Client, dirs ...string) {
	t.Helper()
	var told []string
	a, err := c.Call(t.Context(), "count", json.RawMessage(`{}`), func(text string) { told = append(told, text) })
	for i, dir := range dirs {
		dirs[i] = "file://" + dir
	}
	slices.Sort(dirs)
	if want := "[resource notes://a a]\nnotes://b\nembedded\n" + strings.Join(dirs, " "); err != nil || a.Text != want {
		t.Errorf("%q, %v, want %q", a.Text, err, want)
	}
	if len(told) == 0 || told[0] != "1 of 3 step" {
		t.Errorf("progress: %q", told)
	}
	if list, err := c.Resources(t.Context()); err != nil || list != "notes://a  a  the first\nnotes://bytes  bytes\n"+
		"notes://of/{name}  of\n" {
		t.Errorf("%q, %v", list, err)
	}
	for uri, want := range map[string]string{"notes://a": "text of notes://a\n", "notes://of/x": "text of " +
		"notes://of/x\n",
		"notes://bytes": "[notes://bytes: 2 bytes of image/png, not shown]"} {
		if text, err := c.Read(t.Context(), uri); err != nil || text != want {
			t.Errorf("%s: %q, %v", uri, text, err)
		}
	}
	if _, err := c.Read(t.Context(), "notes://none/x"); err == nil ||
		!strings.Contains(err.Error(), "the server answers with an error") {
		t.Errorf("%v", err)
	}
}

func TestAServerOfTheSDK(t *testing.T) {
	s := server(t, "speaker", &bytes.Buffer{})
	s.Dir, s.More = t.TempDir(), []string{t.TempDir()}
	c, tools, err := Start(t.Context(), s, "0")
	if err != nil || len(tools) != 1 {
		t.Fatal(err)
	}
	used(t, c, s.Dir, s.More[0])
	c.Close()
}

func TestAServerOverHTTP(t *testing.T) {
	server := speaker()
	for name, h := range map[string]http.Handler{
		"streamable": sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil),
		"events":     sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return server }, nil),
	} {
		t.Run(name, func(t *testing.T) {
			far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Authorization") != "Bearer token" {
					http.Error(w, "who is it?", http.StatusUnauthorized)
					return
				}
				h.ServeHTTP(w, r)
			}))
			defer far.Close()
			s := Server{Name: "far", URL: far.URL, Token: "token", Dir: t.TempDir()}
			c, tools, err := Start(t.Context(), s, "0")
			if err != nil || len(tools) != 1 {
				t.Fatal(err)
			}
			used(t, c)
			c.Close()
			s.Token = ""
			if _, _, err := Start(t.Context(), s, "0"); err == nil || !strings.Contains(err.Error(), "Unauthorized") {
				t.Errorf("without a token: %v", err)
			}
			away := httptest.NewServer(http.RedirectHandler(far.URL, http.StatusTemporaryRedirect))
			defer away.Close()
			s.Token, s.URL = "token", away.URL
			c, _, err = Start(t.Context(), s, "0")
			if err == nil {
				c.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "another host") {
				t.Errorf("led to another host: %v", err)
			}
		})
	}
}

func TestAServerOverHTTPIsBounded(t *testing.T) {
	t.Parallel()
	much := strings.Repeat("x", 1<<20)
	for kind, body := range map[string]string{"application/json": `{"jsonrpc":"2.0","id":1,"result":{"x":"`,
		"text/event-stream": "event: message\ndata: "} {
		var sent atomic.Int64 // MiB
		far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, body)
			for range 2000 {
				if _, err := io.WriteString(w, much); err != nil {
					return
				}
				sent.Add(1)
			}
		}))
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute) // of a busy machine
		if _, _, err := Start(ctx, Server{URL: far.URL}, "0"); err == nil || ctx.Err() != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if n := sent.Load(); n > 8*maxMessageLineBytes>>20 { // of a few requests, and some of it is on its way
			t.Errorf("%s: %d MiB were taken", kind, n)
		}
		stop()
		far.Close()
	}
}

// A server names where messages go; a token goes to the host that the person named, and nowhere
// else.
func TestATokenGoesToNoOtherHost(t *testing.T) {
	var mu sync.Mutex
	got := ""
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got = r.Method + " " + r.Header.Get("Authorization")
	}))
	defer other.Close()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			http.Error(w, "no", http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s/messages\n\n", other.URL)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer far.Close()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
	defer stop()
	if _, _, err := Start(ctx, Server{URL: far.URL, Token: "token"}, "0"); err == nil {
		t.Error("it started")
	}
	mu.Lock()
	defer mu.Unlock()
	if got != "" {
		t.Errorf("another host was sent %q", got)
	}
}
