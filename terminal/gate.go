package terminal

import (
	"bytes"
	"strings"
)

// termsWithoutStrings holds beginnings of TERM. Such terminals print a string (OSC, DCS, APC, PM,
// SOS) as text, or may: they have no parser for it.
var termsWithoutStrings = [...]string{
	"ansi", "avatar", "cons", "dialup", "dumb", "emacs", "eterm", "hurd", "linux", "mach", "network",
	"pcansi", "sun", "unknown", "vt0", "vt1", "vt2", "vt3", "vt4", "vt5", "wy",
}

// printsStrings holds the terminals that are known to print strings: Emacs' term (28.2, measured)
// and the Linux console.
var printsStrings = map[string]bool{"emacs": true, "linux": true}

// detectStrings reports whether strings go out: titles, links, marks, colours, the clipboard,
// notifications, pictures. Only this function decides. If it refuses, the writer drops them too,
// see writer.setDropStrings.
func (d *detection) detectStrings() bool {
	v, src, why := true, FromDefault, ""
	switch term := d.env("TERM"); {
	case printsStrings[d.caps.Name]:
		v, src, why = false, d.nameSource, d.caps.Name+" prints them"
	case d.replies.hasSentString():
		src, why = FromProbe, "it has answered with one"
	case term == "" || hasPrefix(term, termsWithoutStrings[:]):
		v, src, why = false, FromEnv, "TERM"
	}
	d.add("strings (OSC, DCS, APC)", v, src, why)
	return v
}

// noStrings is the reason in a fact about a capability that is off because it needs strings.
const noStrings = "no strings"

// requireStrings returns a capability that needs strings, with its source: off if no strings go
// out.
func (d *detection) requireStrings(v bool, src Source, why string) (bool, Source, string) {
	if v && !d.caps.Strings {
		return false, FromDefault, noStrings
	}
	return v, src, why
}

// hasSentString reports whether the terminal has sent a string itself: then it reads them, too.
func (r *replies) hasSentString() bool {
	return r.version != "" || r.background != nil || r.foreground != nil || r.graphics == answeredYes ||
		r.notify == answeredYes
}

// hasPrefix reports whether s begins with one of prefixes.
func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// appendWithoutStrings appends p to dst without the strings in it. If a string does not end,
// everything from its beginning is left out.
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
