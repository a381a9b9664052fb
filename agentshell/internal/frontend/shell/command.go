package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent/skill"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// runSlashCommand runs the slash command with that name, which shows its output in the transcript.
// For an unknown name it suggests a similar one, and sends nothing to the model. It is called on
// the event loop.
func (sh *Shell) runSlashCommand(name, argument string) {
	c, ok := findCommand(sh.slashCommands(), name)
	if !ok {
		said := fmt.Sprintf("There is no command %s.", name)
		if meant := sh.meantCommand(name); meant != "" {
			said += " Did you mean " + meant + "?"
		}
		sh.addBlock(notice, problem(said, "Nothing was sent to the model.",
			"/help lists the commands; start with a space to send text that begins with a slash or an "+
				"exclamation mark."))
		return
	}
	c.run(sh, argument)
}

// showHelp handles the command /help: it shows an introduction and all slash commands.
func (sh *Shell) showHelp() {
	sh.addBlock(notice, paragraphs(false, slices.Concat(sh.introduction(), commandHelp(sh.slashCommands()))...))
}

// showWorkspace handles the command /workspace: it shows the workspace's directory and the path of
// the session log.
func (sh *Shell) showWorkspace() {
	path := sh.cfg.Session.Path
	if sh.cfg.Session.Stored != nil { // it may be another session by now
		path = sh.cfg.Session.Stored.Path()
	}
	sh.addBlock(notice, staticBlock(func(s tui.Space) []tui.Line {
		rows := s.Fill(tui.Span{Text: "workspace: " + sh.cfg.Workspace.Dir})
		if path != "" {
			rows = append(rows, s.Fill(tui.Span{Text: "session log: " + path})...)
		}
		return rows
	}))
}

// clearConversation handles the command /clear: it makes the model forget the conversation. The
// transcript on the screen stays.
func (sh *Shell) clearConversation() {
	switch {
	case sh.cfg.Session.Clear == nil:
		sh.addBlock(notice, problem("This conversation cannot be cleared."))
	case sh.refuseWhileBusy("/clear"):
	default:
		if err := sh.cfg.Session.Clear(); err != nil {
			sh.addBlock(notice, problem("The conversation was not cleared: "+err.Error()))
			return
		}
		sh.refreshCounts()
		sh.addBlock(notice, paragraphs(false, "Conversation cleared; the text above stays on screen."))
	}
}

// handleInit handles the command /init: it asks the model to propose or improve AGENTS.md. wishes
// is the text after the command.
func (sh *Shell) handleInit(wishes string) { sh.send(message{text: skill.Instructions(wishes)}) }

// refuseWhileBusy reports whether a turn runs. If one does, it tells the user to stop the turn
// before trying command again.
func (sh *Shell) refuseWhileBusy(command string) bool {
	if sh.busy() {
		sh.addBlock(notice, problem("A turn is running.",
			sh.cfg.Keys.Expand("Press {stop} to stop it, then try "+command+" again.")))
	}
	return sh.busy()
}

// setMode handles the command /mode: it sets the approval mode. Without a name it shows the current
// mode and the names of all modes.
func (sh *Shell) setMode(name string) {
	switch {
	case name == "":
		sh.addBlock(notice, paragraphs(false, "mode: "+sh.modeName()+". "+approval.ModeAbout(sh.modeName())+".",
			approval.ModesHint))
		return
	case sh.cfg.Approval.Policy == nil:
		sh.addBlock(notice, problem("The mode of this session is fixed: "+sh.modeName()+"."))
		return
	case sh.question != nil:
		sh.addBlock(notice, problem("A change waits for your answer.", "Answer it first, then try /mode again."))
		return
	}
	if err := sh.cfg.Approval.Policy.SetMode(name); err != nil {
		sh.addBlock(notice, problem("The mode was not changed: "+err.Error()+".", approval.ModesHint))
		return
	}
	sh.addBlock(notice, paragraphs(false, "mode: "+sh.modeName()+". "+approval.ModeAbout(sh.modeName())+"."))
}

// showContext handles the command /context: it shows what the model's context window contains, and
// how many tokens each part takes.
func (sh *Shell) showContext() {
	if sh.cfg.Session.Context == nil {
		sh.addBlock(notice, problem("This session cannot show what the model knows."))
		return
	}
	sh.addBlock(notice, paragraphs(false, sh.cfg.Session.Context()...))
}

