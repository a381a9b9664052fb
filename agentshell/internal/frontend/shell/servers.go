package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// Servers lists and controls the MCP servers of a session. [mcp.Fleet] implements it.
type Servers interface {
	// List returns the state of each server.
	List() []mcp.Status
	// Changed returns a channel that is closed when the state of a server changes next.
	Changed() <-chan struct{}
	// Restart stops the server of that name, if it runs, and starts it.
	Restart(name string) error
	// Stop stops the server of that name.
	Stop(name string) error
	// Login logs the user in at a server. It calls show with the address of the page on which the
	// user logs in, and returns once that is done.
	Login(ctx context.Context, name string, show func(address string)) error
	// Prompts returns the prompts that all servers offer.
	Prompts() []mcp.Prompt
	// Prompt requests the text of one prompt from its server.
	Prompt(ctx context.Context, server, name string, args map[string]string) (string, error)
}

// reportServers adds notices to the transcript when an MCP server fails or works again, until ctx
// ends.
func (sh *Shell) reportServers(ctx context.Context) {
	if sh.cfg.Programs.Servers == nil {
		return
	}
	failed := map[string]string{}
	skipped := map[string]bool{}
	for {
		changed := sh.cfg.Programs.Servers.Changed()
		for _, s := range sh.cfg.Programs.Servers.List() {
			switch why, wasFailed := failed[s.Name]; {
			case s.State == mcp.Failed && why != s.Why:
				failed[s.Name] = s.Why
				sh.addBlock(notice, problem("MCP server "+s.Name+" failed: "+s.Why+".", sh.serverAdvice(s)))
			case s.State == mcp.Ready && wasFailed:
				delete(failed, s.Name)
				sh.addBlock(notice,
					paragraphs(false, "MCP server "+s.Name+" runs again, "+countOf(s.Tools, "tool")+"."))
			}
			if s.State == mcp.Ready && len(s.Skipped) > 0 && !skipped[s.Name] {
				skipped[s.Name] = true
				sh.addBlock(notice, paragraphs(false, "MCP server "+s.Name+": "+strings.Join(s.Skipped, "; ")))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// serverAdvice returns a sentence on what the user can do about a failed MCP server.
func (sh *Shell) serverAdvice(s mcp.Status) string {
	advice := "/mcp restart " + s.Name + " tries again."
	if s.Login {
		return "/mcp login " + s.Name + " does that, in your browser."
	}
	if sh.cfg.Programs.ServerLog != nil {
		if log := sh.cfg.Programs.ServerLog(s.Name); log != "" {
			advice += " Its log: " + log
		}
	}
	return advice
}

// serverUsage is shown after a wrong /mcp command.
const serverUsage = "Type /mcp, /mcp restart NAME, /mcp stop NAME, or /mcp login NAME."

// handleServers runs /mcp: it lists the MCP servers, restarts or stops one, or logs in to one.
func (sh *Shell) handleServers(argument string) {
	var list []mcp.Status
	if sh.cfg.Programs.Servers != nil {
		list = sh.cfg.Programs.Servers.List()
	}
	if len(list) == 0 {
		sh.addBlock(notice, paragraphs(false,
			"There are no MCP servers. agentshell mcp add NAME COMMAND... adds one, for the next start."))
		return
	}
	verb, name, _ := strings.Cut(argument, " ")
	name = strings.TrimSpace(name)
	var err error
	switch {
	case verb == "":
		var lines []string
		for _, s := range list {
			lines = append(lines, serverLine(s))
		}
		sh.addBlock(notice, paragraphs(false, lines...))
		return
	case verb == "restart" && name != "":
		err = sh.cfg.Programs.Servers.Restart(name)
	case verb == "stop" && name != "":
		err = sh.cfg.Programs.Servers.Stop(name)
	case verb == "login" && name != "":
		sh.logIn(name)
		return
	default:
		sh.addBlock(notice, problem("There is no /mcp "+verb+".", serverUsage))
		return
	}
	if err != nil {
		sh.addBlock(notice, problem("Nothing was done: "+err.Error()+".", serverUsage))
		return
	}
	if verb == "stop" {
		sh.addBlock(notice, stoppedServer(name))
		return
	}
	sh.addBlock(notice, paragraphs(false, "MCP server "+name+" starts anew; /mcp shows when it is ready."))
}

// stoppedServer returns the notice that the MCP server of that name was stopped.
func stoppedServer(name string) staticBlock {
	return paragraphs(false, "MCP server "+name+" is stopped; /mcp restart "+name+" starts it.")
}

// logIn runs /mcp login: it opens the login page of an MCP server in the user's browser, and
// reports the result.
func (sh *Shell) logIn(name string) {
	if sh.refuseWhileBusy("/mcp login") {
		return
	}
	sh.runBeside("waiting for your login at "+name, func(ctx context.Context) func() {
		err := sh.cfg.Programs.Servers.Login(ctx, name, func(address string) {
			sh.addBlock(notice, paragraphs(false, "Open this page in your browser, and log in there:", address))
			if sh.cfg.Programs.OpenPage != nil {
				sh.cfg.Programs.OpenPage(address)
			}
		})
		stopped := ctx.Err() != nil
		return func() {
			switch {
			case stopped:
				sh.addBlock(notice, paragraphs(false, "The login was stopped."))
			case err != nil:
				sh.addBlock(notice, problem("You are not logged in at "+name+": "+err.Error()+"."))
			default:
				sh.addBlock(notice, paragraphs(false, "You are logged in at "+name+"; /mcp shows when it is ready."))
			}
		}
	})
}

// serverLine returns one line about an MCP server: its name, its state, and the number of its tools
// or the reason of a failure.
func serverLine(s mcp.Status) string {
	line := s.Name + "  " + string(s.State)
	switch {
	case s.State == mcp.Ready:
		line += ", " + countOf(s.Tools, "tool")
		if s.Prompts > 0 {
			line += ", " + countOf(s.Prompts, "prompt")
		}
		if n := len(s.Skipped); n > 0 {
			line += ", " + countOf(n, "tool") + " left out"
		}
	case s.Why != "":
		line += ": " + s.Why
	}
	return line
}

// serverArguments suggests arguments for /mcp.
func serverArguments(_ context.Context, cfg Config) (list []suggestion) {
	if cfg.Programs.Servers == nil {
		return nil
	}
	for _, s := range cfg.Programs.Servers.List() {
		list = append(list, suggestion{text: "restart " + s.Name, note: "start it anew"})
		if s.Login {
			list = append(list, suggestion{text: "login " + s.Name, note: "log in with your browser"})
		}
		if s.State != mcp.Stopped {
			list = append(list, suggestion{text: "stop " + s.Name, note: "end it"})
		}
	}
	return list
}
