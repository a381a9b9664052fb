package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/tui"
)

// command runs a slash command, on the loop. Its output goes to the transcript.
func (sh *Shell) command(line string) {
	name, rest, _ := strings.Cut(line, " ")
	switch name {
	case "/rules":
		sh.rules(strings.TrimSpace(rest))
	case "/help", "/?":
		sh.append(notice, words(false, slices.Concat(help, commandHelp(sh.slashes()))...))
	case "/keys":
		sh.append(notice, words(false, keys...))
	case "/tree":
		sh.tree()
	case "/rewind":
		sh.rewind()
	case "/label":
		sh.label(strings.TrimSpace(rest))
	case "/resume":
		sh.resume(strings.TrimSpace(rest))
	case "/fork":
		sh.fork()
	case "/todo":
		sh.list(strings.TrimSpace(rest))
	case "/undo":
		sh.undo(strings.TrimSpace(rest))
	case "/output":
		sh.output()
	case "/diff":
		sh.diff()
	case "/copy":
		sh.copy(strings.TrimSpace(rest))
	case "/clear":
		sh.clear()
	case "/compact":
		sh.compact(strings.TrimSpace(rest))
	case "/model":
		if rest = strings.TrimSpace(rest); rest != "" {
			sh.setModel(rest)
			return
		}
		lines := []string{"model: " + strings.Join(fields([]string{sh.cfg.Model, sh.cfg.ModelNote}), ", ")}
		if sh.cfg.ModelHelp != nil {
			lines = append(lines, strings.Split(strings.TrimRight(sh.cfg.ModelHelp(sh.cfg.Model), "\n"), "\n")...)
		}
		sh.append(notice, words(false, lines...))
	case "/context":
		sh.context()
	case "/workspace":
		sh.append(notice, still(func(s tui.Space) []tui.Line {
			rows := s.Fill(tui.Span{Text: "workspace: " + sh.cfg.Dir})
			if sh.cfg.Log != "" {
				rows = append(rows, s.Fill(tui.Span{Text: "session log: " + sh.cfg.Log})...)
			}
			return rows
		}))
	case "/mode":
		sh.setMode(strings.TrimSpace(rest))
	case "/quit", "/exit":
		sh.app.Quit(nil)
	default:
		if sh.prompt(name, strings.TrimSpace(rest)) {
			return
		}
		sh.append(notice, problem(fmt.Sprintf("There is no command %s.", name), "Nothing was sent to the model.",
			"/help lists the commands; begin with a blank to send text that starts with a slash or an "+
				"exclamation mark."))
	}
}

// clear makes the model forget. The transcript stays: it belongs to the person.
func (sh *Shell) clear() {
	switch {
	case sh.cfg.Clear == nil:
		sh.append(notice, problem("This conversation cannot be cleared."))
	case sh.busy():
		sh.append(notice, problem("A turn is running.", "Esc stops it; then /clear works."))
	default:
		if err := sh.cfg.Clear(); err != nil {
			sh.append(notice, problem("The conversation was not cleared: "+err.Error()))
			return
		}
		sh.measure()
		sh.append(notice, words(false, "The model has forgotten the conversation. What stands above stays."))
	}
}

// setModel changes who answers.
func (sh *Shell) setModel(name string) {
	switch {
	case sh.cfg.SetModel == nil:
		sh.append(notice, problem("There is only one model here: "+sh.cfg.Model+".",
			"/model tells how to get another one."))
	case sh.busy():
		sh.append(notice, problem("A turn is running.", "Esc stops it; then the model can be changed."))
	default:
		if err := sh.cfg.SetModel(name); err != nil {
			sh.append(notice, problem("The model was not changed: "+err.Error()))
			return
		}
		sh.cfg.Model = name
		sh.measure()
		sh.append(notice, words(false, "model: "+name))
	}
}

