package app

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/headless"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// maxToolAbout is the number of bytes that are printed of a tool's description.
const maxToolAbout = 100

// MCPOptions holds the options of `agentshell mcp`.
type MCPOptions struct {
	Test struct {
		Names []string `arg:"" optional:"" name:"name" help:"Servers of the config file; all by default."`
	} `cmd:"" default:"withargs" help:"Start the servers, list their tools, and end them. The default."`
	List struct{} `cmd:"" help:"List the servers of the config file, without starting them."`
	Add  struct {
		Name     string   `arg:"" help:"Its name in the config file: small letters, digits, - and _."`
		Command  []string `arg:"" passthrough:"" name:"command" help:"Its program with arguments, or its address (https://...)."`
		Env      []string `sep:"none" placeholder:"NAME" help:"A variable that the program gets: NAME, or NAME=value. May be repeated."`
		TokenEnv string   `placeholder:"NAME" help:"The variable with the bearer token for the address."`
	} `cmd:"" help:"Write a server into the config file: agentshell mcp add files npx -y @modelcontextprotocol/server-filesystem ."`
	Remove struct {
		Name string `arg:""`
	} `cmd:"" help:"Remove a server from the config file, and forget its login."`
	Login struct {
		Name string `arg:""`
	} `cmd:"" help:"Log in at a server over HTTP, with your browser."`
	Logout struct {
		Name string `arg:""`
	} `cmd:"" help:"Forget the login at a server."`
}

// MCP handles `agentshell mcp`, the commands for the MCP servers of the configuration file. chosen
// is the name of the subcommand with its arguments.
func (p Host) MCP(ctx context.Context, f MCPOptions, chosen string) (int, error) {
	p.family.Programs.Exclude(".")
	cfg, err := config.Load(config.Dir(p.getenv))
	if err != nil {
		return 0, usageError{err}
	}
	word, _, _ := strings.Cut(chosen, " ")
	switch word {
	case "list":
		return p.listServers(cfg)
	case "add":
		return p.addServer(f, cfg)
	case "remove":
		return p.removeServer(f.Remove.Name, cfg)
	case "login":
		return p.logIn(ctx, f.Login.Name, cfg)
	case "logout":
		existed, err := mcp.Tokens(p.loginDir()).Forget(f.Logout.Name)
		if err == nil && !existed {
			PrintLine(p.Stdout, "There was no login at %s.", f.Logout.Name)
		}
		return headless.ExitDone, err
	}
	return p.testServers(ctx, f.Test.Names, cfg)
}

// loginDir returns the directory in which logins at MCP servers are stored, or "" if there is none.
func (p Host) loginDir() string {
	if state := config.StateDir(p.getenv); state != "" {
		return filepath.Join(state, "mcp")
	}
	return ""
}

// noServers is the message if no MCP server is configured.
const noServers = "There are no MCP servers. agentshell mcp add NAME COMMAND... adds one; the README tells how."

// listServers prints the MCP servers of the configuration file with their commands or addresses.
func (p Host) listServers(cfg config.Config) (int, error) {
	if len(cfg.MCP) == 0 {
		PrintLine(p.Stdout, noServers)
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.MCP)) {
		s := cfg.MCP[name]
		if s.URL != "" {
			PrintLine(p.Stdout, "%s  %s", name, s.URL)
		} else {
			PrintLine(p.Stdout, "%s  %s", name, strings.Join(s.Command, " "))
		}
	}
	return headless.ExitDone, nil
}

// addServer adds an MCP server at the end of the configuration file.
func (p Host) addServer(f MCPOptions, cfg config.Config) (int, error) {
	options := f.Add
	m := config.MCP{Command: options.Command, Env: options.Env, TokenEnv: options.TokenEnv}
	if first := options.Command[0]; len(options.Command) == 1 && (strings.HasPrefix(first, "https://") ||
		strings.HasPrefix(first, "http://")) {
		m.Command, m.URL = nil, first
	}
	if _, exists := cfg.MCP[options.Name]; exists {
		return 0, UsageErrorf("there is a server %s already; agentshell mcp remove %[1]s takes it away", options.Name)
	}
	if _, err := m.Check(options.Name); err != nil {
		return 0, UsageErrorf("mcp.%s: %w", options.Name, err)
	}
	text := config.MCPText(options.Name, m)
	file, err := config.Append(config.Dir(p.getenv), text)
	if err != nil {
		return 0, err
	}
	PrintLine(p.Stdout, "Written to %s:\n%s", file, text)
	PrintLine(p.Stdout, "agentshell mcp %s tries it.", options.Name)
	return headless.ExitDone, nil
}

