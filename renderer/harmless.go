package renderer

import (
	"strings"
	"unicode/utf8"
)

// plainRun returns the length in bytes of the printable ASCII at the start of s. It leaves out the
// last of these characters if one that is not ASCII follows, which may combine with it.
func plainRun(s string) int {
	for i := range len(s) {
		switch b := s[i]; {
		case b >= 0x80:
			return max(i-1, 0)
		case b < 0x20 || b == 0x7f:
			return i
		}
	}
	return len(s)
}

// harmless returns a visible replacement for a grapheme cluster that must not reach a terminal: a
// control character, an invalid byte or a bidirectional override. It returns "" if c may be printed
// as it is. Callers replace such text before; this is the last line of defence.
func harmless(c string) string {
	r, n := utf8.DecodeRuneInString(c)
	switch {
	case r < 0x20:
		return string(rune(0x2400) + r)
	case r == 0x7f:
		return "\u2421"
	case r >= 0x80 && r < 0xa0, r == utf8.RuneError && n <= 1, bidi(r):
		return "\ufffd"
	}
	if n == len(c) {
		return ""
	}
	for _, r := range c[n:] {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == utf8.RuneError || bidi(r) {
			return "\ufffd"
		}
	}
	return ""
}

// bidi reports whether r changes the direction of text.
func bidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f || r == 0x061c
}

// cleanLink returns uri if it is an http, https or mailto address in printable ASCII of at most
// 2,000 bytes, otherwise "" (PANE-15).
func cleanLink(uri string) string {
	if len(uri) > 2000 || !strings.HasPrefix(uri, "https://") && !strings.HasPrefix(uri, "http://") &&
		!strings.HasPrefix(uri, "mailto:") {
		return ""
	}
	for i := range len(uri) {
		if uri[i] <= 0x20 || uri[i] >= 0x7f {
			return ""
		}
	}
	return uri
}
