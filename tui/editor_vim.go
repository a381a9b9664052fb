package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// vim is the state of vim's modes: the part of a command that is typed so far, and what one command
// leaves for the next. Its methods depend only on the buffer and the key. The zero value is in
// insert mode.
type vim struct {
	// normal mode; otherwise insert mode
	normal        bool
	count         int        // the count typed before the command; 0: none
	operator      rune       // d, c or y while its motion is being typed
	operatorCount int        // the count typed before the operator
	waitingKey    rune       // one of f F t T r g i a, which need another key
	findKey       rune       // the last of f F t T that was used
	findChar      string     // the character that findKey searched for
	register      []textUnit // the units that were deleted or copied last
	registerLines bool       // register holds whole lines
}

// editorAction is a part of a vim command that the Editor has to carry out.
type editorAction uint8

const (
	noAction      editorAction = iota
	actionRowUp                // moves count rows up, or back in the history
	actionRowDown              // moves count rows down, or forward in the history
	actionSearch               // opens the search in the history
	actionRepeat               // repeats the last change
)

// isPending reports whether a command is typed in part.
func (v *vim) isPending() bool {
	return v.count != 0 || v.operator != 0 || v.operatorCount != 0 || v.waitingKey != 0
}

// clearCommand drops the part of a command that is typed so far.
func (v *vim) clearCommand() { v.count, v.operator, v.operatorCount, v.waitingKey = 0, 0, 0, 0 }

// repeatCount returns how many times to repeat a command.
func (v *vim) repeatCount() int { return min(max(v.count, 1)*max(v.operatorCount, 1), 10000) }

// enterInsert switches to insert mode. The command and the text that is then typed form a single
// undo step.
func (v *vim) enterInsert(b *buffer) {
	v.normal = false
	b.groupsChanges, b.groupBegun = true, false
}

// handleEscape switches to normal mode, or drops the part of a command that is typed so far.
func (v *vim) handleEscape(b *buffer) {
	if !v.normal {
		v.normal, b.groupsChanges = true, false
		if b.caret > b.lineStart(b.caret) {
			b.caret--
		}
	}
	b.lastEdit = editNone
	v.clearCommand()
	b.clampToLine()
}

// clampToLine moves the caret from the end of a line onto its last character, where normal mode
// needs it.
func (b *buffer) clampToLine() {
	if b.caret > b.lineStart(b.caret) && b.caret == b.lineEnd(b.caret) {
		b.caret--
	}
}

// takeKey handles one typed character in normal mode. It returns an action that the Editor has to
// carry out, and how many times.
func (v *vim) takeKey(b *buffer, t string) (action editorAction, count int) {
	r := []rune(t)[0]
	switch {
	case v.waitingKey != 0:
		v.takeWaitedKey(b, t)
		return noAction, 0
	case r >= '1' && r <= '9' || r == '0' && v.count > 0:
		v.count = min(v.count*10+int(r-'0'), 10000)
		return noAction, 0
	case strings.ContainsRune("fFtTrg", r) || v.operator != 0 && (r == 'i' || r == 'a'):
		if r != 'r' || v.operator == 0 {
			v.waitingKey = r
			return noAction, 0
		}
	}
	if v.operator == 0 && (r == 'j' || r == 'k' || r == '/' || r == '.') {
		count = v.repeatCount()
		v.clearCommand()
		return map[rune]editorAction{'j': actionRowDown, 'k': actionRowUp, '/': actionSearch, '.': actionRepeat}[r],
			count
	}
	switch {
	case v.operator == 0 && strings.ContainsRune("dcy", r):
		v.operator, v.operatorCount, v.count = r, v.count, 0
		return noAction, 0
	case r == v.operator: // dd cc yy
		first := b.lineStart(b.caret)
		v.applyOperator(b, first, v.lineEndBelow(b, first, v.repeatCount()-1), true)
	case v.doMotion(b, r, ""):
	case v.operator == 0:
		v.runCommand(b, r)
	}
	v.clearCommand()
	if v.normal {
		b.clampToLine()
	}
	return noAction, 0
}

// takeWaitedKey handles the character t that completes the command in waitingKey.
func (v *vim) takeWaitedKey(b *buffer, t string) {
	switch w := v.waitingKey; w {
	case 'r':
		v.replaceChars(b, t)
	case 'i', 'a':
		if from, to, ok := textObject(b, t, w == 'a'); ok {
			v.applyOperator(b, from, to, false)
		}
	case 'g':
		if t == "g" {
			v.doMotion(b, 'g', "")
		}
	default:
		v.findKey, v.findChar = w, t
		v.doMotion(b, w, t)
	}
	v.clearCommand()
	if v.normal {
		b.clampToLine()
	}
}

