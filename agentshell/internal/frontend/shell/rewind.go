package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/provider"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// Rewinder is implemented by an [Agent] that can restore files to their content before change
// number n (SH-42). It shows all changes together and asks before it writes. With tell the model is
// told.
type Rewinder interface {
	Rewind(ctx context.Context, n int, tell bool, on func(agent.Event)) (agent.RewindResult, error)
}

// rewindList holds the entries of the list that /rewind opens: the user's messages in this
// conversation. Its fields belong to the event loop; the log is read on another goroutine.
type rewindList struct {
	sh     *Shell
	log    Sessions
	widget *widget.List
	close  func()
	// The log was read, and nodes and leaf are set.
	loaded bool
	nodes  []sessionlog.Node // The user's messages, the oldest first.
	// The id of the last entry of the conversation.
	leaf string
}

// openRewind runs /rewind: it opens a list in which the user chooses the message to return to.
func (sh *Shell) openRewind() {
	log := sh.requireSessions("/rewind")
	if log == nil {
		return
	}
	r := &rewindList{sh: sh, log: log}
	r.widget = &widget.List{Title: "Rewind to before which of your messages?", Source: r,
		Hint: sh.cfg.Keys.ExpandAll(" · ", "{list-choose} goes there", "type to search", "{list-close} closes")}
	r.widget.OnChoose = r.choose
	r.close = sh.overlay(sh.withKeys(r.widget), tui.Place{Replace: true})
	r.widget.OnLeave = r.close
}

// Len returns the number of messages.
func (r *rewindList) Len() int { return len(r.nodes) }

// Item returns the row of message i.
func (r *rewindList) Item(i int) widget.Item {
	n := r.nodes[i]
	note := agoText(time.Since(n.Time))
	if files := r.changedFiles(n); len(files) > 0 {
		note += ", " + countOf(len(files), "file") + " changed since"
	}
	return widget.Item{Text: firstLine(agent.AsTyped(n.Text, n.Origin)), Note: note}
}

// changedFiles returns the files that were changed after n and now differ from their content at
// that time.
func (r *rewindList) changedFiles(n sessionlog.Node) []string {
	if r.sh.cfg.Files.ChangedSince == nil {
		return nil
	}
	return r.sh.cfg.Files.ChangedSince(n.Change)
}

// Match calls done with the indexes of the messages that contain all typed words. The first call
// reads the session.
func (r *rewindList) Match(typed []string, done func([]int)) {
	read, nodes, leaf := r.loaded, r.nodes, r.leaf
	go func() {
		var err error
		if !read {
			if nodes, leaf, err = r.log.Tree(); err == nil {
				nodes = slices.DeleteFunc(nodes, func(n sessionlog.Node) bool { return !n.Active || !n.IsPersons() })
			}
		}
		var found []int
		for i, n := range nodes {
			text := strings.ToLower(agent.AsTyped(n.Text, n.Origin))
			if !slices.ContainsFunc(typed, func(w string) bool { return !strings.Contains(text, w) }) {
				found = append(found, i)
			}
		}
		r.sh.app.Do(func() {
			if !r.loaded {
				r.loaded, r.nodes, r.leaf = true, nodes, leaf
				r.widget.At = max(len(nodes)-1, 0)
			}
			switch {
			case err != nil:
				r.close()
				r.sh.addBlock(notice, problem("Cannot read the session: "+err.Error()))
			case len(nodes) == 0:
				r.close()
				r.sh.addBlock(notice, paragraphs(false, "This session has no messages yet."))
			}
			done(found)
		})
	}()
}

// choose asks whether the conversation, the files or both return to their state before message i.
// If no file has changed since, it moves the conversation without asking.
func (r *rewindList) choose(i int) {
	r.close()
	n := r.nodes[i]
	files := r.changedFiles(n)
	if len(files) == 0 {
		r.rewindTo(n, true, false)
		return
	}
	named := countOf(len(files), "file")
	if len(files) <= 3 {
		named = strings.Join(files, ", ")
	}
	l := &widget.List{Title: "Before: " + firstLine(agent.AsTyped(n.Text, n.Origin)), Hint: r.sh.listHint()}
	l.Items = []widget.Item{
		{Text: "the conversation and the files", Note: "you see each diff first: " + named},
		{Text: "the conversation", Note: "files are unchanged"},
		{Text: "the files", Note: "the conversation stays; you see each diff first: " + named},
	}
	leave := r.sh.overlay(r.sh.withKeys(l), tui.Place{Replace: true})
	l.OnLeave = leave
	l.OnChoose = func(k int) {
		leave()
		r.rewindTo(n, k != 2, k != 1)
	}
}

// rewindTo returns the conversation, the files or both to their state before message n. Files come
// first: the conversation moves only after the user has approved the diffs of the files.
func (r *rewindList) rewindTo(n sessionlog.Node, conversation, files bool) {
	sh := r.sh
	if sh.busy() {
		sh.requireSessions("/rewind") // says so
		return
	}
	sh.startTurn(message{text: "/rewind to before: " + firstLine(agent.AsTyped(n.Text, n.Origin)),
		action: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			var result agent.RewindResult
			if files {
				rewinder, ok := ag.(Rewinder)
				if !ok {
					return errCannot
				}
				var err error
				if result, err = rewinder.Rewind(ctx, n.Change, !conversation, on); err != nil {
					return err
				}
			}
			switch {
			case result.Stopped && conversation:
				sh.addBlock(notice, paragraphs(true, "The conversation stays where it was."))
			case conversation:
				r.moveConversation(ctx, ag, n, files, result, on)
			}
			return nil
		}})
}

// moveConversation makes the conversation continue before n, and tells the model which changed
// files were not restored.
func (r *rewindList) moveConversation(ctx context.Context, ag Agent, n sessionlog.Node, files bool,
	result agent.RewindResult,
	on func(agent.Event)) {
	t := &treeList{sh: r.sh, log: r.log, leaf: r.leaf}
	text, _, err := t.moveTo(ctx, n, n.Parent, false, "")
	filesText := "files are unchanged"
	if files {
		filesText = "files are restored"
	}
	if len(result.NotRestored) > 0 {
		keptNames := strings.Join(result.NotRestored, ", ")
		filesText = fmt.Sprintf("files are restored, except %s", keptNames)
		if teller, ok := ag.(Teller); ok && err == nil {
			err = teller.Tell(ctx, provider.Restored,
				"I went back to this point. These files were changed after it and "+
					"stay as they are now: "+keptNames, on)
		}
	}
	r.sh.app.Do(func() {
		if err != nil {
			r.sh.addBlock(notice, problem("The conversation stays where it was: "+err.Error()))
			return
		}
		t.reportMove(n, text, "", filesText)
	})
}
