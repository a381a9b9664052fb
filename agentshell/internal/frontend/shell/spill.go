package shell

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// promptBytes is how many bytes a prompt takes. What is pasted beyond goes to a file.
const promptBytes = 16 << 20

// Spill is a file for what was pasted and does not fit the prompt.
type Spill interface {
	io.Writer
	// Keep ends the file: address is what the model reads it by, path where it is.
	Keep() (address, path string, err error)
	// Drop removes it.
	Drop()
}

// spilling is a paste on its way to a file.
type spilling struct {
	to    Spill // nil: there is none, or it has failed
	err   error
	bytes int
	lines int
	last  byte // of what came so far
}

// pasted gives a paste to the prompt, or to a file if that would hold too much then, on the loop.
func (sh *Shell) pasted(ev tui.Paste, s tui.Space) bool {
	if !ev.More && !ev.Continued && sh.editor.Size()+len(ev.Text) <= promptBytes {
		return sh.editor.HandleEvent(ev, s)
	}
	if !ev.Continued || sh.spill == nil {
		sh.spill = sh.newSpill()
	}
	sh.spill.take(ev.Text)
	if !ev.More {
		sh.spilled(sh.spill)
		sh.spill = nil
	}
	return true
}

func (sh *Shell) newSpill() *spilling {
	sp := &spilling{err: errors.New("this session has no directory for it")}
	if sh.cfg.Spill != nil {
		sp.to, sp.err = sh.cfg.Spill()
	}
	return sp
}

// take writes a piece. The first error ends it.
func (sp *spilling) take(text string) {
	sp.bytes += len(text)
	if sp.lines += strings.Count(text, "\n"); text != "" {
		sp.last = text[len(text)-1]
	}
	if sp.err != nil {
		return
	}
	if _, err := io.WriteString(sp.to, text); err != nil {
		sp.to.Drop()
		sp.err = err
	}
}

// spilled puts the name of the file into the prompt, and says why.
func (sh *Shell) spilled(sp *spilling) {
	var address, path string
	if sp.err == nil {
		address, path, sp.err = sp.to.Keep()
	}
	what := size(sp.bytes)
	if sp.err != nil {
		sh.append(notice, problem("The paste of "+what+" was not taken: "+sp.err.Error()+".",
			"Nothing of it is in the prompt, which takes "+size(promptBytes)+
				". Save it to a file in the workspace, and name that with @."))
		return
	}
	lines := sp.lines
	if sp.last != '\n' {
		lines++
	}
	sh.editor.InsertChip("pasted "+what+", in a file", fmt.Sprintf("%s (pasted text: %s, %s)", address,
		count(sp.bytes, "byte"), count(lines, "line")))
	sh.append(notice, words(false, "You pasted "+what+"; the prompt takes "+size(promptBytes)+
		". All of it is in a file, which the message names for the model:", path))
}
