package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/mcp"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
	"github.com/scrollkeep/scrollkeep/tui/tuitest"
)

// someServers are servers whose states a test sets.
type someServers struct {
	mu      sync.Mutex
	list    []mcp.Status
	changed chan struct{}
	wanted  []string
}

func (f *someServers) List() []mcp.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]mcp.Status{}, f.list...)
}

func (f *someServers) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.changed == nil {
		f.changed = make(chan struct{})
	}
	return f.changed
}

func (f *someServers) set(s mcp.Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.list {
		if f.list[i].Name == s.Name {
			f.list[i] = s
		}
	}
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

func (f *someServers) Restart(name string) error { return f.want("restart " + name) }
func (f *someServers) Stop(name string) error    { return f.want("stop " + name) }

func (f *someServers) want(what string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wanted = append(f.wanted, what); what == "stop none" {
		return fmt.Errorf("no server is named %q", "none")
	}
	return nil
}

func TestServersAreListedAndTheirFailuresTold(t *testing.T) {
	f := &someServers{list: []mcp.Status{{Name: "files", State: mcp.Ready, Tools: 14},
		{Name: "notes", State: mcp.Starting}}}
	synctest.Test(t, func(t *testing.T) {
		s := beginConfigured(t, tuitest.Config{Cols: 80, Rows: 24}, func(cfg *Config) {
			cfg.Servers = f
			cfg.ServerLog = func(name string) string { return "/state/" + name + ".log" }
		})
		s.pass(time.Second)
		s.Type("/mcp")
		s.Press("enter")
		s.holds("files  ready, 14 tools", "notes  starting")
		f.set(mcp.Status{Name: "notes", State: mcp.Failed, Why: "exit status 1\x1b[31m"})
		s.pass(time.Second)
		s.holds("MCP server notes failed: exit status 1", "/mcp restart notes tries again. Its log: /state/notes.log")
		s.Type("/mcp restart notes")
		s.Press("enter")
		s.holds("MCP server notes starts anew; /mcp shows when it is ready.")
		f.set(mcp.Status{Name: "notes", State: mcp.Ready, Tools: 1, Skipped: []string{"the tool \"x y\" is left out"}})
		s.pass(time.Second)
		s.holds("MCP server notes runs again, 1 tool.", `MCP server notes: the tool "x y" is left out`)
		s.Type("/mcp stop none")
		s.Press("enter")
		s.holds(`Nothing was done: no server is named "none".`)
		s.Type("/mcp frob")
		s.Press("enter")
		s.holds("There is no /mcp frob.", "Type /mcp, /mcp restart NAME, or /mcp stop NAME.")
	})
}

// What a foreign tool tells of its progress is shown while it runs.
func TestTheProgressOfAForeignToolIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &tool.Foreign{Server: "srv", Tool: "slow", Schema: json.RawMessage(`{"type":"object"}`),
			Do: func(ctx context.Context, _ json.RawMessage, report func(string)) (tool.Answer, error) {
				for i := range 3 {
					report(fmt.Sprintf("%d of 3 \x1b[31mparts", i+1))
					select {
					case <-ctx.Done():
					case <-time.After(10 * time.Second):
					}
				}
				return tool.Answer{Text: "all parts"}, nil
			}}
		s := beginWith(t, tuitest.Config{Cols: 80, Rows: 24}, nil, []tool.Tool{slow},
			oneCall(`"mcp__srv__slow"`, `{}`)...)
		s.Type("go")
		s.Press("enter")
		s.pass(time.Second)
		s.holds("call mcp__srv__slow")
		s.Press("y")
		s.pass(time.Second)
		s.holds("mcp srv/slow {}", "1 of 3", "parts")
		s.pass(10 * time.Second)
		s.holds("2 of 3")
		s.pass(30 * time.Second)
		s.holds("mcp srv/slow {}", "all parts", "Done.")
	})
}
