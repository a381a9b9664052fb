package app

import (
	"testing"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/proxy"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// The tool is off until the person turns it on.
func TestTheBrowserOfTheSettings(t *testing.T) {
	p := Host{getenv: func(string) string { return "" }, tempDir: t.TempDir(), family: new(child.Family)}
	ws, err := workspace.Open(workspace.Config{Roots: []workspace.Root{{Dir: t.TempDir()}}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	r := &project{ws: ws}
	if r.newBrowser(p, nil) != nil {
		t.Error("it is on without a setting")
	}
	r.cfg.Browser = config.Browser{Enabled: true}
	r.cfg.Network, r.cfg.NetworkPrivate = []string{"a.invalid"}, []string{"b.invalid:80"}
	s := r.newBrowser(p, nil)
	if s == nil || s.Confined() || len(s.Status()) != 0 {
		t.Fatalf("%+v", s)
	}
	defer s.Close()
	for _, host := range []string{"a.invalid:443", "b.invalid:80"} {
		if h, err := proxy.ParseHost(host); err != nil || !s.Hosts().Has(h) {
			t.Errorf("%s of the settings may not be reached: %v", host, err)
		}
	}
}
