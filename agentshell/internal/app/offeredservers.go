package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
)

// maxMCPFile is how many bytes of the workspace's file of servers are read.
const maxMCPFile = 64 << 10

// offeredServers are the MCP servers of the workspace's own file. None of them starts before the
// person has seen what it is: its command, environment and folder.
type offeredServers struct {
	servers map[string]config.MCP // with the variables that they name
	text    string                // that is shown
	digest  string                // of the file, and of what is shown
}

// lookForServers reads the workspace's file of servers. Those that the person has allowed join the
// configured ones; what they were not asked about yet is kept for a question.
func (r *project) lookForServers(ctx context.Context, p Host) {
	path, err := r.ws.Resolve(config.MCPFile)
	if err != nil || r.demo || r.policy.Decide(approval.Subject{Tool: "read_file",
		Path: path.Match()}).Action == approval.Deny {
		return
	}
	f, err := r.ws.Snapshot(ctx, path, maxMCPFile)
	if err != nil || !f.Print.Exists {
		if workspace.KindOf(err) == workspace.TooLarge && err != nil {
			r.notices = append(r.notices, fmt.Sprintf("%s is not read: it has more than %d bytes", config.MCPFile,
				maxMCPFile))
		}
		return
	}
	servers, left, err := config.ParseMCPFile(f.Data)
	if err != nil {
		r.notices = append(r.notices, fmt.Sprintf("%s is not used: %v", config.MCPFile, err))
		return
	}
	for _, why := range left {
		r.notices = append(r.notices, config.MCPFile+": "+why)
	}
	o := offeredServers{servers: map[string]config.MCP{}}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if _, own := r.cfg.MCP[name]; own {
			continue // the person's own file is the later word
		}
		full, variables := servers[name].Expand(p.getenv)
		for _, v := range variables {
			r.hide(p, secret.Filled(v.Name, v.Value)...)
		}
		if _, err := full.Check(name); err != nil {
			r.notices = append(r.notices, r.secrets.Redact(fmt.Sprintf("%s: the server %q is left out: %v",
				config.MCPFile, name, err)))
			continue
		}
		o.servers[name] = full
		o.text += describe(name, servers[name], variables, r.dir)
	}
	r.hide(p, listedSecrets(o.servers, p.getenv)...)
	if len(o.servers) == 0 {
		return
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", f.Data, o.text))
	o.digest = hex.EncodeToString(sum[:])
	r.listed = maps.Clone(r.cfg.MCP)
	if r.listed == nil {
		r.listed = map[string]config.MCP{}
	}
	maps.Copy(r.listed, o.servers)
	switch use, known := r.serverAnswers(p).Lookup(r.ws.Dir(), o.digest); {
	case use:
		r.cfg.MCP = r.listed
	case !known:
		r.offeredMCP = o
	}
}

// hide adds secrets to those of the run. It is done before anything of the run knows them.
func (r *project) hide(p Host, values ...string) {
	r.secrets = r.secrets.With(values...)
	p.guard(r.secrets)
}

// serverAnswers returns what the person has said to the servers of workspaces.
func (r *project) serverAnswers(p Host) skill.Answers {
	if state := config.StateDir(p.getenv); state != "" {
		return skill.Answers(filepath.Join(state, "workspace-servers"))
	}
	return ""
}

// describe returns a server as the person is shown it: what stands in the file, and which of their
// own variables it gets.
func describe(name string, m config.MCP, variables []config.Variable, dir string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", name)
	if m.URL != "" {
		fmt.Fprintf(&b, "  address      %s\n", m.URL)
		for _, h := range slices.Sorted(maps.Keys(m.Headers)) {
			fmt.Fprintf(&b, "  header       %s: %s\n", h, m.Headers[h])
		}
	} else {
		fmt.Fprintf(&b, "  command      %s\n", strings.Join(m.Command, " "))
		for _, e := range m.Env {
			fmt.Fprintf(&b, "  environment  %s\n", e)
		}
		fmt.Fprintf(&b, "  folder       %s\n", dir)
	}
	if len(variables) > 0 {
		var names []string
		for _, v := range variables {
			names = append(names, v.Name)
		}
		fmt.Fprintf(&b, "  It gets of your environment: %s\n", strings.Join(names, ", "))
	}
	return b.String() + "\n"
}

// serverOffer returns the question about the workspace's servers; nil: there is none.
func (r *project) serverOffer(p Host) *shell.Offer {
	theirs := r.offeredMCP
	answers := r.serverAnswers(p)
	if theirs.digest == "" || answers == "" {
		return nil
	}
	o := &shell.Offer{What: "the MCP servers of this workspace", Text: theirs.text, Files: 1,
		Question: "Start these programs, or talk to these addresses, from " + config.MCPFile + " of this workspace? " +
			"A " +
			"program runs with your rights and outside of the sandbox. You are asked again when the file changes."}
	for _, name := range slices.Sorted(maps.Keys(theirs.servers)) {
		o.Servers = append(o.Servers, "the MCP server "+name)
	}
	o.Decide = func(use bool) error {
		if err := answers.Store(r.ws.Dir(), theirs.digest, use); err != nil || !use {
			return err
		}
		r.serve(theirs.servers, r.env, p.getenv)
		return nil
	}
	return o
}
