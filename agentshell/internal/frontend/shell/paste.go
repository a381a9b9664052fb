package shell

import (
	"context"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/tui"
)

// paste puts what lies on the clipboard into the prompt: a picture as a chip, which is sent with
// the message, or text. It is read beside the loop. On the loop.
func (sh *Shell) paste() {
	if sh.cfg.Clipboard == nil || sh.pasting {
		return
	}
	sh.pasting = true
	go func() {
		text, label, err := sh.cfg.Clipboard(context.Background())
		sh.app.Do(func() {
			sh.pasting = false
			switch {
			case err != nil:
				sh.append(notice, problem("Nothing was pasted: "+err.Error()+"."))
			case label == "":
				sh.pasted(tui.Paste{Text: text}, tui.Space{})
			default:
				r, _ := utf8.DecodeLastRuneInString(sh.editor.Before())
				if sh.editor.Before() != "" && !unicode.IsSpace(r) {
					sh.editor.Insert(" ") // a name in a text begins behind a blank
				}
				sh.editor.InsertChip(label, text)
				sh.editor.Insert(" ")
			}
		})
	}()
}
