package shell

import (
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// Helper describes the state of a long-lived program that serves tools of the model.
type Helper struct {
	Kind string // The kind of program, such as "language server".
	helper.Status
}

// showTools runs /tools: it lists the model's tools, and the state of the programs that serve them.
func (sh *Shell) showTools() {
	var names []string
	if sh.cfg.Programs.Tools != nil {
		names = sh.cfg.Programs.Tools()
	}
	lines := []string{"The model has no tools."}
	if len(names) > 0 {
		lines = []string{countOf(len(names), "tool") + " of the model: " + strings.Join(names, ", ")}
	}
	if sh.cfg.Programs.Servers != nil {
		for _, s := range sh.cfg.Programs.Servers.List() {
			lines = append(lines, "MCP server "+serverLine(s))
		}
	}
	if sh.cfg.Programs.Helpers != nil {
		for _, h := range sh.cfg.Programs.Helpers() {
			lines = append(lines, h.Kind+" "+helperLine(h.Status, time.Now()))
		}
	}
	sh.addBlock(notice, paragraphs(false, lines...))
}

// helperLine returns one line about a helper program: its name, its state, what it can reach, and
// how to install it if it is missing.
func helperLine(s helper.Status, now time.Time) string {
	line := s.Name + "  " + s.Text(now) + "  (" + s.Reach + ")"
	if s.Install != "" {
		line += ". To install it: " + s.Install
	}
	return line
}
