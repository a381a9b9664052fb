package vt

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// execute handles a C0 control. There is no answerback: ENQ is ignored as the rest is.
func (t *Terminal) execute(c byte) {
	switch c {
	case 0x07:
		t.bells++
	case 0x08:
		t.cursorLeft(1)
	case 0x09:
		t.tab(1)
	case 0x0a, 0x0b, 0x0c:
		t.linefeed()
	case 0x0d:
		t.carriageReturn()
	case 0x0e:
		t.s.charset.gl = 1
	case 0x0f:
		t.s.charset.gl = 0
	}
}

// oneParam returns the only parameter, fallback if there is none; ok is false if there are more.
func oneParam(q *ansi.Sequence, fallback int) (n int, ok bool) {
	switch len(q.Params) {
	case 0:
		return fallback, true
	case 1:
		return int(q.Params[0]), true
	}
	return 0, false
}

// twoParams is oneParam for two; the second falls back to fallback2 also when only the first is
// there.
func twoParams(q *ansi.Sequence, fallback1, fallback2 int) (a, b int, ok bool) {
	switch len(q.Params) {
	case 0:
		return fallback1, fallback2, true
	case 1:
		return int(q.Params[0]), fallback2, true
	case 2:
		return int(q.Params[0]), int(q.Params[1]), true
	}
	return 0, 0, false
}

// CSI dispatches a control sequence (stream.zig csiDispatch). A sequence with more parameters than
// its function takes is ignored.
func (p *performer) CSI(q *ansi.Sequence) {
	p.within = false
	t := (*Terminal)(p)
	if len(q.Intermediates) > 0 {
		t.csiMarked(q)
		return
	}
	switch q.Final {
	case 'm':
		t.maybeSweep()
		t.sgr(q)
		return
	case 'H', 'f':
		if row, col, ok := twoParams(q, 1, 1); ok {
			t.moveTo(row, col)
		}
		return
	case 'h', 'l':
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), false); ok {
				t.setMode(m, q.Final == 'h')
			}
		}
		return
	case 'r':
		if top, bottom, ok := twoParams(q, 0, 0); ok {
			t.setRows(top, bottom)
		}
		return
	case 's':
		if len(q.Params) == 0 && !t.modes.has(modeMargins) {
			t.saveCursor()
		} else if left, right, ok := twoParams(q, 0, 0); ok {
			t.setColumns(left, right)
		}
		return
	case 'u':
		t.restoreCursor()
		return
	case 't':
		t.windowOp(q)
		return
	case 'T':
		if n, ok := oneParam(q, 1); ok {
			t.scrollDown(n)
		}
		return
	case 'J':
		if n, ok := oneParam(q, 0); ok {
			t.eraseDisplay(n, false)
		}
		return
	case 'K':
		if n, ok := oneParam(q, 0); ok && n <= 2 {
			t.eraseLine(n, false)
		}
		return
	case 'W':
		t.tabControl(q)
		return
	case 'c':
		t.reportAttributes(0)
		return
	case 'g':
		if len(q.Params) == 1 {
			t.clearTabs(int(q.Params[0]))
		}
		return
	case 'n':
		if len(q.Params) == 1 {
			t.reportStatus(int(q.Params[0]), false)
		}
		return
	}
	if n, ok := oneParam(q, 1); ok {
		t.csiCount(q.Final, n)
	}
}

// csiCount handles sequences with a count or a position as their only parameter.
func (t *Terminal) csiCount(final byte, n int) {
	c := &t.s.cursor
	switch final {
	case 'A', 'k':
		t.cursorUp(n)
	case 'B':
		t.cursorDown(n)
	case 'C':
		t.cursorRight(n)
	case 'D', 'j':
		t.cursorLeft(n)
	case 'E':
		t.cursorDown(n)
		t.carriageReturn()
	case 'F':
		t.cursorUp(n)
		t.carriageReturn()
	case 'G', '`':
		t.moveTo(c.y+1, n)
	case 'I':
		t.tab(n)
	case 'L':
		t.insertLines(n)
	case 'M':
		t.deleteLinesSequence(n)
	case 'P':
		t.deleteChars(n)
	case 'S':
		t.scrollUp(n)
	case 'X':
		t.eraseChars(n)
	case 'Z':
		t.tabBack(n)
	case '@':
		t.insertBlanks(max(n, 1))
	case 'a':
		t.moveTo(c.y+1, c.x+1+n)
	case 'b':
		t.printRepeat(n)
	case 'd':
		t.moveTo(n, c.x+1)
	case 'e':
		t.moveTo(c.y+1+n, c.x+1)
	}
}

