package shell

import (
	"fmt"
	"strings"

	"github.com/scrollkeep/scrollkeep/agentshell/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/diff"
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
		what, text = "code block", lastCode(sh.copies.answer)
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

// lastCode is the content of the last code block of an answer.
func lastCode(source string) string {
	var (
		last, block strings.Builder
		fence       string
	)
	for line := range strings.Lines(source) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "" && (strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~")):
			info := strings.TrimLeft(trimmed, trimmed[:1])
			if strings.Contains(info, "`") {
				continue
			}
			fence = trimmed[:len(trimmed)-len(info)]
			block.Reset()
		case fence != "" && strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "":
			fence = ""
			last.Reset()
			last.WriteString(block.String())
		case fence != "":
			block.WriteString(line)
		}
	}
	if fence != "" {
		return block.String()
	}
	return last.String()
}
