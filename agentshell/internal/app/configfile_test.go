package app

import (
	"strings"
	"testing"
)

// /config shows where a value comes from, writes one after a yes, and shows no secret.
func TestConfigShowsOriginsAndWritesOneLine(t *testing.T) {
	t.Parallel()
	p := newPane(t, 80, 24)
	p.config("# mine\nheaders = { \"X-Key\" = \"hush-hush-1\" } # kept\n[lsp]\nenabled = false\n")
	p.write("../script", `{"say":"Hello.","delay_ms":0}`+"\n")
	p.line("./agentshell --script script --workspace w --max-turns 5")
	p.sees("Type a message")
	for typed, want := range map[string]string{
		"headers": "headers: X-Key (not shown) (config.toml:2)", "max_steps": "max_steps: 5 (--max-turns)",
		"lsp.enabled": "lsp.enabled: false (config.toml:4)", "theme": "theme: auto (default)",
	} {
		p.line("/config " + typed)
		p.sees(want)
	}
	p.line("/config lsp.enabled on")
	p.sees("+ enabled = true")
	p.armed()
	p.keys("y")
	p.sees("lsp.enabled is written. It holds from the next start of agentshell.")
	want := "# mine\nheaders = { \"X-Key\" = \"hush-hush-1\" } # kept\n[lsp]\nenabled = true\n"
	if got := p.read("../config/agentshell/config.toml"); got != want {
		t.Errorf("%q", got)
	}
	p.line("/config keys.vim on")
	p.sees("+ vim = true")
	p.armed()
	p.keys("y")
	p.sees("keys.vim is written. It holds from now on.")
	if strings.Contains(p.history(), "hush") {
		t.Error("a secret is on the screen")
	}
}
