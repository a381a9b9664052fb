package shell

import (
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
)

// Cells controls the interpreters that run the code of the eval tool, one for each programming
// language. *tool.Cells implements it.
type Cells interface {
	Status() []helper.Status
	Stop(language string) error
}

// cellCommands returns the slash command /eval, or nothing if the session runs no code.
func (sh *Shell) cellCommands() []slashCommand {
	if sh.cfg.Programs.Cells == nil {
		return nil
	}
	return []slashCommand{{name: "/eval", args: "[stop py|js]", run: (*Shell).handleCells,
		about: "show the programs that run cells of code; /eval stop py ends one, and its variables are lost"}}
}

// handleCells handles the command /eval. Without an argument it lists the interpreters that run
// code for the model; "stop py" ends one.
func (sh *Shell) handleCells(argument string) {
	verb, name, _ := strings.Cut(argument, " ")
	switch name = strings.TrimSpace(name); {
	case verb == "":
		sh.addBlock(notice, paragraphs(false, helperLines(sh.cfg.Programs.Cells.Status(), time.Now())...))
	case verb == "stop" && name != "":
		go sh.stopCells(name)
	default:
		sh.addBlock(notice, problem("There is no /eval "+verb+".", "Type /eval, /eval stop py or /eval stop js."))
	}
}

// stopCells ends the interpreter of a programming language, and says so. It waits for the process,
// so it runs outside the event loop.
func (sh *Shell) stopCells(language string) {
	if err := sh.cfg.Programs.Cells.Stop(language); err != nil {
		sh.addBlock(notice, problem("Nothing was done: "+err.Error()+".", "Type /eval stop py or /eval stop js."))
		return
	}
	sh.addBlock(notice, paragraphs(false, eval.Language(language).Name()+
		" is stopped; its next cell starts it again, without the variables."))
}
