package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// until waits for a state of the only server of a fleet.
func until(t *testing.T, f *Fleet, is func(Status) bool) Status {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		changed := f.Changed()
		if s := f.List()[0]; is(s) {
			return s
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("%+v", f.List())
		}
	}
}

// A server that ends by itself is started again, one that is stopped is not, until it is wanted.
func TestAServerThatEndsStartsAgain(t *testing.T) {
	f := &Fleet{Version: "0"}
	defer f.Close()
	var mu sync.Mutex
	var now *Client
	starts := 0
	f.Add(server(t, "well", &bytes.Buffer{}), func(c *Client, tools []Tool) error {
		mu.Lock()
		defer mu.Unlock()
		now = c
		starts++
		return nil
	})
	f.Wait(t.Context())
	if s := f.List()[0]; s.State != Ready || s.Tools != 4 || len(s.Skipped) != 2 || s.Name != "test" {
		t.Fatalf("%+v", s)
	}
	mu.Lock()
	c := now
	mu.Unlock()
	if _, err := c.Call(t.Context(), "die", json.RawMessage(`{}`), nil); err == nil {
		t.Error("a dead server answers")
	}
	again := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return starts > 1
	}
	if s := until(t, f, func(s Status) bool { return s.State == Failed || again() }); s.State == Failed &&
		!strings.Contains(s.Why, "exit status 3: Error: it dies") { // or it is up again before we look
		t.Errorf("%+v", s)
	}
	until(t, f, func(s Status) bool { return s.State == Ready })
	if err := f.Stop("test"); err != nil {
		t.Fatal(err)
	}
	until(t, f, func(s Status) bool { return s.State == Stopped })
	if err := f.Restart("test"); err != nil {
		t.Fatal(err)
	}
	until(t, f, func(s Status) bool { return s.State == Ready })
	if err := f.Restart("test"); err != nil {
		t.Fatal(err)
	}
	until(t, f, func(s Status) bool {
		mu.Lock()
		defer mu.Unlock()
		return s.State == Ready && starts == 4
	})
	if err := f.Stop("other"); err == nil {
		t.Error("a server that there is not was stopped")
	}
}

func TestAServerThatDoesNotStartWaitsUntilItIsWanted(t *testing.T) {
	f := new(Fleet)
	f.Add(Server{Name: "none", Command: []string{"/no/such/program"}}, func(*Client, []Tool) error { return nil })
	f.Wait(t.Context())
	if s := f.List()[0]; s.State != Failed || !strings.Contains(s.Why, "no such file") {
		t.Fatalf("%+v", s)
	}
	tried := f.Changed()
	if err := f.Restart("none"); err != nil {
		t.Fatal(err)
	}
	<-tried
	until(t, f, func(s Status) bool { return s.State == Failed })
	f.Close()
	f.Wait(context.Background())
	new(Fleet).Close()
}

// A server that is starting, or lists its tools, is stopped and started anew at once, and not when
// it has answered.
func TestAServerThatDoesNotAnswerIsStoppedAtOnce(t *testing.T) {
	f := &Fleet{Version: "0"}
	defer f.Close()
	s := server(t, "silent", &bytes.Buffer{})
	s.Greeting = time.Hour
	f.Add(s, func(*Client, []Tool) error { return nil })
	for range 3 {
		if err := f.Stop("test"); err != nil {
			t.Fatal(err)
		}
		until(t, f, func(s Status) bool { return s.State == Stopped })
		if err := f.Restart("test"); err != nil {
			t.Fatal(err)
		}
		until(t, f, func(s Status) bool { return s.State == Starting })
	}
}

// A server that says that its tools are others is asked for them again.
func TestToolsThatChangeAreListedAgain(t *testing.T) {
	s := sdk.NewServer(&sdk.Implementation{Name: "changing", Version: "1"}, nil)
	more := func(name string) {
		s.AddTool(&sdk.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return &sdk.CallToolResult{}, nil
			})
	}
	more("a")
	far := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	defer far.Close()
	f := new(Fleet)
	defer f.Close()
	var mu sync.Mutex
	var list []string
	f.Add(Server{Name: "far", URL: far.URL}, func(_ *Client, tools []Tool) error {
		mu.Lock()
		defer mu.Unlock()
		list = nil
		for _, t := range tools {
			list = append(list, t.Name)
		}
		return nil
	})
	until(t, f, func(s Status) bool { return s.State == Ready && s.Tools == 1 })
	more("b")
	until(t, f, func(s Status) bool { return s.State == Ready && s.Tools == 2 })
	s.RemoveTools("a")
	until(t, f, func(s Status) bool { return s.State == Ready && s.Tools == 1 })
	mu.Lock()
	defer mu.Unlock()
	if len(list) != 1 || list[0] != "b" {
		t.Errorf("%q", list)
	}
}

// A root that is added reaches a server that runs, and the same server when it starts again.
func TestARootThatIsAddedReachesServers(t *testing.T) {
	s := server(t, "speaker", &bytes.Buffer{})
	s.Dir = t.TempDir()
	f := new(Fleet)
	defer f.Close()
	clients := make(chan *Client, 2)
	f.Add(s, func(c *Client, _ []Tool) error {
		clients <- c
		return nil
	})
	f.Wait(t.Context())
	lib := t.TempDir()
	f.AddRoot(lib)
	used(t, <-clients, s.Dir, lib)
	if err := f.Restart("test"); err != nil {
		t.Fatal(err)
	}
	used(t, <-clients, s.Dir, lib)
}

// A connection by the older transport over HTTP outlives the start of its server.
func TestAServerByTheOlderTransportStays(t *testing.T) {
	server := speaker()
	far := httptest.NewServer(sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return server }, nil))
	defer far.Close()
	defer far.CloseClientConnections()
	f := new(Fleet)
	defer f.Close()
	connections := make(chan *Client, 10)
	f.Add(Server{Name: "far", URL: far.URL}, func(c *Client, _ []Tool) error {
		connections <- c
		return nil
	})
	until(t, f, func(s Status) bool { return s.State == Ready })
	used(t, <-connections)
	if s := f.List()[0]; s.State != Ready || len(connections) > 0 {
		t.Errorf("%+v, %d more starts", s, len(connections))
	}
}
