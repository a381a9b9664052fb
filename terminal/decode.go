package terminal

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// action is what was done to a key (kitty's event types).
type action uint8

const (
	pressed action = iota
	repeated
	released
)

// decodeKey reads a token that a key may have sent. It knows the legacy bytes, SS3, CSI with
// modifiers, rxvt's finals, xterm's modifyOtherKeys (27;m;c~) and kitty's CSI u. Anything else is
// no key.
func decodeKey(t stdinbuf.Token) (Key, action, bool) {
	if t.Kind != stdinbuf.CSI {
		k, ok := plainKey(t)
		return k, pressed, ok
	}
	d := t.Data
	alt := len(d) > 1 && d[1] == 0x1b // rxvt: Alt as a second ESC
	if alt {
		d = d[1:]
	}
	k, how, ok := csiKey(d[2:])
	if alt {
		k.Mods |= Alt
	}
	return k.normal(), how, ok
}

// plainKey is decodeKey for what is no CSI.
func plainKey(t stdinbuf.Token) (Key, bool) {
	d := t.Data
	switch t.Kind {
	case stdinbuf.Text:
		r, n := utf8.DecodeRune(d)
		if r == utf8.RuneError && n <= 1 || r >= 0x80 && r < 0xa0 {
			// A byte that is no UTF-8; C1 in UTF-8: some would obey it.
			return Key{}, false
		}
		return Key{Code: r}, true
	case stdinbuf.Control:
		return control(d[0]), true
	case stdinbuf.Escape:
		return Key{Code: KeyEscape}, true
	case stdinbuf.Alt:
		r, n := utf8.DecodeRune(d[1:])
		if r == utf8.RuneError && n <= 1 || r >= 0x80 && r < 0xa0 {
			return Key{}, false
		}
		k := Key{Code: r}
		if r < ' ' || r == 0x7f {
			k = control(byte(r))
		}
		k.Mods |= Alt
		return k, true
	case stdinbuf.SS3:
		alt := len(d) > 1 && d[1] == 0x1b // as in decodeKey
		if alt {
			d = d[1:]
		}
		k, ok := ss3Key(d[2:])
		if alt {
			k.Mods |= Alt
		}
		return k.normal(), ok
	}
	return Key{}, false
}

// newForm reports whether a token is a key in a form that only the newer protocols have: CSI
// code;modifiers u, CSI 27;modifiers;code ~.
func newForm(t stdinbuf.Token) bool {
	return t.Kind == stdinbuf.CSI && (t.Data[len(t.Data)-1] == 'u' || bytes.HasPrefix(t.Data, []byte("\x1b[27;")))
}

// control returns the key behind a C0 byte or DEL. Ctrl+J stays apart from Enter, which sends CR;
// Ctrl+I and Ctrl+M cannot be told from Tab and Enter.
func control(b byte) Key {
	switch b {
	case '\t', '\r', 0x1b, 0x7f:
		return Key{Code: rune(b)}
	case 0:
		return Key{Code: KeySpace, Mods: Ctrl}
	}
	if b <= 26 {
		return Key{Code: rune(b) + 'a' - 1, Mods: Ctrl}
	}
	return Key{Code: rune(b) + '@', Mods: Ctrl} // Ctrl+\ ] ^ _
}

// finals are the keys of CSI 1;m final and SS3 final.
var finals = map[byte]rune{
	'A': KeyUp, 'B': KeyDown, 'C': KeyRight, 'D': KeyLeft, 'H': KeyHome, 'F': KeyEnd,
	'P': KeyF1, 'Q': KeyF2, 'R': KeyF3, 'S': KeyF4,
}

// numbers are the keys of CSI n;m ~.
var numbers = map[int]rune{
	1: KeyHome, 2: KeyInsert, 3: KeyDelete, 4: KeyEnd, 5: KeyPageUp, 6: KeyPageDown, 7: KeyHome, 8: KeyEnd,
	11: KeyF1, 12: KeyF2, 13: KeyF3, 14: KeyF4, 15: KeyF5, 17: KeyF6, 18: KeyF7, 19: KeyF8, 20: KeyF9, 21: KeyF10,
	23: KeyF11, 24: KeyF12,
}

