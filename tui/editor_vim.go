package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scrollkeep/scrollkeep/terminal"
)

// vim is the modes of vim over a buffer: what was typed of a command, and what is kept from one to
// the next. Its step is a function of the buffer and the key. The zero vim inserts.
type vim struct {
	normal  bool
	count   int    // typed before the command, 0: none
	op      rune   // d, c or y, while its motion is typed
	times   int    // the count before op
	wait    rune   // f F t T r g i a: another key belongs to it
	look    rune   // the last f F t T
	looked  string // and its character
	cut     []unit // the register
	byLines bool   // it holds whole lines
}

// deed is what is left to do for the editor.
type deed uint8

const (
	nothingLeft  deed = iota
	rowUp             // count rows up, or back in the history
	rowDown           // the same down
	searchBack        // open the search in the history
	repeatChange      // the last change again
)

// pending reports whether a command was begun.
func (v *vim) pending() bool { return v.count != 0 || v.op != 0 || v.times != 0 || v.wait != 0 }

// forget drops what was typed of a command.
func (v *vim) forget() { v.count, v.op, v.times, v.wait = 0, 0, 0, 0 }

// n returns how often a command is done.
func (v *vim) n() int { return min(max(v.count, 1)*max(v.times, 1), 10000) }

// insert goes to insert mode; all that is typed there, and what the command does, is one change.
func (v *vim) insert(b *buffer) {
	v.normal = false
	b.whole, b.begun = true, false
}

// escape goes to normal mode, or takes back what was typed of a command.
func (v *vim) escape(b *buffer) {
	if !v.normal {
		v.normal, b.whole = true, false
		if b.at > b.lineStart(b.at) {
			b.at--
		}
	}
	b.last = editNone
	v.forget()
	b.onto()
}

// onto brings the caret of normal mode onto a character of its line, if that has one.
func (b *buffer) onto() {
	if b.at > b.lineStart(b.at) && b.at == b.lineEnd(b.at) {
		b.at--
	}
}

// key takes one typed character in normal mode. times is how often what is left is to be done.
func (v *vim) key(b *buffer, t string) (left deed, times int) {
	r := []rune(t)[0]
	switch {
	case v.wait != 0:
		v.waited(b, t)
		return nothingLeft, 0
	case r >= '1' && r <= '9' || r == '0' && v.count > 0:
		v.count = min(v.count*10+int(r-'0'), 10000)
		return nothingLeft, 0
	case strings.ContainsRune("fFtTrg", r) || v.op != 0 && (r == 'i' || r == 'a'):
		if r != 'r' || v.op == 0 {
			v.wait = r
			return nothingLeft, 0
		}
	}
	if v.op == 0 && (r == 'j' || r == 'k' || r == '/' || r == '.') {
		times = v.n()
		v.forget()
		return map[rune]deed{'j': rowDown, 'k': rowUp, '/': searchBack, '.': repeatChange}[r], times
	}
	switch {
	case v.op == 0 && strings.ContainsRune("dcy", r):
		v.op, v.times, v.count = r, v.count, 0
		return nothingLeft, 0
	case r == v.op: // dd cc yy
		first := b.lineStart(b.at)
		v.operate(b, first, v.linesDown(b, first, v.n()-1), true)
	case v.moves(b, r, ""):
	case v.op == 0:
		v.command(b, r)
	}
	v.forget()
	if v.normal {
		b.onto()
	}
	return nothingLeft, 0
}

// waited takes the character that a command waits for.
func (v *vim) waited(b *buffer, t string) {
	switch w := v.wait; w {
	case 'r':
		v.replaceWith(b, t)
	case 'i', 'a':
		if from, to, ok := object(b, t, w == 'a'); ok {
			v.operate(b, from, to, false)
		}
	case 'g':
		if t == "g" {
			v.moves(b, 'g', "")
		}
	default:
		v.look, v.looked = w, t
		v.moves(b, w, t)
	}
	v.forget()
	if v.normal {
		b.onto()
	}
}

