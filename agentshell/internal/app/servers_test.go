package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// notesServer is a server of one tool in the language of sh: it says what it was called with, and
// the environment that it got.
const notesServer = `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18"}}\n' "$id";;
  *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"put","description":"d","inputSchema":{"type":"object"}}]}}\n' "$id";;
  *'"resources/read"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"contents":[{"uri":"notes://a","text":"of the note"}]}}\n' "$id";;
  *'"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"put it, HOME=%s LEVEL=%s"}]}}\n' "$id" "$HOME" "$LEVEL";;
  esac
done
echo ended >&2
`

// The tools of a configured server are asked for by their names; without a person only a rule lets
// them run, and plan mode refuses them (PANE-14).
func TestTheToolsOfAServerAreAskedFor(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	server := p.write(filepath.Join(t.TempDir(), "server.sh"), notesServer)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), `[mcp.notes]
command = ["sh", "`+server+`"]
env = ["LEVEL=2"]

[mcp.broken]
command = ["scrollkeep-no-such-server"]
`)
	call := `{"delay_ms":0,"tool_calls":[{"id":"t1","name":"mcp__notes__put","input":{"text":"x"}}]}`
	for _, c := range []struct {
		expect string
		code   int
		flags  []string
	}{
		{"user denied this tool call", 4, nil},
		{"put it, HOME=" + p.home + " LEVEL=2", 0, []string{"--allow", "mcp(notes/put)"}},
		{"blocked by plan mode", 4, []string{"--allow", "mcp(notes/put)", "--mode", "plan"}},
		{"user denied this tool call", 4, []string{"--allow", "mcp(notes/put)", "--deny", "mcp(notes/put)"}},
		{"user denied this tool call", 4, []string{"--allow", "mcp(notes/put@0123456789abcdef)"}}, // another form of it
	} {
		got := p.run("",
			append([]string{"-p", "x", "--script",
				p.script(call, `{"expect":"`+c.expect+`","say":"done","delay_ms":0}`)}, c.flags...)...)
		if got.code != c.code || !strings.Contains(got.stderr, `MCP server "broken" failed to start`) {
			t.Errorf("%q: %+v", c.flags, got)
		}
	}
	log, err := os.ReadFile(filepath.Join(p.home, ".local/state/agentshell/mcp/notes.log"))
	if err != nil || string(log) != "ended\n" {
		t.Errorf("the log has %q, %v", log, err)
	}
}

// What a server has to read is asked for once, or allowed by the config.
func TestAResourceOfAServerIsReadByItsAddress(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	server := p.write(filepath.Join(t.TempDir(), "server.sh"), notesServer)
	call := `{"delay_ms":0,"tool_calls":[{"id":"t1","name":"read_file","input":{"path":"mcp://notes/notes://a"}}]}`
	for _, c := range []struct {
		expect, config string
		code           int
	}{{"user denied this tool call", "", 4}, {"of the note", "resources = true\n", 0}} {
		p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[mcp.notes]\ncommand = [\"sh\", \""+server+
			"\"]\nenv = [\"PATH\"]\n"+c.config)
		got := p.run("", "-p", "x", "--script", p.script(call, `{"expect":"`+c.expect+`","say":"done","delay_ms":0}`))
		if got.code != c.code {
			t.Errorf("%q: %+v", c.config, got)
		}
	}
}

// The tools of servers that would fill the window are found by a search.
func TestToolsThatWouldFillTheWindowAreFoundByASearch(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	long := strings.ReplaceAll(notesServer, `"description":"d"`, `"description":"puts a note `+
		strings.Repeat("words ", 300)+`"`)
	server := p.write(filepath.Join(t.TempDir(), "server.sh"), long)
	script := p.script(
		`{"delay_ms":0,"tool_calls":[{"id":"t1","name":"search_tool_bm25","input":{"query":"note"}}]}`,
		`{"expect":"\"activated_tools\":[\"mcp__notes__put\"],\"match_count\":1,\"total_tools\":1",`+
			`"delay_ms":0,"tool_calls":[{"id":"t2","name":"mcp__notes__put","input":{"text":"x"}}]}`,
		`{"expect":"put it","say":"done","delay_ms":0}`)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[mcp.notes]\ncommand = [\"sh\", \""+server+
		"\"]\nenv = [\"PATH\"]\n[models.\"script "+script+"\"]\nwindow = 4000\n")
	got := p.run("", "-p", "x", "--allow", "mcp(notes/put)", "--script", script)
	if got.code != 0 {
		t.Errorf("%+v", got)
	}
	// A person who lets them fill all of the window has no search.
	all := p.script(`{"delay_ms":0,"tool_calls":[{"id":"t1","name":"search_tool_bm25","input":{"query":"note"}}]}`,
		`{"expect":"there is no tool \"search_tool_bm25\"","say":"done","delay_ms":0}`)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "hide_tools_at = 100\n[mcp.notes]\ncommand = "+
		"[\"sh\", \""+server+"\"]\nenv = [\"PATH\"]\n[models.\"script "+all+"\"]\nwindow = 4000\n")
	if got := p.run("", "-p", "x", "--script", all); got.code != 0 {
		t.Errorf("%+v", got)
	}
}

