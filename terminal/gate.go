package terminal

import (
	"bytes"
	"strings"
)

// termsWithoutStrings holds the beginnings of TERM of terminals that print control strings (OSC,
// DCS, APC, PM, SOS) as text, or may do so, because they cannot parse them.
var termsWithoutStrings = [...]string{
	"ansi", "avatar", "cons", "dialup", "dumb", "emacs", "eterm", "hurd", "linux", "mach", "network",
	"pcansi", "sun", "unknown", "vt0", "vt1", "vt2", "vt3", "vt4", "vt5", "wy",
}

// printsStrings holds the names of terminals that are known to print control strings as text:
// Emacs' term (28.2, measured) and the Linux console.
var printsStrings = map[string]bool{"emacs": true, "linux": true}

// detectStrings decides whether control strings may be sent: titles, links, marks, colours, the
// clipboard, notifications, images. If they may not, the writer removes them from all output, too:
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

// noStrings is the reason that a report gives for a capability that is off because it needs control
// strings.
const noStrings = "no strings"

// requireStrings returns a capability that needs control strings, with its source. It is off if the
// terminal may be sent none.
func (d *detection) requireStrings(v bool, src Source, why string) (bool, Source, string) {
	if v && !d.caps.Strings {
		return false, FromDefault, noStrings
	}
	return v, src, why
}

// hasSentString reports whether the terminal has sent a control string itself. Then it can read
// them, too.
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

// appendWithoutStrings appends p to dst without the control strings in it. If a string has no end,
// everything from its beginning on is left out.
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
