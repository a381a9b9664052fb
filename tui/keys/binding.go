package keys

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Binding is an action with the keys that trigger it.
type Binding struct {
	Name string   // the name in code and configuration, such as "next-page"
	Help string   // the effect in one or two words, for users
	Keys []string // built-in keys in the form of [terminal.ParseKey]; the first is shown in hints
	// In is the context in which the binding is active, under a name that the program chooses. Two
	// bindings may share a key if they are never active together. "" means everywhere.
	In string
}

// overlaps reports whether b and o can be active together.
func (b *Binding) overlaps(o *Binding) bool { return b.In == "" || o.In == "" || b.In == o.In }

// keyLabel returns the label of a key on a keyboard: "Esc", "PgUp", and otherwise name with a
// capital letter.
func keyLabel(code rune, name string) string {
	switch code {
	case terminal.KeyEscape:
		return "Esc"
	case terminal.KeyPageUp:
		return "PgUp"
	case terminal.KeyPageDown:
		return "PgDown"
	}
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// Label returns the name of k for users: "Ctrl+C", "Esc", "PgUp", "q". [terminal.ParseKey] accepts
// it.
func Label(k tui.Key) string {
	name := k.String()
	at := 0
	if k.Code != '+' {
		at = strings.LastIndexByte(name, '+') + 1
	} else {
		at = len(name) - 1
	}
	key := name[at:]
	if utf8.RuneCountInString(key) > 1 || k.Mods&(terminal.Ctrl|terminal.Super) != 0 {
		key = keyLabel(k.Code, key)
	}
	var b strings.Builder
	for _, mod := range strings.Split(strings.TrimSuffix(name[:at], "+"), "+") {
		if mod != "" {
			b.WriteString(keyLabel(0, mod) + "+")
		}
	}
	return b.String() + key
}
