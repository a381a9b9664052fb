package shell

import (
	"context"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/mcp"
)

// Servers are the MCP servers of a session: a mcp.Fleet.
type Servers interface {
	List() []mcp.Status
	Changed() <-chan struct{}
	Restart(name string) error
	Stop(name string) error
	Login(ctx context.Context, name string, show func(address string)) error
	Prompts() []mcp.Prompt
	Prompt(ctx context.Context, server, name string, args map[string]string) (string, error)
}

// attend tells the person of servers that fail, and that they are back, until ctx ends.
func (sh *Shell) attend(ctx context.Context) {
	if sh.cfg.Servers == nil {
		return
	}
	failed := map[string]string{}
	skipped := map[string]bool{}
	for {
		changed := sh.cfg.Servers.Changed()
		for _, s := range sh.cfg.Servers.List() {
			switch why, had := failed[s.Name]; {
			case s.State == mcp.Failed && why != s.Why:
				failed[s.Name] = s.Why
				sh.append(notice, problem("MCP server "+s.Name+" failed: "+s.Why+".", sh.serverAdvice(s)))
			case s.State == mcp.Ready && had:
				delete(failed, s.Name)
				sh.append(notice, words(false, "MCP server "+s.Name+" runs again, "+count(s.Tools, "tool")+"."))
			}
			if s.State == mcp.Ready && len(s.Skipped) > 0 && !skipped[s.Name] {
				skipped[s.Name] = true
				sh.append(notice, words(false, "MCP server "+s.Name+": "+strings.Join(s.Skipped, "; ")))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// serverAdvice returns what a person can do about a server that failed.
func (sh *Shell) serverAdvice(s mcp.Status) string {
	advice := "/mcp restart " + s.Name + " tries again."
	if s.Login {
		return "/mcp login " + s.Name + " does that, in your browser."
	}
	if sh.cfg.ServerLog != nil {
		if log := sh.cfg.ServerLog(s.Name); log != "" {
			advice += " Its log: " + log
		}
	}
	return advice
}

const serverUsage = "Type /mcp, /mcp restart NAME, /mcp stop NAME, or /mcp login NAME."

// servers handles /mcp: without words it lists the servers.
func (sh *Shell) servers(rest string) {
	var list []mcp.Status
	if sh.cfg.Servers != nil {
		list = sh.cfg.Servers.List()
	}
	if len(list) == 0 {
		sh.append(notice, words(false, "There are no MCP servers. [mcp.NAME] in config.toml adds one; the README "+
			"tells how."))
		return
	}
	what, name, _ := strings.Cut(rest, " ")
	name = strings.TrimSpace(name)
	var err error
	switch {
	case what == "":
		var lines []string
		for _, s := range list {
			lines = append(lines, serverLine(s))
		}
		sh.append(notice, words(false, lines...))
		return
	case what == "restart" && name != "":
		err = sh.cfg.Servers.Restart(name)
	case what == "stop" && name != "":
		err = sh.cfg.Servers.Stop(name)
	case what == "login" && name != "":
		sh.logIn(name)
		return
	default:
		sh.append(notice, problem("There is no /mcp "+what+".", serverUsage))
		return
	}
	if err != nil {
		sh.append(notice, problem("Nothing was done: "+err.Error()+".", serverUsage))
		return
	}
	if what == "stop" {
		sh.append(notice, stoppedServer(name))
		return
	}
	sh.append(notice, words(false, "MCP server "+name+" starts anew; /mcp shows when it is ready."))
}

// stoppedServer returns the notice that a server is stopped.
func stoppedServer(name string) still {
	return words(false, "MCP server "+name+" is stopped; /mcp restart "+name+" starts it.")
}

// logIn handles /mcp login: the person opens a page, and the shell waits for what comes of it.
func (sh *Shell) logIn(name string) {
	if sh.waits("/mcp login") {
		return
	}
	sh.beside("waiting for your login at "+name, func(ctx context.Context) func() {
		err := sh.cfg.Servers.Login(ctx, name, func(address string) {
			sh.append(notice, words(false, "Open this page in your browser, and log in there:", address))
			if sh.cfg.Browse != nil {
				sh.cfg.Browse(address)
			}
		})
		stopped := ctx.Err() != nil
		return func() {
			switch {
			case stopped:
				sh.append(notice, words(false, "The login was stopped."))
			case err != nil:
				sh.append(notice, problem("You are not logged in at "+name+": "+err.Error()+"."))
			default:
				sh.append(notice, words(false, "You are logged in at "+name+"; /mcp shows when it is ready."))
			}
		}
	})
}

// serverLine returns a server in a line: its name, what it does, and what it has.
func serverLine(s mcp.Status) string {
	line := s.Name + "  " + string(s.State)
	switch {
	case s.State == mcp.Ready:
		line += ", " + count(s.Tools, "tool")
		if s.Prompts > 0 {
			line += ", " + count(s.Prompts, "prompt")
		}
		if n := len(s.Skipped); n > 0 {
			line += ", " + count(n, "tool") + " left out"
		}
	case s.Why != "":
		line += ": " + s.Why
	}
	return line
}

// serverValues returns what can stand behind /mcp.
func serverValues(_ context.Context, cfg Config) (list []suggestion) {
	if cfg.Servers == nil {
		return nil
	}
	for _, s := range cfg.Servers.List() {
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
