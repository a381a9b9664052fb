package shell

import (
	"errors"
	"fmt"

	"github.com/scrollkeep/scrollkeep/agentshell/internal/approval"
	"github.com/scrollkeep/scrollkeep/agentshell/internal/workspace/diff"
	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// copySources holds the texts that /copy and /output can take, without line wraps, markers and
// colours. It belongs to the event loop.
type copySources struct {
	// The model's last answer.
	answer string
	code   string // The last code block of any answer.
	// The last change that the user decided on; nil: none.
	change *approval.Proposal

	title, output string // The title and the text of the last output that the transcript shows only in part.
}

// copyToClipboard handles the command /copy: it copies a text to the clipboard by OSC 52. what
// names the text: answer (also ""), code, diff or output. Only the user can cause a copy (PANE-15).
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

// copyMarked copies the selected text of the prompt to the clipboard, and shows the outcome as a
// hint.
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

// maxOutputRows is the largest number of rows that /output or a diff of /diff prints.
const maxOutputRows = 5000

// showOutput handles the command /output: it prints the whole of the last output that the
// transcript shows only in part.
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
