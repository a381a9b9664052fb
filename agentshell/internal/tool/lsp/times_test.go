package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// timesVariable turns the measurement on: it takes minutes, and a machine that does nothing else.
const timesVariable = "SCROLLKEEP_LSP_TIMES"

// bareClient is a client that does nothing but what is measured.
type bareClient struct {
	t     *testing.T
	in    io.Writer
	found chan map[string][]string // the messages of each publishDiagnostics, by address
}

func startBare(t *testing.T, s Server, dir string) *bareClient {
	t.Helper()
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	b := &bareClient{t: t, in: in, found: make(chan map[string][]string, 10_000)}
	ready := make(chan struct{})
	go b.read(bufio.NewReader(out), ready)
	b.send(map[string]any{"id": 0, "method": "initialize", "params": map[string]any{"processId": os.Getpid(),
		"rootUri": URIOf(dir), "initializationOptions": s.Options, "workspaceFolders": workspaceFolders(dir),
		"capabilities": map[string]any{"textDocument": map[string]any{"publishDiagnostics": map[string]any{}}}}})
	select {
	case <-ready:
	case <-time.After(time.Minute):
		t.Fatal("the server does not start")
	}
	b.send(map[string]any{"method": "initialized", "params": map[string]any{}})
	return b
}

func (b *bareClient) send(m map[string]any) {
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err == nil {
		_, err = fmt.Fprintf(b.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// read takes what the server sends, and answers its requests.
func (b *bareClient) read(in *bufio.Reader, ready chan struct{}) {
	for {
		data, err := helper.ReadFrame(in, maxMessageBytes)
		if err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				URI         string           `json:"uri"`
				Items       []any            `json:"items"`
				Diagnostics []map[string]any `json:"diagnostics"`
			} `json:"params"`
		}
		if json.Unmarshal(data, &m) != nil && m.Method == "" {
			continue
		}
		switch {
		case m.Method == "" && string(m.ID) == "0":
			close(ready)
		case m.Method == "textDocument/publishDiagnostics":
			messages := []string{}
			for _, d := range m.Params.Diagnostics {
				messages = append(messages, fmt.Sprint(d["message"]))
			}
			b.found <- map[string][]string{m.Params.URI: messages}
		case m.ID != nil && m.Method != "":
			var result any
			if m.Method == "workspace/configuration" {
				list := []any{}
				for range m.Params.Items {
					list = append(list, map[string]any{})
				}
				result = list
			}
			b.send(map[string]any{"id": m.ID, "result": result})
		}
	}
}

// await waits for a diagnostic of a file whose message has a part.
func (b *bareClient) await(path, part string) {
	b.t.Helper()
	limit := time.After(3 * time.Minute)
	for {
		select {
		case found := <-b.found:
			for uri, messages := range found {
				at, err := PathOf(uri)
				if err == nil && at == path && strings.Contains(strings.Join(messages, "\n"), part) {
					return
				}
			}
		case <-limit:
			b.t.Fatal("the bare client gets no diagnostics")
		}
	}
}

// measured is a project with a file in which an error is put again and again.
type measured struct {
	server string
	dir    string // "": one that is made of files
	files  map[string]string
	file   string
	mark   func(i int) (line, message string)
	rounds int
	pause  time.Duration // between two rounds
}

// goHandlers returns a source text with n functions.
func goHandlers(n int) string {
	var b strings.Builder
	b.WriteString("package m\n\nimport (\n\t\"fmt\"\n\t\"net/http\"\n)\n\n")
	for i := range n {
		fmt.Fprintf(&b, "func Handle%d(w http.ResponseWriter, r *http.Request) {\n\tfor i := range %d {\n\t\t"+
			"fmt.Fprintf(w, \"%%d %%s\", i+B(), r.URL.Path)\n\t}\n}\n\n", i, i)
	}
	return b.String()
}

func goMark(i int) (line, message string) {
	return fmt.Sprintf("var _ int = \"mark%d\"\n", i), fmt.Sprintf("mark%d", i)
}

func tsMark(i int) (line, message string) {
	return fmt.Sprintf("const mark%d: { mark%d: number } = {};\n", i, i), fmt.Sprintf("mark%d", i)
}

// The first diagnostics of a change take at most 1.2 times what the server itself takes for them,
// as a bare client of another one sees in the same run.
func TestFirstDiagnosticsComeWhenTheServerHasThem(t *testing.T) {
	if os.Getenv(timesVariable) == "" {
		return // make bench sets it
	}
	here, err := filepath.Abs("report.go")
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]measured{
		"gopls, a small module": {server: "gopls", file: "a.go", mark: goMark, rounds: 41,
			pause: 300 * time.Millisecond, files: map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n",
				"a.go": goHandlers(300), "b.go": "package m\n\nfunc B() int { return 1 }\n"}},
		"gopls, this repository": {server: "gopls", dir: filepath.Join(here, "../../../../.."), file: here,
			mark: goMark, rounds: 15, pause: 5 * time.Second},
		"typescript-language-server": {server: "typescript-language-server", file: "a.ts", mark: tsMark, rounds: 15,
			pause: time.Second, files: map[string]string{"package.json": `{"name":"m"}`,
				"b.ts":          "export const b = 1;\n",
				"tsconfig.json": `{"compilerOptions":{"strict":true,"module":"commonjs"}}`,
				"a.ts":          "import { b } from './b';\nexport const a: number = b;\n"}},
	} {
		t.Run(name, func(t *testing.T) { m.run(t) })
	}
}

