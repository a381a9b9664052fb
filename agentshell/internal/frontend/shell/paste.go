package shell

import (
	"context"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
)

// pasteClipboard inserts the content of the clipboard into the prompt. A picture is shown by its
// label, and sent with the message. The method is called on the event loop; it reads the clipboard
// on another goroutine.
func (sh *Shell) pasteClipboard() {
	if sh.cfg.Prompt.ReadClipboard == nil || sh.readingClipboard {
		return
	}
	sh.readingClipboard = true
	go func() {
		text, label, err := sh.cfg.Prompt.ReadClipboard(context.Background())
		sh.app.Do(func() {
			sh.readingClipboard = false
			switch {
			case err != nil:
				sh.addBlock(notice, problem("Nothing was pasted: "+err.Error()+"."))
			case label == "":
				sh.handlePaste(tui.Paste{Text: text}, tui.Space{})
			default:
				r, _ := utf8.DecodeLastRuneInString(sh.editor.TextBeforeCaret())
				if sh.editor.TextBeforeCaret() != "" && !unicode.IsSpace(r) {
					sh.editor.Insert(" ") // a name in a text begins behind a blank
				}
				sh.editor.InsertChip(label, text)
				sh.editor.Insert(" ")
			}
		})
	}()
}
