package keys

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scrollkeep/scrollkeep/terminal"
	"github.com/scrollkeep/scrollkeep/tui"
)

// Binding is one action with its keys.
type Binding struct {
	Name string   // as code and configuration call it: "next-page"
	Help string   // for a person, a word or two
	Keys []string // built in, as [terminal.ParseKey] reads them; the first is the one that is shown
	// In is where it is active, a name that the program chooses. Two bindings may share a key if
	// they are never active together. "": everywhere.
	In string
}

// meets reports whether both can be active together.
func (b *Binding) meets(o *Binding) bool { return b.In == "" || o.In == "" || b.In == o.In }

// label returns a key as it is labelled on a keyboard: its name with a capital, with a few
// exceptions.
func label(code rune, name string) string {
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

// Label returns the name of k for a person: "Ctrl+C", "Esc", "PgUp", "q". [terminal.ParseKey] reads
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
		key = label(k.Code, key)
	}
	var b strings.Builder
	for _, mod := range strings.Split(strings.TrimSuffix(name[:at], "+"), "+") {
		if mod != "" {
			b.WriteString(label(0, mod) + "+")
		}
	}
	return b.String() + key
}
