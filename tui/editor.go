package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Editor is the prompt: text of several lines with the habits of readline. Enter submits.
// Shift+Enter, Alt+Enter, Ctrl+J and a backslash before Enter begin a new line. A large paste is
// collapsed to a chip: one step for the caret, which submits as its text. Ctrl+O opens the chip
// before the caret. Ctrl+R searches the history: Ctrl+R again for an older entry, Enter takes it
// without submitting it. Shift with an arrow, Home or End marks text, which typing replaces. Fields
// may be changed in a callback.
type Editor struct {
	Prompt      string            // before the first row; "" for the theme's glyph and a space
	Placeholder string            // dim, while it is empty
	MaxRows     int               // 0: two thirds of the rows that it is offered, at least 3
	SubmitEmpty bool              // Enter submits even an empty text: for a question with a default
	Vim         bool              // the modes of vim; the editor, and each new text, begins in insert mode
	OnSubmit    func(text string) // called by Enter; the editor is empty again
	OnChange    func()
	Copy        func(text string) error // for Ctrl+C and Ctrl+X while text is marked, such as [App.Copy]
	History     []string                // oldest first; what is submitted is appended
	Pastes      []string                // Texts that become chips in a text that is set or recalled; the newest last.

	buf          buffer
	goalCol      int    // column for moves up and down, plus 1; 0: that of the caret
	topRow       int    // first row that is shown
	historyIndex int    // entries of History back from the newest; 0: the draft
	draft        []unit // while historyIndex > 0

	pasted bool    // the last event was a paste
	search *search // nil: not open
	marked selection

	vim        vim
	changeKeys []Key // of the change that is being made
	lastChange []Key // the keys of the last change
	replaying  bool

	// Of the last View, used again for the next.
	wrapRows  []editRow
	spareRows []editRow
	wrapUnits int // number of units in wrapRows
	wrapWidth int // the text width for which wrapRows were made
	wrapModel width.Model

	lines    []Line
	caretPos Pos
	textBuf  []byte
}

// Text returns the text that would be submitted, with chips expanded.
func (e *Editor) Text() string { return joinText(e.buf.units) }

// Size returns the number of bytes of Text.
func (e *Editor) Size() (n int) {
	for _, u := range e.buf.units {
		if n += len(u.text); u.paste != "" {
			n += len(u.paste) - len(u.text)
		}
	}
	return n
}

// HasPrefix reports whether Text starts with prefix. It is cheap even if a chip stands for a large
// text.
func (e *Editor) HasPrefix(prefix string) bool {
	for _, u := range e.buf.units {
		text := u.text
		if u.paste != "" {
			text = u.paste
		}
		if len(text) >= len(prefix) {
			return strings.HasPrefix(text, prefix)
		}
		if !strings.HasPrefix(prefix, text) {
			return false
		}
		prefix = prefix[len(text):]
	}
	return prefix == ""
}

// TextBeforeCaret returns the text from the start of the caret's line to the caret.
func (e *Editor) TextBeforeCaret() string {
	return joinText(e.buf.units[e.buf.lineStart(e.buf.caret):e.buf.caret])
}

// Complete replaces old, which stands right before the caret, by text. It returns false if old does
// not stand there.
func (e *Editor) Complete(old, text string) bool {
	e.endSearch(true)
	from, remaining := e.buf.caret, len(old)
	for from > 0 && remaining > 0 && e.buf.units[from-1].paste == "" {
		from--
		remaining -= len(e.buf.units[from].text)
	}
	if remaining != 0 || joinText(e.buf.units[from:e.buf.caret]) != old {
		return false
	}
	e.buf.beginChange(editNone)
	e.buf.replace(from, e.buf.caret, splitUnits(text))
	e.textChanged()
	return true
}

// Empty reports whether there is no text, or white space only.
func (e *Editor) Empty() bool {
	for _, u := range e.buf.units {
		if !u.isSpace() {
			return false
		}
	}
	return true
}

// SetText replaces the text, which can be undone. The caret goes to its end.
func (e *Editor) SetText(s string) {
	e.endSearch(true)
	e.buf.beginChange(editNone)
	e.buf.replace(0, len(e.buf.units), e.splitWithChips(s))
	e.textChanged()
}

// Insert puts s at the caret.
func (e *Editor) Insert(s string) {
	e.endSearch(true)
	e.buf.beginChange(editNone)
	e.buf.insert(s)
	e.textChanged()
}

// InsertChip puts a chip at the caret: one step for it, which shows label and stands for text.
func (e *Editor) InsertChip(label, text string) {
	e.endSearch(true)
	e.buf.beginChange(editNone)
	e.buf.replace(e.buf.caret, e.buf.caret, []unit{{text: "[" + label + "]", paste: text}})
	e.textChanged()
}