func ss3Key(seq []byte) (Key, bool) {
	p, final := seq[:len(seq)-1], seq[len(seq)-1]
	var k Key
	if len(p) > 0 { // ESC O 5 P, ESC O 1;5 P
		n, ok := number(p[bytes.LastIndexByte(p, ';')+1:])
		if !ok {
			return k, false
		}
		k.Mods, _ = modifiers(n)
	}
	switch {
	case finals[final] != 0:
		k.Code = finals[final]
	case final == 'M':
		k.Code = KeyEnter
	case final == 'I':
		k.Code = KeyTab
	case final == 'X':
		k.Code = '='
	case final >= 'j' && final <= 'y': // * + , - . / 0 ... 9
		k.Code = rune(final) - 0x40
	case final >= 'a' && final <= 'd': // rxvt
		k.Code, k.Mods = KeyUp+rune(final-'a'), Ctrl
	default:
		return k, false
	}
	return k, true
}

// csiKey reads the parameters and the final of a CSI sequence.
func csiKey(seq []byte) (Key, action, bool) {
	if len(seq) == 2 && seq[0] == '[' { // the Linux console
		return Key{Code: KeyF1 + rune(seq[1]-'A')}, pressed, true
	}
	body, final := seq[:len(seq)-1], seq[len(seq)-1]
	p, ok := params(body)
	if !ok {
		return Key{}, pressed, false
	}
	mods, ok := modifiers(p.at(1, 0, 1))
	if !ok {
		return Key{}, pressed, false
	}
	how := pressed
	switch p.at(1, 1, 1) {
	case 2:
		how = repeated
	case 3:
		how = released
	}
	k, ok := paramKey(p, final, mods, len(body) == 0)
	return k, how, ok
}

// paramKey returns the key of CSI parameters and a final; bare: there are none.
func paramKey(p paramList, final byte, mods Mod, bare bool) (Key, bool) {
	k := Key{Mods: mods}
	switch {
	case final == 'u':
		return kittyKey(p, mods)
	case final == '~' && p.at(0, 0, 0) == 27: // modifyOtherKeys
		code := rune(p.at(2, 0, 0))
		if code > ' ' && code < 0x7f && !unicode.IsLetter(code) {
			// What the key types, Shift included: Ctrl+Shift+- is 27;6;95.
			mods &^= Shift
		}
		return charKey(code, 0, mods)
	case final == '~', final == '$', final == '^', final == '@':
		k.Code = numbers[p.at(0, 0, 0)]
		switch final { // rxvt
		case '$':
			k.Mods |= Shift
		case '^':
			k.Mods |= Ctrl
		case '@':
			k.Mods |= Ctrl | Shift
		}
		return k, k.Code != 0
	case final == 'Z':
		k.Code = KeyTab
		k.Mods |= Shift
		return k, true
	case final >= 'a' && final <= 'd' && bare: // rxvt
		return Key{Code: KeyUp + rune(final-'a'), Mods: Shift}, true
	case finals[final] != 0 && p.at(0, 0, 1) == 1:
		k.Code = finals[final]
		return k, true
	}
	return k, false
}

// kittyPad are the keypad keys of the kitty protocol, from 57399 on; 0 is no key of ours.
var kittyPad = [...]rune{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '/', '*', '-', '+', KeyEnter, '=', ',',
	KeyLeft, KeyRight, KeyUp, KeyDown, KeyPageUp, KeyPageDown, KeyHome, KeyEnd, KeyInsert, KeyDelete}

// kittyKey reads CSI code:shifted:base ; modifiers:event ; text u.
func kittyKey(p paramList, mods Mod) (Key, bool) {
	code, shifted, base := rune(p.at(0, 0, 0)), rune(p.at(0, 1, 0)), rune(p.at(0, 2, 0))
	switch {
	case code >= 57399 && int(code-57399) < len(kittyPad):
		return Key{Code: kittyPad[code-57399], Mods: mods}.normal(), true
	case code >= 0xe000 && code <= 0xf8ff: // the other functional keys: locks, media, modifiers alone
		return Key{}, false
	}
	// On a layout that is not Latin a shortcut is the key at the place where the Latin letter is.
	if mods&(Ctrl|Super) != 0 && code >= 0x80 && base > ' ' && base < 0x7f {
		code, shifted = base, 0
	}
	return charKey(code, shifted, mods)
}