// removeServer removes an MCP server from the configuration file, and its login.
func (p Host) removeServer(name string, cfg config.Config) (int, error) {
	if _, exists := cfg.MCP[name]; !exists {
		return 0, UsageErrorf("the config file has no server %q", name)
	}
	file, removed, err := config.RemoveMCP(config.Dir(p.getenv), name)
	if err != nil {
		return 0, err
	}
	PrintLine(p.Stdout, "Taken out of %s:\n%s", file, removed)
	_, err = mcp.Tokens(p.loginDir()).Forget(name)
	return headless.ExitDone, err
}

// logIn guides the user through the login at an MCP server, with the browser.
func (p Host) logIn(ctx context.Context, name string, cfg config.Config) (int, error) {
	s, exists := cfg.MCP[name]
	if !exists {
		return 0, UsageErrorf("the config file has no server %q", name)
	}
	secrets := p.environSecrets().With(listedSecrets(cfg.MCP, p.getenv)...)
	p.setSecrets(secrets)
	err := mcp.LogIn(ctx, serverOf(name, s, "", p.family, secrets, p.getenv), Version(), func(address string) {
		PrintLine(p.Stdout, "Open this page in your browser, and log in there (Ctrl+C stops):\n%s", address)
		p.openPage(address)
	})
	switch {
	case ctx.Err() != nil:
		return headless.ExitInterrupted, nil
	case err != nil:
		return 0, fmt.Errorf("you are not logged in at %s: %w", name, err)
	}
	PrintLine(p.Stdout, "You are logged in at %s.", name)
	return headless.ExitDone, nil
}

// openPage opens an https:// address in the user's browser, if there is a graphical screen. It
// reports no error, because the address is also printed.
func (p Host) openPage(address string) {
	program := "xdg-open"
	switch {
	case runtime.GOOS == "darwin":
		program = "open"
	case p.getenv("DISPLAY") == "" && p.getenv("WAYLAND_DISPLAY") == "":
		return
	}
	program, err := p.family.Programs.Path(program)
	if err != nil {
		return
	}
	cmd := exec.Command(program, address)
	cmd.Env = p.family.Programs.Environ(secret.ForPerson(p.environ))
	go func() { _, _, _ = child.Output(context.Background(), p.family.Run, cmd, 1<<10) }()
}

// testServers starts MCP servers, prints their tools, and stops them. An empty list of names means
// all servers. The exit code is 1 if one of them does not start.
func (p Host) testServers(ctx context.Context, names []string, cfg config.Config) (int, error) {
	servers := cfg.MCP
	if len(names) > 0 {
		servers = map[string]config.MCP{}
		for _, name := range names {
			s, exists := cfg.MCP[name]
			if !exists {
				return 0, UsageErrorf("the config file has no server %q", name)
			}
			servers[name] = s
		}
	}
	if len(servers) == 0 {
		PrintLine(p.Stdout, noServers)
		return headless.ExitDone, nil
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return 0, err
	}
	secrets := p.environSecrets().With(listedSecrets(servers, p.getenv)...)
	p.setSecrets(secrets)
	fleet := &mcp.Fleet{Version: Version()}
	defer fleet.Close()
	var mu sync.Mutex
	tools := map[string][]mcp.Tool{}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s := serverOf(name, servers[name], dir, p.family, secrets, p.getenv)
		guardServer(&s)
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
			PrintLine(p.Stdout, "%s  %s: %s", s.Name, s.State, diff.Escape(s.Why))
			if s.Login {
				PrintLine(p.Stdout, "  agentshell mcp login %s does that, in your browser.", s.Name)
			}
			continue
		}
		unit := "tools"
		if s.Tools == 1 {
			unit = "tool"
		}
		PrintLine(p.Stdout, "%s  %s, %d %s", s.Name, s.State, s.Tools, unit)
		for _, t := range tools[s.Name] {
			about, _, _ := strings.Cut(strings.TrimSpace(t.Description), "\n")
			if len(about) > maxToolAbout {
				about = strings.ToValidUTF8(width.Head(about, maxToolAbout), "") + "…"
			}
			PrintLine(p.Stdout, "  %s", strings.TrimSpace(fmt.Sprintf("%s  %s", t.Name, diff.Escape(about))))
		}
		for _, pr := range fleet.Prompts() {
			if pr.Server == s.Name {
				PrintLine(p.Stdout, "  %s", strings.TrimSpace(fmt.Sprintf("/%s:%s  %s", pr.Server, pr.Name,
					diff.Escape(pr.About))))
			}
		}
		for _, why := range s.Skipped {
			PrintLine(p.Stdout, "  ! %s", diff.Escape(why))
		}
	}
	return code, nil
}