// doMotion moves the caret by the motion r, or applies the pending operator over it. t is the
// character for f F t T. It returns false if r is no motion.
func (v *vim) doMotion(b *buffer, r rune, t string) bool {
	motion := r
	if r == ';' || r == ',' {
		if v.findKey == 0 {
			return true
		}
		if motion, t = v.findKey, v.findChar; r == ',' {
			motion = map[rune]rune{'f': 'F', 'F': 'f', 't': 'T', 'T': 't'}[motion]
		}
	}
	to, kind := v.motionTarget(b, motion, t, r != motion)
	switch {
	case kind == noMotion:
		return false
	case kind == noTarget:
	case v.operator == 0:
		b.caret, b.lastEdit = to, editNone
	case kind == lineMotion:
		v.applyOperator(b, b.lineStart(min(b.caret, to)), b.lineEnd(max(b.caret, to)), true)
	default:
		from := b.caret
		if to < from {
			from, to = to, from
		} else if kind == inclusiveMotion {
			to = min(to+1, len(b.units))
		}
		v.applyOperator(b, from, to, false)
	}
	return true
}

// applyOperator applies the pending operator to the units [from, to). If lines is true they are
// whole lines, without the last newline.
func (v *vim) applyOperator(b *buffer, from, to int, lines bool) {
	if from >= to && !lines && v.operator != 'c' {
		return
	}
	v.register, v.registerLines = slices.Clone(b.units[from:to]), lines
	switch v.operator {
	case 'y':
		if !lines || from < b.lineStart(b.caret) {
			b.caret = from
		}
		return
	case 'c':
		v.enterInsert(b)
		if from < to {
			b.beginChange(editNone)
			b.replace(from, to, nil)
		}
		b.caret = min(from, len(b.units))
		return
	}
	switch {
	case lines && to < len(b.units):
		to++
	case lines && from > 0:
		from--
	}
	if from < to {
		b.beginChange(editNone)
		b.replace(from, to, nil)
	}
	if lines {
		b.caret = b.firstNonBlank(b.lineStart(min(b.caret, len(b.units))))
	}
}

// lineEndBelow returns the end of the line that is n lines below the line at i, or of the last
// line.
func (v *vim) lineEndBelow(b *buffer, i, n int) int {
	end := b.lineEnd(i)
	for ; n > 0 && end < len(b.units); n-- {
		end = b.lineEnd(end + 1)
	}
	return end
}

// runCommand carries out a command that is neither a motion nor an operator.
func (v *vim) runCommand(b *buffer, r rune) {
	end, n := b.lineEnd(b.caret), v.repeatCount()
	apply := func(op rune, from, to int) {
		v.operator = op
		v.applyOperator(b, from, to, false)
	}
	switch r {
	case 'x':
		apply('d', b.caret, min(b.caret+n, end))
	case 'X':
		apply('d', max(b.caret-n, b.lineStart(b.caret)), b.caret)
	case 's':
		apply('c', b.caret, min(b.caret+n, end))
	case 'D':
		apply('d', b.caret, v.lineEndBelow(b, b.caret, n-1))
	case 'C':
		apply('c', b.caret, v.lineEndBelow(b, b.caret, n-1))
	case 'S', 'Y':
		first := b.lineStart(b.caret)
		v.operator = map[rune]rune{'S': 'c', 'Y': 'y'}[r]
		v.applyOperator(b, first, v.lineEndBelow(b, first, n-1), true)
	case '~':
		v.swapCase(b, min(b.caret+n, end))
	case 'J':
		v.joinLines(b, max(n-1, 1))
	case 'i', 'a', 'I', 'A', 'o', 'O':
		v.startInsert(b, r)
	case 'p', 'P':
		v.putRegister(b, r == 'p', n)
	case 'u':
		for ; n > 0 && b.undoChange(); n-- {
		}
	}
}

// startInsert carries out i a I A o or O: it moves the caret as r says and switches to insert mode.
func (v *vim) startInsert(b *buffer, r rune) {
	start, end := b.lineStart(b.caret), b.lineEnd(b.caret)
	v.enterInsert(b)
	switch r {
	case 'a':
		b.caret = min(b.caret+1, end)
	case 'I':
		b.caret = b.firstNonBlank(start)
	case 'A':
		b.caret = end
	case 'o':
		b.beginChange(editNone)
		b.replace(end, end, []textUnit{{text: "\n"}})
	case 'O':
		b.beginChange(editNone)
		b.replace(start, start, []textUnit{{text: "\n"}})
		b.caret = start
	}
}

// putRegister inserts the register n times, after the caret if after is true, otherwise before it.
func (v *vim) putRegister(b *buffer, after bool, n int) {
	if len(v.register) == 0 && !v.registerLines {
		return
	}
	n = min(n, maxUndoUnits/max(len(v.register), 1)+1)
	if !v.registerLines {
		at := b.caret
		if after {
			at = min(at+1, b.lineEnd(b.caret))
		}
		b.beginChange(editNone)
		b.replace(at, at, slices.Repeat(v.register, n))
		b.caret = max(b.caret-1, 0)
		return
	}
	lines := slices.Repeat(append(slices.Clone(v.register), textUnit{text: "\n"}), n)
	at := b.lineStart(b.caret)
	if after {
		if at = b.lineEnd(b.caret); at < len(b.units) {
			at++
		} else { // below the last line
			lines = append([]textUnit{{text: "\n"}}, lines[:len(lines)-1]...)
		}
	}
	b.beginChange(editNone)
	b.replace(at, at, lines)
	if at < len(b.units) && b.units[at].isNewline() && lines[0].isNewline() && len(lines) > 1 {
		at++
	}
	b.caret = b.firstNonBlank(min(at, len(b.units)))
}