// csiMarked handles sequences with a private marker, an intermediate, or both.
func (t *Terminal) csiMarked(q *ansi.Sequence) {
	mark := q.Intermediates[0]
	if len(q.Intermediates) > 1 {
		if q.Final == 'p' && string(q.Intermediates) == "?$" && len(q.Params) == 1 {
			t.reportMode(int(q.Params[0]))
		}
		return
	}
	switch {
	case mark == '?' && (q.Final == 'h' || q.Final == 'l'):
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), true); ok {
				t.setMode(m, q.Final == 'h')
			}
		}
	case mark == '?' && q.Final == 's':
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), true); ok {
				t.savedModes.set(m, t.modes.has(m))
			}
		}
	case mark == '?' && q.Final == 'r':
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), true); ok {
				t.setMode(m, t.savedModes.has(m))
			}
		}
	case mark == '?' && q.Final == 'J':
		if n, ok := oneParam(q, 0); ok {
			t.eraseDisplay(n, true)
		}
	case mark == '?' && q.Final == 'K':
		if n, ok := oneParam(q, 0); ok && n <= 2 {
			t.eraseLine(n, true)
		}
	case mark == '?' && q.Final == 'W':
		if len(q.Params) == 1 && q.Params[0] == 5 {
			t.resetTabs()
		}
	case mark == '?' && q.Final == 'n':
		if len(q.Params) == 1 {
			t.reportStatus(int(q.Params[0]), true)
		}
	case q.Final == 'u':
		t.keyboard(q, mark)
	case q.Final == 'c' && mark == '>':
		t.reportAttributes(1)
	case q.Final == 'c' && mark == '=':
		t.reportAttributes(2)
	case q.Final == 'q' && mark == '>':
		t.reportVersion()
	case q.Final == 'q' && mark == ' ':
		if n, ok := oneParam(q, 0); ok {
			t.setCursorShape(n)
		}
	case q.Final == 'q' && mark == '"':
		switch n, ok := oneParam(q, 0); {
		case ok && (n == 0 || n == 2):
			t.protect(unprotected)
		case ok && n == 1:
			t.protect(decProtection)
		}
	case q.Final == '}' && mark == '$':
		if len(q.Params) == 1 && q.Params[0] <= 1 {
			t.statusLine = q.Params[0] == 1
		}
	case q.Final == 'T' && mark == '+':
		if n, ok := oneParam(q, 1); ok {
			t.unscroll(n)
		}
	}
}

// tabControl implements CTC.
func (t *Terminal) tabControl(q *ansi.Sequence) {
	switch n, ok := oneParam(q, 0); {
	case ok && n == 0:
		t.tabs[t.s.cursor.x] = true
	case ok && n == 2:
		t.clearTabs(0)
	case ok && n == 5:
		t.clearTabs(3)
	}
}

// clearTabs implements TBC. As in ghostty, clearing the stop of a column that has none sets one
// (Tabstops.zig unset).
func (t *Terminal) clearTabs(what int) {
	switch what {
	case 0:
		t.tabs[t.s.cursor.x] = !t.tabs[t.s.cursor.x]
	case 3:
		clear(t.tabs)
	}
}

// setCursorShape implements DECSCUSR.
func (t *Terminal) setCursorShape(n int) {
	if n > 6 {
		return
	}
	t.s.cursor.shape = [...]Shape{Block, Block, Block, UnderlineShape, UnderlineShape, Bar, Bar}[n]
	t.modes.set(modeCursorBlink, n%2 == 1)
}

// escape dispatches an escape sequence (stream.zig escDispatch).
func (t *Terminal) escape(q *ansi.Sequence) {
	if len(q.Intermediates) > 0 {
		t.escapeMarked(q)
		return
	}
	ch := &t.s.charset
	switch q.Final {
	case '7':
		t.saveCursor()
	case '8':
		t.restoreCursor()
	case 'D':
		t.ends(t.s.cursor.y)
		t.index()
	case 'E':
		t.ends(t.s.cursor.y)
		t.index()
		t.carriageReturn()
	case 'H':
		t.tabs[t.s.cursor.x] = true
	case 'M':
		t.reverseIndex()
	case 'N':
		ch.single = 3
	case 'O':
		ch.single = 4
	case 'V':
		t.protect(isoProtection)
	case 'W':
		t.protect(unprotected)
	case 'Z':
		t.reportAttributes(0)
	case 'c':
		t.reset()
	case 'n':
		ch.gl = 2
	case 'o':
		ch.gl = 3
	case '=':
		t.modes.set(modeKeypad, true)
	case '>':
		t.modes.set(modeKeypad, false)
	}
}

func (t *Terminal) escapeMarked(q *ansi.Sequence) {
	if len(q.Intermediates) != 1 {
		return
	}
	mark := q.Intermediates[0]
	if mark == '#' && q.Final == '8' {
		t.alignmentTest()
		return
	}
	if mark < '(' || mark > '+' {
		return
	}
	slot := mark - '('
	switch q.Final {
	case 'B':
		t.s.charset.sets[slot] = ascii
	case 'A':
		t.s.charset.sets[slot] = british
	case '0':
		t.s.charset.sets[slot] = lineDrawing
	}
}

// printRepeat implements REP.
func (t *Terminal) printRepeat(n int) {
	if t.last == 0 {
		return
	}
	n = max(n, 1)
	if t.last < 0x7f && t.last >= 0x20 {
		var run [128]byte
		for i := range run {
			run[i] = byte(t.last)
		}
		for ; n > 0; n -= len(run) {
			(*performer)(t).Text(run[:min(n, len(run))])
		}
		return
	}
	for range n {
		t.printRune(t.last)
	}
}
