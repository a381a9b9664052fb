package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// modNames holds the names of the modifiers, in the order in which Key.String writes them.
var modNames = [...]struct {
	mod  Mod
	name string
}{{Super, "super"}, {Ctrl, "ctrl"}, {Alt, "alt"}, {Shift, "shift"}}

// keyNames holds the names of keys that type no visible character. If a key has several names,
// Key.String writes the first.
var keyNames = [...]struct {
	code rune
	name string
}{
	{KeyUp, "up"}, {KeyDown, "down"}, {KeyRight, "right"}, {KeyLeft, "left"},
	{KeyHome, "home"}, {KeyEnd, "end"}, {KeyInsert, "insert"}, {KeyDelete, "delete"}, {KeyPageUp, "pageup"},
	{KeyPageDown, "pagedown"},
	{KeyF1, "f1"}, {KeyF2, "f2"}, {KeyF3, "f3"}, {KeyF4, "f4"}, {KeyF5, "f5"}, {KeyF6, "f6"},
	{KeyF7, "f7"}, {KeyF8, "f8"}, {KeyF9, "f9"}, {KeyF10, "f10"}, {KeyF11, "f11"}, {KeyF12, "f12"},
	{KeyTab, "tab"}, {KeyEnter, "enter"}, {KeyEscape, "escape"}, {KeyBackspace, "backspace"}, {KeySpace, "space"},
	{KeyEnter, "return"}, {KeyEscape, "esc"}, {KeyInsert, "ins"}, {KeyDelete, "del"}, {KeyPageUp, "pgup"},
	{KeyPageDown, "pgdown"},
}

// String returns the name of the key: "a", "A", "ctrl+c", "shift+tab", "ctrl+alt+left", "f1".
// [ParseKey] parses it. The name does not tell Alone and Repeat.
func (k Key) String() string {
	var b strings.Builder
	for _, m := range modNames {
		if k.Mods&m.mod != 0 {
			b.WriteString(m.name)
			b.WriteByte('+')
		}
	}
	for _, n := range keyNames {
		if n.code == k.Code {
			b.WriteString(n.name)
			return b.String()
		}
	}
	if k.Code < ' ' || k.Code > unicode.MaxRune || !utf8.ValidRune(k.Code) {
		fmt.Fprintf(&b, "U+%04X", k.Code)
		return b.String()
	}
	b.WriteRune(k.Code)
	return b.String()
}

// ParseKey returns the key with a name as [Key.String] writes it: "a", "ctrl+c", "shift+tab",
// "alt+enter", "f1". Names of modifiers and keys may be in upper or lower case, and modifiers in
// any order. "shift+a" is "A" and "ctrl+C" is "ctrl+c", as terminals send them. It returns an error
// if there is no such key.
func ParseKey(s string) (Key, error) {
	var k Key
	remaining := s
	for {
		i := strings.IndexByte(remaining, '+')
		if i <= 0 || i == len(remaining)-1 {
			break
		}
		m, ok := parseMod(remaining[:i])
		if !ok {
			break
		}
		k.Mods |= m
		remaining = remaining[i+1:]
	}
	r, n := utf8.DecodeRuneInString(remaining)
	switch {
	case n == len(remaining) && n > 0 && r > ' ' && r != 0x7f && !(r == utf8.RuneError && n == 1) &&
		!unicode.IsControl(r):
		k.Code = r
	default:
		found := false
		for _, name := range keyNames {
			if strings.EqualFold(name.name, remaining) {
				k.Code, found = name.code, true
				break
			}
		}
		if !found {
			return Key{}, fmt.Errorf("terminal: no key is called %q", s)
		}
	}
	return k.normal(), nil
}

// parseMod returns the modifier with the name s, or 0.
func parseMod(s string) (Mod, bool) {
	for _, m := range modNames {
		if strings.EqualFold(s, m.name) {
			return m.mod, true
		}
	}
	switch strings.ToLower(s) {
	case "control":
		return Ctrl, true
	case "meta", "option":
		return Alt, true
	case "cmd", "win":
		return Super, true
	}
	return 0, false
}

// normal returns k in the one form that each key has. A character is the one that was typed, so
// that it includes Shift ('A', not Shift+'a'). With Ctrl or Super a letter is lower case, since
// older terminals send the same byte for both. With Ctrl, Alt or Super a letter of another script
// is replaced by the Latin letter on the same key, since shortcuts are known by the place of a key.
func (k Key) normal() Key {
	if k.Code <= ' ' || k.Code == 0x7f || k.Code > unicode.MaxRune {
		if k.Code == KeySpace && k.Mods&(Ctrl|Super) == 0 {
			k.Mods &^= Shift // Shift+space types a space
		}
		return k
	}
	switch {
	case k.Mods&(Ctrl|Super) != 0:
		k.Code = unicode.ToLower(k.Code)
	case k.Mods&Shift != 0:
		k.Code = unicode.ToUpper(k.Code)
		k.Mods &^= Shift
	}
	// Last, because another letter may have the same capital: U+1FBE has that of iota.
	if k.Mods&(Ctrl|Super|Alt) != 0 && k.Code >= 0x80 {
		k.Code = latinAt(k.Code)
	}
	return k
}