// replaceChars carries out the command r: it replaces characters by t.
func (v *vim) replaceChars(b *buffer, t string) {
	n := v.repeatCount()
	if b.caret+n > b.lineEnd(b.caret) {
		return
	}
	b.beginChange(editNone)
	at := b.caret
	b.replace(at, at+n, splitUnits(strings.Repeat(t, n)))
	b.caret = max(b.caret-1, 0)
}

// swapCase carries out the command ~: it swaps the case of the units from the caret up to index to.
func (v *vim) swapCase(b *buffer, to int) {
	if b.caret >= to {
		return
	}
	units := slices.Clone(b.units[b.caret:to])
	for i, u := range units {
		if u.paste == "" {
			units[i].text = strings.Map(func(r rune) rune {
				if unicode.IsUpper(r) {
					return unicode.ToLower(r)
				}
				return unicode.ToUpper(r)
			}, u.text)
		}
	}
	b.beginChange(editNone)
	b.replace(b.caret, to, units)
}

// joinLines carries out the command J: n newlines, each with the blanks after it, become a space.
func (v *vim) joinLines(b *buffer, n int) {
	for first := true; n > 0; n-- {
		end := b.lineEnd(b.caret)
		if end == len(b.units) {
			return
		}
		if first {
			b.beginChange(editNone)
		}
		first = false
		to := end + 1
		for to < len(b.units) && b.units[to].isSpace() && !b.units[to].isNewline() {
			to++
		}
		space := []textUnit{{text: " "}}
		if end == b.lineStart(end) || to == len(b.units) || b.units[end-1].isSpace() {
			space = nil
		}
		b.replace(end, to, space)
		b.caret = min(end, len(b.units))
	}
}

// handleVimKey handles k if vim's modes give it a meaning. It returns false if the key has its
// ordinary meaning.
func (e *Editor) handleVimKey(k Key, s Space) bool {
	v, b := &e.vim, &e.buf
	escape := k.Code == terminal.KeyEscape && k.Mods == 0
	switch {
	case !e.TakesKey(k):
		if !v.normal {
			b.groupsChanges = true
		} else {
			v.clearCommand()
		}
		return false
	case escape:
		v.handleEscape(b)
		e.goalCol = 0
	case k.Mods == terminal.Ctrl: // R
		for n := v.repeatCount(); n > 0 && b.redoChange(); n-- {
		}
		v.clearCommand()
		b.clampToLine()
		e.handleTextChange()
	default:
		changes := len(b.undo) + len(b.redo)<<20
		action, n := v.takeKey(b, k.Text())
		if action != actionRowUp && action != actionRowDown {
			e.goalCol = 0
		}
		switch action {
		case actionRowUp, actionRowDown:
			for by := map[editorAction]int{actionRowUp: -1, actionRowDown: 1}[action]; n > 0 && e.moveRows(by, s); n-- {
			}
			b.clampToLine()
		case actionSearch:
			e.searchOlder()
		case actionRepeat:
			e.replayChange(s)
		}
		if len(b.undo)+len(b.redo)<<20 != changes || !v.normal {
			e.handleTextChange()
		}
	}
	return true
}

// TakesKey reports whether k has a meaning in vim's modes, so that nobody else should handle it: a
// command of normal mode, or the Escape that ends insert mode or a command.
func (e *Editor) TakesKey(k Key) bool {
	switch {
	case !e.Vim || e.search != nil:
		return false
	case k.Code == terminal.KeyEscape && k.Mods == 0:
		return !e.vim.normal || e.vim.isPending()
	}
	return e.vim.normal && (k.Text() != "" || k.Mods == terminal.Ctrl && k.Code == 'r')
}

// InNormalMode reports whether the editor is in vim's normal mode.
func (e *Editor) InNormalMode() bool { return e.Vim && e.vim.normal }

// recordKey records the keys of a change for the command "." that repeats it. starts says that k is
// the first key of a command.
func (e *Editor) recordKey(k Key, starts bool) {
	if e.replaying || !starts && len(e.changeKeys) == 0 {
		return
	}
	if starts {
		e.changeKeys = e.changeKeys[:0]
	}
	if e.changeKeys = append(e.changeKeys, k); len(e.changeKeys) > 4096 {
		e.changeKeys = e.changeKeys[:0]
	}
	if !e.InNormalMode() || e.vim.isPending() {
		return
	}
	for _, k := range e.changeKeys { // the command itself
		if t := k.Text(); t != "" && (t < "0" || t > "9") {
			if strings.Contains("xXr~dcpPoOiaIAsSDCJ", t) {
				e.lastChange = slices.Clone(e.changeKeys)
			}
			break
		}
	}
	e.changeKeys = e.changeKeys[:0]
}

// replayChange repeats the last change.
func (e *Editor) replayChange(s Space) {
	e.replaying = true
	for _, k := range e.lastChange {
		if !e.handleVimKey(k, s) {
			e.handleKey(k, s)
		}
	}
	e.replaying = false
}