// moves does a motion, or the operator over it. It reports whether r is one.
func (v *vim) moves(b *buffer, r rune, t string) bool {
	how := r
	if r == ';' || r == ',' {
		if v.look == 0 {
			return true
		}
		if how, t = v.look, v.looked; r == ',' {
			how = map[rune]rune{'f': 'F', 'F': 'f', 't': 'T', 'T': 't'}[how]
		}
	}
	to, kind := v.motion(b, how, t, r != how)
	switch {
	case kind == noMotion:
		return false
	case kind == nowhere:
	case v.op == 0:
		b.at, b.last = to, editNone
	case kind == lineWise:
		v.operate(b, b.lineStart(min(b.at, to)), b.lineEnd(max(b.at, to)), true)
	default:
		from := b.at
		if to < from {
			from, to = to, from
		} else if kind == inclusive {
			to = min(to+1, len(b.units))
		}
		v.operate(b, from, to, false)
	}
	return true
}

// operate does the operator over [from, to), whole lines without the last newline if lines is set.
func (v *vim) operate(b *buffer, from, to int, lines bool) {
	if from >= to && !lines && v.op != 'c' {
		return
	}
	v.cut, v.byLines = slices.Clone(b.units[from:to]), lines
	switch v.op {
	case 'y':
		if !lines || from < b.lineStart(b.at) {
			b.at = from
		}
		return
	case 'c':
		v.insert(b)
		if from < to {
			b.keep(editNone)
			b.replace(from, to, nil)
		}
		b.at = min(from, len(b.units))
		return
	}
	switch {
	case lines && to < len(b.units):
		to++
	case lines && from > 0:
		from--
	}
	if from < to {
		b.keep(editNone)
		b.replace(from, to, nil)
	}
	if lines {
		b.at = b.firstInLine(b.lineStart(min(b.at, len(b.units))))
	}
}

// linesDown returns the end of the line that is n lines below the one that begins at i, or of the
// last.
func (v *vim) linesDown(b *buffer, i, n int) int {
	end := b.lineEnd(i)
	for ; n > 0 && end < len(b.units); n-- {
		end = b.lineEnd(end + 1)
	}
	return end
}

// command does what is neither motion nor operator.
func (v *vim) command(b *buffer, r rune) {
	end, n := b.lineEnd(b.at), v.n()
	over := func(op rune, from, to int) {
		v.op = op
		v.operate(b, from, to, false)
	}
	switch r {
	case 'x':
		over('d', b.at, min(b.at+n, end))
	case 'X':
		over('d', max(b.at-n, b.lineStart(b.at)), b.at)
	case 's':
		over('c', b.at, min(b.at+n, end))
	case 'D':
		over('d', b.at, v.linesDown(b, b.at, n-1))
	case 'C':
		over('c', b.at, v.linesDown(b, b.at, n-1))
	case 'S', 'Y':
		first := b.lineStart(b.at)
		v.op = map[rune]rune{'S': 'c', 'Y': 'y'}[r]
		v.operate(b, first, v.linesDown(b, first, n-1), true)
	case '~':
		v.swapCase(b, min(b.at+n, end))
	case 'J':
		v.joinLines(b, max(n-1, 1))
	case 'i', 'a', 'I', 'A', 'o', 'O':
		v.opens(b, r)
	case 'p', 'P':
		v.put(b, r == 'p', n)
	case 'u':
		for ; n > 0 && b.undoOne(); n-- {
		}
	}
}

// opens goes to insert mode somewhere.
func (v *vim) opens(b *buffer, r rune) {
	start, end := b.lineStart(b.at), b.lineEnd(b.at)
	v.insert(b)
	switch r {
	case 'a':
		b.at = min(b.at+1, end)
	case 'I':
		b.at = b.firstInLine(start)
	case 'A':
		b.at = end
	case 'o':
		b.keep(editNone)
		b.replace(end, end, []unit{{text: "\n"}})
	case 'O':
		b.keep(editNone)
		b.replace(start, start, []unit{{text: "\n"}})
		b.at = start
	}
}

// put puts the register behind the caret or before it, n times.
func (v *vim) put(b *buffer, behind bool, n int) {
	if len(v.cut) == 0 && !v.byLines {
		return
	}
	n = min(n, maxHeld/max(len(v.cut), 1)+1)
	if !v.byLines {
		at := b.at
		if behind {
			at = min(at+1, b.lineEnd(b.at))
		}
		b.keep(editNone)
		b.replace(at, at, slices.Repeat(v.cut, n))
		b.at = max(b.at-1, 0)
		return
	}
	lines := slices.Repeat(append(slices.Clone(v.cut), unit{text: "\n"}), n)
	at := b.lineStart(b.at)
	if behind {
		if at = b.lineEnd(b.at); at < len(b.units) {
			at++
		} else { // below the last line
			lines = append([]unit{{text: "\n"}}, lines[:len(lines)-1]...)
		}
	}
	b.keep(editNone)
	b.replace(at, at, lines)
	if at < len(b.units) && b.units[at].newline() && lines[0].newline() && len(lines) > 1 {
		at++
	}
	b.at = b.firstInLine(min(at, len(b.units)))
}

