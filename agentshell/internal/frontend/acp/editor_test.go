//go:build unix

package acp_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/extension/extensiontest"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// binary is the path of agentshell, which is built once. The tests run it as an editor does.
var binary string

func TestMain(m *testing.M) {
	if how := os.Getenv(extensiontest.Variable); how != "" {
		extensiontest.Main(how)
		return
	}
	sandbox.Stage(os.Args) // the trial of the sandbox starts this program again
	dir, err := os.MkdirTemp("", "agentshell-acp-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "agentshell")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary,
		"github.com/scrollkeep/scrollkeep/agentshell").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n", out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// message is a JSON-RPC message: a request, a notification or an answer. ID is nil in a
// notification.
type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Ask    int             `json:"ask"` // the number of a question
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Aborted int  `json:"aborted"`
	Exit    *int `json:"exit"`
}

// update holds the fields of a session/update that the tests check.
type update struct {
	SessionID string `json:"sessionId"`
	Update    struct {
		Kind    string `json:"sessionUpdate"`
		Content json.RawMessage
		Title   string
		ID      string `json:"toolCallId"`
		Type    string `json:"kind"`
		Status  string
		Mode    string `json:"currentModeId"`
		Entries []struct{ Content, Status string }
		Places  []struct{ Path string }  `json:"locations"`
		Names   []struct{ Name string }  `json:"availableCommands"`
		Options []struct{ Value string } `json:"configOptions"`
	}
}

// permission holds the fields of a session/request_permission that the tests check.
type permission struct {
	Options []struct {
		ID   string `json:"optionId"`
		Name string
		Kind string
	}
	ToolCall struct {
		ID      string `json:"toolCallId"`
		Title   string
		Content []struct {
			Type    string
			Path    string
			OldText *string
			NewText string
			Content struct{ Text string }
		}
	}
}

// editor is an ACP client, made with the official SDK, that runs `agentshell acp`.
type editor struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan message
	log   *strings.Builder // of standard error; for when it has ended
	seen  []message
	read  int // of seen, by wait
	next  int
	work  string
	home  string
}

