package shell

import (
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/dap"
)

// Debugger gives the command /debug access to the debug session of the model. *dap.Service
// implements it.
type Debugger interface {
	Status() []helper.Status
	Summaries() []dap.Summary
	Stop() error
}

// debuggerCommands returns the slash command /debug, or nothing if debuggers are turned off.
func (sh *Shell) debuggerCommands() []slashCommand {
	if sh.cfg.Programs.Debugger == nil {
		return nil
	}
	return []slashCommand{{name: "/debug", args: "[stop]", run: (*Shell).handleDebugger,
		about: "show the debug session; /debug stop ends it and its program"}}
}

// handleDebugger handles the command /debug: it shows the debug session, or ends it if the argument
// is "stop".
func (sh *Shell) handleDebugger(argument string) {
	switch argument {
	case "":
		lines := debuggerLines(sh.cfg.Programs.Debugger.Summaries(), sh.cfg.Programs.Debugger.Status(), time.Now())
		sh.addBlock(notice, paragraphs(false, lines...))
	case "stop":
		if err := sh.cfg.Programs.Debugger.Stop(); err != nil {
			sh.addBlock(notice, problem("Nothing was done: "+err.Error()+".", "/debug shows the session."))
			return
		}
		sh.addBlock(notice, paragraphs(false, "The debug session and its program are ended."))
	default:
		sh.addBlock(notice, problem("There is no /debug "+argument+".", "Type /debug or /debug stop."))
	}
}

// debuggerLines returns lines for /debug about the debug sessions and the running debug adapters.
func debuggerLines(sessions []dap.Summary, adapters []helper.Status, now time.Time) (lines []string) {
	for _, s := range sessions {
		line := s.ID + "  " + s.Status
		if s.StopReason != "" {
			line += " (" + s.StopReason + ")"
		}
		lines = append(lines, strings.TrimSpace(line+"  "+s.Program))
	}
	for _, a := range adapters {
		lines = append(lines, a.Name+"  "+a.Text(now)+"  ("+a.Reach+")")
	}
	if len(lines) == 0 {
		return []string{"No program was debugged yet. A debugger starts when the model first needs it."}
	}
	return lines
}
