package terminal

import (
	"bytes"
	"strings"
)

// stringless are the kinds of TERM whose terminals print a string (OSC, DCS, APC, PM, SOS) as text,
// or may: they have no parser for it. Each is a beginning of TERM.
var stringless = [...]string{
	"ansi", "avatar", "cons", "dialup", "dumb", "emacs", "eterm", "hurd", "linux", "mach", "network",
	"pcansi", "sun", "unknown", "vt0", "vt1", "vt2", "vt3", "vt4", "vt5", "wy",
}

// prints are the terminals of which it is known that they print strings: Emacs' term (28.2,
// measured) and the Linux console.
var prints = map[string]bool{"emacs": true, "linux": true}

// strings reports whether strings go out: titles, links, marks, colours, the clipboard,
// notifications, pictures. This is the one place that decides; what is refused here is dropped by
// the writer, too, see closedTo.
func (f *facts) strings() bool {
	v, src, why := true, FromDefault, ""
	switch term := f.env("TERM"); {
	case prints[f.c.Name]:
		v, src, why = false, f.name, f.c.Name+" prints them"
	case f.r.spoke():
		src, why = FromProbe, "it has answered with one"
	case term == "" || hasPrefix(term, stringless[:]):
		v, src, why = false, FromEnv, "TERM"
	}
	f.note("strings (OSC, DCS, APC)", v, src, why)
	return v
}

// noStrings is why something is off that needs them.
const noStrings = "no strings"

// gated returns a capability that needs strings, with its source.
func (f *facts) gated(v bool, src Source, why string) (bool, Source, string) {
	if v && !f.c.Strings {
		return false, FromDefault, noStrings
	}
	return v, src, why
}

// spoke reports whether the terminal has sent a string itself: then it reads them.
func (r *replies) spoke() bool {
	return r.version != "" || r.background != nil || r.foreground != nil || r.graphics == yes || r.notify == yes
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// appendWithoutStrings appends p to dst without the strings in it: whole ones, or what is left of p
// from one on that does not end.
func appendWithoutStrings(dst, p []byte) []byte {
	for {
		i := bytes.IndexByte(p, 0x1b)
		if i < 0 || i+1 == len(p) {
			return append(dst, p...)
		}
		if bytes.IndexByte([]byte("]P_^Xk"), p[i+1]) < 0 { // k: GNU screen's title
			dst, p = append(dst, p[:i+2]...), p[i+2:]
			continue
		}
		dst, p = append(dst, p[:i]...), p[i+2:]
		end := bytes.Index(p, []byte("\x1b\\"))
		if bell := bytes.IndexByte(p, 7); bell >= 0 && (end < 0 || bell < end) {
			p = p[bell+1:]
			continue
		}
		if end < 0 {
			return dst
		}
		p = p[end+2:]
	}
}
