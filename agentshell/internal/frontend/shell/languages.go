package shell

import (
	"context"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/process/helper"
)

// Languages gives the commands /lsp and /diagnostics access to the language servers of the session.
// *lsp.Service implements it.
type Languages interface {
	Status() []helper.Status
	Diagnostics(ctx context.Context) []string
	Stop(name string) error
}

// languageCommands returns the slash commands /lsp and /diagnostics, or nothing if language servers
// are turned off.
func (sh *Shell) languageCommands() []slashCommand {
	if sh.cfg.Programs.Languages == nil {
		return nil
	}
	return []slashCommand{
		{name: "/lsp", args: "[stop NAME]", run: (*Shell).handleLanguages,
			about: "show the language servers; /lsp stop NAME ends one, its next use starts it again"},
		{name: "/diagnostics", run: withoutArgument((*Shell).showDiagnostics),
			about: "show the errors and warnings that language servers have found"},
	}
}

// handleLanguages handles the command /lsp: it lists the language servers that were used, or "stop
// NAME" ends one.
func (sh *Shell) handleLanguages(argument string) {
	verb, name, _ := strings.Cut(argument, " ")
	name = strings.TrimSpace(name)
	switch {
	case verb == "":
		lines := languageLines(sh.cfg.Programs.Languages.Status(), time.Now())
		sh.addBlock(notice, paragraphs(false, lines...))
	case verb == "stop" && name != "":
		if err := sh.cfg.Programs.Languages.Stop(name); err != nil {
			sh.addBlock(notice, problem("Nothing was done: "+err.Error()+".", "/lsp lists the servers."))
			return
		}
		sh.addBlock(notice, paragraphs(false, "Language server "+name+" is stopped; its next use starts it again."))
	default:
		sh.addBlock(notice, problem("There is no /lsp "+verb+".", "Type /lsp or /lsp stop NAME."))
	}
}

// languageLines returns a line about each language server, or a line that says that none was used
// yet.
func languageLines(list []helper.Status, now time.Time) (lines []string) {
	if len(list) == 0 {
		return []string{"No language server was used yet. Each starts when the model first needs it."}
	}
	return helperLines(list, now)
}

// helperLines returns a line about the state of each helper program.
func helperLines(list []helper.Status, now time.Time) (lines []string) {
	for _, s := range list {
		lines = append(lines, helperLine(s, now))
	}
	return lines
}

// maxDiagnosticRows is the largest number of rows that /diagnostics shows.
const maxDiagnosticRows = 200

// showDiagnostics handles the command /diagnostics: it lists the errors and warnings that the
// running language servers have found.
func (sh *Shell) showDiagnostics() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	lines := sh.cfg.Programs.Languages.Diagnostics(ctx)
	switch n := len(lines); {
	case n == 0:
		lines = []string{"No running language server has found an error or a warning."}
	case n > maxDiagnosticRows:
		lines = append(lines[:maxDiagnosticRows:maxDiagnosticRows], countOf(n-maxDiagnosticRows, "line")+" more")
	}
	sh.addBlock(notice, paragraphs(false, lines...))
}
