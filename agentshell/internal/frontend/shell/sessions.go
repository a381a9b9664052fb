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
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider/picture"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Sessions gives access to the log of this conversation, and to the logs of others in the same
// workspace (SH-20). The shell calls ID, Tree and Recent at any time, and all other methods while
// no turn runs, on a goroutine of their own.
//
// Move and Resume change the conversation, and return its messages.
type Sessions interface {
	// ID returns the id of the session.
	ID() string
	CountMessages() int // CountMessages returns the number of the user's messages in the conversation.
	// Tree returns all entries of the session, and the id of the last entry of the conversation.
	Tree() (nodes []sessionlog.Node, leaf string, err error)
	// Transcript returns all messages, those before a compaction included.
	Transcript() ([]provider.Message, error)
	MessageText(id string) (string, error) // MessageText returns the full text of a message.
	// LeftBehind returns the messages that the conversation would lose by Move to the same id.
	LeftBehind(id string) ([]provider.Message, error)
	// Move makes the conversation continue after the entry id. summary, if it is not "", tells the
	// model of the messages that it left.
	Move(id, summary string) ([]provider.Message, error)
	// Label gives the entry id a label; "" removes it.
	Label(id, name string) error
	Path() string // Path returns the path of the session's log.
	Name() string // Name returns the name that the user gave the session, or "".
	// Rename gives the session a name; "" removes it.
	Rename(name string) error
	// Recent returns the sessions of the workspace.
	Recent() ([]sessionlog.Summary, error)
	// Resume continues the session id in place of this one, and returns its messages.
	Resume(id string) ([]provider.Message, error)
	// Spent returns the cost of the whole session, including the time before it was resumed.
	Spent() sessionlog.Spent
	// Fork continues in a copy of the session.
	Fork() error
	// Branch starts a new session with a copy of the conversation up to the entry id, and continues
	// in it.
	Branch(id string) error
}

// requireSessions returns the stored sessions if the slash command can use them now. Otherwise it
// tells the user why not, and returns nil.
func (sh *Shell) requireSessions(command string) Sessions {
	switch {
	case sh.cfg.Session.Stored == nil:
		sh.addBlock(notice, problem(command+" needs a session log, and this session has none."))
		return nil
	case sh.refuseWhileBusy(command):
		return nil
	}
	return sh.cfg.Session.Stored
}

// runBeside calls work on the goroutine that runs turns, and then calls the function that work
// returns on the event loop. No turn can start meanwhile. If work takes long, the status row shows
// the text status. Esc cancels work's context. runBeside is called on the event loop while no turn
// runs.
func (sh *Shell) runBeside(status string, work func(ctx context.Context) (finish func())) {
	sh.stopped = false
	sh.status = tui.Status{Text: status, Hint: sh.cfg.Keys.Expand("{stop} stops")}
	sh.hidesStatus = true
	sh.turnStart <- message{work: work}
}

// handleResume runs /resume: it replaces the conversation by that of another session. Without an id
// the user chooses the session from a list.
func (sh *Shell) handleResume(id string) {
	log := sh.requireSessions("/resume")
	if log == nil {
		return
	}
	if id != "" {
		sh.continueSession(log, id)
		return
	}
	l := &widget.List{Title: "Sessions of this workspace", Hint: sh.listHint()}
	leave := sh.overlay(sh.withKeys(l), tui.Place{Replace: true})
	l.OnLeave = leave
	sessions := &sessionList{sh: sh, log: log, close: leave}
	l.Source = sessions
	l.OnChoose = func(i int) {
		leave()
		sh.continueSession(log, sessions.summaries[i].ID)
	}
}

// sessionList holds the entries of the list that /resume opens. The log is read outside of the
// event loop.
type sessionList struct {
	sh        *Shell
	log       Sessions
	close     func() // Closes the list if there are no sessions.
	summaries []sessionlog.Summary
}

// Len returns the number of sessions.
func (r *sessionList) Len() int { return len(r.summaries) }

// Item returns the row of session i.
func (r *sessionList) Item(i int) widget.Item {
	s := r.summaries[i]
	return widget.Item{Text: firstLine(s.Title(agent.AsTyped)),
		Note: agoText(time.Since(s.At)) + ", " + countOf(s.Count, "message") + ", " + s.ID}
}

