package shell

import (
	"fmt"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// showStatus runs /status: it shows the state of the session, one row for each part.
func (sh *Shell) showStatus() {
	var rows []string
	add := func(name, text string) {
		if text != "" {
			rows = append(rows, fmt.Sprintf("%-11s  %s", name, text))
		}
	}
	cfg := &sh.cfg
	add("version", strings.TrimSpace("agentshell "+cfg.Version))
	add("model", strings.Join(withoutEmpty([]string{cfg.Models.Name, cfg.Models.Note}), ", "))
	add("effort", cfg.Models.Effort)
	add("mode", sh.modeName()+". "+approval.ModeAbout(sh.modeName())+".")
	add("workspace", cfg.Workspace.Dir)
	if cfg.Workspace.Further != nil {
		add("directories", strings.Join(cfg.Workspace.Further(), ", "))
	}
	if cfg.Approval.Sandbox != nil {
		add("sandbox", sh.sandboxState())
	}
	add("session", sh.sessionState())
	add("servers", sh.serverStates())
	add("helpers", sh.helperStates(time.Now()))
	add("context", sh.contextState())
	add("cost", sh.gauge.costText())
	sh.addBlock(notice, paragraphs(false, rows...))
}

// sandboxState returns a sentence on whether commands are confined.
func (sh *Shell) sandboxState() string {
	if sh.cfg.Approval.Sandbox.On() {
		return "on: commands are confined; /sandbox shows what it holds"
	}
	return "off: commands are not confined; /sandbox says more"
}

// sessionState returns the name and id of the session, and the path of its log.
func (sh *Shell) sessionState() string {
	if sh.cfg.Session.Path == "" {
		return "no log is kept"
	}
	log := sh.cfg.Session.Stored
	if log == nil {
		return sh.cfg.Session.Path
	}
	return strings.Join(withoutEmpty([]string{log.Name(), log.ID(), "log: " + log.Path()}), ", ")
}

// serverStates returns the names and states of the MCP servers in one line.
func (sh *Shell) serverStates() string {
	var list []string
	if sh.cfg.Programs.Servers != nil {
		for _, s := range sh.cfg.Programs.Servers.List() {
			list = append(list, s.Name+" "+string(s.State))
		}
	}
	return strings.Join(list, ", ")
}

// helperStates returns the names and states of the other long-lived programs in one line. It omits
// those that were not started.
func (sh *Shell) helperStates(now time.Time) string {
	var list []string
	if sh.cfg.Programs.Helpers != nil {
		for _, h := range sh.cfg.Programs.Helpers() {
			if h.State != helper.NotStarted {
				list = append(list, h.Kind+" "+h.Name+" "+h.Text(now))
			}
		}
	}
	return strings.Join(list, ", ")
}

// contextState returns how much of the model's context window is used, or "" if that is not known.
func (sh *Shell) contextState() string {
	used, window := sh.gauge.used, sh.gauge.window
	if sh.contextUse != nil {
		used, window = sh.contextUse()
	}
	switch {
	case window > 0:
		text := fmt.Sprintf("%s of %s, %d%% used; /context shows the parts", tokenCount(used), tokenCount(window),
			min(used*100/window, 100))
		if m := sh.cfg.Models; m.IsWindowAssumed != nil && m.IsWindowAssumed(m.Name) {
			text += fmt.Sprintf(". The window is a guess: window below [models.%q] in config.toml sets it", m.Name)
		}
		return text
	case used > 0:
		return tokenCount(used) + "; the window of this model is not known"
	}
	return ""
}