// handleRules handles the command /rules. Without an argument it lists the approval rules (PANE-7).
// Arguments such as "revoke 2" change the rule with that number.
func (sh *Shell) handleRules(arg string) {
	if sh.cfg.Approval.Policy == nil {
		sh.addBlock(notice, paragraphs(false, approval.WithoutRules(sh.modeName())))
		return
	}
	if arg != "" {
		reply, ok := sh.cfg.Approval.Policy.Command(arg)
		if !ok {
			sh.addBlock(notice, problem(reply))
			return
		}
		sh.addBlock(notice, paragraphs(false, strings.Split(reply, "\n")...))
		return
	}
	all, unread := sh.cfg.Approval.Policy.List()
	if unread != nil {
		sh.addBlock(notice, problem(capitalizeFirst(unread.Error())+"."))
	}
	if len(all) == 0 {
		sh.addBlock(notice, paragraphs(false, approval.WithoutRules(sh.modeName())))
		return
	}
	var rows []string
	for i, e := range all {
		rows = append(rows, fmt.Sprintf("%d  %s", i+1, e))
		if reach := sh.cfg.Approval.Policy.Examples(e.Rule); len(reach) > 0 {
			rows = append(rows, "   covers: "+shortLines(reach))
		}
	}
	sh.addBlock(notice,
		paragraphs(false,
			append(rows, approval.RulesHint)...))
}

// introduction returns the lines of /help above the list of commands: how messages, shell commands
// and files are entered.
func (sh *Shell) introduction() []string {
	say := sh.cfg.Keys.Expand
	return []string{
		say("Type a message and press {submit}. You can keep typing while the model works: {submit} hands the " +
			"message over at its next step, {stop} stops the turn."),
		sh.promise(),
		"Start a line with ! to run a command yourself, without a question: !git status. It has no terminal to read " +
			"keys from.",
		"Name a file, a directory or a picture with an @ (@notes.md) to send it along; a picture can also be dropped " +
			"on an empty prompt" + sh.cfg.Keys.Expand(", or pasted from the clipboard: {paste-picture}") + ".",
		"",
	}
}

// promise returns the sentence of the first screen and of /help that says which changes need the
// user's approval in the current mode.
func (sh *Shell) promise() string {
	if mode := sh.modeName(); mode != approval.ModeAsk && mode != "" {
		return approval.ModeAbout(mode) + "."
	}
	if sh.cfg.Approval.Sandbox != nil && sh.cfg.Approval.Sandbox.On() {
		return "Commands run in a sandbox; all other changes need your yes."
	}
	return "Nothing is written without your yes."
}

// welcome returns the block that the shell shows first: its version, the model, the workspace, and
// how to send a message, get help and quit.
func (sh *Shell) welcome() staticBlock {
	promise := sh.promise()
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		parts := []string{"agentshell"}
		if sh.cfg.Version != "" {
			parts[0] += " " + sh.cfg.Version
		}
		if sh.cfg.Models.Name != "" {
			model := "model: " + sh.cfg.Models.Name
			if sh.cfg.Models.Note != "" {
				model += " (" + sh.cfg.Models.Note + ")"
			}
			parts = append(parts, model)
		}
		if sh.cfg.Workspace.Name != "" {
			parts = append(parts, "workspace: "+sh.cfg.Workspace.Name)
		}
		rows := joinParts(s, parts)
		quits := sh.cfg.Keys.Expand("{delete-or-quit}")
		if quits == "" {
			quits = "/quit"
		}
		hello := sh.cfg.Keys.Expand("Type a message and press {submit}. /help lists commands, ") + quits +
			" quits. " + promise
		rows = append(rows, s.Wrap(tui.Span{Text: hello, Style: t.Dim})...)
		for _, n := range sh.cfg.Start.Notes {
			rows = append(rows, s.Wrap(tui.Span{Text: n, Style: t.Dim})...)
		}
		return rows
	}
}

// joinParts returns the texts in as few rows as possible, separated by dots. It breaks a row only
// between two texts, unless one is wider than the row. The first text is bold.
func joinParts(s tui.Space, parts []string) []tui.Line {
	t := s.Look()
	dot := " " + t.Glyphs.Dot + " "
	var (
		rows []tui.Line
		row  []tui.Span
		used int
	)
	for i, p := range parts {
		var style tui.Style
		if i == 0 {
			style = t.Strong
		}
		if len(row) > 0 && used+s.Columns(dot+p) > s.Width {
			rows, row, used = append(rows, s.Wrap(row...)...), nil, 0
		}
		if len(row) > 0 {
			row = append(row, tui.Span{Text: dot})
			used += s.Columns(dot)
		}
		row = append(row, tui.Span{Text: p, Style: style})
		used += s.Columns(p)
	}
	return append(rows, s.Wrap(row...)...)
}
