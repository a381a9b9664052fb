package browser

import "strings"

// key describes a key of a keyboard in the terms of DevTools key events.
type key struct {
	name, code string
	keyCode    int    // keyCode is the Windows virtual key code.
	text       string // text is the character that the key types; "": none.
}

// modifierBits holds the DevTools bits of the modifier keys by name.
var modifierBits = map[string]int{"alt": 1, "control": 2, "ctrl": 2, "meta": 4, "command": 4, "shift": 8}

// namedKeys holds the keys that have a name, by that name in lower case.
var namedKeys = map[string]key{
	"enter": {"Enter", "Enter", 13, "\r"}, "tab": {"Tab", "Tab", 9, ""}, "escape": {"Escape", "Escape", 27, ""},
	"backspace": {"Backspace", "Backspace", 8, ""}, "delete": {"Delete", "Delete", 46, ""},
	"insert": {"Insert", "Insert", 45, ""}, "home": {"Home", "Home", 36, ""}, "end": {"End", "End", 35, ""},
	"pageup": {"PageUp", "PageUp", 33, ""}, "pagedown": {"PageDown", "PageDown", 34, ""},
	"arrowleft": {"ArrowLeft", "ArrowLeft", 37, ""}, "arrowup": {"ArrowUp", "ArrowUp", 38, ""},
	"arrowright": {"ArrowRight", "ArrowRight", 39, ""}, "arrowdown": {"ArrowDown", "ArrowDown", 40, ""},
	"space": {" ", "Space", 32, " "}, " ": {" ", "Space", 32, " "},
	"shift": {"Shift", "ShiftLeft", 16, ""}, "control": {"Control", "ControlLeft", 17, ""},
	"alt": {"Alt", "AltLeft", 18, ""}, "meta": {"Meta", "MetaLeft", 91, ""},
	"f1": {"F1", "F1", 112, ""}, "f2": {"F2", "F2", 113, ""}, "f3": {"F3", "F3", 114, ""}, "f4": {"F4", "F4", 115, ""},
	"f5": {"F5", "F5", 116, ""}, "f6": {"F6", "F6", 117, ""}, "f7": {"F7", "F7", 118, ""}, "f8": {"F8", "F8", 119, ""},
	"f9": {"F9", "F9", 120, ""}, "f10": {"F10", "F10", 121, ""}, "f11": {"F11", "F11", 122, ""},
	"f12": {"F12", "F12", 123, ""},
}

// signKeys holds the code and number of the keys that type punctuation, by the sign.
var signKeys = map[string]key{
	"-": {code: "Minus", keyCode: 189}, "=": {code: "Equal", keyCode: 187}, "[": {code: "BracketLeft", keyCode: 219},
	"]": {code: "BracketRight", keyCode: 221}, ";": {code: "Semicolon", keyCode: 186}, "'": {code: "Quote",
		keyCode: 222},
	",": {code: "Comma", keyCode: 188}, ".": {code: "Period", keyCode: 190}, "/": {code: "Slash", keyCode: 191},
	"\\": {code: "Backslash", keyCode: 220}, "`": {code: "Backquote", keyCode: 192},
}

// keyOf returns the key with a name, such as Enter, or the key that types an ASCII character.
func keyOf(name string) (k key, ok bool) {
	if k, ok = namedKeys[strings.ToLower(name)]; ok {
		return k, true
	}
	if len(name) != 1 || name[0] <= ' ' || name[0] >= 0x7f {
		return k, false
	}
	c := name[0]
	switch upper := strings.ToUpper(name)[0]; {
	case upper >= 'A' && upper <= 'Z':
		return key{name, "Key" + string(upper), int(upper), name}, true
	case c >= '0' && c <= '9':
		return key{name, "Digit" + name, int(c), name}, true
	}
	k = signKeys[name]
	k.name, k.text = name, name
	return k, true
}

// editingCommand returns the editing command, such as copy, that a key means together with Control
// or Meta, or "". A headless browser does not translate these keys itself.
func editingCommand(name string, modifiers int) string {
	if modifiers != modifierBits["control"] && modifiers != modifierBits["meta"] {
		return ""
	}
	return map[string]string{"a": "selectAll", "c": "copy", "x": "cut", "v": "paste", "z": "undo",
		"y": "redo"}[strings.ToLower(name)]
}
