package headless

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/nearest"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/undo"
)

// helpText holds the lines that /help prints.
var helpText = []string{
	"Each line is a message. At a question, ? shows all answers.",
	"/help        this list",
	"/undo        undo the last file change, /undo N an earlier one; you see the diff first. " +
		"/undo list lists them",
	"/compact     shorten the conversation for the model; the summary keeps what you write behind it",
	"/todo        the todo list; /todo done 2, append TEXT, start, drop, rm, note change it",
	"/memory      list the notes of earlier sessions; /memory open NAME, forget NAME, confirm NAME",
	"/sessions    list the sessions of this workspace that run now, and what they changed",
	"/mode        show the mode; /mode WORD sets it: ask, edits, plan",
	"/add-dir     add a directory to this session, after a question; /add-dir PATH:ro only reads",
	"/sandbox     show what the sandbox for commands holds; /sandbox on and off switch it",
	"/rules       show what runs without asking; /rules revoke N revokes a rule",
	"/stop        stop the running turn, as Ctrl+C does; Ctrl+C twice quits",
	"/quit, /exit quit; also the end of the input",
	"Start with a space to send text that begins with a slash.",
}

// commandNames returns the names of the slash commands, each with its slash, for suggestions after
// a typing error.
func commandNames() (names []string) {
	for _, l := range helpText {
		if strings.HasPrefix(l, "/") {
			names = append(names, strings.TrimSuffix(strings.Fields(l)[0], ","))
		}
	}
	return append(names, "/help", "/exit")
}

// runCommand runs the slash command in line if the command needs no turn of the agent. If the
// command is unknown, runCommand says so. It returns false, and does nothing, for a command that
// has to run like a turn.
func (p *Plain) runCommand(line string) bool {
	word, arg, _ := strings.Cut(line, " ")
	switch word {
	case "/undo", "/compact", "/todo", "/memory", "/add-dir", "/sandbox":
		return false
	case "/help", "/?":
		p.out.writeLine(approval.ModeAbout(p.mode()) + ".")
		for _, l := range helpText {
			p.out.writeLine(l)
		}
		if p.Extension != nil {
			p.out.writeLine("/extensions  show the extensions and their state; /extensions restart NAME, stop NAME")
		}
	case "/mode":
		if mode := strings.TrimSpace(arg); mode != "" {
			if err := p.setMode(mode); err != nil {
				p.out.writeLine("! The mode is not changed: " + err.Error() + ".")
			}
		}
		p.out.writeLine("mode: " + p.mode() + ". " + approval.ModeAbout(p.mode()) + ".")
	case "/stop":
		p.out.writeLine("No turn is running.")
	case "/sessions":
		if p.Running == nil {
			p.out.writeLine("! Other sessions are not known here.")
			break
		}
		for _, l := range p.Running() {
			p.out.writeLine(l)
		}
	case "/rules":
		p.ruleCommand(strings.TrimSpace(arg))
	default:
		meant := ""
		if near := nearest.Name(word, max((len(word)-1)/3, 1), commandNames()...); near != "" {
			meant = " Did you mean " + near + "?"
		}
		p.out.writeLine("! There is no command " + word + " in plain mode." + meant +
			" Nothing was sent to the model. /help lists the commands; start with a space to send text that begins " +
			"with a slash.")
	}
	return true
}

// runExtension runs the command of an extension that line names, and writes its output. found is
// false if line names no such command. send is a message for the model, which is also shown to the
// user; "" if there is none.
func (p *Plain) runExtension(ctx context.Context, line string) (send string, found bool) {
	if p.Extension == nil {
		return "", false
	}
	word, args, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	lines, send, found := p.Extension(ctx, word, strings.TrimSpace(args))
	for _, l := range lines {
		p.out.writeLine(l)
	}
	if send != "" {
		p.out.writeLine("> " + send)
	}
	return send, found
}

// mode returns the approval mode of the session.
func (p *Plain) mode() string {
	if p.Policy == nil {
		return approval.ModeAsk
	}
	return p.Policy.Mode()
}

// setMode changes the approval mode of the session.
func (p *Plain) setMode(mode string) error {
	if p.Policy == nil {
		return errors.New("this session has one mode only")
	}
	return p.Policy.SetMode(mode)
}

