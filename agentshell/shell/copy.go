package shell

import (
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
	"github.com/scrollkeep/scrollkeep/tui/markdown"
)

// copies are the last things that /copy can take, as their source: without wraps, marks and colours. They belong to the loop.
type copies struct {
	answer string
	change *approval.Proposal
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
	default:
		sh.append(notice, problem("There is no /copy "+what+".", "/copy takes the last answer, /copy code its last code block, /copy diff the last change that was decided."))
		return
	}
	if text == "" {
		sh.append(notice, problem("There is no "+what+" to copy yet."))
		return
	}
	if err := sh.app.Copy(text); err != nil {
		sh.append(notice, problem("The "+what+" was not copied: "+err.Error()))
		return
	}
	sh.append(notice, words(true, fmt.Sprintf("copied: the last %s, %s; if it is not on the clipboard, the terminal does not allow OSC 52", what, size(len(text)))))
}