// setMode changes what is asked; without a name it is told.
func (sh *Shell) setMode(name string) {
	switch {
	case name == "":
	case sh.cfg.Policy == nil:
		sh.append(notice, problem("The mode of this session is fixed."))
		return
	default:
		if err := sh.cfg.Policy.SetMode(name); err != nil {
			sh.append(notice, problem("The mode was not changed: "+err.Error()))
			return
		}
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
		sh.append(notice, words(false, "There are no rules in this session: every change is asked."))
		return
	}
	all := sh.cfg.Policy.Rules()
	if number, ok := strings.CutPrefix(arg, "revoke "); ok {
		i, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || i < 1 || i > len(all) {
			sh.append(notice, problem("There is no rule "+number+".", "/rules lists them with their numbers."))
			return
		}
		text := all[i-1].Rule.String()
		if !sh.cfg.Policy.Revoke(text) {
			sh.append(notice, problem("The rule "+text+" cannot be revoked.",
				"It was not given in this session: it comes from the "+all[i-1].Origin+"."))
			return
		}
		sh.append(notice, words(false, "Revoked: "+text))
		return
	}
	if len(all) == 0 {
		sh.append(notice, words(false, "There are no rules: every change is asked."))
		return
	}
	var rows []string
	for i, e := range all {
		verb := map[approval.Action]string{approval.Allow: "allow", approval.Ask: "ask",
			approval.Deny: "deny"}[e.Rule.Action]
		rows = append(rows, fmt.Sprintf("%d  %s %s  (%s)", i+1, verb, e.Rule, e.Origin))
	}
	sh.append(notice,
		words(false,
			append(rows, "/rules revoke N takes one of this session back. Deny beats ask, ask beats allow.")...))
}

var help = []string{
	"Type a message and press Enter. While a turn runs you can go on typing: Enter queues the message, Esc stops " +
		"the turn.",
	"Each file change is shown to you first, as a diff with its own keys; nothing is written without your yes.",
	"With ! at the beginning it is a command of your own, which runs at once: !git status",
	"With an @ you name a file that is sent along (@notes.md), a directory, or a picture; a picture can also be " +
		"dropped on an empty prompt.",
	"",
}

var keys = []string{
	"In the prompt",
	"Enter              send; while a turn runs: queue, to go in before its next step",
	"Up                 take the last queued message back, in an empty prompt",
	"Ctrl+J Shift+Enter a new line",
	"Esc                stop the turn; queued messages come back",
	"Ctrl+C             stop the turn, or clear the prompt; twice: quit",
	"Ctrl+D             quit, in an empty prompt",
	"Ctrl+Z             suspend",
	"Tab                take what is offered for /, @ and, in a command of your own, for a path",
	"Ctrl+R             look for text in what you have sent",
	"Ctrl+O             show the text of a paste that is a chip",
	"Ctrl+G             edit the prompt in your editor (VISUAL, EDITOR)",
	"Ctrl+_             undo; the other keys are those of a shell's line",
	"",
	"In the pane that shows a change",
	"y                  approve this once; a flagged change takes Y",
	"n                  deny",
	"r                  deny, with a reason for the model",
	"a                  rules that allow this from now on",
	"m                  approve a plan, and file changes run from then on; y: each is asked",
	"e s                edit the proposal, choose hunks; what comes of it is shown again",
	"} { A              of several changes: next, previous; one answer for all that you have seen",
	"v                  next view: diff, new version, old version",
	"f                  full screen, and back",
	"w                  wrap long rows, or cut them",
	"j k g G            row, row, top, end; also the arrows, Home, End",
	"Space b            page; Ctrl+D Ctrl+U half a page",
	"] [                next and previous hunk",
	"/ > <              search, next and previous match",
	"Esc                close field, search or full; then: deny and stop the turn. Ctrl+C: at once",
}

// welcome is the first screen: what this is, what to type, how to leave, where the files are.
func (sh *Shell) welcome() still {
	return func(s tui.Space) []tui.Line {
		t := s.Look()
		parts := []string{"scrollkeep"}
		if sh.cfg.Version != "" {
			parts[0] += " " + sh.cfg.Version
		}
		if sh.cfg.Model != "" {
			model := "model: " + sh.cfg.Model
			if sh.cfg.ModelNote != "" {
				model += " (" + sh.cfg.ModelNote + ")"
			}
			parts = append(parts, model)
		}
		if sh.cfg.Workspace != "" {
			parts = append(parts, "workspace: "+sh.cfg.Workspace)
		}
		rows := joined(s, parts)
		hello := "Type a message and press Enter. /help lists commands, Ctrl+D quits. Nothing is written " +
			"without your yes."
		rows = append(rows, s.Wrap(tui.Span{Text: hello, Style: t.Dim})...)
		for _, n := range sh.cfg.Notes {
			rows = append(rows, s.Wrap(tui.Span{Text: n, Style: t.Dim})...)
		}
		return rows
	}
}

// joined is parts in as few rows as they fit into, with dots between those that share one. The
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
