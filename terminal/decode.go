package terminal

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/stdinbuf"
)

// keyAction is what happens to a key: a press, a repeat or a release (event types of kitty's
// protocol).
type keyAction uint8

const (
	pressed keyAction = iota
	repeated
	released
)

// decodeKey returns the key whose bytes are t. ok is false if t is not a key. It knows single
// bytes, SS3, CSI with modifiers, the final bytes of rxvt, modifyOtherKeys of xterm (27;m;c~) and
// CSI u of kitty.
func decodeKey(t stdinbuf.Token) (Key, keyAction, bool) {
	if t.Kind != stdinbuf.CSI {
		k, ok := plainKey(t)
		return k, pressed, ok
	}
	d := t.Data
	alt := len(d) > 1 && d[1] == 0x1b // rxvt: Alt as a second ESC
	if alt {
		d = d[1:]
	}
	k, action, ok := csiKey(d[2:])
	if alt {
		k.Mods |= Alt
	}
	return k.normal(), action, ok
}

// plainKey does what decodeKey does, for tokens other than CSI.
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
		return controlKey(d[0]), true
	case stdinbuf.Escape:
		return Key{Code: KeyEscape}, true
	case stdinbuf.Alt:
		r, n := utf8.DecodeRune(d[1:])
		if r == utf8.RuneError && n <= 1 || r >= 0x80 && r < 0xa0 {
			return Key{}, false
		}
		k := Key{Code: r}
		if r < ' ' || r == 0x7f {
			k = controlKey(byte(r))
		}
		k.Mods |= Alt
		return k.normal(), true
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

// isNewForm reports whether t is a key in a form that only modifyOtherKeys and kitty's protocol
// have: CSI code;modifiers u, or CSI 27;modifiers;code ~.
func isNewForm(t stdinbuf.Token) bool {
	return t.Kind == stdinbuf.CSI && (t.Data[len(t.Data)-1] == 'u' || bytes.HasPrefix(t.Data, []byte("\x1b[27;")))
}