// Submit does the same with text as Enter: text goes to History and to OnSubmit. The text in the
// editor stays.
func (e *Editor) Submit(text string) {
	if n := len(e.History); text != "" && (n == 0 || e.History[n-1] != text) {
		e.History = append(e.History, text)
	}
	if e.OnSubmit != nil {
		e.OnSubmit(text)
	}
}

// textChanged has to be called after every change of the text.
func (e *Editor) textChanged() {
	e.goalCol, e.marked.anchor = 0, 0
	if e.OnChange != nil {
		e.OnChange()
	}
}

// HandleEvent takes keys and pastes. It leaves some to others: Enter (but for SubmitEmpty), Ctrl+C,
// Ctrl+D and Backspace while it is empty, Tab, Escape, and moves that lead nowhere.
func (e *Editor) HandleEvent(ev Event, s Space) bool {
	switch ev := ev.(type) {
	case Paste:
		e.endSearch(true)
		e.eraseSelected()
		e.insertPaste(ev.Text)
		e.pasted = true
		return true
	case Key:
		after := e.pasted && !ev.Alone
		e.pasted = false
		if after && ev.Code == terminal.KeyEnter && ev.Mods == 0 {
			return true // it came in one read with the paste: a paste never submits
		}
		if e.search != nil && e.handleSearchKey(ev) {
			return true
		}
		if e.handleSelection(ev, s) {
			return true
		}
		if !e.Vim {
			return e.handleKey(ev, s)
		}
		starts := e.vim.normal && !e.vim.pending()
		handled := e.handleVimKey(ev, s) || e.handleKey(ev, s)
		if e.vim.normal {
			e.buf.clampToLine()
		}
		e.recordKey(ev, starts)
		return handled
	}
	return false
}

// handleKey acts on k and reports whether it did.
func (e *Editor) handleKey(k Key, s Space) bool {
	if t := k.Text(); t != "" {
		e.buf.typeText(t)
		e.textChanged()
		return true
	}
	b := &e.buf
	switch k.Mods {
	case 0:
		switch k.Code {
		case terminal.KeyEnter:
			return e.handleEnter()
		case terminal.KeyUp:
			return e.moveRows(-1, s)
		case terminal.KeyDown:
			return e.moveRows(1, s)
		case terminal.KeyLeft:
			return e.moveTo(b.caret - 1)
		case terminal.KeyRight:
			return e.moveTo(b.caret + 1)
		case terminal.KeyHome:
			return e.moveHome()
		case terminal.KeyEnd:
			return e.moveTo(b.lineEnd(b.caret))
		case terminal.KeyBackspace:
			return e.afterEdit(b.erase(max(b.caret-1, 0), b.caret))
		case terminal.KeyDelete:
			return e.afterEdit(b.erase(b.caret, min(b.caret+1, len(b.units))))
		}
	case terminal.Shift:
		switch k.Code {
		case terminal.KeyEnter:
			return e.insertNewline()
		case terminal.KeyBackspace:
			return e.afterEdit(b.erase(max(b.caret-1, 0), b.caret))
		}
	case terminal.Ctrl:
		return e.handleCtrl(k)
	case terminal.Alt:
		return e.handleAlt(k)
	}
	return false
}

// handleCtrl acts on a key with Ctrl.
func (e *Editor) handleCtrl(k Key) bool {
	b := &e.buf
	switch k.Code {
	case 'j':
		return e.insertNewline()
	case 'a':
		return e.moveHome()
	case 'e':
		return e.moveTo(b.lineEnd(b.caret)) || len(b.units) > 0
	case 'b':
		return e.moveTo(b.caret - 1)
	case 'f':
		return e.moveTo(b.caret + 1)
	case 'p':
		return e.recallHistory(1)
	case 'n':
		return e.recallHistory(-1)
	case terminal.KeyLeft:
		return e.moveTo(b.wordLeft(b.caret))
	case terminal.KeyRight:
		return e.moveTo(b.wordRight(b.caret))
	case terminal.KeyHome:
		return e.moveTo(0)
	case terminal.KeyEnd:
		return e.moveTo(len(b.units))
	case 'h':
		return e.afterEdit(b.erase(max(b.caret-1, 0), b.caret))
	case 'd':
		return e.afterEdit(b.erase(b.caret, min(b.caret+1, len(b.units)))) || len(b.units) > 0
	case 'k':
		end := b.lineEnd(b.caret)
		if end == b.caret && end < len(b.units) {
			end++ // at the end of a line: its newline
		}
		return e.afterEdit(b.kill(b.caret, end)) || len(b.units) > 0
	case 'u':
		from := b.lineStart(b.caret)
		if from == b.caret && from > 0 {
			from--
		}
		return e.afterEdit(b.kill(from, b.caret)) || len(b.units) > 0
	case 'w':
		return e.afterEdit(b.kill(b.spaceLeft(b.caret), b.caret)) || len(b.units) > 0
	case terminal.KeyBackspace:
		return e.afterEdit(b.kill(b.wordLeft(b.caret), b.caret))
	case terminal.KeyDelete:
		return e.afterEdit(b.kill(b.caret, b.wordRight(b.caret)))
	case 'y':
		return e.afterEdit(b.yank(false))
	case 't':
		return e.afterEdit(b.transpose())
	case 'r':
		e.searchOlder()
		return true
	case '_', '/', '7', '-':
		return e.afterEdit(b.undoChange())
	case 'o':
		return e.afterEdit(e.openChip())
	case 'c':
		return e.afterEdit(b.kill(0, len(b.units))) // Ctrl+Y or undo brings it back
	}
	return false
}

