package flicker

import "bytes"

// Token returns the length in bytes of the run of text, the control character or the escape
// sequence with which p begins.
func Token(p []byte) int {
	switch {
	case len(p) == 0:
		return 0
	case p[0] == 0x1b:
		return sequence(p)
	case p[0] < 0x20:
		return 1
	}
	n := 1
	for n < len(p) && p[n] >= 0x20 {
		n++
	}
	return n
}

func sequence(p []byte) int {
	if len(p) < 2 {
		return len(p)
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= 0x40 && p[i] <= 0x7e {
				return i + 1
			}
		}
	case ']', '_', 'P':
		if i := bytes.Index(p, []byte("\x1b\\")); i >= 0 {
			return i + 2
		}
	default:
		return 2
	}
	return len(p)
}
