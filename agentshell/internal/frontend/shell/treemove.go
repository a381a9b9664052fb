package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	sessionlog "github.com/scrollkeep/scrollkeep/agentshell/internal/session"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/widget"
)

// choose makes the conversation continue after entry i. A message of the user returns to the prompt
// instead, to be edited. withSummary gives the model a summary of the messages that are left. If
// the user's settings say so, a question about a summary comes first.
func (t *treeList) choose(i int, withSummary bool) {
	sh, n := t.sh, t.nodes[i]
	last := n.ID // the message that the conversation goes on behind
	if !n.IsMessage() {
		last = n.Parent
	}
	switch {
	case last == t.leaf && !t.branches:
		t.close()
		sh.addBlock(notice, paragraphs(true, "Already at this point."))
	case sh.busy():
		t.close()
		sh.requireSessions("/tree") // says so
	case t.branches:
		t.close()
		t.branchBefore(n)
	case withSummary && sh.cfg.Models.Summarize == nil:
		t.widget.Hint = t.sh.cfg.Keys.Expand("this model cannot summarize; {list-choose} goes there without a summary")
		t.widget.QueryHint = ""
	case !withSummary && sh.cfg.Tree.AskSummary && sh.cfg.Models.Summarize != nil:
		t.close()
		t.askSummary(n)
	default:
		t.close()
		t.move(n, withSummary, "")
	}
}

// askSummary asks whether the model gets a summary of the messages that a move to n leaves. Esc
// returns to the list.
func (t *treeList) askSummary(n sessionlog.Node) {
	l := &widget.List{Title: "Sum up for the model what is left?", Hint: t.sh.listHint(), Items: []widget.Item{
		{Text: "no summary", Note: "the model forgets it"},
		{Text: "summarize", Note: "a model sums it up first"},
		{Text: "summarize, with words of your own", Note: "you say what the summary is for"},
	}}
	leave := t.sh.overlay(t.sh.withKeys(l), tui.Place{Replace: true})
	l.OnLeave = func() {
		leave()
		t.open()
	}
	l.OnChoose = func(k int) {
		leave()
		if k < 2 {
			t.move(n, k == 1, "")
			return
		}
		t.askWords(n)
	}
}

// askWords lets the user type what the summary is for. Esc returns to askSummary.
func (t *treeList) askWords(n sessionlog.Node) {
	var leave func()
	f := &lineField{keys: t.sh.cfg.Keys, title: "What is the summary for?  (Esc: back)"}
	f.editor.Prompt = "words: "
	f.onCancel = func() {
		leave()
		t.askSummary(n)
	}
	f.editor.OnSubmit = func(words string) {
		leave()
		t.move(n, true, words)
	}
	leave = t.sh.overlay(f, tui.Place{Replace: true})
}

// move makes the conversation continue after n, or before n if that is a message of the user. If
// withSummary is set, the summary is made first, for the purpose in words. If that fails, the
// conversation stays where it is.
func (t *treeList) move(n sessionlog.Node, withSummary bool, words string) {
	sh, to := t.sh, n.ID
	if n.IsPersons() {
		to = n.Parent
	}
	status := "moving"
	if withSummary {
		status = "summarizing what is left"
	}
	sh.runBeside(status, func(ctx context.Context) func() {
		text, summary, err := t.moveTo(ctx, n, to, withSummary, words)
		stopped := ctx.Err() != nil
		return func() {
			switch {
			case stopped && err != nil:
				sh.addBlock(notice, paragraphs(true, "Stopped: the conversation stays where it was."))
				t.open()
			case err != nil:
				sh.addBlock(notice, problem("The conversation stays where it was: "+err.Error()))
			default:
				t.reportMove(n, text, summary, "files are unchanged")
			}
		}
	})
}

// branchBefore starts a new session with the conversation before n, and puts the text of n into the
// prompt. The current session stays unchanged.
func (t *treeList) branchBefore(n sessionlog.Node) {
	sh := t.sh
	sh.runBeside("copying the session", func(context.Context) func() {
		original := t.log.ID()
		text, err := t.log.MessageText(n.ID)
		if err == nil {
			err = t.log.Branch(n.Parent)
		}
		return func() {
			if err != nil {
				sh.addBlock(notice, problem("There is no new session: "+err.Error()))
				return
			}
			sh.refreshCounts()
			sh.editor.SetText(agent.AsTyped(text, n.Origin))
			sh.addBlock(notice, paragraphs(true, "This conversation continues in a new session, "+t.log.ID()+
				", before "+strconv.Quote(firstLine(agent.AsTyped(n.Text, n.Origin)))+". Files are unchanged.",
				"The session before it is "+original+". /resume returns."))
		}
	})
}

// moveTo moves the conversation to the message with the id to, after a summary if withSummary is
// set. It returns the full text of n if that is a message of the user, and the summary. It is
// called outside of the event loop.
func (t *treeList) moveTo(ctx context.Context, n sessionlog.Node, to string, withSummary bool,
	words string) (text, summary string, err error) {
	if n.IsPersons() {
		if text, err = t.log.MessageText(n.ID); err != nil {
			return "", "", err
		}
		if to == t.leaf {
			return text, "", nil
		}
	}
	if withSummary {
		left, err := t.log.LeftBehind(to)
		if err != nil {
			return "", "", err
		}
		if len(left) > 0 {
			if summary, err = t.sh.cfg.Models.Summarize(ctx, left, words); err != nil {
				return "", "", fmt.Errorf("there is no summary of what is left: %w", err)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	_, err = t.log.Move(to, summary)
	return text, summary, err
}

// reportMove tells the user where the conversation continues. text is the full text of n, summary
// the model's summary of what was left, or "", and files a clause about the files. It is called on
// the event loop.
func (t *treeList) reportMove(n sessionlog.Node, text, summary, files string) {
	t.sh.followChoices()
	where := "after " + strconv.Quote(firstLine(n.Text))
	switch {
	case n.IsPersons():
		where = "before " + strconv.Quote(firstLine(agent.AsTyped(n.Text, n.Origin)))
		t.sh.editor.SetText(agent.AsTyped(text, n.Origin))
	case n.Rewinds:
		where = "before a rewind of the model's"
	case n.Mark != "":
		where = "after the entry " + strconv.Quote(n.Mark)
	case n.Text == "":
		where = "after a call to " + strings.Join(n.Tools, ", ")
	}
	knows := "The model has forgotten everything after it"
	if summary != "" {
		knows = "Of everything after it the model has only the summary below"
	}
	lines := []string{"Went back to " + where + ".", knows + "; " + files + ". /tree returns."}
	if t.sh.cfg.Session.AfterMove != nil {
		lines = append(lines, t.sh.cfg.Session.AfterMove()...)
	}
	t.sh.addBlock(notice, paragraphs(true, lines...))
	if summary != "" {
		t.sh.addBlock(notice, staticBlock(func(s tui.Space) []tui.Line { return excerptRows(summary, s) }))
	}
}
