package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// command runs a slash command, on the loop. Its output goes to the transcript.
func (sh *Shell) command(line string) {
	name, rest, _ := strings.Cut(line, " ")
	c, ok := find(sh.slashes(), name)
	if !ok {
		sh.append(notice, problem(fmt.Sprintf("There is no command %s.", name), "Nothing was sent to the model.",
			"/help lists the commands; start with a space to send text that begins with a slash or an "+
				"exclamation mark."))
		return
	}
	c.do(sh, strings.TrimSpace(rest))
}

// showHelp handles /help.
func (sh *Shell) showHelp() {
	sh.append(notice, words(false, slices.Concat(sh.help(), commandHelp(sh.slashes()))...))
}

// workspace handles /workspace.
func (sh *Shell) workspace() {
	sh.append(notice, still(func(s tui.Space) []tui.Line {
		rows := s.Fill(tui.Span{Text: "workspace: " + sh.cfg.Dir})
		if sh.cfg.Log != "" {
			rows = append(rows, s.Fill(tui.Span{Text: "session log: " + sh.cfg.Log})...)
		}
		return rows
	}))
}

// clear makes the model forget. The transcript stays: it belongs to the person.
func (sh *Shell) clear() {
	switch {
	case sh.cfg.Clear == nil:
		sh.append(notice, problem("This conversation cannot be cleared."))
	case sh.waits("/clear"):
	default:
		if err := sh.cfg.Clear(); err != nil {
			sh.append(notice, problem("The conversation was not cleared: "+err.Error()))
			return
		}
		sh.measure()
		sh.append(notice, words(false, "Conversation cleared; the text above stays on screen."))
	}
}

// waits reports whether a turn runs, and says then that command has to wait.
func (sh *Shell) waits(command string) bool {
	if sh.busy() {
		sh.append(notice, problem("A turn is running.",
			sh.cfg.Keys.Say("Press {stop} to stop it, then try "+command+" again.")))
	}
	return sh.busy()
}

// setMode handles /mode: without a name it says which modes there are.
func (sh *Shell) setMode(name string) {
	switch {
	case name == "":
		sh.append(notice, words(false, "mode: "+sh.mode(), approval.ModesHint))
		return
	case sh.cfg.Policy == nil:
		sh.append(notice, problem("The mode of this session is fixed: "+sh.mode()+"."))
		return
	case sh.open != nil:
		sh.append(notice, problem("A change waits for your answer.", "Answer it first, then try /mode again."))
		return
	}
	if err := sh.cfg.Policy.SetMode(name); err != nil {
		sh.append(notice, problem("The mode was not changed: "+err.Error()+".", approval.ModesHint))
		return
	}
	sh.append(notice, words(false, "mode: "+sh.mode()))
}

// context lists what the model knows.
func (sh *Shell) context() {
	if sh.cfg.Context == nil {
		sh.append(notice, problem("What the model knows is not known here."))
		return
	}
	sh.append(notice, words(false, sh.cfg.Context()...))
}

// rules lists what is allowed, asked and denied without the person (PANE-7), or revokes a rule by
// its number there.
func (sh *Shell) rules(arg string) {
	if sh.cfg.Policy == nil {
		sh.append(notice, words(false, approval.NoRules))
		return
	}
	if arg != "" {
		said, ok := sh.cfg.Policy.Command(arg)
		if !ok {
			sh.append(notice, problem(said))
			return
		}
		sh.append(notice, words(false, strings.Split(said, "\n")...))
		return
	}
	all := sh.cfg.Policy.Rules()
	if len(all) == 0 {
		sh.append(notice, words(false, approval.NoRules))
		return
	}
	var rows []string
	for i, e := range all {
		rows = append(rows, fmt.Sprintf("%d  %s", i+1, e))
		if reach := sh.cfg.Policy.Reach(e.Rule); len(reach) > 0 {
			rows = append(rows, "   covers: "+strings.Join(reach, "; "))
		}
	}
	sh.append(notice,
		words(false,
			append(rows, approval.RulesHint)...))
}

// help returns what stands above the commands.
func (sh *Shell) help() []string {
	say := sh.cfg.Keys.Say
	return []string{
		say("Type a message and press {submit}. You can keep typing while the model works: {submit} queues the " +
			"message, {stop} stops the turn."),
		"Every file change is shown to you first, as a diff; nothing is written without your yes.",
		"Start a line with ! to run a command yourself, at once: !git status",
		"Name a file, a directory or a picture with an @ (@notes.md) to send it along; a picture can also be dropped " +
			"on an empty prompt" + sh.cfg.Keys.Say(", or pasted from the clipboard: {paste-picture}") + ".",
		"",
	}
}

// welcome returns the first screen: what this is, what to type, how to leave, where the files are.
func (sh *Shell) welcome() still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		parts := []string{"scrollkeep"}
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
		if sh.cfg.Workspace != "" {
			parts = append(parts, "workspace: "+sh.cfg.Workspace)
		}
		rows := joined(s, parts)
		quits := sh.cfg.Keys.Say("{delete-or-quit}")
		if quits == "" {
			quits = "/quit"
		}
		hello := sh.cfg.Keys.Say("Type a message and press {submit}. /help lists commands, ") + quits +
			" quits. Nothing is written without your yes."
		rows = append(rows, s.Wrap(tui.Span{Text: hello, Style: t.Dim})...)
		for _, n := range sh.cfg.Start.Notes {
			rows = append(rows, s.Wrap(tui.Span{Text: n, Style: t.Dim})...)
		}
		return rows
	}
}

// joined returns parts in as few rows as they fit into, with dots between those that share one. The
// first part is bold.
func joined(s tui.Space, parts []string) []tui.Line {
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