// handleAlt acts on a key with Alt.
func (e *Editor) handleAlt(k Key) bool {
	b := &e.buf
	switch k.Code {
	case terminal.KeyEnter:
		return e.insertNewline()
	case 'b', terminal.KeyLeft:
		return e.moveTo(b.wordLeft(b.caret))
	case 'f', terminal.KeyRight:
		return e.moveTo(b.wordRight(b.caret))
	case 'd', terminal.KeyDelete:
		return e.afterEdit(b.kill(b.caret, b.wordRight(b.caret)))
	case terminal.KeyBackspace:
		return e.afterEdit(b.kill(b.wordLeft(b.caret), b.caret))
	case 'y':
		return e.afterEdit(b.yank(true))
	case 'u':
		return e.afterEdit(b.changeCase(unicode.ToUpper, unicode.ToUpper))
	case 'l':
		return e.afterEdit(b.changeCase(unicode.ToLower, unicode.ToLower))
	case 'c':
		return e.afterEdit(b.changeCase(unicode.ToTitle, unicode.ToLower))
	case 't':
		return e.afterEdit(b.transposeWords())
	case '_', '/':
		return e.afterEdit(b.redoChange())
	case '<':
		return e.moveTo(0)
	case '>':
		return e.moveTo(len(b.units))
	}
	return false
}

// afterEdit calls textChanged if there was an edit, and returns ok.
func (e *Editor) afterEdit(ok bool) bool {
	if ok {
		e.textChanged()
	}
	return ok
}

// moveTo moves the caret to unit i. It returns false if the caret is there, or if there is no such
// place.
func (e *Editor) moveTo(i int) bool {
	if i < 0 || i > len(e.buf.units) || i == e.buf.caret {
		return false
	}
	e.buf.caret, e.buf.lastEdit, e.goalCol = i, editNone, 0
	return true
}

// moveHome goes to the start of the line.
func (e *Editor) moveHome() bool {
	return e.moveTo(e.buf.lineStart(e.buf.caret)) || len(e.buf.units) > 0
}

// insertNewline begins a new line at the caret.
func (e *Editor) insertNewline() bool {
	e.buf.beginChange(editNone)
	e.buf.insert("\n")
	e.textChanged()
	return true
}

// handleEnter submits, or begins a new line after a backslash.
func (e *Editor) handleEnter() bool {
	b := &e.buf
	if b.caret > 0 && b.units[b.caret-1].text == `\` {
		b.beginChange(editNone)
		b.replace(b.caret-1, b.caret, []unit{{text: "\n"}})
		e.textChanged()
		return true
	}
	if e.Empty() && !e.SubmitEmpty {
		return false
	}
	text := e.Text()
	kills := b.kills
	e.buf, e.historyIndex, e.draft, e.topRow = buffer{kills: kills}, 0, nil, 0
	e.vim.normal, e.changeKeys = false, nil
	e.vim.clearCommand()
	e.textChanged()
	e.Submit(text)
	return true
}

// moveRows moves the caret by rows, and from the first or last one through the history.
func (e *Editor) moveRows(by int, s Space) bool {
	rows := e.wrapText(s)
	r, col := e.caretCell(rows, s)
	if e.goalCol == 0 {
		e.goalCol = col + 1
	}
	if r+by < 0 || r+by >= len(rows) {
		return e.recallHistory(-by)
	}
	e.buf.caret, e.buf.lastEdit = e.unitAt(rows[r+by], e.goalCol-1, s, r+by == len(rows)-1), editNone
	return true
}

// recallHistory shows the entry of History that is by further back. It keeps the draft.
func (e *Editor) recallHistory(by int) bool {
	to := e.historyIndex + by
	if to < 0 || to > len(e.History) {
		return false
	}
	if e.historyIndex == 0 {
		e.draft = slices.Clone(e.buf.units)
	}
	e.historyIndex = to
	units := e.draft
	if to > 0 {
		units = e.splitWithChips(e.History[len(e.History)-to])
	}
	e.buf.beginChange(editNone)
	e.buf.replace(0, len(e.buf.units), units)
	e.textChanged()
	return true
}