// Match calls done with the indexes of the sessions whose rows contain all typed words. The first
// call reads the sessions.
func (r *sessionList) Match(typed []string, done func([]int)) {
	find := func() {
		var found []int
		for i := range r.summaries {
			item := r.Item(i)
			text := strings.ToLower(item.Text + " " + item.Note)
			if !slices.ContainsFunc(typed, func(w string) bool { return !strings.Contains(text, w) }) {
				found = append(found, i)
			}
		}
		done(found)
	}
	if r.summaries != nil {
		find()
		return
	}
	go func() {
		list, err := r.log.Recent()
		list = slices.DeleteFunc(list, func(s sessionlog.Summary) bool { return s.ID == r.log.ID() })
		r.sh.app.Do(func() {
			r.summaries = list
			switch {
			case err != nil:
				r.close()
				r.sh.addBlock(notice, problem("Cannot list the sessions: "+err.Error()))
			case len(list) == 0:
				r.close()
				r.sh.addBlock(notice, paragraphs(false, "This workspace has no other session yet."))
			}
			find()
		})
	}()
}

// agoText returns how long ago something happened, such as "5 min ago", given the time since then.
func agoText(d time.Duration) string {
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

// continueSession replaces the conversation by that of the session id, and shows it.
func (sh *Shell) continueSession(log Sessions, id string) {
	if sh.busy() {
		sh.requireSessions("/resume") // says so
		return
	}
	sh.runBeside("reading the session", func(ctx context.Context) func() {
		messages, err := log.Resume(id)
		if err != nil {
			sh.addBlock(notice, problem("Cannot resume that session: "+err.Error()))
		} else {
			sh.addBlock(notice, paragraphs(true,
				fmt.Sprintf("Resumed session %s (%s).", id, countOf(log.CountMessages(), "message"))))
			sh.printConversation(ctx, messages)
			if sh.cfg.Session.AfterResume != nil {
				if lines := sh.cfg.Session.AfterResume(); len(lines) > 0 {
					sh.addBlock(notice, paragraphs(false, lines...))
				}
			}
		}
		return sh.followChoices
	})
}

// followChoices updates the screen to the model, effort and thinking of the session or branch to
// which the conversation has moved. It is called on the event loop.
func (sh *Shell) followChoices() {
	if sh.cfg.Models.Now != nil {
		name, effort, thinking := sh.cfg.Models.Now()
		sh.cfg.Models.Name, sh.cfg.Models.Effort = name, effort
		sh.thinkingFlipped.Store(thinking != sh.cfg.Appearance.Thinking)
	}
	sh.refreshCounts()
}

// handleFork runs /fork: the conversation continues in a copy of the session, and the original
// stays unchanged.
func (sh *Shell) handleFork() {
	log := sh.requireSessions("/fork")
	if log == nil {
		return
	}
	sh.runBeside("copying the session", func(context.Context) func() {
		original := log.ID()
		err := log.Fork()
		return func() {
			if err != nil {
				sh.addBlock(notice, problem("The session was not copied: "+err.Error()))
				return
			}
			sh.addBlock(notice, paragraphs(true,
				"This conversation continues in a copy, "+log.ID()+". The original is "+original+"."))
		}
	})
}

// handleLabel runs /label: it gives the last message a label, which /tree shows. An empty name
// removes the label.
func (sh *Shell) handleLabel(name string) {
	log := sh.requireSessions("/label")
	if log == nil {
		return
	}
	sh.runBeside("naming", func(context.Context) func() {
		nodes, leaf, err := log.Tree()
		unnamed := name == "" && !slices.ContainsFunc(nodes, func(n sessionlog.Node) bool {
			return n.ID == leaf && n.Label != ""
		})
		if err == nil && leaf != "" && !unnamed {
			err = log.Label(leaf, name)
		}
		return func() {
			switch {
			case err != nil:
				sh.addBlock(notice, problem("The label was not set: "+err.Error()))
			case leaf == "":
				sh.addBlock(notice, problem("There is no message to label yet."))
			case unnamed:
				sh.addBlock(notice, problem("The last message has no label.",
					"/label NAME gives it one, which /tree shows."))
			case name == "":
				sh.addBlock(notice, paragraphs(true, "Label removed."))
			default:
				sh.addBlock(notice, paragraphs(true, "Labelled the last message "+name+"; /tree shows it."))
			}
		}
	})
}

// handleRename runs /rename: it gives the session a name, which /resume shows. An empty name
// removes the name.
func (sh *Shell) handleRename(name string) {
	log := sh.cfg.Session.Stored
	if log == nil {
		sh.addBlock(notice, problem("/rename needs a session log, and this session has none."))
		return
	}
	if name = strings.TrimSpace(name); name == "" && log.Name() == "" {
		sh.addBlock(notice, problem("This session has no name.", "/rename NAME gives it one, which /resume shows."))
		return
	}
	go func() {
		switch err := log.Rename(name); {
		case err != nil:
			sh.addBlock(notice, problem("The session was not renamed: "+err.Error()))
		case name == "":
			sh.addBlock(notice, paragraphs(true, "Name removed."))
		default:
			sh.addBlock(notice, paragraphs(true, "This session is called "+log.Name()+"; /resume shows it."))
		}
	}()
}

// printConversation adds all messages of a resumed conversation to the transcript, as they looked
// when they were new. It writes one frame at a time, so that keys are handled meanwhile. When ctx
// ends it omits the remaining messages. It also adds the user's messages to the history of the
// prompt. It is called on the goroutine of runTurns.
func (sh *Shell) printConversation(ctx context.Context, messages []provider.Message) {
	summary := ""
	if len(messages) > 0 && len(messages[0].Parts) > 0 {
		if c, ok := messages[0].Parts[0].(provider.Compaction); ok {
			summary = c.Text
		}
	}
	if sh.cfg.Session.Stored != nil && summary != "" { // the user saw more than the model knows
		if all, err := sh.cfg.Session.Stored.Transcript(); err == nil {
			messages = all
		}
	}
	var history []string
	for _, m := range messages {
		if text, from := m.MainText(); m.Role == provider.User && text != "" && from.IsFromPerson() {
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
	view := &turnView{sh: sh, ctx: ctx, replays: true, calls: make(map[string]*callBlock)}
	for i, m := range messages {
		if ctx.Err() != nil {
			sh.addBlock(notice, paragraphs(true,
				countOf(len(messages)-i, "message")+" of the conversation are not shown: stopped"))
			return
		}
		switch text, from := m.MainText(); {
		case text == "":
		case m.Role == provider.Assistant:
			view.streamText(text, false)
			view.closeText()
		default:
			if from == provider.Report {
				sh.app.Do(func() { sh.copies.title, sh.copies.output = "report", text })
			}
			for _, b := range messageBlocks(m, excerptRows) {
				sh.addBlock(b.kind, b.rows)
				view.pace(min(b.size, frameBytes))
			}
		}
		for _, p := range m.Parts {
			if p, ok := p.(provider.Image); ok {
				sh.showPictures([]picture.Picture{p.Picture})
				view.pace(frameBytes)
			}
			if c, ok := p.(provider.ToolCall); ok {
				end := agent.StoredCallEnd(c, messages[i+1:])
				if sh.cfg.Files.ChangesBy != nil && (end.OK || end.Kind == agent.KindDenied) {
					end.Result.Edits = sh.cfg.Files.ChangesBy(ctx, c.ID)
				}
				view.endCall(end)
				view.pace(min(len(end.Text), frameBytes))
			}
		}
	}
	if summary != "" {
		sh.app.Do(func() { sh.copies.title, sh.copies.output = "compacted", summary })
		sh.addBlock(notice, paragraphs(true, "compacted: /output shows what the model is told of what was said before"))
	}
	view.pace(frameBytes)
}

// rulesOf returns the names of the rules that message m quotes to the model.
func rulesOf(m provider.Message) (names []string) {
	for _, p := range m.Parts {
		if t, ok := p.(provider.Text); ok && t.Origin == provider.Rule {
			names = append(names, t.Rule)
		}
	}
	return names
}

// firstLine returns the first line of s that is not blank, trimmed.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
