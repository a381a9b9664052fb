//go:build unix

package acp_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/sandbox"
	"github.com/scrollkeep/scrollkeep/internal/need"
)

// call returns a line of a script in which the model calls a tool.
func call(id, name, input string) string {
	return fmt.Sprintf(`{"delay_ms":0,"tool_calls":[{"id":%q,"name":%q,"input":%s}]}`, id, name, input)
}

const done = `{"say":"done","delay_ms":0}`

func scriptOf(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// Without the editor's files the disk has them, and a write is our own. Every answer means what it
// says, and an unknown one denies.
func TestEveryAnswerOfAnEditor(t *testing.T) {
	t.Parallel()
	write := func(id, name string) string {
		return call(id, "write_file", fmt.Sprintf(`{"path":%q,"content":"new\n"}`, name))
	}
	e := newEditor(t, scriptOf(write("a", "yes.txt"), done, write("b", "no.txt"), done, write("c", "odd.txt"), done,
		write("d", "stop.txt"), write("e", "docs/always.txt"), done,
		call("f", "write_file", `{"path":"docs/always.txt","content":"newer\n"}`), done,
		write("g", ".envrc"), done), nil)
	id := e.begin(false)
	for _, c := range []struct{ option, file, why, text string }{
		{"yes", "yes.txt", "end_turn", "new\n"},
		{"no", "no.txt", "end_turn", ""},
		{"something else", "odd.txt", "end_turn", ""},
		{"", "stop.txt", "cancelled", ""},
	} {
		turn := e.prompt(id, c.file)
		n, p := e.asked()
		if p.ToolCall.Title == "" || len(p.Options) < 3 || p.Options[0].Kind != "allow_once" ||
			p.Options[len(p.Options)-1].Kind != "reject_once" {
			t.Errorf("%s: %+v", c.file, p)
		}
		if c.option == "" {
			e.send(map[string]any{"answer": n,
				"result": map[string]any{"outcome": map[string]any{"outcome": "cancelled"}}})
		} else {
			e.choose(n, c.option)
		}
		if why := e.ends(turn); why != c.why || e.file(c.file) != c.text {
			t.Errorf("%s: %s, the file is %q", c.file, why, e.file(c.file))
		}
	}
	turn := e.prompt(id, "always")
	n, p := e.asked()
	rule := slices.IndexFunc(p.Options, func(o struct {
		ID   string `json:"optionId"`
		Name string
		Kind string
	}) bool {
		return strings.Contains(o.Name, "write_file(docs/always.txt)")
	})
	if rule < 0 || p.Options[rule].Kind != "allow_always" {
		t.Fatalf("%+v", p.Options)
	}
	e.choose(n, p.Options[rule].ID)
	e.ends(turn)
	if why := e.ends(e.prompt(id, "unasked")); why != "end_turn" || e.file("docs/always.txt") != "newer\n" {
		t.Errorf("under the rule: %s, %q", why, e.file("docs/always.txt"))
	}
	// What is flagged says so in the option that approves it, and no rule is offered for it.
	turn = e.prompt(id, "flagged")
	n, p = e.asked()
	if len(p.Options) != 2 || !strings.Contains(p.Options[0].Name, "although it is flagged: runs code") {
		t.Errorf("%+v", p.Options)
	}
	e.choose(n, "no")
	e.ends(turn)
	if len(e.wrote()) > 0 {
		t.Errorf("the editor was told to write %q", e.wrote())
	}
}

// Modes, the todo list, the commands and the title reach the editor.
func TestWhatAnEditorIsTold(t *testing.T) {
	t.Parallel()
	e := newEditor(t, scriptOf(
		call("a", "todo", `{"ops":[{"op":"init","list":[{"phase":"Work","items":["look","write"]}]}]}`), done,
		call("b", "propose_plan", `{"plan":"# The plan\n\n1. write"}`), done), nil, "--mode", "plan")
	e.hello(false)
	var s struct {
		SessionID string
		Modes     struct {
			CurrentModeID  string
			AvailableModes []struct{ ID string }
		}
		ConfigOptions []struct{ ID, CurrentValue string }
	}
	e.call("session/new", map[string]any{"cwd": e.work, "mcpServers": []any{}}, &s)
	if s.Modes.CurrentModeID != "plan" || len(s.Modes.AvailableModes) != 3 || len(s.ConfigOptions) != 2 ||
		s.ConfigOptions[0].CurrentValue != "plan" || s.ConfigOptions[1].CurrentValue != "off" {
		t.Errorf("%+v", s)
	}
	e.ends(e.prompt(s.SessionID, "make a list\nplease"))
	if list := e.updates("available_commands_update"); len(list) != 1 || list[0].Update.Names[0].Name != "compact" {
		t.Errorf("%+v", list)
	}
	plans := e.updates("plan")
	if len(plans) != 1 || fmt.Sprint(plans[0].Update.Entries) != "[{look in_progress} {write pending}]" {
		t.Errorf("%+v", plans)
	}
	if titles := e.updates("session_info_update"); len(titles) != 1 || titles[0].Update.Title != "make a list" {
		t.Errorf("%+v", titles)
	}
	turn := e.prompt(s.SessionID, "go on")
	n, p := e.asked()
	if !strings.Contains(p.ToolCall.Content[0].Content.Text, "# The plan") {
		t.Errorf("%+v", p)
	}
	e.choose(n, "edits")
	e.ends(turn)
	if modes := e.updates("current_mode_update"); len(modes) != 1 || modes[0].Update.Mode != "edits" {
		t.Errorf("%+v", modes)
	}
	e.call("session/set_mode", map[string]any{"sessionId": s.SessionID, "modeId": "ask"}, nil)
	var set struct {
		ConfigOptions []struct{ ID, CurrentValue string }
	}
	e.call("session/set_config_option", map[string]any{"sessionId": s.SessionID, "configId": "mode", "value": "plan"},
		&set)
	if set.ConfigOptions[0].CurrentValue != "plan" {
		t.Errorf("%+v", set)
	}
	for _, c := range []struct {
		method string
		params map[string]any
		want   string
	}{
		{"session/set_mode", map[string]any{"sessionId": s.SessionID, "modeId": "trusted"}, "the mode was not changed"},
		{"session/set_mode", map[string]any{"sessionId": "x", "modeId": "ask"}, `there is no session "x"`},
		{"session/new", map[string]any{"cwd": "here", "mcpServers": []any{}}, "no absolute path"},
		{"session/new", map[string]any{"cwd": "/no/such/place", "mcpServers": []any{}}, "no such file"},
		{"session/load", map[string]any{"sessionId": "20200101-000000-aaaaaaaaaa", "cwd": e.work,
			"mcpServers": []any{}},
			"there is no such session"},
	} {
		if m := e.answer(e.request(c.method, c.params)); m.Error == nil || !strings.Contains(m.Error.Message, c.want) {
			t.Errorf("%s: %+v", c.method, m.Error)
		}
	}
}

// A message with all that the protocol can put into one.
func TestAMessageOfAnEditor(t *testing.T) {
	t.Parallel()
	picture := "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	// the script sees what the model gets
	e := newEditor(t, scriptOf(`{"expect":"in the file","say":"a","delay_ms":0}`,
		`{"expect":"func main() // unsaved","say":"b","delay_ms":0}`, `{"say":"c","delay_ms":0}`),
		map[string]string{"with blank.md": "in the file\n"})
	id := e.begin(false)
	ask := func(blocks ...any) string {
		t.Helper()
		return e.ends(e.request("session/prompt", map[string]any{"sessionId": id, "prompt": blocks}))
	}
	text := func(s string) any { return map[string]any{"type": "text", "text": s} }
	if why := ask(text("look at"), map[string]any{"type": "resource_link", "name": "with blank.md",
		"uri": "file://" + strings.ReplaceAll(filepath.Join(e.work, "with blank.md"), " ", "%20")}); why != "end_turn" {
		t.Error(why)
	}
	if why := ask(text("and at this"), map[string]any{"type": "resource", "resource": map[string]any{
		"uri": "file:///elsewhere/main.go", "text": "func main() // unsaved"}}); why != "end_turn" {
		t.Error(why)
	}
	if why := ask(text("and"), map[string]any{"type": "image", "mimeType": "image/png", "data": picture},
		map[string]any{"type": "image", "mimeType": "image/png",
			"data": base64.StdEncoding.EncodeToString([]byte("no picture"))}); why != "end_turn" {
		t.Error(why)
	}
	if got := e.said("agent_message_chunk"); !strings.Contains(got, "A picture is not sent") {
		t.Errorf("%q", got)
	}
	if why := ask(text(" ")); !strings.Contains(why, "the prompt is empty") {
		t.Error(why)
	}
}

// A command's output comes while it runs; a stop ends it, and the end of the input ends all that
// runs.
func TestACommandInAnEditor(t *testing.T) {
	t.Parallel()
	mark := fmt.Sprintf("37.%d", os.Getpid())
	e := newEditor(t, scriptOf(
		call("a", "bash", `{"command":"echo out; echo more"}`), done,
		call("b", "bash", `{"command":"echo begun; sleep `+mark+`"}`),
		call("c", "bash", `{"command":"echo again; sleep `+mark+`"}`)), nil, "--mode", "trusted")
	id := e.begin(false)
	e.ends(e.prompt(id, "x"))
	ended := e.updates("tool_call_update")
	if last := ended[len(ended)-1].Update; last.Status != "completed" || !strings.Contains(string(last.Content),
		"more") {
		t.Errorf("%+v", last)
	}
	begun := func(text string) {
		t.Helper()
		e.wait(text, func(m message) bool {
			return m.Method == "session/update" && strings.Contains(string(m.Params), text) &&
				strings.Contains(string(m.Params), "tool_call_update")
		})
	}
	running := func() bool { return exec.Command("pgrep", "-f", "sleep "+mark).Run() == nil }
	turn := e.prompt(id, "y")
	begun("begun")
	for until := time.Now().Add(20 * time.Second); !running(); { // what it prints comes before its sleep
		if time.Now().After(until) {
			t.Fatal("the command does not run")
		}
	}
	e.send(map[string]any{"method": "session/cancel", "params": map[string]any{"sessionId": id}})
	if why := e.ends(turn); why != "cancelled" {
		t.Error(why)
	}
	if running() {
		t.Error("the command runs on behind a stop")
	}
	e.prompt(id, "z")
	begun("again")
	e.in.Close()
	e.wait("the end", func(m message) bool { return m.Exit != nil })
	if running() {
		t.Error("the command runs on behind the end of the editor")
	}
}

// Two sessions of one editor do not know of each other: the end of one leaves the other alone. A
// directory that the editor adds is a root, and a server that it brings has its tools.
func TestTwoSessionsOfAnEditor(t *testing.T) {
	t.Parallel()
	server := `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"n","version":"1"}}}\n' "$id";;
  *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"put","description":"d","inputSchema":{"type":"object"}}]}}\n' "$id";;
  *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"LEVEL=%s"}]}}\n' "$id" "$LEVEL";;
  esac
done`
	e := newEditor(t, scriptOf(
		call("a", "read_file", `{"path":"lib/far.txt"}`), `{"expect":"far away","say":"x","delay_ms":0}`,
		call("b", "mcp__my-server__put", `{}`), `{"expect":"LEVEL=2","say":"y","delay_ms":0}`, done), nil)
	lib := filepath.Join(t.TempDir(), "lib")
	if err := os.Mkdir(lib, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(lib, "far.txt"), []byte("far away\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	other := e.begin(false)
	var s struct{ SessionID string }
	e.call("session/new", map[string]any{"cwd": e.work, "additionalDirectories": []string{lib},
		"mcpServers": []any{map[string]any{"name": "My Server", "command": "sh", "args": []string{"-c", server},
			"env": []any{map[string]string{"name": "LEVEL", "value": "2"}}}}}, &s)
	if why := e.ends(e.prompt(s.SessionID, "read")); why != "end_turn" {
		t.Error(why)
	}
	turn := e.prompt(s.SessionID, "put")
	n, _ := e.asked()
	e.call("session/close", map[string]any{"sessionId": other}, nil)
	e.choose(n, "yes")
	if why := e.ends(turn); why != "end_turn" {
		t.Error(why)
	}
}

// A directory is added after a yes only. A session that is loaded again says which it had.
func TestADirectoryIsAddedFromAnEditor(t *testing.T) {
	t.Parallel()
	e := newEditor(t, scriptOf(call("a", "read_file", `{"path":"lib/far.txt"}`),
		`{"expect":"far away","say":"x","delay_ms":0}`), nil)
	lib := filepath.Join(t.TempDir(), "lib")
	if err := os.Mkdir(lib, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(lib, "far.txt"), []byte("far away\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	id := e.begin(false)
	for _, option := range []string{"no", "yes"} {
		turn := e.prompt(id, "/add-dir "+lib)
		n, p := e.asked()
		if !strings.Contains(p.ToolCall.Content[0].Content.Text, "Add this directory to the session? "+lib) {
			t.Errorf("%+v", p)
		}
		e.choose(n, option)
		e.ends(turn)
	}
	e.ends(e.prompt(id, "/add-dir "+e.home))
	if why := e.ends(e.prompt(id, "read")); why != "end_turn" {
		t.Error(why)
	}
	said := e.said("agent_message_chunk")
	for _, want := range []string{"Nothing was changed.", "Added " + lib, "is the home directory"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q does not say %q", said, want)
		}
	}
}

// The first command of a workspace offers the sandbox in an editor, too. After "here" the command
// runs in it without a question, and an option of the session switches it.
func TestTheSandboxIsOfferedInAnEditor(t *testing.T) {
	t.Parallel()
	if r := sandbox.Find(t.Context(), new(child.Family), t.TempDir(), ""); r.Box == nil {
		need.Missing(t, "sandbox", r.Reason)
	}
	e := newEditor(t, scriptOf(call("a", "bash", `{"command":"touch made"}`), done), nil)
	id := e.begin(false)
	turn := e.prompt(id, "go")
	n, p := e.asked()
	if len(p.Options) != 3 || p.Options[1].ID != "here" || !strings.Contains(p.ToolCall.Content[0].Content.Text,
		"Run the model's commands in a sandbox") {
		t.Fatalf("%+v", p)
	}
	e.choose(n, "here")
	if why := e.ends(turn); why != "end_turn" {
		t.Error(why)
	}
	if _, err := os.Stat(filepath.Join(e.work, "made")); err != nil {
		t.Error(err)
	}
	var set struct {
		ConfigOptions []struct{ ID, CurrentValue string }
	}
	e.call("session/set_config_option", map[string]any{"sessionId": id, "configId": "sandbox", "value": "off"}, &set)
	if len(set.ConfigOptions) != 2 || set.ConfigOptions[1].CurrentValue != "off" {
		t.Errorf("%+v", set)
	}
}
