package tool

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/lsp"
)

// offlineBench is a workspace with the tool lsp and a server that ends at once.
func offlineBench(t *testing.T, command string, files map[string]string) *languageBench {
	t.Helper()
	l := &languageBench{bench: newBench(t, files)}
	l.service = lsp.NewService(lsp.Config{Dir: l.ws.Dir(), Family: new(child.Family),
		Table: lsp.Table{"x": {Name: "x",
			Command: []string{command}, Kinds: map[string]string{".x": "x"}, Install: "install x"}}})
	t.Cleanup(l.service.Close)
	l.tool = Languages(l.env, l.service)[0]
	return l
}

func TestAServerStartsOnlyAfterAYesToItsCommandAndReach(t *testing.T) {
	sh, err := exec.LookPath("true")
	if err != nil {
		sh = "/bin/true"
	}
	l := offlineBench(t, sh, map[string]string{"a.x": "one\n"})
	c, err := l.call(args{"action": "hover", "file": "a.x"})
	if err != nil {
		t.Fatal(err)
	}
	if c.Proposal == nil || c.Command != sh || !c.Mutates {
		t.Fatalf("it starts without a question: %+v", c)
	}
	pay, ok := c.Proposal.Payload.(approval.Command)
	if !ok || pay.Command != sh || !strings.Contains(pay.Line(), "not confined: can change any file") {
		t.Errorf("the question: %+v", c.Proposal.Payload)
	}
	// In a pane of 50 columns both are to be read.
	if pay.What != "the language server x" || strings.Join(c.Proposal.Notes, " · ") !=
		"can change any file · ends after 10 idle minutes" {
		t.Errorf("the pane says %q, %q", pay.What, c.Proposal.Notes)
	}
	if s := c.Subject(lspName); s.Tool != "bash" || s.Command != sh {
		t.Errorf("to rules it is %+v", s)
	}
	if len(l.service.Status()) > 0 {
		t.Error("it has started before the answer")
	}
	if _, err := c.Run(context.Background(), func(string) {}); err == nil || !strings.HasPrefix(err.Error(),
		"LSP error: ") {
		t.Errorf("a server that ends at once: %v", err)
	}
}

func TestWhatTheToolLspNeeds(t *testing.T) {
	l := offlineBench(t, "no-such-server", map[string]string{"a.x": "one\n", "b.y": "two\n", "secret.x": "s\n"})
	l.env.MayRead = func(path string) approval.Action {
		if strings.HasSuffix(path, "secret.x") {
			return approval.Deny
		}
		return approval.Allow
	}
	l.tool = Languages(l.env, l.service)[0]
	for _, c := range []struct {
		args args
		kind string
		text string
	}{
		{args{"action": "hover"}, "invalid_args", "file is missing: hover needs it"},
		{args{"action": "rename", "file": "a.x"}, "invalid_args", "new_name is missing"},
		{args{"action": "request"}, "invalid_args", "query is missing"},
		{args{"action": "request", "query": "x", "payload": "{"}, "invalid_args", "payload is no JSON"},
		{args{"action": "symbols"}, "invalid_args", "query is missing"},
		{args{"action": "diagnostics"}, "invalid_args", "file is missing"},
		{args{"action": "dance"}, "invalid_args", "action"},
		{args{"action": "hover", "file": "../x"}, "fs_denied", ""},
		{args{"action": "hover", "file": "secret.x"}, "fs_denied", "denied by a rule"},
		{args{"action": "hover", "file": "b.y"}, "tool_failed", "No language server found for workspace/b.y"},
		{args{"action": "hover", "file": "a.x"}, "not_found",
			"no-such-server is not installed. To install it: install x"},
		{args{"action": "diagnostics", "file": "*.y"}, "tool_failed", "No file with a language server matches"},
		{args{"action": "diagnostics", "file": "*"}, "tool_failed", "Workspace diagnostics are not known"},
		{args{"action": "reload"}, "tool_failed", "No language servers configured for this project"},
		{args{"part": "7"}, "invalid_args", "there is no planned change"},
	} {
		_, err := l.call(c.args)
		if err == nil || Kind(err) != c.kind || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v: %v, want %s %q", c.args, err, c.kind, c.text)
		}
	}
	l.says(args{"action": "status"}, "No language servers configured for this project")
}

func TestASymbolIsFoundOnItsLineOnly(t *testing.T) {
	const text = "\ufeffone\n\tsum := Sum(a, sum) // ö😀 Total\r\nlast"
	for _, c := range []struct {
		line   int
		symbol string
		want   int // column in UTF-16; -1: an error
	}{
		{2, "", 1}, {2, "sum", 1}, {2, "sum#2", 15}, {2, "Sum", 8}, {2, "total", 27}, {2, "sum#3", -1}, {2,
			"last", -1},
		{3, "last", 0}, {4, "", -1}, {1, "one", 0},
	} {
		got, err := symbolPosition(text, c.line, c.symbol, lsp.UTF16)
		if (err != nil) != (c.want < 0) || err == nil && got != (lsp.Position{Line: c.line - 1, Character: c.want}) {
			t.Errorf("%q on line %d: %+v, %v, want %d", c.symbol, c.line, got, err, c.want)
		}
	}
}

func TestARawRequestThatMayDoMoreThanTellIsAskedAbout(t *testing.T) {
	l := offlineBench(t, "true", map[string]string{"a.x": "one\n"})
	l.tool.(*lspTool).memory.granted["x\x00true"] = true
	for method, asks := range map[string]bool{"textDocument/hover": false, "workspace/symbol": false,
		"workspace/executeCommand": true, "x/deleteAll": true} {
		c, err := l.call(args{"action": "request", "file": "a.x", "query": method, "payload": "{}"})
		if err != nil || (c.Proposal != nil) != asks {
			t.Errorf("%s: asks %v, %v", method, c.Proposal != nil, err)
		}
	}
}

func TestTheTimeLimitOfACallIsBounded(t *testing.T) {
	l := offlineBench(t, "true", map[string]string{"a.x": "one\n"})
	for given, want := range map[int]time.Duration{0: 20 * time.Second, 1: 5 * time.Second, 7: 7 * time.Second,
		61: time.Minute} {
		a := args{"action": "hover", "file": "a.x"}
		if given != 0 {
			a["timeout"] = given
		}
		r, err := l.tool.(*lspTool).request(context.Background(), "t", mustJSON(t, a))
		if err != nil || r.timeout != want {
			t.Errorf("%d s become %v, %v, want %v", given, r.timeout, err, want)
		}
	}
}
