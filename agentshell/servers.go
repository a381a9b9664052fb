package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/child"
	"github.com/scrollkeep/scrollkeep/agentshell/config"
	"github.com/scrollkeep/scrollkeep/agentshell/mcp"
	"github.com/scrollkeep/scrollkeep/agentshell/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/tool"
)

const greeting = 10 * time.Second // within which a server must have listed its tools

// serve starts the servers of the person's configuration and puts their tools beside ours. One that
// does not start is a notice. Each gets the environment that is listed for it; what it prints
// besides goes to a log in our state directory.
func (r *run) serve(ctx context.Context, servers map[string]config.MCP, env tool.Env, getenv func(string) string,
	stateDir string) error {
	ctx, cancel := context.WithTimeout(ctx, greeting)
	defer cancel()
	names := slices.Sorted(maps.Keys(servers))
	type started struct {
		client *mcp.Client
		tools  []mcp.Tool
		err    error
	}
	all := make([]started, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		s := mcp.Server{
			Name: name, Command: servers[name].Command, Env: listed(servers[name].Env, getenv), Dir: r.dir,
			Timeout: time.Duration(servers[name].TimeoutS) * time.Second, Family: env.Family, URL: servers[name].URL,
		}
		if token := servers[name].TokenEnv; token != "" {
			s.Token = getenv(token)
		}
		if s.URL != "" {
			// it prints nothing here
		} else if log, err := serverLog(stateDir, name); err == nil {
			clean := r.secrets.Writer(log)
			s.Log = clean
			r.logFiles = append(r.logFiles, clean, log)
		}
		wg.Go(func() { all[i].client, all[i].tools, all[i].err = mcp.Start(ctx, s, r.version) })
	}
	wg.Wait()
	tools := r.tools.Tools()
	for i, s := range all {
		if s.err != nil {
			r.notices = append(r.notices, serverProblem(names[i], s.err, servers[names[i]].URL == "", stateDir))
			continue
		}
		r.servers = append(r.servers, s.client)
		env.Resources.Add(names[i], s.client, servers[names[i]].Resources)
		for _, why := range s.client.Skipped {
			r.notices = append(r.notices, fmt.Sprintf("MCP server %q: %s", names[i], why))
		}
		for _, t := range s.tools {
			tools = append(tools, &tool.Foreign{
				Env: env, Server: names[i], Tool: t.Name, Description: t.Description, Schema: t.Schema,
				Do: func(ctx context.Context, args json.RawMessage, report func(string)) (tool.Answer, error) {
					a, err := s.client.Call(ctx, t.Name, args, report)
					return tool.Answer(a), err
				},
			})
		}
	}
	var err error
	r.tools, err = tool.NewRegistry(tools...)
	return err
}

// serverProblem says why a server is not there, and where its log is, if it has one.
func serverProblem(name string, err error, logged bool, stateDir string) string {
	what := fmt.Sprintf("MCP server %q failed to start: %v", name, err)
	if errors.Is(err, context.DeadlineExceeded) {
		what = fmt.Sprintf("MCP server %q did not answer in %v", name, greeting)
	}
	if logged && stateDir != "" {
		what += ". Log: " + filepath.Join(stateDir, "mcp", name+".log")
	}
	return what
}

// listedSecrets are the values of keys that servers get.
func listedSecrets(servers map[string]config.MCP, getenv func(string) string) (list []string) {
	for _, s := range servers {
		if s.TokenEnv != "" {
			list = append(list, getenv(s.TokenEnv))
		}
		for _, e := range listed(s.Env, getenv) {
			if name, value, _ := strings.Cut(e, "="); secret.IsKey(name) {
				list = append(list, value)
			}
		}
	}
	return list
}

// listed is the environment of a server: NAME=value as it stands, NAME with the value that we have.
func listed(env []string, getenv func(string) string) []string {
	out := []string{}
	for _, e := range env {
		if !strings.Contains(e, "=") {
			e += "=" + getenv(e)
		}
		out = append(out, e)
	}
	return out
}

// serverLog is the file for what a server prints besides, of the last session.
func serverLog(stateDir, name string) (*child.Log, error) {
	dir := filepath.Join(stateDir, "mcp")
	if stateDir == "" {
		return nil, os.ErrNotExist
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return child.OpenLog(filepath.Join(dir, name+".log"))
}
