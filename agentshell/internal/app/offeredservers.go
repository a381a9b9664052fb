package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/config"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/frontend/shell"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/secret"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace"
	"github.com/scrollkeep/scrollkeep/terminal/visible"
)

// maxMCPFile is the size in bytes of the largest file with MCP servers that is read from the
// workspace.
const maxMCPFile = 64 << 10

// offeredServers holds the MCP servers that a file of the workspace lists. None starts before the
// user has seen its command, environment and directory.
type offeredServers struct {
	servers map[string]config.MCP // The servers by name, with the variables in their settings replaced.
	text    string                // The description of the servers that the user is shown.
	digest  string                // A hash of the file and of the shown text.
}

// loadOfferedServers reads the file of the workspace that lists MCP servers. If the user has
// allowed them, they are added to the configured ones. If the user has not been asked yet, they are
// stored in r.offeredMCP for a question.
func (r *project) loadOfferedServers(ctx context.Context, p Host) {
	path, err := r.ws.Resolve(config.MCPFile)
	if err != nil || r.demo || r.mayRead(path.Match()) == approval.Deny {
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
	servers, skipped, err := config.ParseMCPFile(f.Data)
	if err != nil {
		r.notices = append(r.notices, fmt.Sprintf("%s is not used: %v", config.MCPFile, err))
		return
	}
	for _, why := range skipped {
		r.notices = append(r.notices, config.MCPFile+": "+why)
	}
	offered := offeredServers{servers: map[string]config.MCP{}}
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if _, configured := r.cfg.MCP[name]; configured {
			continue // the user's own file overrides the workspace's
		}
		expanded, variables := servers[name].Expand(p.getenv)
		for _, v := range variables {
			r.addSecrets(p, secret.Filled(v.Name, v.Value)...)
		}
		if _, err := expanded.Check(name); err != nil {
			r.notices = append(r.notices, r.secrets.Redact(fmt.Sprintf("%s: the server %q is left out: %v",
				config.MCPFile, name, err)))
			continue
		}
		offered.servers[name] = expanded
		offered.text += serverText(name, servers[name], variables, r.dir)
	}
	r.addSecrets(p, listedSecrets(offered.servers, p.getenv)...)
	if len(offered.servers) == 0 {
		return
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s", f.Data, offered.text))
	offered.digest = hex.EncodeToString(sum[:])
	r.allServers = maps.Clone(r.cfg.MCP)
	if r.allServers == nil {
		r.allServers = map[string]config.MCP{}
	}
	maps.Copy(r.allServers, offered.servers)
	r.offeredNames = offered.servers
	switch use, known := p.answers(aboutServers).Lookup(r.ws.Dir(), offered.digest); {
	case use:
		r.cfg.MCP = r.allServers
	case !known:
		r.offeredMCP = offered
	}
}

// addSecrets adds secrets, which are replaced in all texts. It must be called before other parts
// copy r.secrets.
func (r *project) addSecrets(p Host, values ...string) {
	r.secrets = r.secrets.With(values...)
	p.setSecrets(r.secrets)
}

// serverText describes an MCP server of the workspace for the user: its settings in the file, and
// which of the user's environment variables it gets.
func serverText(name string, m config.MCP, variables []config.Variable, dir string) string {
	var b strings.Builder
	row := func(what, value string) {
		value, _ = visible.Line(value)
		fmt.Fprintf(&b, "  %-11s  %s\n", what, value)
	}
	fmt.Fprintf(&b, "%s\n", approval.ShowValue(name))
	if m.URL != "" {
		row("address", m.URL)
		for _, h := range slices.Sorted(maps.Keys(m.Headers)) {
			row("header", h+": "+m.Headers[h])
		}
	} else {
		row("command", approval.ShowCommand(m.Command))
		for _, e := range m.Env {
			row("environment", e)
		}
		row("folder", dir)
	}
	if len(variables) > 0 {
		var names []string
		for _, v := range variables {
			names = append(names, v.Name)
		}
		fmt.Fprintf(&b, "  It gets of your environment: %s\n", approval.ShowValue(strings.Join(names, ", ")))
	}
	return b.String() + "\n"
}

// serverOffer returns the question whether to start the workspace's MCP servers, or nil if there is
// nothing to ask.
func (r *project) serverOffer(p Host) *shell.Offer {
	offered := r.offeredMCP
	answers := p.answers(aboutServers)
	if offered.digest == "" || answers == "" {
		return nil
	}
	offer := &shell.Offer{What: "the MCP servers of this workspace", Text: offered.text, Files: 1,
		Question: "Start these programs, or talk to these addresses, from " + config.MCPFile + " of this workspace? " +
			"A " +
			"program runs with your rights and outside of the sandbox. You are asked again when the file changes."}
	for _, name := range slices.Sorted(maps.Keys(offered.servers)) {
		offer.Servers = append(offer.Servers, "the MCP server "+name)
	}
	offer.Decide = r.decideBy(answers, offered.digest, func() error {
		r.startServers(offered.servers, r.env, p.getenv)
		return nil
	})
	return offer
}
