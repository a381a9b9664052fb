package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// Editor is a text field of several lines with the keys of readline. Enter submits the text.
// Shift+Enter, Alt+Enter, Ctrl+J, and Enter behind a backslash begin a new line.
//
// A large paste is collapsed to a chip, which is a single step for the caret but is submitted as
// the full text. Ctrl+O expands the chip before the caret. Ctrl+R searches the history; a further
// Ctrl+R goes to an older entry, and Enter accepts the entry without submitting it. Shift with an
// arrow key, Home or End selects text, which typed text replaces. Callbacks may change the fields.
type Editor struct {
	Prompt      string                  // text before the first row; "" for the theme's prompt glyph and a space
	Placeholder string                  // dim text that is shown while the editor is empty
	MaxRows     int                     // the maximum number of rows; 0: two thirds of the available rows, at least 3
	SubmitEmpty bool                    // Enter also submits an empty text, for a question with a default answer
	Vim         bool                    // vim's modes; the editor and each new text begin in insert mode
	OnSubmit    func(text string)       // called on Enter, when the editor is empty again
	OnChange    func()                  // called after every change of the text
	Copy        func(text string) error // copies selected text on Ctrl+C and Ctrl+X, such as [App.Copy]
	History     []string                // earlier texts, the oldest first; submitted texts are appended
	// large pasted texts, the newest last; they become chips again in a text that is set or
	// recalled
	Pastes []string

	buf          buffer
	goalCol      int        // the column that moves up and down aim at, plus 1; 0: the column of the caret
	topRow       int        // index of the first visible row
	historyIndex int        // position in History, counted back from the newest entry; 0: the draft
	draft        []textUnit // the text before the user went to History; valid while historyIndex > 0

	afterPaste bool           // the last event was a paste
	search     *historySearch // the search in History; nil: it is not open
	selection  selection

	vim        vim
	changeKeys []Key // keys of the vim command that is being typed
	lastChange []Key // keys of the last vim command that has changed the text
	replaying  bool  // lastChange is being repeated

	// Results of the last View, reused by the next one.
	wrapRows  []editRow
	spareRows []editRow
	wrapUnits int // number of units that wrapRows covers
	wrapWidth int // text width for which wrapRows was made
	wrapModel width.Model

	lines    []Line
	caretPos Pos
	textBuf  []byte
}

// Text returns the text that Enter would submit, with chips expanded.
func (e *Editor) Text() string { return joinText(e.buf.units) }

// Size returns the number of bytes in Text.
func (e *Editor) Size() (n int) {
	for _, u := range e.buf.units {
		if n += len(u.text); u.paste != "" {
			n += len(u.paste) - len(u.text)
		}
	}
	return n
}

// HasPrefix reports whether Text begins with prefix. Unlike a call of Text it is cheap even if the
// editor contains a large paste.
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

// Complete replaces old, the text right before the caret, by text. It returns false if old is not
// there.
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
	e.handleTextChange()
	return true
}

// Empty reports whether the text is empty or only white space.
func (e *Editor) Empty() bool {
	for _, u := range e.buf.units {
		if !u.isSpace() {
			return false
		}
	}
	return true
}

// SetText replaces the text and moves the caret to its end. The user can undo that.
func (e *Editor) SetText(s string) {
	e.endSearch(true)
	e.buf.beginChange(editNone)
	e.buf.replace(0, len(e.buf.units), e.splitWithChips(s))
	e.handleTextChange()
}

// Insert inserts s at the caret.
func (e *Editor) Insert(s string) {
	e.endSearch(true)
	e.buf.beginChange(editNone)
	e.buf.insert(s)
	e.handleTextChange()
}

// InsertChip inserts a chip at the caret. A chip shows label, stands for text when it is submitted,
// and is a single step for the caret.
func (e *Editor) InsertChip(label, text string) {
	e.endSearch(true)
	e.buf.beginChange(editNone)
	e.buf.replace(e.buf.caret, e.buf.caret, []textUnit{{text: "[" + label + "]", paste: text}})
	e.handleTextChange()
}

// Submit adds text to History and calls OnSubmit with it, as Enter does. The text in the editor
// does not change.
func (e *Editor) Submit(text string) {
	if n := len(e.History); text != "" && (n == 0 || e.History[n-1] != text) {
		e.History = append(e.History, text)
	}
	if e.OnSubmit != nil {
		e.OnSubmit(text)
	}
}