// replaceWith is r.
func (v *vim) replaceWith(b *buffer, t string) {
	n := v.n()
	if b.at+n > b.lineEnd(b.at) {
		return
	}
	b.keep(editNone)
	at := b.at
	b.replace(at, at+n, split(strings.Repeat(t, n)))
	b.at = max(b.at-1, 0)
}

// swapCase is ~ up to a unit.
func (v *vim) swapCase(b *buffer, to int) {
	if b.at >= to {
		return
	}
	units := slices.Clone(b.units[b.at:to])
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
	b.keep(editNone)
	b.replace(b.at, to, units)
}

// joinLines is J: n newlines, and the blanks behind them, become a space.
func (v *vim) joinLines(b *buffer, n int) {
	for first := true; n > 0; n-- {
		end := b.lineEnd(b.at)
		if end == len(b.units) {
			return
		}
		if first {
			b.keep(editNone)
		}
		first = false
		to := end + 1
		for to < len(b.units) && b.units[to].space() && !b.units[to].newline() {
			to++
		}
		space := []unit{{text: " "}}
		if end == b.lineStart(end) || to == len(b.units) || b.units[end-1].space() {
			space = nil
		}
		b.replace(end, to, space)
		b.at = min(end, len(b.units))
	}
}

// vimKey takes k in the mode that the editor is in. False: it is an ordinary key.
func (e *Editor) vimKey(k Key, s Space) bool {
	v, b := &e.vim, &e.b
	escape := k.Code == terminal.KeyEscape && k.Mods == 0
	switch {
	case !e.Takes(k):
		if !v.normal {
			b.whole = true
		} else {
			v.forget()
		}
		return false
	case escape:
		v.escape(b)
		e.goal = 0
	case k.Mods == terminal.Ctrl: // R
		for n := v.n(); n > 0 && b.redoOne(); n-- {
		}
		v.forget()
		b.onto()
		e.changed()
	default:
		undone := len(b.undo) + len(b.redo)<<20
		left, n := v.key(b, k.Text())
		if left != rowUp && left != rowDown {
			e.goal = 0
		}
		switch left {
		case rowUp, rowDown:
			for by := map[deed]int{rowUp: -1, rowDown: 1}[left]; n > 0 && e.vertical(by, s); n-- {
			}
			b.onto()
		case searchBack:
			e.seek()
		case repeatChange:
			e.repeat(s)
		}
		if len(b.undo)+len(b.redo)<<20 != undone || !v.normal {
			e.changed()
		}
	}
	return true
}

// Takes reports whether k is for the editor alone while it has vim's modes: a command of normal
// mode, or the Escape that ends insert mode or a command.
func (e *Editor) Takes(k Key) bool {
	switch {
	case !e.Vim || e.search != nil:
		return false
	case k.Code == terminal.KeyEscape && k.Mods == 0:
		return !e.vim.normal || e.vim.pending()
	}
	return e.vim.normal && (k.Text() != "" || k.Mods == terminal.Ctrl && k.Code == 'r')
}

// Normal reports whether the editor is in vim's normal mode.
func (e *Editor) Normal() bool { return e.Vim && e.vim.normal }

// record keeps the keys of a change, for the command that repeats it.
func (e *Editor) record(k Key, begun bool) {
	if e.replays || !begun && len(e.keys) == 0 {
		return
	}
	if begun {
		e.keys = e.keys[:0]
	}
	if e.keys = append(e.keys, k); len(e.keys) > 4096 {
		e.keys = e.keys[:0]
	}
	if !e.Normal() || e.vim.pending() {
		return
	}
	for _, k := range e.keys { // the command itself
		if t := k.Text(); t != "" && (t < "0" || t > "9") {
			if strings.Contains("xXr~dcpPoOiaIAsSDCJ", t) {
				e.change = slices.Clone(e.keys)
			}
			break
		}
	}
	e.keys = e.keys[:0]
}

// repeat does the last change again.
func (e *Editor) repeat(s Space) {
	e.replays = true
	for _, k := range e.change {
		if !e.vimKey(k, s) {
			e.key(k, s)
		}
	}
	e.replays = false
}
