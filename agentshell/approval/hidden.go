package approval

import "unicode"

// Hidden reports a character that a screen would not show as itself: controls except tab and newline, bidirectional controls, zero-width and
// tag characters and other invisible ones. A carriage return is hidden unless it ends a line, which the caller knows.
func Hidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < 0x20 || r >= 0x7F && r < 0xA0: // C0, DEL, C1
		return true
	case r < 0x80:
		return false
	case unicode.Is(unicode.Cf, r): // bidi, zero width, tags, soft hyphen, byte order mark
		return true
	case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF: // variation selectors
		return r != 0xFE0F && r != 0xFE0E // the two that choose between text and emoji are ordinary
	case r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0 || r == 0x2800 || r == 0x034F || r == 0x17B4 || r == 0x17B5: // blank letters
		return true
	case r == 0x2028 || r == 0x2029 || r >= 0x180B && r <= 0x180F:
		return true
	}
	return false
}

// CountHidden counts hidden characters. A carriage return before a newline is a line ending.
func CountHidden(s string) int {
	n := 0
	joiner := false
	for i, r := range s {
		switch {
		case r == '\r' && i+1 < len(s) && s[i+1] == '\n':
		case r == 0x200D && joiner: // inside an emoji
		case Hidden(r):
			n++
		}
		joiner = r >= 0x1F000 || r >= 0x2600 && r < 0x2800 || r == 0xFE0F || r == 0x2640 || r == 0x2642
	}
	return n
}

// Confusable reports why a file name may be taken for another one, or "": hidden characters, or letters of Latin mixed with look-alike
// scripts in one component.
func Confusable(path string) string {
	if CountHidden(path) > 0 {
		return "the name has hidden characters"
	}
	latin, other := false, ""
	for _, r := range path + "/" {
		switch {
		case r == '/':
			if latin && other != "" {
				return "the name mixes Latin and " + other + " letters"
			}
			latin, other = false, ""
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.Is(unicode.Cyrillic, r):
			other = "Cyrillic"
		case unicode.Is(unicode.Greek, r):
			other = "Greek"
		case unicode.Is(unicode.Armenian, r):
			other = "Armenian"
		case unicode.Is(unicode.Cherokee, r):
			other = "Cherokee"
		}
	}
	return ""
}