// charKey returns the key of a character with modifiers; shifted is what it types with Shift, 0 if
// that is not known.
func charKey(code, shifted rune, mods Mod) (Key, bool) {
	switch {
	case code == 8:
		code = KeyBackspace
	case code == '\t', code == '\r', code == 0x1b, code == 0x7f:
	case code < ' ':
		if code <= 0 {
			return Key{}, false
		}
		k := control(byte(code))
		code, mods = k.Code, mods|k.Mods
	case !utf8.ValidRune(code) || code >= 0x80 && code < 0xa0:
		return Key{}, false
	case mods&Shift != 0 && shifted > ' ' && utf8.ValidRune(shifted) && !(shifted >= 0x7f && shifted < 0xa0):
		if mods&(Ctrl|Super) == 0 || code < 'a' || code > 'z' {
			code, mods = shifted, mods&^Shift
		}
	}
	return Key{Code: code, Mods: mods}.normal(), true
}

// modifiers reads the modifier parameter, which is 1 + a bit set: shift 1, alt 2, ctrl 4, super 8,
// hyper 16, meta 32; locks above are ignored.
func modifiers(n int) (m Mod, ok bool) {
	n = max(n, 1) - 1
	if n > 255 {
		return 0, false
	}
	if n&1 != 0 {
		m |= Shift
	}
	if n&(2|32) != 0 {
		m |= Alt
	}
	if n&4 != 0 {
		m |= Ctrl
	}
	if n&8 != 0 {
		m |= Super
	}
	return m, true
}

// paramList are CSI parameters: up to 6 with up to 4 subparameters each; -1 is an empty one.
type paramList struct {
	v [6][4]int
	n int
}

// at returns subparameter j of parameter i, or def if it is absent or empty.
func (p *paramList) at(i, j, def int) int {
	if i >= p.n || p.v[i][j] < 0 {
		return def
	}
	return p.v[i][j]
}

// params reads "1;2:3"; false if there is anything but digits, semicolons and colons. What exceeds
// the list is dropped, numbers end at 2^24.
func params(b []byte) (p paramList, ok bool) {
	for i := range p.v {
		for j := range p.v[i] {
			p.v[i][j] = -1
		}
	}
	i, j := 0, 0
	for _, c := range b {
		switch {
		case c == ';':
			i, j = i+1, 0
		case c == ':':
			j++
		case c >= '0' && c <= '9':
			if i < len(p.v) && j < len(p.v[i]) {
				v := &p.v[i][j]
				*v = min(max(*v, 0)*10+int(c-'0'), 1<<24)
			}
		default:
			return p, false
		}
	}
	p.n = min(i+1, len(p.v))
	return p, true
}

func number(b []byte) (int, bool) {
	p, ok := params(b)
	return p.at(0, 0, 0), ok
}

// mouse reads an SGR mouse report: <button;column;row and M or m.
func mouse(seq []byte) (Mouse, bool) {
	final := seq[len(seq)-1]
	if len(seq) < 2 || seq[0] != '<' || final != 'M' && final != 'm' {
		return Mouse{}, false
	}
	p, ok := params(seq[1 : len(seq)-1])
	b, col, row := p.at(0, 0, -1), p.at(1, 0, 0), p.at(2, 0, 0)
	if !ok || b < 0 || b > 255 || col < 1 || row < 1 {
		return Mouse{}, false
	}
	m := Mouse{Col: col - 1, Row: row - 1, Button: uint8(b) &^ (4 | 8 | 16), Press: final == 'M'}
	if b&4 != 0 {
		m.Mods |= Shift
	}
	if b&8 != 0 {
		m.Mods |= Alt
	}
	if b&16 != 0 {
		m.Mods |= Ctrl
	}
	return m, true
}
