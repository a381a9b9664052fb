package shell

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/tool/todo"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Sessions is the log of this conversation and of others in the same workspace (SH-20). The shell
// calls it beside the loop while no turn runs, but ID, Tree and Recent at any time. What returns
// messages has made them the conversation.
type Sessions interface {
	ID() string
	Count() int // of the person's messages in the conversation
	Tree() (nodes []sessionlog.Node, leaf string, err error)
	Transcript() ([]provider.Message, error)    // all that was said, whatever was compacted
	Wording(id string) (string, error)          // all of a message
	Left(id string) ([]provider.Message, error) // what a move to there leaves
	Move(id, summary string) ([]provider.Message, error)
	Label(id, name string) error
	Recent() ([]sessionlog.Summary, error)
	Resume(id string) ([]provider.Message, error)
	Fork() error
}

// sessions returns cfg.Sessions if it can be used now; what is what for.
func (sh *Shell) sessions(what string) Sessions {
	switch {
	case sh.cfg.Sessions == nil:
		sh.append(notice, problem(what+" needs a session log, and this session has none."))
		return nil
	case sh.waits(what):
		return nil
	}
	return sh.cfg.Sessions
}

// beside runs work beside the loop while nothing else may begin, and then, on the loop, what it
// returns; the status row says what it is, if it takes its time. Esc cancels its context. On the
// loop, while no turn runs.
func (sh *Shell) beside(what string, work func(ctx context.Context) (then func())) {
	sh.stopped = false
	sh.status = tui.Status{Text: what, Hint: sh.cfg.Keys.Say("{stop} stops")}
	sh.brief = true
	sh.inbox <- message{work: work}
}

// resume handles /resume: another session goes on here.
func (sh *Shell) resume(id string) {
	log := sh.sessions("/resume")
	if log == nil {
		return
	}
	if id != "" {
		sh.goOn(log, id)
		return
	}
	l := &widget.List{Title: "Sessions of this workspace", Hint: sh.listHint()}
	leave := sh.overlay(sh.keyed(l), tui.Place{Replace: true})
	l.OnLeave = leave
	r := &recent{sh: sh, log: log, none: leave}
	l.Source = r
	l.OnChoose = func(i int) {
		leave()
		sh.goOn(log, r.list[i].ID)
	}
}

// recent is the list of /resume, read beside the loop.
type recent struct {
	sh   *Shell
	log  Sessions
	none func() // there is nothing to choose from
	list []sessionlog.Summary
}

// Len returns their number.
func (r *recent) Len() int { return len(r.list) }

// Item returns the row of one.
func (r *recent) Item(i int) widget.Item {
	s := r.list[i]
	return widget.Item{Text: firstLine(agent.AsTyped(s.First, s.From)),
		Note: ago(time.Since(s.At)) + ", " + count(s.Count, "message") + ", " + s.ID}
}

// Match reads the sessions if that was not done yet, and looks for words.
func (r *recent) Match(typed []string, done func([]int)) {
	find := func() {
		var found []int
		for i := range r.list {
			item := r.Item(i)
			text := strings.ToLower(item.Text + " " + item.Note)
			if !slices.ContainsFunc(typed, func(w string) bool { return !strings.Contains(text, w) }) {
				found = append(found, i)
			}
		}
		done(found)
	}
	if r.list != nil {
		find()
		return
	}
	go func() {
		list, err := r.log.Recent()
		list = slices.DeleteFunc(list, func(s sessionlog.Summary) bool { return s.ID == r.log.ID() })
		r.sh.app.Do(func() {
			r.list = list
			switch {
			case err != nil:
				r.none()
				r.sh.append(notice, problem("Cannot list the sessions: "+err.Error()))
			case len(list) == 0:
				r.none()
				r.sh.append(notice, words(false, "This workspace has no other session yet."))
			}
			find()
		})
	}()
}

// ago returns how long something is past, in the unit that matters.
func ago(d time.Duration) string {
	switch hours := int(d / time.Hour); {
	case d < time.Minute:
		return "now"
	case hours < 1:
		return strconv.Itoa(int(d/time.Minute)) + " min ago"
	case hours < 48:
		return strconv.Itoa(hours) + " h ago"
	default:
		return strconv.Itoa(hours/24) + " days ago"
	}
}

// goOn makes the session id the one that goes on here.
func (sh *Shell) goOn(log Sessions, id string) {
	if sh.busy() {
		sh.sessions("/resume") // says so
		return
	}
	sh.beside("reading the session", func(ctx context.Context) func() {
		messages, err := log.Resume(id)
		if err != nil {
			sh.append(notice, problem("Cannot resume that session: "+err.Error()))
		} else {
			sh.append(notice, words(true,
				fmt.Sprintf("Resumed session %s (%s).", id, count(log.Count(), "message"))))
			sh.print(ctx, messages)
		}
		return sh.measure
	})
}

