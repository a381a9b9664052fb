package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/scrollkeep/scrollkeep/agentshell/config"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
	"github.com/scrollkeep/scrollkeep/agentshell/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/mcp"
)

// aboutTool is how many bytes of a tool's description are shown.
const aboutTool = 100

// mcpServers tries the MCP servers of the config file and lists their tools: `agentshell mcp
// [NAME ...]`. The code is 1 if one of them does not start.
func (p process) mcpServers(ctx context.Context) (int, error) {
	var f struct {
		Names []string `arg:"" optional:"" name:"name" help:"Servers of the config file; all by default."`
	}
	leave := false
	k, err := kong.New(&f, kong.Name("agentshell mcp"),
		kong.Description("Start the MCP servers of the config file, list their tools, and end them."),
		kong.Writers(p.stdout, p.stderr), kong.Exit(func(int) { leave = true }))
	if err != nil {
		return 0, err
	}
	if _, err := k.Parse(p.args[1:]); leave {
		return headless.ExitDone, nil
	} else if err != nil {
		return 0, usage("%v; agentshell mcp --help lists what there is", err)
	}
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return 0, err
	}
	servers := cfg.MCP
	if len(f.Names) > 0 {
		servers = map[string]config.MCP{}
		for _, name := range f.Names {
			s, is := cfg.MCP[name]
			if !is {
				return 0, usage("the config file has no server %q", name)
			}
			servers[name] = s
		}
	}
	if len(servers) == 0 {
		say(p.stdout, "There are no MCP servers. [mcp.NAME] in config.toml adds one; the README tells how.")
		return headless.ExitDone, nil
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return 0, err
	}
	p.guard(p.secrets().With(listedSecrets(servers, p.getenv)...))
	fleet := &mcp.Fleet{Version: version()}
	defer fleet.Close()
	var mu sync.Mutex
	tools := map[string][]mcp.Tool{}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s := serverOf(name, servers[name], dir, p.family, p.getenv)
		fleet.Add(s, func(_ *mcp.Client, list []mcp.Tool) error {
			mu.Lock()
			defer mu.Unlock()
			tools[name] = list
			return nil
		})
	}
	fleet.Wait(ctx)
	if ctx.Err() != nil {
		return headless.ExitInterrupted, nil
	}
	code := headless.ExitDone
	mu.Lock()
	defer mu.Unlock()
	for _, s := range fleet.List() {
		if s.State != mcp.Ready {
			code = headless.ExitError
			say(p.stdout, "%s  %s: %s", s.Name, s.State, diff.Escape(s.Why))
			continue
		}
		unit := "tools"
		if s.Tools == 1 {
			unit = "tool"
		}
		say(p.stdout, "%s  %s, %d %s", s.Name, s.State, s.Tools, unit)
		for _, t := range tools[s.Name] {
			about, _, _ := strings.Cut(strings.TrimSpace(t.Description), "\n")
			if len(about) > aboutTool {
				about = strings.ToValidUTF8(about[:aboutTool], "") + "…"
			}
			say(p.stdout, "  %s", strings.TrimSpace(fmt.Sprintf("%s  %s", t.Name, diff.Escape(about))))
		}
		for _, why := range s.Skipped {
			say(p.stdout, "  ! %s", diff.Escape(why))
		}
	}
	return code, nil
}