// ruleCommand handles /rules: it lists the approval rules or, with an argument, revokes one.
func (p *Plain) ruleCommand(arg string) {
	if p.Policy == nil {
		p.out.writeLine(approval.WithoutRules(p.mode()))
		return
	}
	if arg != "" {
		said, ok := p.Policy.Command(arg)
		if !ok {
			said = "! " + said
		}
		for l := range strings.SplitSeq(said, "\n") {
			p.out.writeLine(l)
		}
		return
	}
	all, unread := p.Policy.List()
	if unread != nil {
		p.out.writeLine("! " + unread.Error())
	}
	if len(all) == 0 {
		p.out.writeLine(approval.WithoutRules(p.mode()))
	}
	for i, e := range all {
		p.out.writeLine(fmt.Sprintf("%d  %s", i+1, e))
	}
}

// memoryCommand handles /memory: it lists the notes of earlier sessions, shows one, or asks the
// user whether to forget or confirm one.
func (p *Plain) memoryCommand(ctx context.Context, a *agent.Agent, arg string, on func(agent.Event)) {
	if p.Memory == nil {
		p.out.writeLine(tool.MemoryOff)
		return
	}
	reply, err := p.Memory(ctx, arg)
	switch {
	case err != nil:
		p.out.writeLine("! " + err.Error())
	case reply.Propose != nil:
		_ = a.Propose(ctx, "memory", reply.Propose, on)
	default:
		for _, l := range reply.AllLines() {
			p.out.writeLine(l)
		}
	}
}

// todoCommand handles /todo: it shows the todo list or, with an argument, changes the list for the
// user and tells the model.
func (p *Plain) todoCommand(ctx context.Context, a *agent.Agent, arg string, on func(agent.Event)) {
	if p.Todo == nil {
		p.out.writeLine("! There is no todo list in this session.")
		return
	}
	if arg != "" {
		ops, err := p.Todo.List().ParseCommand(arg)
		if err != nil {
			p.out.writeLine("! The list was not changed: " + err.Error() + ". " + todo.Usage + ".")
			return
		}
		list, problems := p.Todo.Apply(ops)
		if len(problems) > 0 {
			p.out.writeLine("! The list was not changed: " + strings.Join(problems, "; ") + ".")
			return
		}
		_ = a.Tell(ctx, provider.Todo, list.EditMessage(), on)
	}
	for _, l := range p.Todo.List().Lines() {
		p.out.writeLine(l)
	}
}

// undoCommand handles /undo: it undoes a file change of this session after the user has approved
// that. "/undo list" lists the changes.
func (p *Plain) undoCommand(ctx context.Context, a *agent.Agent, arg string, on func(agent.Event)) {
	n, err := strconv.Atoi(arg)
	switch {
	case p.Changes == nil:
		p.out.writeLine("! This session keeps no changes, so /undo cannot undo them.")
	case arg == "list":
		all := p.Changes()
		if len(all) == 0 {
			cut := ""
			if p.CutOff != nil {
				cut = p.CutOff()
			}
			p.out.writeLine(undo.NothingChanged(cut))
		}
		for _, l := range all {
			p.out.writeLine(fmt.Sprintf("%d  %s", l.N, l))
		}
	case arg != "" && (err != nil || n < 1):
		p.out.writeLine("! There is no change " + arg + ". /undo list shows their numbers.")
	default:
		_ = a.Undo(ctx, n, on)
	}
}

// addDirCommand handles /add-dir: it asks the user whether to add dir to the directories of the
// session, and does so.
func (p *Plain) addDirCommand(ctx context.Context, dir string) {
	if p.AddDir == nil {
		p.out.writeLine("! No directory can be added to this session.")
		return
	}
	deed, err := p.AddDir(ctx, dir)
	var lines []string
	if err == nil {
		lines, err = deed.Carry(ctx, p)
	}
	if err != nil {
		p.out.writeLine("! Not added: " + err.Error() + ".")
	}
	for _, l := range lines {
		p.out.writeLine(l)
	}
}

// sandboxCommand handles /sandbox: it shows what the sandbox for commands allows, or switches the
// sandbox on or off.
func (p *Plain) sandboxCommand(ctx context.Context, arg string) {
	if p.Sandbox == nil {
		p.out.writeLine("! There is no sandbox here.")
		return
	}
	lines, err := p.Sandbox.Command(ctx, arg)
	if err != nil {
		p.out.writeLine("! " + err.Error() + ".")
	}
	for _, l := range lines {
		p.out.writeLine(l)
	}
}
