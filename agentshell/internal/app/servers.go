package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/child"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// startServers begins to start MCP servers. As soon as a server has listed its tools, they are
// added to the conversations. A server gets the environment variables that its configuration names.
// Its standard error goes to a log in the state directory.
func (r *project) startServers(servers map[string]config.MCP, env tool.Env, getenv func(string) string) {
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		c := servers[name]
		s := serverOf(name, c, r.dir, env.Commands.Family, r.secrets, getenv)
		if _, offered := r.offeredNames[name]; !offered {
			guardServer(&s)
		}
		for _, root := range r.roots.further() {
			s.More = append(s.More, root.Dir)
		}
		if s.Ask = r.serverAsker.askQuestion; c.Sampling {
			s.Sample = r.serverAsker.sample
		}
		if s.URL != "" {
			// a server over HTTP has no output to log
		} else if log, err := openServerLog(r.serverLogs, name); err == nil {
			clean := r.secrets.Writer(log)
			s.Log = clean
			r.logFiles = append(r.logFiles, clean, log)
		}
		r.servers.Add(s, func(client *mcp.Client, list []mcp.Tool) error {
			var tools []tool.Tool
			for _, t := range list {
				tools = append(tools, &tool.Foreign{
					Env: env, Server: name, Tool: t.Name, Description: t.Description, Schema: t.Schema,
					Do: func(ctx context.Context, args json.RawMessage, report func(string)) (tool.Answer, error) {
						a, err := client.Call(ctx, t.Name, args, report)
						return tool.Answer(a), err
					},
				})
			}
			env.Resources.Add(name, client, c.Resources)
			return r.foreign.setTools(name, tools)
		})
	}
}

// serverOf returns the MCP server that a table of the configuration file describes.
func serverOf(name string, c config.MCP, dir string, family *child.Family, secrets secret.Set,
	getenv func(string) string) mcp.Server {
	s := mcp.Server{Name: name, Secrets: secrets, Command: c.Command,
		Env: environFor(c.Env, getenv, family.Programs), Dir: dir, URL: c.URL,
		Headers:  c.Headers,
		Family:   family,
		Timeout:  time.Duration(c.TimeoutS) * time.Second,
		Greeting: time.Duration(c.StartTimeoutS) * time.Second}
	if c.TokenEnv != "" {
		s.Token = getenv(c.TokenEnv)
	}
	if state := config.StateDir(getenv); state != "" {
		s.Tokens = mcp.Tokens(filepath.Join(state, "mcp"))
	}
	if s.ClientID = c.ClientID; c.ClientSecretEnv != "" {
		s.ClientSecret = getenv(c.ClientSecretEnv)
	}
	return s
}

// guardServer makes sure that an MCP server of the user's own configuration does not run code of
// the workspace, in which it starts. Package runners look there for a package first, and Python
// looks there for modules.
func guardServer(s *mcp.Server) {
	if len(s.Command) == 0 {
		return
	}
	dir, command := s.Dir, s.Command
	s.Refuse = func() error { return child.RunsLocal(dir, command) }
	s.Env = child.SafeEnviron(s.Env, command)
}

// serverWait is how long a turn waits for MCP servers, counted from the start of agentshell. The
// task should have their tools, but must not wait for a server that hangs. Tools of later servers
// are added at the model's next step.
const serverWait = 3 * time.Second

// waitForServers returns a function for the beginning of a turn. The function waits for MCP servers
// that are still starting, until serverWait after startedAt.
func (r *project) waitForServers(startedAt time.Time) func(ctx context.Context) {
	return func(ctx context.Context) {
		ctx, cancel := context.WithDeadline(ctx, startedAt.Add(serverWait))
		defer cancel()
		r.servers.Wait(ctx)
	}
}