func newEditor(t *testing.T, script string, files map[string]string, args ...string) *editor {
	t.Helper()
	node := need.Program(t, "node")
	if _, err := os.Stat("client/node_modules/@agentclientprotocol/sdk"); err != nil {
		need.Missing(t, "acp", fmt.Errorf("the client is not installed: %w", err))
	}
	e := &editor{t: t, lines: make(chan message, 10_000), work: t.TempDir(), home: t.TempDir(),
		log: new(strings.Builder)}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(e.work, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e.start(node, script, args...)
	return e
}

func (e *editor) start(node, script string, args ...string) {
	e.t.Helper()
	file := filepath.Join(e.t.TempDir(), "script.jsonl")
	if err := os.WriteFile(file, []byte(script), 0o666); err != nil {
		e.t.Fatal(err)
	}
	cmd := exec.Command(node, append([]string{"client/client.mjs", binary, "acp", "--script", file}, args...)...)
	cmd.Env = []string{"HOME=" + e.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + e.t.TempDir(), "LANG=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stderr = e.log
	var err error
	if e.in, err = cmd.StdinPipe(); err != nil {
		e.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		e.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		e.t.Fatal(err)
	}
	lines := make(chan message, 10_000)
	e.lines, e.seen, e.read = lines, nil, 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(lines)
		s := bufio.NewScanner(out)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			var m message
			if err := json.Unmarshal(s.Bytes(), &m); err != nil {
				e.t.Errorf("the client printed %q: %v", s.Text(), err)
				return
			}
			lines <- m
		}
	}()
	e.t.Cleanup(func() {
		e.in.Close()
		kill := time.AfterFunc(20*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		<-done
		err := cmd.Wait()
		if e.t.Failed() {
			e.t.Logf("the client: %v; its standard error:\n%s", err, e.log)
		}
		if !kill.Stop() {
			e.t.Error("it did not end with its input")
		}
	})
}

func (e *editor) send(v any) {
	e.t.Helper()
	b, err := json.Marshal(v)
	if err == nil {
		_, err = e.in.Write(append(b, '\n'))
	}
	if err != nil {
		e.t.Fatal(err)
	}
}

// wait returns the next message for which the function is returns true. Messages before it are
// dropped.
func (e *editor) wait(what string, is func(message) bool) message {
	e.t.Helper()
	deadline := time.After(60 * time.Second)
	for {
		for e.read < len(e.seen) {
			m := e.seen[e.read]
			e.read++
			if is(m) {
				return m
			}
		}
		select {
		case m, open := <-e.lines:
			if !open {
				e.t.Fatalf("it ended before %s", what)
			}
			e.seen = append(e.seen, m)
		case <-deadline:
			for _, m := range e.seen {
				e.t.Logf("%d %s %s%s", m.ID, m.Method, m.Params, m.Result)
			}
			e.t.Fatalf("there was no %s in 60 s", what)
		}
	}
}

// request sends a request, and returns the number by which its answer is found.
func (e *editor) request(method string, params any) int {
	e.t.Helper()
	e.next++
	e.send(map[string]any{"id": e.next, "method": method, "params": params})
	return e.next
}

func (e *editor) answer(id int) message {
	e.t.Helper()
	return e.wait(fmt.Sprintf("answer %d", id), func(m message) bool { return m.ID == id })
}

// call sends a request that must succeed, and decodes the result into out.
func (e *editor) call(method string, params, out any) {
	e.t.Helper()
	m := e.answer(e.request(method, params))
	if m.Error != nil {
		e.t.Fatalf("%s: %+v", method, *m.Error)
	}
	if out != nil {
		if err := json.Unmarshal(m.Result, out); err != nil {
			e.t.Fatal(err)
		}
	}
}

// begin initializes the connection and opens a session, and returns the session's id. If held is
// true, the editor reads and writes the texts of files.
func (e *editor) begin(held bool) string {
	e.t.Helper()
	e.hello(held)
	var s struct{ SessionID string }
	e.call("session/new", map[string]any{"cwd": e.work, "mcpServers": []any{}}, &s)
	return s.SessionID
}

func (e *editor) hello(held bool) {
	e.t.Helper()
	e.call("initialize", map[string]any{"protocolVersion": 1,
		"clientCapabilities": map[string]any{"fs": map[string]bool{"readTextFile": held, "writeTextFile": held}}}, nil)
}

func (e *editor) prompt(session, text string) int {
	e.t.Helper()
	return e.request("session/prompt", map[string]any{"sessionId": session,
		"prompt": []any{map[string]any{"type": "text", "text": text}}})
}

// asked waits for an approval question, and returns it with its number.
func (e *editor) asked() (int, permission) {
	e.t.Helper()
	m := e.wait("question", func(m message) bool { return m.Ask > 0 })
	var p permission
	if err := json.Unmarshal(m.Params, &p); err != nil {
		e.t.Fatal(err)
	}
	return m.Ask, p
}

// choose answers the approval question of that number with an option.
func (e *editor) choose(number int, option string) {
	e.t.Helper()
	e.send(map[string]any{"answer": number,
		"result": map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": option}}})
}

// ends waits for the end of a turn, and returns its stop reason.
func (e *editor) ends(turn int) string {
	e.t.Helper()
	m := e.answer(turn)
	if m.Error != nil {
		return "error: " + m.Error.Message
	}
	var r struct{ StopReason string }
	if err := json.Unmarshal(m.Result, &r); err != nil {
		e.t.Fatal(err)
	}
	return r.StopReason
}

// updates returns all updates of these kinds that were received so far.
func (e *editor) updates(kinds ...string) (list []update) {
	for _, m := range e.seen {
		var u update
		if m.Method != "session/update" || json.Unmarshal(m.Params, &u) != nil {
			continue
		}
		for _, k := range kinds {
			if u.Update.Kind == k {
				list = append(list, u)
			}
		}
	}
	return list
}

// said returns the joined text of all chunks of a kind that were received so far.
func (e *editor) said(kind string) string {
	var b strings.Builder
	for _, u := range e.updates(kind) {
		var c struct{ Text string }
		if json.Unmarshal(u.Update.Content, &c) == nil {
			b.WriteString(c.Text)
		}
	}
	return b.String()
}

func (e *editor) file(name string) string {
	b, err := os.ReadFile(filepath.Join(e.work, name))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		e.t.Fatal(err)
	}
	return string(b)
}

// wrote returns the paths of the files that the editor was told to write.
func (e *editor) wrote() (list []string) {
	for _, m := range e.seen {
		var p struct{ Path string }
		if m.Method == "fs/write_text_file" && json.Unmarshal(m.Params, &p) == nil {
			list = append(list, filepath.Base(p.Path))
		}
	}
	return list
}

const readIt = `{"say":"I read it.","delay_ms":0,` +
	`"tool_calls":[{"id":"r","name":"read_file","input":{"path":"notes.md"}}]}`

func editIt(id, old, text string) string {
	return fmt.Sprintf(`{"say":"I change it.","delay_ms":0,"tool_calls":[{"id":%q,"name":"edit_file","input":`+
		`{"path":"notes.md","old_string":%q,"new_string":%q}}]}`, id, old, text)
}

// A whole session over texts that the editor holds: what it has not saved is what is read; a change
// is shown as two texts and made by the editor after a yes; a file that somebody types into
// meanwhile is asked about anew; a stop ends the turn; and the session can be loaded, with all that
// was said.
func TestASessionInAnEditor(t *testing.T) {
	t.Parallel()
	script := strings.Join([]string{readIt,
		editIt("e1", "two", "2"), `{"expect":"Written by the editor","say":"Done.","delay_ms":0}`,
		editIt("e2", "three", "3"), `{"say":"Done again.","delay_ms":0}`,
		editIt("e3", "one", "1"), `{"say":"never"}`}, "\n")
	e := newEditor(t, script, map[string]string{"notes.md": "saved\n"})
	path := filepath.Join(e.work, "notes.md")
	id := e.begin(true)
	e.send(map[string]any{"put": path, "text": "one\ntwo\nthree\n"})

	turn := e.prompt(id, "change two")
	n, p := e.asked()
	var diff, words string
	for _, c := range p.ToolCall.Content {
		if c.Type == "diff" && c.OldText != nil {
			diff = c.Path + "|" + *c.OldText + "|" + c.NewText
		}
		words += c.Content.Text
	}
	if want := path + "|one\ntwo\nthree\n|one\n2\nthree\n"; diff != want {
		t.Errorf("the question shows %q, want %q", diff, want)
	}
	if e.file("notes.md") != "saved\n" || len(e.wrote()) > 0 {
		t.Error("something was written before the answer")
	}
	e.choose(n, "yes")
	if why := e.ends(turn); why != "end_turn" || e.file("notes.md") != "one\n2\nthree\n" {
		t.Errorf("%s, the file is %q", why, e.file("notes.md"))
	}

	// Somebody types into it while the question stands.
	turn = e.prompt(id, "change three")
	n, _ = e.asked()
	e.send(map[string]any{"put": path, "text": "typed\none\n2\nthree\n"})
	e.choose(n, "yes")
	n, p = e.asked()
	if e.file("notes.md") != "one\n2\nthree\n" {
		t.Error("the change was made over what was typed")
	}
	for _, c := range p.ToolCall.Content {
		if c.Type == "diff" && c.NewText != "typed\none\n2\n3\n" {
			t.Errorf("the second question shows %q", c.NewText)
		}
	}
	e.choose(n, "yes")
	if why := e.ends(turn); why != "end_turn" || e.file("notes.md") != "typed\none\n2\n3\n" {
		t.Errorf("%s, the file is %q", why, e.file("notes.md"))
	}
	if !strings.Contains(e.said("agent_message_chunk"), "The file has changed meanwhile") {
		t.Error("nobody was told why they were asked again")
	}

	// A stop while the question stands: it is taken away, and nothing is written.
	turn = e.prompt(id, "change one")
	e.asked()
	e.send(map[string]any{"method": "session/cancel", "params": map[string]any{"sessionId": id}})
	if why := e.ends(turn); why != "cancelled" || e.file("notes.md") != "typed\none\n2\n3\n" {
		t.Errorf("%s, the file is %q", why, e.file("notes.md"))
	}
	if got := e.wrote(); len(got) != 2 {
		t.Errorf("the editor wrote %q", got)
	}

	// It is listed and loaded, with all that was said.
	var list struct {
		Sessions []struct{ SessionID, Title, Cwd string }
	}
	e.call("session/list", map[string]any{"cwd": e.work}, &list)
	if len(list.Sessions) != 1 || list.Sessions[0].SessionID != id || list.Sessions[0].Title != "change two" {
		t.Errorf("%+v", list)
	}
	e.call("session/close", map[string]any{"sessionId": id}, nil)
	before := len(e.seen)
	e.call("session/load", map[string]any{"sessionId": id, "cwd": e.work, "mcpServers": []any{}}, nil)
	e.seen = e.seen[before:]
	e.read = len(e.seen)
	if got := e.said("user_message_chunk"); got != "change twochange threechange one" {
		t.Errorf("the person is told to have said %q", got)
	}
	if got := e.said("agent_message_chunk"); !strings.Contains(got, "I read it.I change it.Done.I change it.Done "+
		"again.") {
		t.Errorf("the agent is told to have said %q", got)
	}
	if calls := e.updates("tool_call"); len(calls) != 4 || calls[0].Update.Title != "read_file notes.md" ||
		calls[0].Update.Type != "read" || calls[1].Update.Type != "edit" || calls[1].Update.Places[0].Path != path {
		t.Errorf("%+v", calls)
	}
	calls := e.updates("tool_call_update")
	if last := calls[len(calls)-1].Update; len(calls) != 4 || last.Status != "failed" {
		t.Errorf("%d calls have ended, the one that was stopped is %s", len(calls), last.Status)
	}
}
