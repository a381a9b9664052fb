package shell

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/scrollkeep/scrollkeep/tui"
)

// maxPromptBytes is the largest number of bytes that the prompt takes. A paste that exceeds it goes
// to a file.
const maxPromptBytes = 16 << 20

// Spill is a file for a paste that is too large for the prompt.
type Spill interface {
	io.Writer
	// Finish closes the file. address is the name by which the model reads the file, and path is
	// its path on disk.
	Finish() (address, path string, err error)
	// Remove deletes the file.
	Remove()
}

// pasteSpill is a large paste that is being written to a file.
type pasteSpill struct {
	file  Spill // The file; not used after err is set.
	err   error
	bytes int
	// The number of line feeds so far.
	lines    int
	lastByte byte
}

// handlePaste inserts a paste into the prompt. If the prompt would become too large it writes the
// paste to a file, whose name it inserts. It returns true if the paste was taken. It is called on
// the event loop.
func (sh *Shell) handlePaste(ev tui.Paste, s tui.Space) bool {
	if !ev.More && !ev.Continued && sh.editor.Size()+len(ev.Text) <= maxPromptBytes {
		return sh.editor.HandleEvent(ev, s)
	}
	if !ev.Continued || sh.openSpill == nil {
		sh.openSpill = sh.newSpill()
	}
	sh.openSpill.write(ev.Text)
	if !ev.More {
		sh.insertSpill(sh.openSpill)
		sh.openSpill = nil
	}
	return true
}

// newSpill creates the file for a large paste. If that fails, the result holds the error.
func (sh *Shell) newSpill() *pasteSpill {
	sp := &pasteSpill{err: errors.New("this session has no directory for it")}
	if sh.cfg.Prompt.NewSpill != nil {
		sp.file, sp.err = sh.cfg.Prompt.NewSpill()
	}
	return sp
}

// write appends a part of the paste to the file. After an error it only counts bytes and lines.
func (sp *pasteSpill) write(text string) {
	sp.bytes += len(text)
	if sp.lines += strings.Count(text, "\n"); text != "" {
		sp.lastByte = text[len(text)-1]
	}
	if sp.err != nil {
		return
	}
	if _, err := io.WriteString(sp.file, text); err != nil {
		sp.file.Remove()
		sp.err = err
	}
}

// insertSpill inserts the name of the finished file into the prompt, and tells the user why. If the
// file could not be written it only says so.
func (sh *Shell) insertSpill(sp *pasteSpill) {
	var address, path string
	if sp.err == nil {
		address, path, sp.err = sp.file.Finish()
	}
	pasteSize := byteSize(sp.bytes)
	if sp.err != nil {
		sh.addBlock(notice, problem("The paste of "+pasteSize+" was not taken: "+sp.err.Error()+".",
			"Nothing of it is in the prompt, which takes "+byteSize(maxPromptBytes)+
				". Save it to a file in the workspace, and name that with @."))
		return
	}
	lines := sp.lines
	if sp.lastByte != '\n' {
		lines++
	}
	sh.editor.InsertChip("pasted "+pasteSize+", in a file", fmt.Sprintf("%s (pasted text: %s, %s)", address,
		countOf(sp.bytes, "byte"), countOf(lines, "line")))
	sh.addBlock(notice, paragraphs(false, "You pasted "+pasteSize+"; the prompt takes "+byteSize(maxPromptBytes)+
		". All of it is in a file, which the message names for the model:", path))
}
