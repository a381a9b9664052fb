package vt

import "github.com/scrollkeep/scrollkeep/terminal/ansi"

// executeC0 handles a C0 control. ENQ and others without an effect here are ignored.
func (t *Terminal) executeC0(c byte) {
	switch c {
	case 0x07: // BEL
		t.window.bells++
	case 0x08: // BS
		t.cursorLeft(1)
	case 0x09: // HT
		t.tabForward(1)
	case 0x0a, 0x0b, 0x0c: // LF, VT, FF
		t.linefeed()
	case 0x0d: // CR
		t.carriageReturn()
	case 0x0e: // SO
		t.active.charset.gl = 1
	case 0x0f: // SI
		t.active.charset.gl = 0
	}
}

// oneParam returns the only parameter, or fallback if there is none. ok is false if there are more.
func oneParam(q *ansi.Sequence, fallback int) (n int, ok bool) {
	switch len(q.Params) {
	case 0:
		return fallback, true
	case 1:
		return int(q.Params[0]), true
	}
	return 0, false
}

// twoParams returns two parameters, or the fallbacks for missing ones. ok is false if there are
// more.
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

// CSI executes a control sequence (stream.zig csiDispatch). A sequence with more parameters than
// its function takes is ignored.
func (p *performer) CSI(q *ansi.Sequence) {
	p.printing.segmentValid = false
	t := (*Terminal)(p)
	if len(q.Intermediates) > 0 {
		t.dispatchMarkedCSI(q)
		return
	}
	switch q.Final {
	case 'm': // SGR
		t.maybeSweep()
		t.applySGR(q)
		return
	case 'H', 'f': // CUP, HVP
		if row, col, ok := twoParams(q, 1, 1); ok {
			t.moveTo(row, col)
		}
		return
	case 'h', 'l': // SM, RM
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), false); ok {
				t.setMode(m, q.Final == 'h')
			}
		}
		return
	case 'r': // DECSTBM
		if top, bottom, ok := twoParams(q, 0, 0); ok {
			t.setRows(top, bottom)
		}
		return
	case 's': // SCOSC, DECSLRM
		if len(q.Params) == 0 && !t.modes.has(modeMargins) {
			t.saveCursor()
		} else if left, right, ok := twoParams(q, 0, 0); ok {
			t.setColumns(left, right)
		}
		return
	case 'u': // SCORC
		t.restoreCursor()
		return
	case 't': // XTWINOPS
		t.windowOp(q)
		return
	case 'T': // SD
		if n, ok := oneParam(q, 1); ok {
			t.scrollDown(n)
		}
		return
	case 'J': // ED
		if n, ok := oneParam(q, 0); ok {
			t.eraseDisplay(n, false)
		}
		return
	case 'K': // EL
		if n, ok := oneParam(q, 0); ok && n <= 2 {
			t.eraseLine(n, false)
		}
		return
	case 'W': // CTC
		t.tabControl(q)
		return
	case 'c': // DA1
		t.reportAttributes(0)
		return
	case 'g': // TBC
		if len(q.Params) == 1 {
			t.clearTabs(int(q.Params[0]))
		}
		return
	case 'n': // DSR
		if len(q.Params) == 1 {
			t.reportStatus(int(q.Params[0]), false)
		}
		return
	}
	if n, ok := oneParam(q, 1); ok {
		t.dispatchCount(q.Final, n)
	}
}

// dispatchCount executes control sequences whose only parameter is a count or a position.
func (t *Terminal) dispatchCount(final byte, n int) {
	c := &t.active.cursor
	switch final {
	case 'A', 'k': // CUU, VPB
		t.cursorUp(n)
	case 'B': // CUD
		t.cursorDown(n)
	case 'C': // CUF
		t.cursorRight(n)
	case 'D', 'j': // CUB, HPB
		t.cursorLeft(n)
	case 'E': // CNL
		t.cursorDown(n)
		t.carriageReturn()
	case 'F': // CPL
		t.cursorUp(n)
		t.carriageReturn()
	case 'G', '`': // CHA, HPA
		t.moveTo(c.y+1, n)
	case 'I': // CHT
		t.tabForward(n)
	case 'L': // IL
		t.insertLines(n)
	case 'M': // DL
		t.deleteLinesSequence(n)
	case 'P': // DCH
		t.deleteChars(n)
	case 'S': // SU
		t.scrollUp(n)
	case 'X': // ECH
		t.eraseChars(n)
	case 'Z': // CBT
		t.tabBack(n)
	case '@': // ICH
		t.insertBlanks(max(n, 1))
	case 'a': // HPR
		t.moveTo(c.y+1, c.x+1+n)
	case 'b': // REP
		t.printRepeat(n)
	case 'd': // VPA
		t.moveTo(n, c.x+1)
	case 'e': // VPR
		t.moveTo(c.y+1+n, c.x+1)
	}
}

