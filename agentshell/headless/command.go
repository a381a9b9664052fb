package headless

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/todo"
)

// help is /help.
var help = []string{
	"Each line is a message. Each file change is shown to you first; nothing is written without your yes. At a " +
		"question ? tells all answers.",
	"/help        this",
	"/undo        take the last file change of this session back, /undo N an earlier one; you see the diff first. " +
		"/undo list lists them",
	"/compact     make the conversation smaller for the model; its summary keeps what you write behind it",
	"/todo        the todo list; /todo done 2, append TEXT, start, drop, rm, note change it",
	"/mode        what is asked",
	"/rules       what is allowed without asking; /rules revoke N takes one of this session back",
	"/quit        quit; also the end of the input",
	"A blank at the beginning sends text that starts with a slash.",
}

// command runs the commands that need no turn, and says that others do not exist. It reports
// whether the line was one of these.
func (p *Plain) command(line string) bool {
	word, arg, _ := strings.Cut(line, " ")
	switch word {
	case "/undo", "/compact", "/todo":
		return false
	case "/help", "/?":
		for _, l := range help {
			p.out.line(l)
		}
	case "/mode":
		mode := approval.ModeAsk
		if p.Policy != nil {
			mode = p.Policy.Mode()
		}
		p.out.line("mode: " + mode)
	case "/rules":
		p.rules(strings.TrimSpace(arg))
	default:
		p.out.line("! There is no command " + word +
			" in plain mode. Nothing was sent to the model. /help lists the commands; begin with a blank to send " +
			"text that starts with a slash.")
	}
	return true
}

// rules is /rules.
func (p *Plain) rules(arg string) {
	if p.Policy == nil {
		p.out.line("There are no rules in this session: every change is asked.")
		return
	}
	all := p.Policy.Rules()
	if number, ok := strings.CutPrefix(arg, "revoke "); ok {
		i, err := strconv.Atoi(strings.TrimSpace(number))
		switch {
		case err != nil || i < 1 || i > len(all):
			p.out.line("! There is no rule " + number + ".")
		case !p.Policy.Revoke(all[i-1].Rule.String()):
			p.out.line(fmt.Sprintf("! The rule %s cannot be revoked: it comes from the %s.", all[i-1].Rule,
				all[i-1].Origin))
		default:
			p.out.line("Revoked: " + all[i-1].Rule.String())
		}
		return
	}
	if len(all) == 0 {
		p.out.line("There are no rules: every change is asked.")
	}
	for i, e := range all {
		p.out.line(fmt.Sprintf("%d  %s %s  (%s)", i+1, e.Rule.Action, e.Rule, e.Origin))
	}
}

// todo is /todo: the list, or a change of it by the person, which the model is told.
func (p *Plain) todo(ctx context.Context, a *agent.Agent, arg string, on func(agent.Event)) {
	if p.Todo == nil {
		p.out.line("! There is no todo list in this session.")
		return
	}
	if arg != "" {
		ops, err := p.Todo.List().Typed(arg)
		if err != nil {
			p.out.line("! The list was not changed: " + err.Error() + ". " + todo.Usage + ".")
			return
		}
		list, wrong := p.Todo.Apply(ops)
		if len(wrong) > 0 {
			p.out.line("! The list was not changed: " + strings.Join(wrong, "; ") + ".")
			return
		}
		_ = a.Tell(ctx, list.Edited(), on)
	}
	for _, l := range p.Todo.List().Lines() {
		p.out.line(l)
	}
}

// undo is /undo: a change of this session is taken back, once the person has approved what that
// does; or the list of changes.
func (p *Plain) undo(ctx context.Context, a *agent.Agent, arg string, on func(agent.Event)) {
	n, err := strconv.Atoi(arg)
	switch {
	case p.Changes == nil:
		p.out.line("! No changes are kept in this session, so there is no /undo.")
	case arg == "list":
		all := p.Changes()
		if len(all) == 0 {
			p.out.line("No file was changed in this session yet. What commands change is not listed.")
		}
		for _, l := range all {
			p.out.line(fmt.Sprintf("%d  %s", l.N, l))
		}
	case arg != "" && (err != nil || n < 1):
		p.out.line("! There is no change " + arg + ". /undo list lists them with their numbers.")
	default:
		_ = a.Undo(ctx, n, on)
	}
}
