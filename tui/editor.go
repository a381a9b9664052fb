package tui

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/terminal/width"
)

// A paste of more lines or bytes than these is collapsed to a chip.
const (
	chipLines = 10
	chipBytes = 1000
	openBytes = 1 << 20 // a chip that stands for more is not opened
	// What is kept in Editor.Pastes: so many, and bytes of all; the newest always.
	maxPastes     = 32
	maxPasteBytes = 32 << 20
)

// Editor is the prompt: text of several lines with the habits of readline. Enter submits;
// Shift+Enter, Alt+Enter, Ctrl+J and a backslash before Enter begin a new line. A large paste is
// collapsed to a chip, one step for the caret, that submits as its text; Ctrl+O opens the chip
// before the caret. Ctrl+R looks for text in the history: Ctrl+R again for an older entry, Enter
// takes it without submitting it. Fields may be changed in a callback.
type Editor struct {
	Prompt      string            // before the first row; "" for the theme's glyph and a space
	Placeholder string            // dim, while it is empty
	MaxRows     int               // 0: a third of the window, at least 3
	Blank       bool              // Enter submits a text that is empty, too: for a question with a default
	Vim         bool              // the modes of vim; it begins with insert mode, and so does each new text
	OnSubmit    func(text string) // Enter; the editor is empty again
	OnChange    func()
	History     []string // oldest first; what is submitted is appended
	Pastes      []string // texts that are chips wherever a text that is set or recalled holds them, the newest last

	b     buffer
	goal  int    // column for moves up and down, plus 1; 0: that of the caret
	top   int    // first row that is shown
	past  int    // entries of History back from the newest, 0: the draft
	draft []unit // while past > 0

	pasted bool    // the last event was a paste
	search *search // nil: not open

	vim     vim
	keys    []Key // of the change that is being made
	change  []Key // of the last one
	replays bool

	// Of the last View, used again for the next.
	rows    []editRow
	spare   []editRow
	wrapped int // units that rows are of
	area0   int // what rows were made for
	model0  width.Model

	lines []Line
	pos   Pos
	part  []byte
}

// Text returns what would be submitted, chips expanded.
func (e *Editor) Text() string { return join(e.b.units) }

// Size returns how many bytes Text has.
func (e *Editor) Size() (n int) {
	for _, u := range e.b.units {
		if n += len(u.text); u.paste != "" {
			n += len(u.paste) - len(u.text)
		}
	}
	return n
}