// waitAndReport waits for the MCP servers, as a turn does, and adds notices about them. It returns
// the names of the servers that are still starting.
func (r *project) waitAndReport(ctx context.Context) (starting map[string]bool) {
	r.waitForServers(time.Now())(ctx)
	starting = map[string]bool{}
	for _, s := range r.servers.List() {
		if s.State == mcp.Starting {
			starting[s.Name] = true
			r.notices = append(r.notices,
				fmt.Sprintf("MCP server %q is still starting; its tools come when it is ready", s.Name))
		}
		r.notices = append(r.notices, r.serverLines(s)...)
	}
	return starting
}

// reportLateServers calls report when one of the servers that are still starting becomes ready or
// fails, until stop is called.
func (r *project) reportLateServers(starting map[string]bool, report func(line string)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for len(starting) > 0 {
			changed := r.servers.Changed()
			for _, s := range r.servers.List() {
				if !starting[s.Name] || s.State == mcp.Starting {
					continue
				}
				delete(starting, s.Name)
				if s.State == mcp.Ready {
					report(fmt.Sprintf("MCP server %q is ready; the model has its tools from its next step on", s.Name))
				}
				for _, line := range r.serverLines(s) {
					report(line)
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// serverLines returns lines for the user about an MCP server that has failed, or that has tools
// which cannot be used.
func (r *project) serverLines(s mcp.Status) (lines []string) {
	if s.State == mcp.Failed {
		lines = append(lines, r.serverProblem(s))
	}
	for _, why := range s.Skipped {
		lines = append(lines, fmt.Sprintf("MCP server %q: %s", s.Name, why))
	}
	return lines
}

// serverProblem returns a line that says why an MCP server has failed and where its log is.
func (r *project) serverProblem(s mcp.Status) string {
	what := fmt.Sprintf("MCP server %q failed to start: %v", s.Name, s.Why)
	if log := r.serverLog(s.Name); log != "" {
		what += ". Log: " + log
	}
	return what
}

// serverLog returns the path of an MCP server's log, or "" if it has none.
func (r *project) serverLog(name string) string {
	if r.allServers[name].URL != "" || r.serverLogs == "" {
		return ""
	}
	return filepath.Join(r.serverLogs, "mcp", name+".log")
}

// listedSecrets returns the secrets in the headers and environment variables that MCP servers get.
func listedSecrets(servers map[string]config.MCP, getenv func(string) string) (list []string) {
	for _, s := range servers {
		list = append(list, headerSecrets(s.Headers)...)
		for _, name := range []string{s.TokenEnv, s.ClientSecretEnv} {
			if name != "" {
				list = append(list, getenv(name))
			}
		}
		for _, e := range s.Env {
			if !strings.Contains(e, "=") {
				list = append(list, secret.Filled(e, getenv(e))...)
			} else if name, value, _ := strings.Cut(e, "="); secret.IsKey(name) {
				list = append(list, value)
			}
		}
	}
	return list
}

// serverEnv lists the environment variables that each MCP server gets, as in the official SDKs.
// Most programs do not start without them.
var serverEnv = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}

// environFor returns the environment variables for an MCP server or an extension: those of
// serverEnv and those of env. An entry of env is NAME=value, or NAME for the value that agentshell
// has. Unless env sets PATH, the directories of PATH that are in the workspace are left out.
func environFor(env []string, getenv func(string) string, programs *child.Programs) []string {
	out := []string{}
	for _, name := range serverEnv {
		if value := getenv(name); value != "" {
			out = append(out, name+"="+value)
		}
	}
	out = programs.Environ(out)
	for _, e := range env {
		if !strings.Contains(e, "=") {
			e += "=" + getenv(e)
		}
		out = append(out, e)
	}
	return out
}

// openServerLog opens the log file for the output of an MCP server. It returns an error if stateDir
// is "".
func openServerLog(stateDir, name string) (*child.Log, error) {
	dir := filepath.Join(stateDir, "mcp")
	if stateDir == "" {
		return nil, os.ErrNotExist
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return child.OpenLog(filepath.Join(dir, name+".log"))
}