// controlKey returns the key that sends the control character b (C0 or DEL). Ctrl+J sends LF and
// Enter sends CR. Ctrl+I cannot be told from Tab, or Ctrl+M from Enter.
func controlKey(b byte) Key {
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

// finalKeys holds the keys that CSI 1;m F and SS3 F send, by their final byte F.
var finalKeys = map[byte]rune{
	'A': KeyUp, 'B': KeyDown, 'C': KeyRight, 'D': KeyLeft, 'H': KeyHome, 'F': KeyEnd,
	'P': KeyF1, 'Q': KeyF2, 'R': KeyF3, 'S': KeyF4,
}

// tildeKeys holds the keys that CSI n;m ~ sends, by n.
var tildeKeys = map[int]rune{
	1: KeyHome, 2: KeyInsert, 3: KeyDelete, 4: KeyEnd, 5: KeyPageUp, 6: KeyPageDown, 7: KeyHome, 8: KeyEnd,
	11: KeyF1, 12: KeyF2, 13: KeyF3, 14: KeyF4, 15: KeyF5, 17: KeyF6, 18: KeyF7, 19: KeyF8, 20: KeyF9, 21: KeyF10,
	23: KeyF11, 24: KeyF12,
}

// ss3Key returns the key of an SS3 sequence. seq holds the bytes behind ESC O.
func ss3Key(seq []byte) (Key, bool) {
	p, final := seq[:len(seq)-1], seq[len(seq)-1]
	var k Key
	if len(p) > 0 { // ESC O 5 P, ESC O 1;5 P
		n, ok := parseNumber(p[bytes.LastIndexByte(p, ';')+1:])
		if !ok {
			return k, false
		}
		k.Mods, _ = parseModifiers(n)
	}
	switch {
	case finalKeys[final] != 0:
		k.Code = finalKeys[final]
	case final == 'M': // konsole 26.08 and qterminal send Shift+Enter so; the keypad does not, by ESC >
		k.Code, k.Mods = KeyEnter, k.Mods|Shift
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

// csiKey returns the key of a CSI sequence. seq holds the bytes behind ESC [.
func csiKey(seq []byte) (Key, keyAction, bool) {
	if len(seq) == 2 && seq[0] == '[' { // the Linux console
		return Key{Code: KeyF1 + rune(seq[1]-'A')}, pressed, true
	}
	body, final := seq[:len(seq)-1], seq[len(seq)-1]
	p, ok := parseParams(body)
	if !ok {
		return Key{}, pressed, false
	}
	mods, ok := parseModifiers(p.at(1, 0, 1))
	if !ok {
		return Key{}, pressed, false
	}
	action := pressed
	switch p.at(1, 1, 1) {
	case 2:
		action = repeated
	case 3:
		action = released
	}
	k, ok := paramKey(p, final, mods, len(body) == 0)
	return k, action, ok
}

// paramKey returns the key of a CSI sequence with these parameters and this final byte. noParams is
// true if the sequence has none.
func paramKey(p paramList, final byte, mods Mod, noParams bool) (Key, bool) {
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
		k.Code = tildeKeys[p.at(0, 0, 0)]
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
	case final >= 'a' && final <= 'd' && noParams: // rxvt
		return Key{Code: KeyUp + rune(final-'a'), Mods: Shift}, true
	case finalKeys[final] != 0 && p.at(0, 0, 1) == 1:
		k.Code = finalKeys[final]
		return k, true
	}
	return k, false
}

// kittyKeypad holds the keys of the keypad in kitty's protocol, by their number minus 57399. 0 is a
// key that is not supported.
var kittyKeypad = [...]rune{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '/', '*', '-', '+', KeyEnter,
	'=', ',',
	KeyLeft, KeyRight, KeyUp, KeyDown, KeyPageUp, KeyPageDown, KeyHome, KeyEnd, KeyInsert, KeyDelete}

// kittyKey returns the key of a sequence of kitty's protocol: CSI code:shifted:base ;
// modifiers:event ; text u.
func kittyKey(p paramList, mods Mod) (Key, bool) {
	code, shifted, base := rune(p.at(0, 0, 0)), rune(p.at(0, 1, 0)), rune(p.at(0, 2, 0))
	switch {
	case code >= 57399 && int(code-57399) < len(kittyKeypad):
		return Key{Code: kittyKeypad[code-57399], Mods: mods}.normal(), true
	case code >= 0xe000 && code <= 0xf8ff: // the other functional keys: locks, media, modifiers alone
		return Key{}, false
	}
	// On a layout that is not Latin a shortcut is the key at the place where the Latin letter is.
	if mods&(Ctrl|Super|Alt) != 0 && code >= 0x80 && base > ' ' && base < 0x7f {
		code, shifted = base, 0
	}
	return charKey(code, shifted, mods)
}

// charKey returns the key of a character with modifiers. shifted is the character that the key
// types with Shift, or 0 if that is not known.
func charKey(code, shifted rune, mods Mod) (Key, bool) {
	switch {
	case code == 8:
		code = KeyBackspace
	case code == '\t', code == '\r', code == 0x1b, code == 0x7f:
	case code < ' ':
		if code <= 0 {
			return Key{}, false
		}
		k := controlKey(byte(code))
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

// parseModifiers decodes a modifier parameter: 1 plus a sum of shift 1, alt 2, ctrl 4, super 8,
// hyper 16, meta 32. Higher bits, for locks, are ignored.
func parseModifiers(n int) (m Mod, ok bool) {
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

// paramList holds the parameters of a CSI sequence: up to 6, with up to 4 subparameters each. -1
// stands for an empty one.
type paramList struct {
	values [6][4]int
	count  int
}

// at returns subparameter j of parameter i, or def if it is missing or empty.
func (p *paramList) at(i, j, def int) int {
	if i >= p.count || p.values[i][j] < 0 {
		return def
	}
	return p.values[i][j]
}

// parseParams parses parameters such as "1;2:3". ok is false if there is anything but digits,
// semicolons and colons. Parameters that do not fit into the list are dropped, and numbers are
// limited to 2^24.
func parseParams(b []byte) (p paramList, ok bool) {
	for i := range p.values {
		for j := range p.values[i] {
			p.values[i][j] = -1
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
			if i < len(p.values) && j < len(p.values[i]) {
				v := &p.values[i][j]
				*v = min(max(*v, 0)*10+int(c-'0'), 1<<24)
			}
		default:
			return p, false
		}
	}
	p.count = min(i+1, len(p.values))
	return p, true
}

// parseNumber returns the number of the first parameter in b.
func parseNumber(b []byte) (int, bool) {
	p, ok := parseParams(b)
	return p.at(0, 0, 0), ok
}

// parseMouse parses a mouse report in SGR form: <button;column;row and M or m.
func parseMouse(seq []byte) (Mouse, bool) {
	final := seq[len(seq)-1]
	if len(seq) < 2 || seq[0] != '<' || final != 'M' && final != 'm' {
		return Mouse{}, false
	}
	p, ok := parseParams(seq[1 : len(seq)-1])
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
