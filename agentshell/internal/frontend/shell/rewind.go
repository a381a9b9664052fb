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

// Rewinder is an [Agent] that gives files back what they were before a change (SH-42). It shows and
// asks first, all of them together.
type Rewinder interface {
	Rewind(ctx context.Context, n int, tell bool, on func(agent.Event)) (agent.Rewound, error)
}

// rewind is the list of /rewind: the person's messages in this conversation. It is read beside the
// loop and belongs to it.
type rewind struct {
	sh    *Shell
	log   Sessions
	list  *widget.List
	leave func()
	read  bool
	nodes []sessionlog.Node // what the person said, the oldest first
	leaf  string
}

// rewind handles /rewind: back to before a message, with the conversation, the files, or both.
func (sh *Shell) rewind() {
	log := sh.sessions("/rewind")
	if log == nil {
		return
	}
	r := &rewind{sh: sh, log: log}
	r.list = &widget.List{Title: "Rewind to before which of your messages?", Source: r,
		Hint: sh.cfg.Keys.Join(" · ", "{list-choose} goes there", "type to search", "{list-close} closes")}
	r.list.OnChoose = r.choose
	r.leave = sh.overlay(sh.keyed(r.list), tui.Place{Replace: true})
	r.list.OnLeave = r.leave
}

// Len returns the number of messages.
func (r *rewind) Len() int { return len(r.nodes) }

// Item returns the row of one.
func (r *rewind) Item(i int) widget.Item {
	n := r.nodes[i]
	note := ago(time.Since(n.Time))
	if files := r.files(n); len(files) > 0 {
		note += ", " + count(len(files), "file") + " changed since"
	}
	return widget.Item{Text: firstLine(agent.AsTyped(n.Text, n.Origin)), Note: note}
}

// files returns the files that were changed since n and are not what they were.
func (r *rewind) files(n sessionlog.Node) []string {
	if r.sh.cfg.Files.Touched == nil {
		return nil
	}
	return r.sh.cfg.Files.Touched(n.Change)
}

// Match reads the session if that was not done yet, and looks for words.
func (r *rewind) Match(typed []string, done func([]int)) {
	read, nodes, leaf := r.read, r.nodes, r.leaf
	go func() {
		var err error
		if !read {
			if nodes, leaf, err = r.log.Tree(); err == nil {
				nodes = slices.DeleteFunc(nodes, func(n sessionlog.Node) bool { return !n.Active || !n.Asks() })
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
			if !r.read {
				r.read, r.nodes, r.leaf = true, nodes, leaf
				r.list.At = max(len(nodes)-1, 0)
			}
			switch {
			case err != nil:
				r.leave()
				r.sh.append(notice, problem("Cannot read the session: "+err.Error()))
			case len(nodes) == 0:
				r.leave()
				r.sh.append(notice, words(false, "This session has no messages yet."))
			}
			done(found)
		})
	}()
}

// choose asks what goes back to before message i, where there is a choice.
func (r *rewind) choose(i int) {
	r.leave()
	n := r.nodes[i]
	files := r.files(n)
	if len(files) == 0 {
		r.begin(n, true, false)
		return
	}
	named := count(len(files), "file")
	if len(files) <= 3 {
		named = strings.Join(files, ", ")
	}
	l := &widget.List{Title: "Before: " + firstLine(agent.AsTyped(n.Text, n.Origin)), Hint: r.sh.listHint()}
	l.Items = []widget.Item{
		{Text: "the conversation and the files", Note: "you see each diff first: " + named},
		{Text: "the conversation", Note: "files are unchanged"},
		{Text: "the files", Note: "the conversation stays; you see each diff first: " + named},
	}
	leave := r.sh.overlay(r.sh.keyed(l), tui.Place{Replace: true})
	l.OnLeave = leave
	l.OnChoose = func(k int) {
		leave()
		r.begin(n, k != 2, k != 1)
	}
}

// begin does it: the files first, for as long as the person has not seen them nothing moves.
func (r *rewind) begin(n sessionlog.Node, conversation, files bool) {
	sh := r.sh
	if sh.busy() {
		sh.sessions("/rewind") // says so
		return
	}
	sh.begin(message{text: "/rewind to before: " + firstLine(agent.AsTyped(n.Text, n.Origin)),
		deed: func(ctx context.Context, ag Agent, on func(agent.Event)) error {
			var done agent.Rewound
			if files {
				back, ok := ag.(Rewinder)
				if !ok {
					return errCannot
				}
				var err error
				if done, err = back.Rewind(ctx, n.Change, !conversation, on); err != nil {
					return err
				}
			}
			switch {
			case done.Stopped && conversation:
				sh.append(notice, words(true, "The conversation stays where it was."))
			case conversation:
				r.move(ctx, ag, n, files, done, on)
			}
			return nil
		}})
}

// move makes the conversation go on before n. What files are not what they were then, the model is
// told.
func (r *rewind) move(ctx context.Context, ag Agent, n sessionlog.Node, files bool, done agent.Rewound,
	on func(agent.Event)) {
	t := &tree{sh: r.sh, log: r.log, leaf: r.leaf}
	said, _, err := t.move(ctx, n, n.Parent, false)
	what := "files are unchanged"
	if files {
		what = "files are restored"
	}
	if len(done.Kept) > 0 {
		kept := strings.Join(done.Kept, ", ")
		what = fmt.Sprintf("files are restored, except %s", kept)
		if ear, ok := ag.(Teller); ok && err == nil {
			err = ear.Tell(ctx, provider.Restored, "I went back to this point. These files were changed after it and "+
				"stay as they are now: "+kept, on)
		}
	}
	r.sh.app.Do(func() {
		if err != nil {
			r.sh.append(notice, problem("The conversation stays where it was: "+err.Error()))
			return
		}
		t.moved(n, said, "", what)
	})
}