// handleTextChange must be called after every change of the text. It drops the selection and calls
// OnChange.
func (e *Editor) handleTextChange() {
	e.goalCol, e.selection.anchor = 0, 0
	if e.OnChange != nil {
		e.OnChange()
	}
}

// HandleEvent handles keys and pastes. It returns false for Tab, Escape, and moves that lead
// nowhere. While the editor is empty it also returns false for Enter (unless SubmitEmpty is set),
// Ctrl+C, Ctrl+D and Backspace.
func (e *Editor) HandleEvent(ev Event, s Space) bool {
	switch ev := ev.(type) {
	case Paste:
		e.endSearch(true)
		e.eraseSelected()
		e.insertPaste(ev.Text)
		e.afterPaste = true
		return true
	case Key:
		after := e.afterPaste && !ev.Alone
		e.afterPaste = false
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
		starts := e.vim.normal && !e.vim.isPending()
		handled := e.handleVimKey(ev, s) || e.handleKey(ev, s)
		if e.vim.normal {
			e.buf.clampToLine()
		}
		e.recordKey(ev, starts)
		return handled
	}
	return false
}

// handleKey handles a key outside of vim's modes. It returns false if the editor has no use for k.
func (e *Editor) handleKey(k Key, s Space) bool {
	if t := k.Text(); t != "" {
		e.buf.typeText(t)
		e.handleTextChange()
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

// handleCtrl handles a key with Ctrl. It returns false if the editor has no use for k.
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
		return e.afterEdit(b.kill(b.nonSpaceStart(b.caret), b.caret)) || len(b.units) > 0
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

// handleAlt handles a key with Alt. It returns false if the editor has no use for k.
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

// afterEdit calls handleTextChange if ok, which says whether an edit has changed the text. It
// returns ok.
func (e *Editor) afterEdit(ok bool) bool {
	if ok {
		e.handleTextChange()
	}
	return ok
}

// moveTo moves the caret before unit i. It returns false if the caret is there already, or if i is
// out of range.
func (e *Editor) moveTo(i int) bool {
	if i < 0 || i > len(e.buf.units) || i == e.buf.caret {
		return false
	}
	e.buf.caret, e.buf.lastEdit, e.goalCol = i, editNone, 0
	return true
}

// moveHome moves the caret to the start of the line.
func (e *Editor) moveHome() bool {
	return e.moveTo(e.buf.lineStart(e.buf.caret)) || len(e.buf.units) > 0
}

// insertNewline begins a new line at the caret.
func (e *Editor) insertNewline() bool {
	e.buf.beginChange(editNone)
	e.buf.insert("\n")
	e.handleTextChange()
	return true
}

// handleEnter submits the text, or replaces a backslash before the caret by a new line.
func (e *Editor) handleEnter() bool {
	b := &e.buf
	if b.caret > 0 && b.units[b.caret-1].text == `\` {
		b.beginChange(editNone)
		b.replace(b.caret-1, b.caret, []textUnit{{text: "\n"}})
		e.handleTextChange()
		return true
	}
	if e.Empty() && !e.SubmitEmpty {
		return false
	}
	text := e.Text()
	kills := b.killRing
	e.buf, e.historyIndex, e.draft, e.topRow = buffer{killRing: kills}, 0, nil, 0
	e.vim.normal, e.changeKeys = false, nil
	e.vim.clearCommand()
	e.handleTextChange()
	e.Submit(text)
	return true
}

// moveRows moves the caret by a number of rows. From the first or last row it goes to the previous
// or next entry of History.
func (e *Editor) moveRows(by int, s Space) bool {
	rows := e.wrapText(s)
	r, col := e.caretRowCol(rows, s)
	if e.goalCol == 0 {
		e.goalCol = col + 1
	}
	if r+by < 0 || r+by >= len(rows) {
		return e.recallHistory(-by)
	}
	e.buf.caret, e.buf.lastEdit = e.unitAt(rows[r+by], e.goalCol-1, s, r+by == len(rows)-1), editNone
	return true
}

// recallHistory shows an entry of History, by entries further back than the shown one. It keeps the
// unsubmitted text as the draft.
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
	e.handleTextChange()
	return true
}
