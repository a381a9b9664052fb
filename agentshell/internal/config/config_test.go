package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config/keymap"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
)

func TestEverySettingIsRead(t *testing.T) {
	got, err := config.Parse([]byte(`
provider = "anthropic"
model = "claude-x"
base_url = "https://example.com"
key_command = ["pass", "show", "key"]
mode = "edits"
allow = ["write_file(docs/**)"]
ask = ["read_file(secret/**)"]
deny = ["bash(rm *)", "bash(git push *)"]
ask_unchanged = true
[keys]
vim = true
submit = "Ctrl+S"
newline = ["Enter", "Ctrl+J"]
undo = []
[mcp.notes]
command = ["notes-server", "--stdio"]
env = ["HOME", "LEVEL=2"]
`))
	keys, wrong := keymap.New(map[string][]string{"submit": {"Ctrl+S"}, "newline": {"Enter", "Ctrl+J"}, "undo": {}})
	if wrong != nil {
		t.Fatal(wrong)
	}
	want := config.Config{Keys: keys, Vim: true,
		Provider: "anthropic", Model: "claude-x", BaseURL: "https://example.com",
		KeyCommand: []string{"pass", "show", "key"}, Mode: "edits",
		Allow: []string{"write_file(docs/**)"}, Ask: []string{"read_file(secret/**)"},
		Deny: []string{"bash(rm *)", "bash(git push *)"}, AskUnchanged: true,
		MCP: map[string]config.MCP{"notes": {Command: []string{"notes-server", "--stdio"},
			Env: []string{"HOME", "LEVEL=2"}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Each wrong text has a right one beside it, which differs little and counts.
func TestAnErrorNamesItsLine(t *testing.T) {
	tests := []struct{ text, want, good string }{
		{"\nmodle = \"x\"\n", `2: there is no setting "modle"`, "\nmodel = \"x\"\n"},
		{"[models.x]\nwindw = 9000\n", `2: there is no setting "models.x.windw"; did you mean "window"?`,
			"[models.x]\nwindow = 9000\n"},
		{"max_stps = 3\n", `1: there is no setting "max_stps"; did you mean "max_steps"?`, "max_steps = 3\n"},
		{"[lps]\nenabled = true\n", `there is no setting "lps"; did you mean "lsp"?`, "[lsp]\nenabled = true\n"},
		{"\nstatus = [\"mode\",\n \"clock\"]\n", "2: status may hold mode, model, workspace, branch, " +
			`context, cost, time or extensions, not "clock"`, "\nstatus = [\"mode\",\n \"cost\"]\n"},
		{"status = [\"mode\", \"mode\"]\n", `1: status holds "mode" twice`, "status = [\"mode\", \"model\"]\n"},
		{"sandbox = \"on\"\n", `1: sandbox may be auto or off, not "on"`, "sandbox = \"auto\"\n"},
		{"\nnetwork = [\"x:443\", \"https://x\"]\n", `2: network takes host:port, for example ` +
			`"proxy.golang.org:443": "https://x" has no port from 1 to 65535`, "\nnetwork = [\"x:443\", \"y:80\"]\n"},
		{"network_private = [\"*\"]\n", `1: network_private takes host:port, for example "proxy.golang.org:443": ` +
			`"*" is no name of a host`, "network_private = [\"*.x:443\"]\n"},
		{"\nsandbox_writable = [\"/x\", \"y\"]\n",
			`2: a path of sandbox_writable must be absolute or begin with ~/, not "y"`,
			"\nsandbox_writable = [\"/x\", \"~/y\"]\n"},
		{"mode = \"unconfined\"\n", `(mode unconfined is chosen with --mode unconfined only)`, "mode = \"edits\"\n"},
		{"\ntheme = 3\n", "2: theme must be a text in quotes", "\ntheme = \"3\"\n"},
		{"title = \"no\"\n", "1: title must be true or false", "title = false\n"},
		{"model = \"x\"\nkey = \"sk-secret\"\n", `2: there is no setting "key"`,
			"model = \"x\"\nkey_command = [\"pass\"]\n"},
		{"[mcp.x]\ncommand = 1\n", `2: mcp.x.command must be a list of texts in quotes`,
			"[mcp.x]\ncommand = [\"1\"]\n"},
		{"[mcp.x]\nuri = \"y\"\n", `2: there is no setting "mcp.x.uri"`, "[mcp.x]\nurl = \"https://y/\"\n"},
		{"[mcp.X__y]\ncommand = [\"z\"]\n", "must be small letters", "[mcp.x-y]\ncommand = [\"z\"]\n"},
		{"[mcp.x]\n", "mcp.x: it has neither a command nor a url", "[mcp.x]\ncommand = [\"z\"]\n"},
		{"[mcp.x]\n\nurl = \"ftp://h/\"\n", "3: mcp.x: \"ftp://h/\" is no address of the form https://host/path",
			"[mcp.x]\n\nurl = \"https://h/\"\n"},
		{"[mcp.x]\nurl = \"http://example.com/\"\n", "2: mcp.x: http is for this machine only; write https",
			"[mcp.x]\nurl = \"http://127.0.0.1/\"\n"},
		{"[mcp.x]\nurl = \"https://me:key@h/\"\n", "2: mcp.x: a key does not belong into the address",
			"[mcp.x]\nurl = \"https://h/\"\n"},
		{"[mcp.x]\ncommand = [\"a\"]\nurl = \"https://h/\"\n", "3: mcp.x: it has a command and a url",
			"[mcp.x]\ncommand = [\"a\"]\n"},
		{"[mcp.x]\nurl = \"https://h/\"\nenv = [\"A\"]\n", "2: mcp.x: env goes with a command",
			"[mcp.x]\ncommand = [\"a\"]\nenv = [\"A\"]\n"},
		{"[mcp.x]\ncommand = [\"a\"]\ntoken_env = \"T\"\n", "3: mcp.x: token_env goes with a url",
			"[mcp.x]\nurl = \"https://h/\"\ntoken_env = \"T\"\n"},
		{"[mcp.x]\ncommand = [\"./server\"]\n", "could lead into a workspace",
			"[mcp.x]\ncommand = [\"/usr/bin/server\"]\n"},
		{"model = 3\n", "1: ", "model = \"3\"\n"},
		{"\n[[hooks]]\non = \"before\"\ncommand = [\"x\"]\n", `2: on of a hook may be before_tool, after_tool or ` +
			`turn_end, not "before"`, "\n[[hooks]]\non = \"before_tool\"\ncommand = [\"x\"]\n"},
		{"[[hooks]]\non = \"turn_end\"\ncommand = [\"x\"]\n\n[[ hooks ]] # two\non = \"turn_end\"\n",
			"5: this hook has no command",
			"[[hooks]]\non = \"turn_end\"\ncommand = [\"x\"]\n\n[[ hooks ]] # two\non = \"turn_end\"\n" +
				"command = [\"y\"]\n"},
		{"[[hooks]]\non = \"turn_end\"\ncommand = [\"\"]\n", "1: this hook has no command",
			"[[hooks]]\non = \"turn_end\"\ncommand = [\"y\"]\n"},
		{"[[hooks]]\non = \"turn_end\"\ncommand = [\"./x\"]\n", "1: the command of a hook could lead into a workspace",
			"[[hooks]]\non = \"turn_end\"\ncommand = [\"/usr/bin/x\"]\n"},
		{"[[hooks]]\non = \"turn_end\"\ncommand = [\"x\"]\ntimeout_s = 601\n", "1: timeout_s of a hook",
			"[[hooks]]\non = \"turn_end\"\ncommand = [\"x\"]\ntimeout_s = 600\n"},
		{"[[hooks]]\non = \"turn_end\"\ncommand = [\"x\"]\ntools = [\"bash\"]\n", "1: a hook at the end of a turn",
			"[[hooks]]\non = \"before_tool\"\ncommand = [\"x\"]\ntools = [\"bash\"]\n"},
		{"[[hooks]]\non = \"after_tool\"\ncommand = [\"x\"]\ntools = [\"\"]\n", "1: a tool of this hook has no name",
			"[[hooks]]\non = \"after_tool\"\ncommand = [\"x\"]\ntools = [\"bash\"]\n"},
		{"\n[[format]]\nfiles = [\"*.go\"]\n", "2: this formatter has no command",
			"\n[[format]]\nfiles = [\"*.go\"]\ncommand = [\"gofmt\"]\n"},
		{"[[format]]\ncommand = [\"gofmt\"]\n", "1: this formatter has no files: write files = [\"*.go\"]",
			"[[format]]\ncommand = [\"gofmt\"]\nfiles = [\"*.go\"]\n"},
		{"[[format]]\ncommand = [\"./fmt\"]\nfiles = [\"*\"]\n", "1: the command of a formatter could lead into",
			"[[format]]\ncommand = [\"/usr/bin/fmt\"]\nfiles = [\"*\"]\n"},
		{"[[format]]\ncommand = [\"x\"]\nfiles = [\"*\"]\ntimeout_s = 61\n", "1: timeout_s of a formatter",
			"[[format]]\ncommand = [\"x\"]\nfiles = [\"*\"]\ntimeout_s = 60\n"},
		{"[[format]]\ncommand = [\"x\"]\nfiles = [\"[\"]\n", "1: \"[\" in the files of a formatter is no glob",
			"[[format]]\ncommand = [\"x\"]\nfiles = [\"[ab]\"]\n"},
		{"[[hooks]]\nwhen = \"x\"\n", `2: there is no setting "hooks.when"`,
			"[[hooks]]\non = \"turn_end\"\ncommand = [\"z\"]\n"},
		{"model = \"x\"\n\nmodel = \"y\"\n", "3: ", "model = \"x\"\n\nfallback = \"y\"\n"},
		{"allow = \"one\"\n", "1: ", "allow = [\"bash(ls)\"]\n"},
		{"a b\n", "1: ", "model = \"b\"\n"},
		{"\n\nmode = \"trusted\"\n", `3: mode may be ask, edits or plan, not "trusted" (mode trusted is chosen with ` +
			`--mode trusted only)`, "\n\nmode = \"plan\"\n"},
		{"# mode\n mode=\"yolo\"\n", `2: mode may be`, "# mode\n mode=\"ask\"\n"},
		{"\nallow = \"x\"\n", `2: allow must be a list of texts in quotes: ["..."]`, "\nallow = [\"write_file\"]\n"},
		{"model = 3\n", "1: model must be a text in quotes", "model = \"4\"\n"},
		{"edit_format = \"patch\"\n", "1: edit_format may be exact or hashline, not \"patch\"",
			"edit_format = \"hashline\"\n"},
		{"hide_tools_at = 101\n", "1: hide_tools_at is a percentage of the window, at most 100",
			"hide_tools_at = 100\n"},
		{"ask_unchanged = 3\n", "1: ask_unchanged must be true or false", "ask_unchanged = true\n"},
		{"[mcp.x]\ncommand = [\"a\"]\n\ntimeout_s = -1\n", "4: mcp.x: timeout_s may be",
			"[mcp.x]\ncommand = [\"a\"]\n\ntimeout_s = 1\n"},
		{"[mcp.x]\ncommand = [\"a\"]\nstart_timeout_s = 9999\n", "3: mcp.x: start_timeout_s may be",
			"[mcp.x]\ncommand = [\"a\"]\nstart_timeout_s = 9\n"},
		{"\n[models.\"a.b\"]\nwindow = 1\n", "2: window of models.a.b", "\n[models.\"a.b\"]\nwindow = 100000\n"},
		{"[keys]\nvim = 3\n", "2: keys.vim must be true or false", "[keys]\nvim = true\n"},
		{"[keys]\n\nsubmit = 3\n", "3: keys.submit must be one key", "[keys]\n\nsubmit = \"Ctrl+S\"\n"},
		{"[keys]\n\nsubmit = [\"Ctrl+S\", 3]\n", "3: keys.submit must be one key",
			"[keys]\n\nsubmit = [\"Ctrl+S\", \"F1\"]\n"},
		{"keys = { undo = [],\n submitt = [\"Ctrl+S\"] }\n",
			`2: keys.submitt: there is no action "submitt"; did you mean "submit"?`,
			"keys = { undo = [],\n submit = [\"Ctrl+S\"] }\n"},
		{"keys.xyzzy = \"Ctrl+S\"\n", `1: keys.xyzzy: there is no action "xyzzy"; /keys in the shell lists them`,
			"keys.undo = \"F5\"\n"},
		{"[keys]\n\"newline\" = [\"Enter\"]\n", "2: keys.newline: Enter is the key of submit, too",
			"[keys]\n\"newline\" = [\"F2\"]\n"},
		{"[keys]\nsubmit = \"Ctrl+Entr\"\n", `2: keys.submit: "Ctrl+Entr" is not a key`,
			"[keys]\nsubmit = \"Ctrl+Enter\"\n"},
		{"[keys]\n[keys.prompt]\nsubmit = \"F1\"\n", "2: keys.prompt must be one key", "[keys]\nsubmit = \"F1\"\n"},
		{"provider = \"gemini\"\n", `1: provider may be anthropic, openai or script, not "gemini"`,
			"provider = \"openai\"\n"},
	}
	written := map[string]bool{}
	for _, test := range tests {
		c, err := config.Parse([]byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
		if !reflect.DeepEqual(c, config.Config{}) {
			t.Errorf("%q: half a configuration: %+v", test.text, c)
		}
		if c, err := config.Parse([]byte(test.good)); err != nil || reflect.DeepEqual(c, config.Config{}) {
			t.Errorf("%q says what counts, and becomes %+v, %v", test.good, c, err)
		}
		if written[test.good] {
			t.Errorf("%q stands here twice", test.good)
		}
		written[test.good] = true
	}
}

func TestTheFileIsInTheXDGDirectoryAndMayBeMissing(t *testing.T) {
	env := func(list ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(list); i += 2 {
				if list[i] == name {
					return list[i+1]
				}
			}
			return ""
		}
	}
	tests := []struct {
		env           func(string) string
		config, state string
	}{
		{env("HOME", "/home/x"), "/home/x/.config/agentshell", "/home/x/.local/state/agentshell"},
		{env("HOME", "/home/x", "XDG_CONFIG_HOME", "/c", "XDG_STATE_HOME", "/s"), "/c/agentshell", "/s/agentshell"},
		{env("HOME", "/home/x", "XDG_CONFIG_HOME", "c", "XDG_STATE_HOME", "."), "/home/x/.config/agentshell",
			"/home/x/.local/state/agentshell"},
		{env("HOME", "x"), "", ""},
	}
	for _, test := range tests {
		if got := config.Dir(test.env); got != test.config {
			t.Errorf("%q, want %q", got, test.config)
		}
		if got := config.StateDir(test.env); got != test.state {
			t.Errorf("%q, want %q", got, test.state)
		}
	}
	dir := t.TempDir()
	for _, d := range []string{"", dir} {
		if c, err := config.Load(d); err != nil || !reflect.DeepEqual(c, config.Config{}) {
			t.Errorf("a missing file: %+v, %v", c, err)
		}
	}
	file := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(file, []byte("x = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(dir); err == nil || !strings.HasPrefix(err.Error(), file+":1: ") {
		t.Errorf("%v does not begin with the file and the line", err)
	}
}

// No program of the workspace prints the key, and none is found by the one that does.
func TestTheKeyComesFromNoProgramOfTheWorkspace(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"key", "printf", "cat"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("#!/bin/sh\necho theirs\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := root + ":" + os.Getenv("PATH")
	family := &child.Family{Programs: child.NewPrograms(path, root)}
	environ := []string{"PATH=" + path}
	if _, err := config.Key(t.Context(), []string{"key"}, family, environ); !errors.Is(err, child.ErrInside) {
		t.Errorf("%v", err)
	}
	for _, command := range [][]string{{"printf", "mine"}, {"sh", "-c", "printf mine | cat"}} {
		if key, err := config.Key(t.Context(), command, family, environ); err != nil || key != "mine" {
			t.Errorf("%q: %q, %v", command, key, err)
		}
	}
}

func TestTheKeyComesFromACommandWithoutAShell(t *testing.T) {
	tests := []struct {
		command   []string
		key, want string // want: in the error
	}{
		{[]string{"printf", ` %s\n`, "$HOME;k"}, "$HOME;k", ""},
		{[]string{"sh", "-c", "echo leaked; echo locked >&2; exit 3"}, "", "exit status 3 locked"},
		{[]string{"true"}, "", "printed nothing"},
		{[]string{"scrollkeep-no-such-program"}, "", "not found"},
		{[]string{"./key"}, "", "could lead into a workspace"},
		{[]string{"bin/key"}, "", "could lead into a workspace"},
		{[]string{"/bin/echo", "k"}, "k", ""},
		{nil, "", "no key_command"},
	}
	for _, test := range tests {
		key, err := config.Key(t.Context(), test.command, new(child.Family), os.Environ())
		if key != test.key || (err == nil) != (test.want == "") ||
			err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %q, %v", test.command, key, err)
		}
		if err != nil && strings.Contains(err.Error(), "leaked") {
			t.Errorf("the error holds what was printed: %v", err)
		}
	}
}

func TestSettingsOfAgentsHaveBounds(t *testing.T) {
	for text, want := range map[string]string{
		"max = -1": "max of agents may be 0 to 100", "max = 101": "max of agents",
		"max_minutes = -1": "max_minutes of agents", "idle_minutes = -1": "idle_minutes of agents",
		"message_seconds = -1": "message_seconds of agents", "message_seconds = 0": "", "max = 100": "",
		`merge = "branch"`: "", `merge = "rebase"`: `merge of agents is "rebase"; it may be patch or branch`,
	} {
		_, err := config.Parse([]byte("[agents]\n" + text))
		if err == nil != (want == "") || err != nil && !strings.HasPrefix(err.Error(), "1: "+want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