func (m measured) run(t *testing.T) {
	table, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	server := table[m.server]
	npm, err := filepath.Abs("servers/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if path, err := exec.LookPath(filepath.Join(npm, ".bin", server.Command[0])); err == nil {
		server.Command = append([]string{path}, server.Command[1:]...)
	} else {
		need.Program(t, server.Command[0])
	}
	if m.dir == "" {
		m.dir = t.TempDir()
		m.file = filepath.Join(m.dir, m.file)
		for name, text := range m.files {
			if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(npm, filepath.Join(m.dir, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	base, err := os.ReadFile(m.file)
	if err != nil {
		t.Fatal(err)
	}
	m.compare(t, server, string(base))
}

// compare measures both clients in turns, and judges the medians.
func (m measured) compare(t *testing.T, server Server, base string) {
	bare := startBare(t, server, m.dir)
	id := map[string]any{"uri": URIOf(m.file), "version": 1, "languageId": server.languageID(m.file), "text": base}
	bare.send(map[string]any{"method": "textDocument/didOpen", "params": map[string]any{"textDocument": id}})
	s := NewService(Config{Dir: m.dir, Family: new(child.Family), Table: Table{server.Name: server},
		Env: os.Environ(), Report: true})
	t.Cleanup(s.Close)
	c, release, err := s.Use(context.Background(), server)
	if err != nil {
		t.Fatal(err)
	}
	release()
	if _, _, err := c.Diagnose(context.Background(), m.file, base, 2*time.Minute); err != nil {
		t.Fatal(err)
	}
	c.Load(context.Background(), 2*time.Minute)
	var theirs, ours []time.Duration
	before := base
	for i := range m.rounds + 2 { // the first two warm up
		line, part := m.mark(i)
		after := base + line
		byBare := func() time.Duration {
			began := time.Now()
			bare.send(map[string]any{"method": "textDocument/didChange", "params": map[string]any{
				"textDocument":   map[string]any{"uri": URIOf(m.file), "version": i + 2},
				"contentChanges": []any{map[string]any{"text": after}}}})
			bare.await(m.file, part)
			took := time.Since(began)
			bare.send(map[string]any{"method": "textDocument/didSave", "params": map[string]any{
				"textDocument": map[string]any{"uri": URIOf(m.file)}}})
			return took
		}
		byUs := func() time.Duration {
			began := time.Now()
			s.Note(m.file, []byte(before), []byte(after), true)
			for !slices.ContainsFunc(s.News(time.Minute), func(n News) bool { return n.Errors > 0 }) {
				if time.Since(began) > 3*time.Minute {
					t.Fatal("we get no diagnostics")
				}
				s.lastNewsWait = time.Time{}
				<-time.After(time.Millisecond)
			}
			s.lastNewsWait = time.Time{} // changes are a second apart and more
			return time.Since(began)
		}
		var a, b time.Duration
		if i%2 == 0 {
			a, b = byBare(), byUs()
		} else {
			b, a = byUs(), byBare()
		}
		if before = after; i >= 2 {
			theirs, ours = append(theirs, a), append(ours, b)
		}
		<-time.After(m.pause) // both servers look at the rest of the project
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	middle := len(ours) / 2
	ratio := float64(ours[middle]) / float64(theirs[middle])
	t.Logf("medians of %d: the server %v, we %v: %.2f times; all: %v, %v", len(ours), theirs[middle], ours[middle],
		ratio, theirs, ours)
	if ratio > 1.2 {
		t.Errorf("first diagnostics take %.2f times what the server takes", ratio)
	}
}
