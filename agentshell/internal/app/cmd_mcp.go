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
)

// aboutTool is how many bytes of a tool's description are shown.
const aboutTool = 100

// MCPOptions is what `agentshell mcp` may be asked for.
type MCPOptions struct {
	Test struct {
		Names []string `arg:"" optional:"" name:"name" help:"Servers of the config file; all by default."`
	} `cmd:"" default:"withargs" help:"Start the servers, list their tools, and end them. This is what is done without a word."`
	List struct{} `cmd:"" help:"List the servers of the config file, without starting them."`
	Add  struct {
		Name     string   `arg:"" help:"What it is called here: small letters, digits, - and _."`
		Command  []string `arg:"" passthrough:"" name:"command" help:"Its program and arguments, or its address (https://...)."`
		Env      []string `sep:"none" placeholder:"NAME" help:"A variable that the program gets: NAME, or NAME=value. May be repeated."`
		TokenEnv string   `placeholder:"NAME" help:"The variable with the bearer token for the address."`
	} `cmd:"" help:"Write a server into the config file: agentshell mcp add files npx -y @modelcontextprotocol/server-filesystem ."`
	Remove struct {
		Name string `arg:""`
	} `cmd:"" help:"Take a server out of the config file, and forget its login."`
	Login struct {
		Name string `arg:""`
	} `cmd:"" help:"Log in at a server over HTTP, with your browser."`
	Logout struct {
		Name string `arg:""`
	} `cmd:"" help:"Forget the login at a server."`
}

// MCP handles `agentshell mcp`, about the MCP servers of the config file. chosen is the command
// behind those words.
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
		had, err := mcp.Tokens(p.tokens()).Forget(f.Logout.Name)
		if err == nil && !had {
			say(p.Stdout, "There was no login at %s.", f.Logout.Name)
		}
		return headless.ExitDone, err
	}
	return p.testServers(ctx, f.Test.Names, cfg)
}

// tokens returns the directory of logins, "" if there is none.
func (p Host) tokens() string {
	if state := config.StateDir(p.getenv); state != "" {
		return filepath.Join(state, "mcp")
	}
	return ""
}

const noServers = "There are no MCP servers. agentshell mcp add NAME COMMAND... adds one; the README tells how."

// listServers says which servers there are, and how each is reached.
func (p Host) listServers(cfg config.Config) (int, error) {
	if len(cfg.MCP) == 0 {
		say(p.Stdout, noServers)
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.MCP)) {
		s := cfg.MCP[name]
		if s.URL != "" {
			say(p.Stdout, "%s  %s", name, s.URL)
		} else {
			say(p.Stdout, "%s  %s", name, strings.Join(s.Command, " "))
		}
	}
	return headless.ExitDone, nil
}

// addServer writes a server into the config file, behind all that is there.
func (p Host) addServer(f MCPOptions, cfg config.Config) (int, error) {
	add := f.Add
	m := config.MCP{Command: add.Command, Env: add.Env, TokenEnv: add.TokenEnv}
	if first := add.Command[0]; len(add.Command) == 1 && (strings.HasPrefix(first, "https://") ||
		strings.HasPrefix(first, "http://")) {
		m.Command, m.URL = nil, first
	}
	if _, had := cfg.MCP[add.Name]; had {
		return 0, usage("there is a server %s already; agentshell mcp remove %[1]s takes it away", add.Name)
	}
	if _, err := m.Check(add.Name); err != nil {
		return 0, usage("mcp.%s: %w", add.Name, err)
	}
	text := config.MCPText(add.Name, m)
	file, err := config.Append(config.Dir(p.getenv), text)
	if err != nil {
		return 0, err
	}
	say(p.Stdout, "Written to %s:\n%s", file, text)
	say(p.Stdout, "agentshell mcp %s tries it.", add.Name)
	return headless.ExitDone, nil
}

// removeServer takes a server out of the config file.
func (p Host) removeServer(name string, cfg config.Config) (int, error) {
	if _, is := cfg.MCP[name]; !is {
		return 0, usage("the config file has no server %q", name)
	}
	file, gone, err := config.RemoveMCP(config.Dir(p.getenv), name)
	if err != nil {
		return 0, err
	}
	say(p.Stdout, "Taken out of %s:\n%s", file, gone)
	_, err = mcp.Tokens(p.tokens()).Forget(name)
	return headless.ExitDone, err
}

// logIn leads the person through the login of a server.
func (p Host) logIn(ctx context.Context, name string, cfg config.Config) (int, error) {
	s, is := cfg.MCP[name]
	if !is {
		return 0, usage("the config file has no server %q", name)
	}
	secrets := p.secrets().With(listedSecrets(cfg.MCP, p.getenv)...)
	p.guard(secrets)
	err := mcp.LogIn(ctx, serverOf(name, s, "", p.family, secrets, p.getenv), Version(), func(address string) {
		say(p.Stdout, "Open this page in your browser, and log in there (Ctrl+C stops):\n%s", address)
		p.browse(address)
	})
	switch {
	case ctx.Err() != nil:
		return headless.ExitInterrupted, nil
	case err != nil:
		return 0, fmt.Errorf("you are not logged in at %s: %w", name, err)
	}
	say(p.Stdout, "You are logged in at %s.", name)
	return headless.ExitDone, nil
}

// browse opens an address of the form https:// in the person's browser, where there is a screen for
// it. What comes of that nobody is told: the address stands there to be opened by hand.
func (p Host) browse(address string) {
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

// testServers starts servers, lists their tools, and ends them. The code is 1 if one of them does
// not start.
func (p Host) testServers(ctx context.Context, names []string, cfg config.Config) (int, error) {
	servers := cfg.MCP
	if len(names) > 0 {
		servers = map[string]config.MCP{}
		for _, name := range names {
			s, is := cfg.MCP[name]
			if !is {
				return 0, usage("the config file has no server %q", name)
			}
			servers[name] = s
		}
	}
	if len(servers) == 0 {
		say(p.Stdout, noServers)
		return headless.ExitDone, nil
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return 0, err
	}
	secrets := p.secrets().With(listedSecrets(servers, p.getenv)...)
	p.guard(secrets)
	fleet := &mcp.Fleet{Version: Version()}
	defer fleet.Close()
	var mu sync.Mutex
	tools := map[string][]mcp.Tool{}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s := serverOf(name, servers[name], dir, p.family, secrets, p.getenv)
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
			say(p.Stdout, "%s  %s: %s", s.Name, s.State, diff.Escape(s.Why))
			if s.Login {
				say(p.Stdout, "  agentshell mcp login %s does that, in your browser.", s.Name)
			}
			continue
		}
		unit := "tools"
		if s.Tools == 1 {
			unit = "tool"
		}
		say(p.Stdout, "%s  %s, %d %s", s.Name, s.State, s.Tools, unit)
		for _, t := range tools[s.Name] {
			about, _, _ := strings.Cut(strings.TrimSpace(t.Description), "\n")
			if len(about) > aboutTool {
				about = strings.ToValidUTF8(about[:aboutTool], "") + "…"
			}
			say(p.Stdout, "  %s", strings.TrimSpace(fmt.Sprintf("%s  %s", t.Name, diff.Escape(about))))
		}
		for _, pr := range fleet.Prompts() {
			if pr.Server == s.Name {
				say(p.Stdout, "  %s", strings.TrimSpace(fmt.Sprintf("/%s:%s  %s", pr.Server, pr.Name,
					diff.Escape(pr.About))))
			}
		}
		for _, why := range s.Skipped {
			say(p.Stdout, "  ! %s", diff.Escape(why))
		}
	}
	return code, nil
}