// dispatchMarkedCSI executes control sequences that have a private marker or an intermediate byte.
func (t *Terminal) dispatchMarkedCSI(q *ansi.Sequence) {
	mark := q.Intermediates[0]
	if len(q.Intermediates) > 1 {
		if q.Final == 'p' && string(q.Intermediates) == "?$" && len(q.Params) == 1 { // DECRQM
			t.reportMode(int(q.Params[0]))
		}
		return
	}
	switch {
	case mark == '?' && (q.Final == 'h' || q.Final == 'l'): // DECSET, DECRST
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), true); ok {
				t.setMode(m, q.Final == 'h')
			}
		}
	case mark == '?' && q.Final == 's': // XTSAVE
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), true); ok {
				t.savedModes.set(m, t.modes.has(m))
			}
		}
	case mark == '?' && q.Final == 'r': // XTRESTORE
		for _, n := range q.Params {
			if m, ok := modeOf(int(n), true); ok {
				t.setMode(m, t.savedModes.has(m))
			}
		}
	case mark == '?' && q.Final == 'J': // DECSED
		if n, ok := oneParam(q, 0); ok {
			t.eraseDisplay(n, true)
		}
	case mark == '?' && q.Final == 'K': // DECSEL
		if n, ok := oneParam(q, 0); ok && n <= 2 {
			t.eraseLine(n, true)
		}
	case mark == '?' && q.Final == 'W': // DECST8C
		if len(q.Params) == 1 && q.Params[0] == 5 {
			t.resetTabs()
		}
	case mark == '?' && q.Final == 'n': // DSR, private
		if len(q.Params) == 1 {
			t.reportStatus(int(q.Params[0]), true)
		}
	case q.Final == 'u': // kitty's keyboard protocol
		t.dispatchKeyboard(q, mark)
	case q.Final == 'c' && mark == '>': // DA2
		t.reportAttributes(1)
	case q.Final == 'c' && mark == '=': // DA3
		t.reportAttributes(2)
	case q.Final == 'q' && mark == '>': // XTVERSION
		t.reportVersion()
	case q.Final == 'q' && mark == ' ': // DECSCUSR
		if n, ok := oneParam(q, 0); ok {
			t.setCursorShape(n)
		}
	case q.Final == 'q' && mark == '"': // DECSCA
		switch n, ok := oneParam(q, 0); {
		case ok && (n == 0 || n == 2):
			t.setProtection(unprotected)
		case ok && n == 1:
			t.setProtection(decProtection)
		}
	case q.Final == '}' && mark == '$': // DECSASD
		if len(q.Params) == 1 && q.Params[0] <= 1 {
			t.statusLine = q.Params[0] == 1
		}
	case q.Final == 'T' && mark == '+': // kitty's unscroll
		if n, ok := oneParam(q, 1); ok {
			t.unscroll(n)
		}
	}
}

// tabControl implements CTC.
func (t *Terminal) tabControl(q *ansi.Sequence) {
	switch n, ok := oneParam(q, 0); {
	case ok && n == 0:
		t.tabs[t.active.cursor.x] = true
	case ok && n == 2:
		t.clearTabs(0)
	case ok && n == 5:
		t.clearTabs(3)
	}
}

// clearTabs implements TBC.
func (t *Terminal) clearTabs(kind int) {
	switch kind {
	case 0:
		t.tabs[t.active.cursor.x] = false
	case 3:
		clear(t.tabs)
	}
}

// setCursorShape implements DECSCUSR.
func (t *Terminal) setCursorShape(n int) {
	if n > 6 {
		return
	}
	t.active.cursor.shape = [...]Shape{BlockCursor, BlockCursor, BlockCursor, UnderlineCursor, UnderlineCursor,
		BarCursor, BarCursor}[n]
	t.modes.set(modeCursorBlink, n%2 == 1)
}

// dispatchEscape executes an escape sequence (stream.zig escDispatch).
func (t *Terminal) dispatchEscape(q *ansi.Sequence) {
	if len(q.Intermediates) > 0 {
		t.dispatchMarkedEscape(q)
		return
	}
	ch := &t.active.charset
	switch q.Final {
	case '7': // DECSC
		t.saveCursor()
	case '8': // DECRC
		t.restoreCursor()
	case 'D': // IND
		t.noteLineEnd(t.active.cursor.y)
		t.indexDown()
	case 'E': // NEL
		t.noteLineEnd(t.active.cursor.y)
		t.indexDown()
		t.carriageReturn()
	case 'H': // HTS
		t.tabs[t.active.cursor.x] = true
	case 'M': // RI
		t.reverseIndex()
	case 'N': // SS2
		ch.single = 3
	case 'O': // SS3
		ch.single = 4
	case 'V': // SPA
		t.setProtection(isoProtection)
	case 'W': // EPA
		t.setProtection(unprotected)
	case 'Z': // DECID
		t.reportAttributes(0)
	case 'c': // RIS
		t.reset()
	case 'n': // LS2
		ch.gl = 2
	case 'o': // LS3
		ch.gl = 3
	case '=': // DECKPAM
		t.modes.set(modeKeypad, true)
	case '>': // DECKPNM
		t.modes.set(modeKeypad, false)
	}
}

// dispatchMarkedEscape executes an escape sequence with an intermediate byte.
func (t *Terminal) dispatchMarkedEscape(q *ansi.Sequence) {
	if len(q.Intermediates) != 1 {
		return
	}
	mark := q.Intermediates[0]
	if mark == '#' && q.Final == '8' { // DECALN
		t.alignmentTest()
		return
	}
	if mark < '(' || mark > '+' {
		return
	}
	slot := mark - '('
	switch q.Final {
	case 'B':
		t.active.charset.sets[slot] = ascii
	case 'A':
		t.active.charset.sets[slot] = british
	case '0':
		t.active.charset.sets[slot] = lineDrawing
	}
}

// printRepeat implements REP.
func (t *Terminal) printRepeat(n int) {
	if t.printing.last == 0 {
		return
	}
	n = max(n, 1)
	if t.printing.last < 0x7f && t.printing.last >= 0x20 {
		var run [128]byte
		for i := range run {
			run[i] = byte(t.printing.last)
		}
		for ; n > 0; n -= len(run) {
			(*performer)(t).Text(run[:min(n, len(run))])
		}
		return
	}
	for range n {
		t.printRune(t.printing.last)
	}
}
