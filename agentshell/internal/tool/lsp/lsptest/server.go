// Package lsptest is a language server for tests, which answers as it is told. A test binary is one
// if its first argument says so.
package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

const processMarker = "scrollkeep-test-language-server"

// Answers holds the results of requests as JSON, by method; a missing method is answered with null.
// Three values are special: "silence" sends no answer, "error CODE TEXT" sends an error, and "exit
// TEXT" writes a text to standard error and ends the server with code 3. The value of
// "textDocument/publishDiagnostics" is the list that the server sends for each text, or "silence".
type Answers map[string]string

// Heard is the method of a request for all messages that the server has received, as a list of
// [Message].
const Heard = "x/heard"

// Message is a request or a notification that the server has received.
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Command returns the command line that starts the test binary as a language server with the given
// answers. The test binary must call [Main].
func Command(t testing.TB, answers Answers) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "answers")
	text, err := json.Marshal(answers)
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return []string{os.Args[0], processMarker, file}
}

// Main runs the server and exits, if this process was started by [Command]. Otherwise it returns.
func Main() {
	if len(os.Args) != 3 || os.Args[1] != processMarker {
		return
	}
	s := &server{}
	text, err := os.ReadFile(os.Args[2])
	if err != nil || json.Unmarshal(text, &s.answers) != nil {
		os.Exit(2)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		data, err := helper.ReadFrame(in, 64<<20)
		var m Message
		if err != nil || json.Unmarshal(data, &m) != nil || m.Method == "exit" {
			os.Exit(0)
		}
		s.take(m)
	}
}

type server struct {
	answers Answers
	heard   []Message
}

// take stores a message, and answers it if it is a request.
func (s *server) take(m Message) {
	s.heard = append(s.heard, m)
	switch {
	case m.Method == Heard:
		send(map[string]any{"id": m.ID, "result": s.heard})
	case m.ID != nil:
		s.answer(m)
	case m.Method == "textDocument/didOpen", m.Method == "textDocument/didChange":
		s.publish(m)
	}
}

func (s *server) answer(m Message) {
	result, known := s.answers[m.Method]
	if !known {
		result = "null"
		if m.Method == "initialize" {
			result = `{"capabilities": {}}`
		}
	}
	kind, text, _ := strings.Cut(result, " ")
	switch kind {
	case "silence":
	case "exit":
		fmt.Fprintln(os.Stderr, text)
		os.Exit(3)
	case "error":
		code, message, _ := strings.Cut(text, " ")
		send(map[string]any{"id": m.ID, "error": map[string]any{"code": json.RawMessage(code), "message": message}})
	default:
		send(map[string]any{"id": m.ID, "result": json.RawMessage(result)})
	}
}

// publish sends the diagnostics for a text that the server received, if there are any.
func (s *server) publish(m Message) {
	list, known := s.answers["textDocument/publishDiagnostics"]
	var about struct {
		TextDocument struct {
			URI     string `json:"uri"`
			Version int    `json:"version"`
		} `json:"textDocument"`
	}
	if !known || list == "silence" || json.Unmarshal(m.Params, &about) != nil {
		return
	}
	send(map[string]any{"method": "textDocument/publishDiagnostics", "params": map[string]any{
		"uri": about.TextDocument.URI, "version": about.TextDocument.Version, "diagnostics": json.RawMessage(list)}})
}

func send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Printf("Content-Length: %d\r\n\r\n%s", len(data), data)
	}
	if err != nil {
		os.Exit(1)
	}
}