// Starts reports whether Text starts with prefix. It is cheap also where a chip stands for much.
func (e *Editor) Starts(prefix string) bool {
	for _, u := range e.b.units {
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

// Before returns the text between the start of the caret's line and the caret.
func (e *Editor) Before() string { return join(e.b.units[e.b.lineStart(e.b.at):e.b.at]) }

// Complete puts text in the place of old, which stands right before the caret; false if it does
// not.
func (e *Editor) Complete(old, text string) bool {
	e.leave(true)
	from, left := e.b.at, len(old)
	for from > 0 && left > 0 && e.b.units[from-1].paste == "" {
		from--
		left -= len(e.b.units[from].text)
	}
	if left != 0 || join(e.b.units[from:e.b.at]) != old {
		return false
	}
	e.b.keep(editNone)
	e.b.replace(from, e.b.at, split(text))
	e.changed()
	return true
}

// Empty reports whether there is nothing to submit: no text, or white space only.
func (e *Editor) Empty() bool {
	for _, u := range e.b.units {
		if !u.space() {
			return false
		}
	}
	return true
}

// SetText replaces the text, which can be undone. The caret stands at its end.
func (e *Editor) SetText(s string) {
	e.leave(true)
	e.b.keep(editNone)
	e.b.replace(0, len(e.b.units), e.chipped(s))
	e.changed()
}

// Insert puts s at the caret.
func (e *Editor) Insert(s string) {
	e.leave(true)
	e.b.keep(editNone)
	e.b.insert(s)
	e.changed()
}

// InsertChip puts text at the caret as one step for it, which shows label.
func (e *Editor) InsertChip(label, text string) {
	e.leave(true)
	e.b.keep(editNone)
	e.b.replace(e.b.at, e.b.at, []unit{{text: "[" + label + "]", paste: text}})
	e.changed()
}

// Submit does with text what Enter does: it goes to History and to OnSubmit. The text being edited
// stays.
func (e *Editor) Submit(text string) {
	if n := len(e.History); text != "" && (n == 0 || e.History[n-1] != text) {
		e.History = append(e.History, text)
	}
	if e.OnSubmit != nil {
		e.OnSubmit(text)
	}
}

// changed follows every change of the text.
func (e *Editor) changed() {
	e.goal = 0
	if e.OnChange != nil {
		e.OnChange()
	}
}

// HandleEvent takes keys and pastes. Not handled, so that others can use them: Enter (but for
// Blank), Ctrl+C, Ctrl+D and Backspace while it is empty, Tab, Escape, and moves that lead nowhere.
func (e *Editor) HandleEvent(ev Event, s Space) bool {
	switch ev := ev.(type) {
	case Paste:
		e.leave(true)
		e.paste(ev.Text)
		e.pasted = true
		return true
	case Key:
		after := e.pasted && !ev.Alone
		e.pasted = false
		if after && ev.Code == terminal.KeyEnter && ev.Mods == 0 {
			return true // it came in one read with the paste: a paste never submits
		}
		if e.search != nil && e.searchKey(ev) {
			return true
		}
		if !e.Vim {
			return e.key(ev, s)
		}
		begun := e.vim.normal && !e.vim.pending()
		done := e.vimKey(ev, s) || e.key(ev, s)
		if e.vim.normal {
			e.b.onto()
		}
		e.record(ev, begun)
		return done
	}
	return false
}

// paste inserts text as one step, a large one as a chip.
func (e *Editor) paste(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if text == "" {
		return
	}
	e.b.keep(editNone)
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 // as wc counts them
	if lines <= chipLines && len(text) <= chipBytes {
		e.b.insert(text)
	} else {
		e.Pastes = append(e.Pastes, text)
		e.forget()
		e.b.replace(e.b.at, e.b.at, []unit{chip(text)})
	}
	e.changed()
}

// forget drops the oldest pastes that are beyond what is kept.
func (e *Editor) forget() {
	held, first := 0, len(e.Pastes)-1
	for i := first; i >= max(len(e.Pastes)-maxPastes, 0); i-- {
		if held += len(e.Pastes[i]); held > maxPasteBytes && i < len(e.Pastes)-1 {
			break
		}
		first = i
	}
	e.Pastes = slices.Clone(e.Pastes[first:])
}

// chip stands for a pasted text.
func chip(text string) unit {
	size := strconv.Itoa(len(text)) + " bytes"
	if lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; lines > 1 {
		size = strconv.Itoa(lines) + " lines"
	}
	return unit{text: "[pasted " + size + "]", paste: text}
}

// chipped returns s in units, the pastes in it as chips.
func (e *Editor) chipped(s string) []unit {
	for _, p := range slices.Backward(e.Pastes) {
		if before, after, ok := strings.Cut(s, p); ok && p != "" {
			return slices.Concat(e.chipped(before), []unit{chip(p)}, e.chipped(after))
		}
	}
	return split(s)
}

// open expands the chip before the caret, or the one behind it, unless it stands for too much.
func (e *Editor) open() bool {
	for _, i := range []int{e.b.at - 1, e.b.at} {
		if i >= 0 && i < len(e.b.units) && e.b.units[i].paste != "" && len(e.b.units[i].paste) <= openBytes {
			e.b.keep(editNone)
			e.b.replace(i, i+1, split(e.b.units[i].paste))
			return true
		}
	}
	return false
}

// key does what k means.
func (e *Editor) key(k Key, s Space) bool {
	if t := k.Text(); t != "" {
		e.b.typed(t)
		e.changed()
		return true
	}
	b := &e.b
	switch k.Mods {
	case 0:
		switch k.Code {
		case terminal.KeyEnter:
			return e.enter()
		case terminal.KeyUp:
			return e.vertical(-1, s)
		case terminal.KeyDown:
			return e.vertical(1, s)
		case terminal.KeyLeft:
			return e.move(b.at - 1)
		case terminal.KeyRight:
			return e.move(b.at + 1)
		case terminal.KeyHome:
			return e.home()
		case terminal.KeyEnd:
			return e.move(b.lineEnd(b.at))
		case terminal.KeyBackspace:
			return e.edited(b.erase(max(b.at-1, 0), b.at))
		case terminal.KeyDelete:
			return e.edited(b.erase(b.at, min(b.at+1, len(b.units))))
		}
	case terminal.Shift:
		switch k.Code {
		case terminal.KeyEnter:
			return e.newline()
		case terminal.KeyBackspace:
			return e.edited(b.erase(max(b.at-1, 0), b.at))
		}
	case terminal.Ctrl:
		return e.ctrl(k)
	case terminal.Alt:
		return e.alt(k)
	}
	return false
}

func (e *Editor) ctrl(k Key) bool {
	b := &e.b
	switch k.Code {
	case 'j':
		return e.newline()
	case 'a':
		return e.home()
	case 'e':
		return e.move(b.lineEnd(b.at)) || len(b.units) > 0
	case 'b':
		return e.move(b.at - 1)
	case 'f':
		return e.move(b.at + 1)
	case 'p':
		return e.recall(1)
	case 'n':
		return e.recall(-1)
	case terminal.KeyLeft:
		return e.move(b.wordLeft(b.at))
	case terminal.KeyRight:
		return e.move(b.wordRight(b.at))
	case terminal.KeyHome:
		return e.move(0)
	case terminal.KeyEnd:
		return e.move(len(b.units))
	case 'h':
		return e.edited(b.erase(max(b.at-1, 0), b.at))
	case 'd':
		return e.edited(b.erase(b.at, min(b.at+1, len(b.units)))) || len(b.units) > 0
	case 'k':
		end := b.lineEnd(b.at)
		if end == b.at && end < len(b.units) {
			end++ // at the end of a line: its newline
		}
		return e.edited(b.kill(b.at, end)) || len(b.units) > 0
	case 'u':
		from := b.lineStart(b.at)
		if from == b.at && from > 0 {
			from--
		}
		return e.edited(b.kill(from, b.at)) || len(b.units) > 0
	case 'w':
		return e.edited(b.kill(b.blankLeft(b.at), b.at)) || len(b.units) > 0
	case terminal.KeyBackspace:
		return e.edited(b.kill(b.wordLeft(b.at), b.at))
	case terminal.KeyDelete:
		return e.edited(b.kill(b.at, b.wordRight(b.at)))
	case 'y':
		return e.edited(b.yank(false))
	case 't':
		return e.edited(b.transpose())
	case 'r':
		e.seek()
		return true
	case '_', '/', '7', '-':
		return e.edited(b.undoOne())
	case 'o':
		return e.edited(e.open())
	case 'c':
		return e.edited(b.kill(0, len(b.units))) // Ctrl+Y or undo brings it back
	}
	return false
}

func (e *Editor) alt(k Key) bool {
	b := &e.b
	switch k.Code {
	case terminal.KeyEnter:
		return e.newline()
	case 'b', terminal.KeyLeft:
		return e.move(b.wordLeft(b.at))
	case 'f', terminal.KeyRight:
		return e.move(b.wordRight(b.at))
	case 'd', terminal.KeyDelete:
		return e.edited(b.kill(b.at, b.wordRight(b.at)))
	case terminal.KeyBackspace:
		return e.edited(b.kill(b.wordLeft(b.at), b.at))
	case 'y':
		return e.edited(b.yank(true))
	case 'u':
		return e.edited(b.recase(unicode.ToUpper, unicode.ToUpper))
	case 'l':
		return e.edited(b.recase(unicode.ToLower, unicode.ToLower))
	case 'c':
		return e.edited(b.recase(unicode.ToTitle, unicode.ToLower))
	case 't':
		return e.edited(b.transposeWords())
	case '_', '/':
		return e.edited(b.redoOne())
	case '<':
		return e.move(0)
	case '>':
		return e.move(len(b.units))
	}
	return false
}

// edited follows an edit; ok: there was one.
func (e *Editor) edited(ok bool) bool {
	if ok {
		e.changed()
	}
	return ok
}

// move takes the caret to i. False: it is there, or i is nowhere.
func (e *Editor) move(i int) bool {
	if i < 0 || i > len(e.b.units) || i == e.b.at {
		return false
	}
	e.b.at, e.b.last, e.goal = i, editNone, 0
	return true
}

// home goes to the start of the line.
func (e *Editor) home() bool { return e.move(e.b.lineStart(e.b.at)) || len(e.b.units) > 0 }

func (e *Editor) newline() bool {
	e.b.keep(editNone)
	e.b.insert("\n")
	e.changed()
	return true
}

// enter submits, or begins a new line after a backslash.
func (e *Editor) enter() bool {
	b := &e.b
	if b.at > 0 && b.units[b.at-1].text == `\` {
		b.keep(editNone)
		b.replace(b.at-1, b.at, []unit{{text: "\n"}})
		e.changed()
		return true
	}
	if e.Empty() && !e.Blank {
		return false
	}
	text := e.Text()
	kills := b.kills
	e.b, e.past, e.draft, e.top = buffer{kills: kills}, 0, nil, 0
	e.vim.normal, e.keys = false, nil
	e.vim.forget()
	e.changed()
	e.Submit(text)
	return true
}

// vertical moves the caret by rows, and from the first or last one through the history.
func (e *Editor) vertical(by int, s Space) bool {
	rows := e.wrap(s)
	r, col := e.caret(rows, s)
	if e.goal == 0 {
		e.goal = col + 1
	}
	if r+by < 0 || r+by >= len(rows) {
		return e.recall(-by)
	}
	e.b.at, e.b.last = e.index(rows[r+by], e.goal-1, s, r+by == len(rows)-1), editNone
	return true
}

// recall shows the entry of History that is by further back. The draft is kept.
func (e *Editor) recall(by int) bool {
	to := e.past + by
	if to < 0 || to > len(e.History) {
		return false
	}
	if e.past == 0 {
		e.draft = slices.Clone(e.b.units)
	}
	e.past = to
	units := e.draft
	if to > 0 {
		units = e.chipped(e.History[len(e.History)-to])
	}
	e.b.keep(editNone)
	e.b.replace(0, len(e.b.units), units)
	e.changed()
	return true
}
