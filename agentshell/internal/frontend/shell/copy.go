package shell

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/agent"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// copies are the last things that /copy can take, as their source: without wraps, marks and
// colours. They belong to the loop.
type copies struct {
	answer string
	change *approval.Proposal

	title, output string // the last output of which a part was shown only
}

// copy puts what is named on the clipboard (OSC 52); nothing else ever does (PANE-15).
func (sh *Shell) copy(what string) {
	var text string
	switch what {
	case "", "answer":
		what, text = "answer", sh.copies.answer
	case "code":
		what, text = "code block", markdown.LastCode(sh.copies.answer)
	case "diff":
		if p := sh.copies.change; p != nil {
			text, _ = p.Diff.Unified(diff.Git(shown(p.Path)), 0)
		}
	case "output":
		text = sh.copies.output
	default:
		sh.append(notice,
			problem("There is no /copy "+what+".",
				"/copy takes the last answer, /copy code its last code block, /copy diff the last change that was "+
					"decided, /copy output what /output shows."))
		return
	}
	if text == "" {
		sh.append(notice, problem("There is no "+what+" to copy yet."))
		return
	}
	switch err := sh.app.Copy(text); {
	case errors.Is(err, terminal.ErrNoStrings):
		sh.append(notice, problem("The "+what+" was not copied: this terminal has no sequence for the clipboard.",
			"Select it with the mouse, or use another terminal."))
		return
	case err != nil:
		sh.append(notice, problem("The "+what+" was not copied: "+err.Error()))
		return
	}
	sh.append(notice,
		words(true,
			fmt.Sprintf("copied: the last %s, %s; if it is not on the clipboard, the terminal does not allow OSC 52",
				what, size(len(text)))))
}

// outputRows is the most rows that /output and /diff show.
const outputRows = 5000

// output handles /output: it shows the whole of the last output whose middle was left out.
func (sh *Shell) output() {
	title, text := sh.copies.title, sh.copies.output
	if text == "" {
		sh.append(notice, words(false, "Nothing was truncated."))
		return
	}
	sh.append(notice, still(func(s tui.Space) []tui.Line {
		t := s.Look()
		return append(heading1(s, t.Glyphs.Tool, t.Accent, shownTitle(title), "all of its output"),
			excerpt(text, outputRows/2, outputRows/2, s)...)
	}))
}

// diff handles /diff: the whole of the last change that was decided.
func (sh *Shell) diff() {
	p := sh.copies.change
	if p == nil {
		sh.append(notice, words(false, "No file change was decided yet."))
		return
	}
	sh.append(notice, still(func(s tui.Space) []tui.Line {
		t := s.Look()
		name, about := changeTitle(agent.ToolEnd{Proposal: p})
		return append(heading1(s, t.Glyphs.Tool, t.Accent, name, about+", all of the diff"),
			compact(p, outputRows, s)...)
	}))
}
