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

// serve starts the servers of the person's configuration, whose tools come beside ours as each has
// listed them. Each gets the environment that is listed for it; what it prints besides goes to a
// log in our state directory.
func (r *project) serve(servers map[string]config.MCP, env tool.Env, getenv func(string) string) {
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		c := servers[name]
		s := serverOf(name, c, r.dir, env.Family, r.secrets, getenv)
		for _, root := range r.roots[1:] {
			s.More = append(s.More, root.Dir)
		}
		if s.Ask = r.asker.question; c.Sampling {
			s.Sample = r.asker.sample
		}
		if s.URL != "" {
			// it prints nothing here
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
			return r.foreign.put(name, tools)
		})
	}
}

// serverOf is a server as the config file has it.
func serverOf(name string, c config.MCP, dir string, family *child.Family, secrets secret.Set,
	getenv func(string) string) mcp.Server {
	s := mcp.Server{Name: name, Secrets: secrets, Command: c.Command,
		Env: listed(c.Env, getenv, family.Programs), Dir: dir, URL: c.URL,
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

// firstTools is how long after the start a turn still waits for servers, in every front end: a task
// is to be done with them, but not to wait for one that hangs. The tools of one that comes later
// join at the model's next step.
const firstTools = 3 * time.Second

// ready waits for servers that are starting, at the beginning of a turn.
func (r *project) ready(began time.Time) func(ctx context.Context) {
	return func(ctx context.Context) {
		ctx, cancel := context.WithDeadline(ctx, began.Add(firstTools))
		defer cancel()
		r.servers.Wait(ctx)
	}
}

// served waits for the servers as a turn does, and notes what there is to say of them. It returns
// the names of those that are still starting.
func (r *project) served(ctx context.Context) (late map[string]bool) {
	r.ready(time.Now())(ctx)
	late = map[string]bool{}
	for _, s := range r.servers.List() {
		if s.State == mcp.Starting {
			late[s.Name] = true
			r.notices = append(r.notices,
				fmt.Sprintf("MCP server %q is still starting; its tools come when it is ready", s.Name))
		}
		r.notices = append(r.notices, r.aboutServer(s)...)
	}
	return late
}

// follow says what became of servers that were late, each in its time, until stop is called.
func (r *project) follow(late map[string]bool, say func(line string)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for len(late) > 0 {
			changed := r.servers.Changed()
			for _, s := range r.servers.List() {
				if !late[s.Name] || s.State == mcp.Starting {
					continue
				}
				delete(late, s.Name)
				if s.State == mcp.Ready {
					say(fmt.Sprintf("MCP server %q is ready; the model has its tools from its next step on", s.Name))
				}
				for _, line := range r.aboutServer(s) {
					say(line)
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

// aboutServer returns what there is to say of a server that has started or failed.
func (r *project) aboutServer(s mcp.Status) (lines []string) {
	if s.State == mcp.Failed {
		lines = append(lines, r.serverProblem(s))
	}
	for _, why := range s.Skipped {
		lines = append(lines, fmt.Sprintf("MCP server %q: %s", s.Name, why))
	}
	return lines
}

// serverProblem says why a server is not there, and where its log is, if it has one.
func (r *project) serverProblem(s mcp.Status) string {
	what := fmt.Sprintf("MCP server %q failed to start: %v", s.Name, s.Why)
	if log := r.serverLog(s.Name); log != "" {
		what += ". Log: " + log
	}
	return what
}

// serverLog returns the file with what a server prints, "": it has none.
func (r *project) serverLog(name string) string {
	if r.listed[name].URL != "" || r.serverLogs == "" {
		return ""
	}
	return filepath.Join(r.serverLogs, "mcp", name+".log")
}

// listedSecrets returns the values of keys that servers get, and of variables that env names.
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

// serverEnv is what each server gets of our environment, as the official SDKs have it: without it
// most programs do not start.
var serverEnv = []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}

// listed returns the environment of a server: serverEnv, and of env NAME=value as it stands, NAME
// with the value that we have. Of a PATH that is not named it gets what lies outside of the
// workspace.
func listed(env []string, getenv func(string) string, programs *child.Programs) []string {
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

// openServerLog returns the file for what a server prints besides, of the last session.
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
