package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// fakeVariable makes the test program a language server.
const fakeVariable = "SCROLLKEEP_FAKE_LANGUAGE_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(fakeVariable) != "" {
		(&fakeServer{in: bufio.NewReader(os.Stdin), out: os.Stdout, Texts: map[string]string{}}).run()
		return
	}
	os.Exit(m.Run())
}

// fakeServer is a language server for tests. It finds an error on each line with "bad". What it
// finds in a text with "late" it tells at the next x/release, and in a text with "elsewhere" it
// tells then of an error in z.x. It puts a text in order by taking blanks from the ends of lines,
// and never answers where the text has "slow", or with an error where it has "odd".
type fakeServer struct {
	in    *bufio.Reader
	out   io.Writer
	Texts map[string]string // by address
	Saved int               // the number of didSave
	Sent  int               // the number of texts that it was sent
	later []map[string]any  // messages that are held back
}

type fakeMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
			Text    string `json:"text"`
		} `json:"textDocument"`
		ContentChanges []struct {
			Text string `json:"text"`
		} `json:"contentChanges"`
	} `json:"params"`
}

func (f *fakeServer) run() {
	for {
		data, err := helper.ReadFrame(f.in, maxMessageBytes)
		var m fakeMessage
		if err != nil || json.Unmarshal(data, &m) != nil {
			return
		}
		f.handle(m)
	}
}

func (f *fakeServer) handle(m fakeMessage) {
	uri := m.Params.TextDocument.URI
	switch m.Method {
	case "initialize":
		f.answer(m, map[string]any{"capabilities": map[string]any{"documentFormattingProvider": true}})
	case "shutdown":
		f.answer(m, nil)
	case "exit":
		os.Exit(0)
	case "x/release":
		for _, m := range f.later {
			f.send(m)
		}
		f.later = nil
		f.answer(m, nil)
	case "x/state":
		f.answer(m, f)
	case "textDocument/didOpen":
		f.take(m, m.Params.TextDocument.Text)
	case "textDocument/didChange":
		f.take(m, m.Params.ContentChanges[0].Text)
	case "textDocument/didClose":
		delete(f.Texts, uri)
	case "textDocument/didSave":
		f.Saved++
	case "textDocument/formatting":
		f.format(m, f.Texts[uri])
	}
}

func (f *fakeServer) take(m fakeMessage, text string) {
	uri := m.Params.TextDocument.URI
	f.Texts[uri] = text
	f.Sent++
	list := []any{}
	report := func(uri string, version int, list []any) map[string]any {
		return map[string]any{"method": "textDocument/publishDiagnostics", "params": map[string]any{"uri": uri,
			"version": version, "diagnostics": list}}
	}
	for i, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "bad") {
			list = append(list, map[string]any{"range": lineRange(i, i), "severity": 1, "message": line})
		}
	}
	if strings.Contains(text, "elsewhere") {
		other := uri[:strings.LastIndex(uri, "/")] + "/z.x"
		f.later = append(f.later, report(other, 0, []any{map[string]any{"range": lineRange(6, 6), "message": "there"}}))
	}
	if now := report(uri, m.Params.TextDocument.Version, list); strings.Contains(text, "late") {
		f.later = append(f.later, now)
	} else {
		f.send(now)
	}
}

func lineRange(from, to int) Range {
	return Range{Start: Position{Line: from}, End: Position{Line: to}}
}

func (f *fakeServer) format(m fakeMessage, text string) {
	switch {
	case strings.Contains(text, "slow"):
	case strings.Contains(text, "odd"):
		f.send(map[string]any{"id": m.ID, "error": map[string]any{"code": 1, "message": "it is odd"}})
	default:
		lines := strings.Split(text, "\n")
		var b strings.Builder
		for _, line := range lines[:len(lines)-1] {
			fmt.Fprintln(&b, strings.TrimRight(line, " "))
		}
		f.answer(m, []any{map[string]any{"range": lineRange(0, len(lines)-1), "newText": b.String()}})
	}
}

func (f *fakeServer) answer(m fakeMessage, result any) {
	f.send(map[string]any{"id": m.ID, "result": result})
}

func (f *fakeServer) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(f.out, "Content-Length: %d\r\n\r\n%s", len(data), data)
}

// fakeService returns a service with a fake server for files that end in .x.
func fakeService(t *testing.T, with func(*Config)) (s *Service, fake Server) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fake = Server{Name: "fake", Command: []string{program}, Kinds: map[string]string{".x": "x"}}
	c := Config{Dir: t.TempDir(), Family: new(child.Family), Table: Table{"fake": fake},
		Env: append(os.Environ(), fakeVariable+"=1")}
	with(&c)
	s = NewService(c)
	t.Cleanup(s.Close)
	return s, fake
}

// fakeState returns what the fake server knows.
func fakeState(t *testing.T, s *Service, fake Server) (state fakeServer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, release, err := s.Use(ctx, fake)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	raw, err := c.Request(ctx, "x/state", nil)
	if err == nil {
		err = json.Unmarshal(raw, &state)
	}
	if err != nil {
		t.Fatal(err)
	}
	return state
}