// fork handles /fork: the conversation goes on in a copy, and the session as it was stays.
func (sh *Shell) fork() {
	log := sh.sessions("/fork")
	if log == nil {
		return
	}
	sh.beside("copying the session", func(context.Context) func() {
		was := log.ID()
		err := log.Fork()
		return func() {
			if err != nil {
				sh.append(notice, problem("The session was not copied: "+err.Error()))
				return
			}
			sh.append(notice, words(true,
				"This conversation continues in a copy, "+log.ID()+". The original is "+was+"."))
		}
	})
}

// label handles /label: a name for the last message, to be found in /tree.
func (sh *Shell) label(name string) {
	log := sh.sessions("/label")
	if log == nil {
		return
	}
	sh.beside("naming", func(context.Context) func() {
		_, leaf, err := log.Tree()
		if err == nil && leaf != "" {
			err = log.Label(leaf, name)
		}
		return func() {
			switch {
			case err != nil:
				sh.append(notice, problem("The label was not set: "+err.Error()))
			case leaf == "":
				sh.append(notice, problem("There is no message to label yet."))
			case name == "":
				sh.append(notice, words(true, "Label removed."))
			default:
				sh.append(notice, words(true, "Labelled the last message "+name+"; /tree shows it."))
			}
		}
	})
}

// print shows a conversation that goes on, all of it, as it looked when it was said. It goes by
// frames, so that keys do not wait; when ctx ends the rest is left out. What the person said is
// to be had with Up again. On the goroutine of turns.
func (sh *Shell) print(ctx context.Context, messages []provider.Message) {
	compacted := ""
	if len(messages) > 0 && len(messages[0].Parts) > 0 {
		if c, ok := messages[0].Parts[0].(provider.Compaction); ok {
			compacted = c.Text
		}
	}
	if sh.cfg.Sessions != nil && compacted != "" { // the person saw more than the model knows
		if all, err := sh.cfg.Sessions.Transcript(); err == nil {
			messages = all
		}
	}
	var history []string
	for _, m := range messages {
		if text, from := m.Said(); m.Role == provider.User && text != "" && from.Person() {
			history = append(history, agent.AsTyped(text, from))
		}
	}
	sh.app.Do(func() {
		known := map[string]bool{}
		for _, text := range sh.editor.History {
			known[text] = true
		}
		for _, text := range history {
			if !known[text] {
				known[text] = true
				sh.editor.History = append(sh.editor.History, text)
			}
		}
	})
	t := &turnView{sh: sh, ctx: ctx, replays: true, calls: make(map[string]*callBlock)}
	for i, m := range messages {
		if ctx.Err() != nil {
			sh.append(notice, words(true,
				count(len(messages)-i, "message")+" of the conversation are not shown: stopped"))
			return
		}
		switch text, from := m.Said(); {
		case text == "":
		case m.Role == provider.Assistant:
			t.stream(text, false)
			t.close()
		case from == provider.Left:
			summary := sessionlog.LeftBehind(text)
			sh.append(notice, words(true, "The conversation went back to here; what the model knows of what was left:"))
			sh.append(tooling, still(func(s tui.Space) []tui.Line { return detail(summary, s) }))
			t.pace(len(summary))
		case from == provider.Report:
			sh.append(notice, words(true, "The model went back to its checkpoint; this is what it knows of what came "+
				"behind it:"))
			sh.app.Do(func() { sh.copies.title, sh.copies.output = "report", text })
			sh.append(tooling, still(func(s tui.Space) []tui.Line { return detail(text, s) }))
			t.pace(len(text))
		case from == provider.Job:
			sh.append(notice, still(func(s tui.Space) []tui.Line { return detail(text, s) }))
			t.pace(min(len(text), frameBytes))
		case from == provider.Rule:
			sh.append(notice, words(true, "The model was told the rule "+strings.Join(rulesOf(m), ", ")+"."))
		case from.Person():
			sh.append(person, said(agent.AsTyped(text, from)))
			switch from {
			case provider.Command:
				_, output := agent.Own(text)
				sh.append(tooling, still(func(s tui.Space) []tui.Line { return detail(output, s) }))
				t.pace(min(len(output), frameBytes))
			case provider.Undone, provider.Restored:
				sh.append(tooling, still(func(s tui.Space) []tui.Line { return detail(text, s) }))
			case provider.Todo:
				sh.append(tooling, words(false, todo.Parse(todo.FromPerson(text)).Lines()...))
			}
			t.pace(min(len(text), echoed))
		}
		for _, p := range m.Parts {
			if c, ok := p.(provider.ToolCall); ok {
				end := agent.PastCall(c, messages[i+1:])
				t.end(end)
				t.pace(min(len(end.Text), frameBytes))
			}
		}
	}
	if compacted != "" {
		sh.app.Do(func() { sh.copies.title, sh.copies.output = "compacted", compacted })
		sh.append(notice, words(true, "compacted: /output shows what the model is told of what was said before"))
	}
	t.pace(frameBytes)
}

// rulesOf returns the names of the rules that m tells.
func rulesOf(m provider.Message) (names []string) {
	for _, p := range m.Parts {
		if t, ok := p.(provider.Text); ok && t.Origin == provider.Rule {
			names = append(names, t.Rule)
		}
	}
	return names
}

// firstLine returns the first line of s that has text.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
