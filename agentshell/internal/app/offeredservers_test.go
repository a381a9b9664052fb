package app

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// quietServer is an MCP server of one tool in the language of sh.
const quietServer = `while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18"}}\n' "$id";;
  *'"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"put","inputSchema":{"type":"object"}}]}}\n' "$id";;
  esac
done
`

// The servers of a workspace's own file start only after a question that shows what they are, and
// are remembered by their content: a changed file is asked about anew, and nobody is asked without
// a screen.
func TestTheServersOfAWorkspaceAreAskedFor(t *testing.T) {
	t.Parallel()
	p := newPane(t, 140, 30)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(p.path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("server.sh", quietServer)
	file := `{"mcpServers": {"Notes": {"command": "sh", "args": ["` + p.path("server.sh") + `"],` +
		`"env": {"LEVEL": "2"}}}}`
	write("w/.mcp.json", file)
	printed := func() string {
		t.Helper()
		write("s.jsonl", `{"say":"hi","delay_ms":0}`+"\n")
		cmd := exec.Command(p.path("agentshell"), "-p", "x", "--script", p.path("s.jsonl"))
		cmd.Dir = p.path("w")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.dir, "XDG_STATE_HOME=" + p.path("state"),
			"XDG_CONFIG_HOME=" + p.path("config")}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return string(out)
	}
	const unasked = "MCP servers in .mcp.json of this workspace are not used"
	if got := printed(); !strings.Contains(got, unasked) {
		t.Errorf("%s", got)
	}
	p.start(`{"say":"hi","delay_ms":0}`)
	p.sees("use MCP servers of this workspace")
	if screen := p.screen(); !strings.Contains(screen, "command      sh "+p.path("server.sh")) ||
		!strings.Contains(screen, "environment  LEVEL=2") || !strings.Contains(screen, "folder       "+p.path("w")) {
		t.Errorf("the question is\n%s", screen)
	}
	p.readThrough()
	p.keys("y")
	p.sees("Of this workspace: the MCP server notes.")
	for range 50 { // the answer is how it is now, and on a busy machine a server starts for seconds
		p.line("/mcp")
		p.sees("notes  ")
		if strings.Contains(p.screen(), "notes  ready") {
			break
		}
		<-time.After(200 * time.Millisecond)
	}
	p.sees("notes  ready, 1 tool")
	if got := printed(); strings.Contains(got, unasked) {
		t.Errorf("after a yes: %s", got)
	}
	write("w/.mcp.json", strings.Replace(file, `"2"`, `"3"`, 1))
	if got := printed(); !strings.Contains(got, unasked) {
		t.Errorf("after a change: %s", got)
	}
}