func TestTheServersOfTheConfigAreTried(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if got := p.run("", "mcp"); got.code != 0 || !strings.Contains(got.stdout, "There are no MCP servers.") {
		t.Errorf("%+v", got)
	}
	long := strings.ReplaceAll(notesServer, `"description":"d"`, `"description":"puts\\u001b[31m a note\\nand more"`)
	server := p.write(filepath.Join(t.TempDir(), "server.sh"), long)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), "[mcp.notes]\ncommand = [\"sh\", \""+server+
		"\"]\n[mcp.broken]\ncommand = [\"scrollkeep-no-such-server\"]\n")
	if got := p.run("", "mcp"); got.code != 1 || !strings.HasPrefix(got.stdout, "broken  failed: ") ||
		!strings.HasSuffix(got.stdout, "notes  ready, 1 tool\n  put  puts\\x1b[31m a note\n") {
		t.Errorf("%+v", got)
	}
	if got := p.run("", "mcp", "notes"); got.code != 0 || !strings.HasPrefix(got.stdout, "notes  ready, 1 tool\n") {
		t.Errorf("%+v", got)
	}
	if got := p.run("", "mcp", "none"); got.code != 2 || !strings.Contains(got.stderr, `no server "none"`) {
		t.Errorf("%+v", got)
	}
}

// Servers are added to the config file and taken out of it by the command line.
func TestServersAreAddedAndTakenOut(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	server := p.write(filepath.Join(t.TempDir(), "server.sh"), notesServer)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"list"}, 0, "There are no MCP servers."},
		{[]string{"add", "--env", "LEVEL=2", "notes", "sh", server}, 0, "command = [\"sh\", \"" + server + "\"]"},
		{[]string{"add", "notes", "sh"}, 2, "there is a server notes already"},
		{[]string{"add", "far", "https://mcp.example.com/x"}, 0, `url = "https://mcp.example.com/x"`},
		{[]string{"add", "Bad Name", "sh"}, 2, "small letters"},
		{[]string{"add", "near", "http://mcp.example.com/x"}, 2, "http is for this machine only"},
		{[]string{"list"}, 0, "far  https://mcp.example.com/x\nnotes  sh " + server},
		{[]string{"notes"}, 0, "notes  ready, 1 tool"},
		{[]string{"test", "notes"}, 0, "notes  ready, 1 tool"},
		{[]string{"login", "notes"}, 1, "it is a program of this machine"},
		{[]string{"logout", "far"}, 0, "There was no login at far."},
		{[]string{"remove", "notes"}, 0, "[mcp.notes]"},
		{[]string{"remove", "notes"}, 2, `has no server "notes"`},
		{[]string{"list"}, 0, "far  https://mcp.example.com/x"},
		{[]string{"--help"}, 0, "Log in at a server over HTTP"},
	} {
		got := p.run("", append([]string{"mcp"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.want) {
			t.Errorf("%q: %+v, want %d and %q", c.args, got, c.code, c.want)
		}
	}
}

// A turn does not wait for a server that says nothing, whatever time it has to start. What is there
// of it later is said, and the model has its tools from its next step on.
func TestATurnBeginsWithoutALateServer(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	dir := t.TempDir()
	begin, said := filepath.Join(dir, "begin"), filepath.Join(dir, "stderr")
	late := p.write(filepath.Join(dir, "late.sh"), "until [ -e "+begin+" ]; do sleep 0.02; done\n"+notesServer)
	p.write(filepath.Join(p.home, ".config/agentshell/config.toml"), `[mcp.late]
command = ["sh", "`+late+`"]
start_timeout_s = 600

[mcp.silent]
command = ["sleep", "600"]
start_timeout_s = 600

[mcp.quick]
command = ["sh", "`+p.write(filepath.Join(dir, "quick.sh"), notesServer)+`"]
`)
	wait := `touch ` + begin + `; until grep -q 'server \"late\" is read.' ` + said + `; do sleep 0.02; done`
	script := p.script(
		`{"delay_ms":0,"tool_calls":[{"id":"t1","name":"mcp__quick__put","input":{}}]}`,
		`{"expect":"put it","delay_ms":0,"tool_calls":[{"id":"t2","name":"bash","input":{"command":"`+wait+`"}}]}`,
		`{"delay_ms":0,"tool_calls":[{"id":"t3","name":"mcp__late__put","input":{"text":"x"}}]}`,
		`{"expect":"put it","say":"done","delay_ms":0}`)
	cmd := p.command("-p", "x", "--allow", "mcp(late/put)", "--allow", "mcp(quick/put)", "--mode", "trusted", "--allow",
		"bash", "--script", script)
	errs, err := os.Create(said)
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	cmd.Stderr = errs
	defer time.AfterFunc(time.Minute, func() { cmd.Process.Kill() }).Stop()
	out, err := cmd.Output()
	text, _ := os.ReadFile(said)
	if err != nil || string(out) != "done\n" {
		t.Errorf("%v: %s\n%s", err, out, text)
	}
	for _, want := range []string{`"late" is still starting`, `"silent" is still starting`, `"late" is ready`} {
		if strings.Count(string(text), want) != 1 {
			t.Errorf("it does not say %q once:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), `"quick"`) || strings.Contains(string(text), `"silent" failed`) {
		t.Errorf("it says\n%s", text)
	}
}
