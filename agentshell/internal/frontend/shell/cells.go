package shell

import (
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/eval"
)

// Cells controls the programs that run cells of code. *tool.Cells implements it.
type Cells interface {
	Status() []helper.Status
	Stop(language string) error
}

// cellCommands returns the commands about cells; none where they are off.
func (sh *Shell) cellCommands() []slashCommand {
	if sh.cfg.Programs.Cells == nil {
		return nil
	}
	return []slashCommand{{name: "/eval", args: "[stop py|js]", run: (*Shell).handleCells,
		about: "show the programs that run cells of code; /eval stop py ends one, and its variables are lost"}}
}

// handleCells handles /eval. Without an argument it lists the programs.
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

// stopCells ends the program of a language, which takes a moment.
func (sh *Shell) stopCells(language string) {
	if err := sh.cfg.Programs.Cells.Stop(language); err != nil {
		sh.addBlock(notice, problem("Nothing was done: "+err.Error()+".", "Type /eval stop py or /eval stop js."))
		return
	}
	sh.addBlock(notice, paragraphs(false, eval.Language(language).Name()+
		" is stopped; its next cell starts it again, without the variables."))
}
