package shell

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// copySources holds the last texts that /copy can take, without wraps, marks and colours. It
// belongs to the loop.
type copySources struct {
	answer string
	code   string // the last code block of any answer
	change *approval.Proposal

	title, output string // the last output that was shown only in part
}

// copyToClipboard handles /copy: it puts a text on the clipboard (OSC 52). Nothing else does that
// (PANE-15).
func (sh *Shell) copyToClipboard(what string) {
	var text string
	switch what {
	case "", "answer":
		what, text = "answer", sh.copies.answer
	case "code":
		what, text = "code block", sh.copies.code
	case "diff":
		if p := sh.copies.change; p != nil {
			text, _ = p.Diff.Unified(diff.GitLabels(displayPath(p.Path)), 0)
		}
	case "output":
		text = sh.copies.output
	default:
		sh.addBlock(notice,
			problem("There is no /copy "+what+".",
				"/copy takes the last answer, /copy code the last code block, /copy diff the last change that was "+
					"decided, /copy output what /output shows."))
		return
	}
	if text == "" {
		sh.addBlock(notice, problem("There is no "+what+" to copy yet."))
		return
	}
	switch err := sh.app.Copy(text); {
	case errors.Is(err, terminal.ErrNoStrings):
		sh.addBlock(notice, problem("The "+what+" was not copied: this terminal has no sequence for the clipboard.",
			"Select it with the mouse, or use another terminal."))
		return
	case err != nil:
		sh.addBlock(notice, problem("The "+what+" was not copied: "+err.Error()))
		return
	}
	sh.addBlock(notice,
		paragraphs(true,
			fmt.Sprintf("copied: the last %s, %s; if it is not on the clipboard, the terminal does not allow OSC 52",
				what, byteSize(len(text)))))
}

// copyMarked copies the text that is marked in the prompt.
func (sh *Shell) copyMarked(text string) error {
	err := sh.app.Copy(text)
	switch {
	case errors.Is(err, terminal.ErrNoStrings):
		sh.showHint("not copied: this terminal has no sequence for the clipboard")
	case err != nil:
		sh.showHint("not copied: " + err.Error())
	default:
		sh.showHint("copied: " + byteSize(len(text)))
	}
	return err
}

// maxOutputRows is the number of rows that /output and /diff show at most.
const maxOutputRows = 5000

// showOutput handles /output: it shows all of the last output that was shown only in part.
func (sh *Shell) showOutput() {
	title, text := sh.copies.title, sh.copies.output
	if text == "" {
		sh.addBlock(notice, paragraphs(false, "Nothing was truncated."))
		return
	}
	sh.addBlock(notice, staticBlock(func(s tui.Space) []tui.Line {
		t := s.Look()
		return append(titleRows(s, t.Glyphs.Tool, t.Accent, displayTitle(title), "all of its output"),
			firstAndLastRows(text, maxOutputRows/2, maxOutputRows/2, s)...)
	}))
}
